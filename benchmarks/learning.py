"""How fast and how well the learners learn.

    python benchmarks/learning.py            300 000 games of tic-tac-toe for each of five seeds
    python benchmarks/learning.py --json     the same for a program

Self-play of Q-learning with its default settings.  The plies played are asserted for the first
seed, so that the time is that of the right work.  The win rates are exact, against a player
who moves at random; nobody can win more than 99.48 % as first and 93.86 % as second.  The exit
status is 1 where a goal is missed.
"""

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

import plies
from plies.learn.against_chance import exactly, graph_of, greedy, optimum
from plies.learn.qlearning.learner import Learner
from plies.learn.qlearning.settings import Settings
from plies.models.table import evaluator

GAMES = 300_000
SEEDS = range(1, 6)
PLIES = {1: 2_226_660}  # by seed
MOST_SECONDS = 1.5
GAPS = (0.005, 0.015)  # to the optimum, by seat


@dataclass(frozen=True)
class Result:
    """One training: its time, and the exact win rates of what it learned."""

    seed: int
    cpu_seconds: float
    positions: int
    first: float
    second: float
    is_good: bool


def measure(seed: int) -> Result:
    game = plies.game("tictactoe")
    learner = Learner(game, Settings(), seed)
    began = time.process_time()
    learner.play(GAMES)
    seconds = time.process_time() - began
    played = int(learner.work.plies)
    assert played == PLIES.get(seed, played), f"seed {seed}: {played} plies"
    graph = graph_of(game)
    policy = greedy(game, graph, evaluator(learner.model(), game))
    wins = [exactly(graph, policy, seat).wins for seat in (0, 1)]
    gaps = [optimum(graph, seat).wins - wins[seat] for seat in (0, 1)]
    is_good = seconds < MOST_SECONDS and gaps[0] <= GAPS[0] and gaps[1] <= GAPS[1]
    return Result(seed, seconds, learner.learned, wins[0], wins[1], is_good)


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast and how well the learners learn.")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args()
    Learner(plies.game("tictactoe"), Settings()).play(1000)  # compiles
    results = [measure(seed) for seed in SEEDS]
    if arguments.json:
        print(json.dumps([asdict(result) for result in results], indent=2))
    else:
        table = Table("seed", "CPU s", "positions", "won as first", "won as second", "goals")
        for r in results:
            rates = (f"{r.first:.2%}", f"{r.second:.2%}", "reached" if r.is_good else "MISSED")
            table.add_row(str(r.seed), f"{r.cpu_seconds:.2f}", str(r.positions), *rates)
        Console(width=100).print(table)
    return 0 if all(result.is_good for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
