"""What a learned evaluator costs at a leaf of alpha-beta, beside the hand-written one.

    python benchmarks/network.py            the table
    python benchmarks/network.py --json     the same for a program

The tables and networks are random ones of the size that is trained; every count of leaves is
asserted.  A time is the best of several rounds by CPU time, all evaluators in turns.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import plies
from plies.core.scores import INFINITY
from plies.learn.patterns import find_patterns
from plies.learn.td import pattern_arrays
from plies.models.files import Model
from plies.models.kinds import model_evaluator
from plies.search.alphabeta import SOFT_AND_EQUAL, alphabeta
from plies.search.workspace import ROOT, new_workspace

GAME = "quixo"
INPUTS, GRAIN = 50, 1024
POSITIONS = {
    "7 cubes": "X..O./...../..X../...../O...O X",
    "20 cubes": "XOXO./.OX.X/OOX.X/XO..X/O.XOO X",
}
DEPTH, ROUNDS = 4, 15
# Leaves by evaluator and position: a change of a kernel's answer changes them.
LEAVES = {
    ("lines", "7 cubes"): 79_170,
    ("lines", "20 cubes"): 14_486,
    ("tables of 12 lines", "7 cubes"): 80_541,
    ("tables of 12 lines", "20 cubes"): 17_444,
    ("network, 16 units", "7 cubes"): 49_006,
    ("network, 16 units", "20 cubes"): 8_313,
    ("network, 32 units", "7 cubes"): 85_427,
    ("network, 32 units", "20 cubes"): 13_704,
    ("network, 64 units", "7 cubes"): 122_590,
    ("network, 64 units", "20 cubes"): 9_746,
}


@dataclass(frozen=True)
class Cost:
    evaluator: str
    position: str
    leaves: int
    nanoseconds: float  # for a leaf, the search included


def random_tables() -> Model:
    game = plies.game(GAME)
    patterns = find_patterns(game)
    arrays = pattern_arrays(patterns, INPUTS)
    arrays["values"] = np.random.default_rng(1).normal(size=len(arrays["values"]))
    return Model("tuples", GAME, {"points": patterns.points}, arrays)


def random_network(units: int) -> Model:
    chance = np.random.default_rng(units)
    arrays = {
        "weights": chance.integers(-GRAIN // 2, GRAIN // 2, INPUTS * units),
        "biases": chance.integers(-GRAIN // 2, GRAIN // 2, units),
        "outputs": chance.integers(-(1 << 20), 1 << 20, units + 1),
    }
    return Model("network", GAME, {"grain": GRAIN}, arrays)


def evaluators() -> dict[str, Any]:
    game = plies.game(GAME)
    networks = {f"network, {units} units": random_network(units) for units in (16, 32, 64)}
    learned = {"tables of 12 lines": random_tables(), **networks}
    made = {name: model_evaluator(model, game) for name, model in learned.items()}
    return {"lines": game.evaluator("lines"), **made}


def measured(rounds: int = ROUNDS) -> list[Cost]:
    game, opinions = plies.game(GAME), evaluators()
    best: dict[tuple[str, str], Cost] = {}
    for _ in range(rounds):
        for name, evaluator in opinions.items():
            for label, text in POSITIONS.items():
                cost = searched(name, label, game.parse_position(text), evaluator)
                expected = LEAVES[name, label]
                assert cost.leaves == expected, f"{name}, {label}: {cost.leaves}, not {expected}"
                known = best.get((name, label), cost)
                best[name, label] = min(known, cost, key=lambda found: found.nanoseconds)
    return list(best.values())


def searched(name: str, label: str, state: Any, evaluator: Any) -> Cost:
    work = new_workspace()
    began = time.process_time()
    alphabeta(state, DEPTH, -INFINITY, INFINITY, ROOT, SOFT_AND_EQUAL, evaluator, work)
    seconds = time.process_time() - began
    return Cost(name, label, int(work.leaves), 1e9 * seconds / int(work.leaves))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="What a learned evaluator costs at a leaf.")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    costs = measured()
    if options.json:
        print(json.dumps([asdict(cost) for cost in costs], indent=1))
        return 0
    table = Table(title=f"{GAME}, alpha-beta of depth {DEPTH}, one core")
    for column in ("evaluator", "position", "leaves", "ns a leaf"):
        table.add_column(column, justify="left" if column == "evaluator" else "right")
    for cost in costs:
        row = (cost.evaluator, cost.position, f"{cost.leaves:,}", f"{cost.nanoseconds:.0f}")
        table.add_row(*row)
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
