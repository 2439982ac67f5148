"""What is lost by looking at less: searches with and without forward pruning, side by side.

    python benchmarks/pruning.py            the table
    python benchmarks/pruning.py --json     the same for a program

Each search looks at the same positions, which come from seeded random play.  A move is as
good as the best if alpha-beta of the same depth gives it the value of the position; what
a lesser one loses is the difference, in the unit of the evaluator.
"""

import argparse
import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from statistics import mean
from typing import Any

from rich.console import Console
from rich.table import Table

import plies
from plies.core import verbs
from plies.core.scores import ONGOING, is_decided
from plies.search.alphabeta import AlphaBeta
from plies.search.beam import Beam
from plies.search.branch import Branch
from plies.search.deepening import Deepening
from plies.search.leaf import final_value
from plies.search.search import Search
from plies.search.table import from_table_value
from plies.search.task import Task

DEPTHS = {"chess": 4, "morris": 4, "seega": 6, "quixo": 4}
RUNS = 3
SEARCHES: dict[str, Callable[[int], Search]] = {
    "alpha-beta, unsorted": lambda depth: AlphaBeta(depth),
    "alpha-beta, sorted": lambda depth: AlphaBeta(depth, order="shallow"),
    "deepening, table": lambda depth: Deepening(depth, table=1),
    "beam, half of more than 6": lambda depth: Beam(depth),
    "beam, a quarter of more than 6": lambda depth: Beam(depth, share=0.25),
    "branch, look 0, width 5": lambda depth: Branch(depth, look=0),
    "branch, look 1, width 5": lambda depth: Branch(depth, look=1),
    "branch, look 2, width 5": lambda depth: Branch(depth, look=2),
    "branch, look 1, width 2": lambda depth: Branch(depth, look=1, width=2),
}


@dataclass(frozen=True)
class Result:
    """What a search did on all positions of a game."""

    game: str
    depth: int
    search: str
    positions: int
    nodes: int
    cpu_seconds: float
    as_good: int  # positions with a move that is as good as the best
    lost: float  # by the move, on the mean of the positions in which nothing is decided


def positions_of(game: plies.Game, count: int, seed: int) -> list[Any]:
    """Positions after 10 to 30 random plies in which the game goes on."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        state = game.initial()
        for _ in range(chance.randint(10, 30)):
            state = game.play(state, chance.choice(game.moves(state)))
            if game.is_over(state):
                break
        else:
            found.append(state)
    return found


def measured(name: str, game: plies.Game, states: list[Any], depth: int) -> Result:
    method, evaluator = SEARCHES[name](depth), game.evaluator()
    tasks = [Task(state, evaluator) for state in states]
    method.decide(tasks[0])  # compiles
    best, found = float("inf"), []
    for _ in range(RUNS):
        found = [method.decide(replace(task, memory={})) for task in tasks]
        best = min(best, sum(decision.cpu_seconds for decision in found))
    pairs = [
        (value_of(task, depth), value_after(task, decision.move, depth))
        for task, decision in zip(tasks, found, strict=True)
    ]
    as_good = sum(value == own for value, own in pairs)
    lost = [value - own for value, own in pairs if not (is_decided(value) or is_decided(own))]
    nodes = sum(decision.nodes for decision in found)
    return Result(game.name, depth, name, len(states), nodes, best, as_good, mean(lost))


def value_of(task: Task, depth: int) -> int:
    value = AlphaBeta(depth).decide(task).value
    assert value is not None  # nothing stops it
    return value


def value_after(task: Task, move: int, depth: int) -> int:
    """What a move is worth to its mover, `depth` plies deep."""
    child = verbs.play(task.state, move)
    result = verbs.outcome(child)
    if result != ONGOING:
        value = int(final_value(child, result, 1))
    else:
        value = int(from_table_value(value_of(replace(task, state=child), depth - 1), 1))
    return value if verbs.mover(child) == verbs.mover(task.state) else -value


def main() -> None:
    parser = argparse.ArgumentParser(description="Searches that look at less, side by side.")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--positions", type=int, default=30, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    results = []
    for spec, depth in DEPTHS.items():
        game = plies.game(spec)
        states = positions_of(game, arguments.positions, arguments.seed)
        results += [measured(name, game, states, depth) for name in SEARCHES]
    if arguments.json:
        print(json.dumps([asdict(result) for result in results], indent=2))
    else:
        show(results)


def show(results: list[Result]) -> None:
    console = Console(width=110)
    table = Table("game", "search", "nodes", "CPU ms", "as good as the best", "lost on the mean")
    for each in results:
        table.add_row(
            f"{each.game}, depth {each.depth}",
            each.search,
            f"{each.nodes:,}",
            f"{each.cpu_seconds * 1e3:.1f}",
            f"{each.as_good} of {each.positions}",
            f"{each.lost:.1f}",
        )
    console.print(table)


if __name__ == "__main__":
    main()
