"""Games and positions to try searches on, and what they are worth."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import plies
from plies.core import verbs
from plies.core.scores import ONGOING
from plies.search.leaf import leaf_value
from plies.search.minimax import Minimax
from plies.search.table import from_table_value
from plies.search.task import Task

EXAMPLES = Path(__file__).parents[1] / "examples"
VARIANTS = [
    "tictactoe:width=4,height=3,k=3",
    "nim:rows=2-3-4,k=2,misere=true",
    "quixo:n=2",
    "quixo:n=3,double=mover-wins",
    f"{EXAMPLES / 'kalah.py'}:pits=3,seeds=2",
]
SMALL = {"hex": ":size=4"}  # of 121 cells, searches look at a million triples
FILES = [f"{path}{SMALL.get(path.stem, '')}" for path in sorted(EXAMPLES.glob("*.py"))]
EVERY_GAME = [*plies.game_names(), *FILES, *VARIANTS]


def is_for_minimax(spec: str) -> bool:
    game = plies.game(spec)
    return game.is_zero_sum(game.initial())


SPECS = list(filter(is_for_minimax, EVERY_GAME))


def position_after(game: plies.Game, plies_played: int, seed: int) -> Any:
    """A position from random play in which the game still goes on."""
    chance = random.Random(seed)
    state = game.initial()
    for _ in range(plies_played):
        later = game.play(state, chance.choice(game.moves(state)))
        if game.is_over(later):
            return state
        state = later
    return state


def plain_value(state: Any, depth: int, ply: int, evaluator: Any) -> int:
    """What `state` is worth to its mover, by minimax as it stands in every textbook."""
    result = verbs.outcome(state)
    if result != ONGOING or depth == 0:
        return int(leaf_value(state, result, ply, evaluator))
    return max(
        value_of_move(state, move, depth, ply, evaluator) for move in verbs.legal_moves(state)
    )


def value_of_move(state: Any, move: int, depth: int, ply: int, evaluator: Any) -> int:
    """What a move is worth to its mover, `depth` plies deep."""
    child = verbs.play(state, move)
    value = plain_value(child, depth - 1, ply + 1, evaluator)
    return value if verbs.mover(child) == verbs.mover(state) else -value


def value_by_minimax(task: Task, move: int, depth: int) -> int:
    """What a move is worth, by minimax of the position after it."""
    child = verbs.play(task.state, move)
    result = verbs.outcome(child)
    if result != ONGOING or depth == 1:
        value = int(leaf_value(child, result, 1, task.evaluator))
    else:
        found = Minimax(depth - 1).decide(replace(task, state=child))
        value = int(from_table_value(found.value, 1))
    return value if verbs.mover(child) == verbs.mover(task.state) else -value
