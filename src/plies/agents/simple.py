"""Agents that hardly think: chance, one look ahead, and a person."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plies.core import verbs
from plies.core.errors import PliesError
from plies.core.scores import ONGOING
from plies.core.telling import player_name
from plies.search.decision import Decision
from plies.search.leaf import final_value
from plies.search.runner import first_move
from plies.search.task import Task

if TYPE_CHECKING:
    from plies.core.contract import Game


@dataclass(frozen=True)
class Random:
    """Any legal move, all equally likely."""

    for_any_game: ClassVar[bool] = True

    def decide(self, task: Task) -> Decision:
        began = time.perf_counter()
        first_move(task.state)
        move = int(task.rng.choice(verbs.legal_moves(task.state)))
        return Decision(move, seconds=time.perf_counter() - began, line=(move,))


@dataclass(frozen=True)
class Greedy:
    """The move after which the evaluator likes the position best; chance among equal ones.

    A move that wins at once is better than all opinions.
    """

    eval: str = ""

    for_any_game: ClassVar[bool] = False

    def decide(self, task: Task) -> Decision:
        began = time.perf_counter()
        first_move(task.state)
        values = {
            int(move): _value_after(task, int(move)) for move in verbs.legal_moves(task.state)
        }
        best = max(values.values())
        move = task.rng.choice([move for move, value in values.items() if value == best])
        return Decision(
            move,
            value=best,
            depth=1,
            nodes=len(values) + 1,
            seconds=time.perf_counter() - began,
            line=(move,),
            leaves=len(values),
        )


def _value_after(task: Task, move: int) -> int:
    """What a move is worth to the player who makes it, by one look."""
    child = verbs.play(task.state, move)
    result = verbs.outcome(child)
    if result == ONGOING:
        value = int(verbs.evaluate(task.evaluator, child))
    else:
        value = int(final_value(child, result, 1))
    return value if verbs.mover(child) == verbs.mover(task.state) else -value


@dataclass(frozen=True)
class Human:
    """A person at the terminal, who is asked for every move."""

    for_any_game: ClassVar[bool] = True
    is_outside: ClassVar[bool] = True

    def decide(self, task: Task) -> Decision:
        game: Game | None = task.game
        assert game is not None
        began = time.perf_counter()
        print(f"\n{game.draw(task.state)}\n")
        while True:
            text = input(f"{player_name(game, task.seat)}> ").strip()
            if text == "?":
                print(*(game.spoken(task.state, move) for move in game.moves(task.state)))
                continue
            try:
                move = game.parse_move(task.state, text)
            except PliesError as error:
                print(error)
            else:
                return Decision(move, seconds=time.perf_counter() - began, line=(move,))
