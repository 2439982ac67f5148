"""What other weights of Seega's `improved` evaluator score against its own, in matches.

    python tuning/seega.py boring=0 boring=20 danger=0,threat=6 --depth 3 --pairs 3000

Each change is searched at the same depth as the weights it changes, from random openings
that are played twice with the seats swapped.  The error is that of the pairs, at 95 %.
"""

import argparse
import math
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import plies
from plies.core import verbs
from plies.evaluators.seega import Improved
from plies.search.alphabeta import AlphaBeta
from plies.search.task import Task

OPENING_PLIES = 8


def changed(text: str) -> Improved:
    """`danger=0,threat=6` -> the weights with these two changed."""
    pairs = (part.partition("=") for part in text.split(","))
    try:
        return Improved()._replace(**{name: int(value) for name, _, value in pairs})
    except ValueError as error:
        names = ", ".join(Improved._fields)
        message = f"{text!r} is not weight=number; weights are {names}"
        raise argparse.ArgumentTypeError(message) from error


def winner(state: Any, sides: tuple[Improved, Improved], depth: int) -> int:
    """The outcome of a game in which each player searches with weights of their own."""
    while (result := verbs.outcome(state)) == plies.ONGOING:
        decision = AlphaBeta(depth).decide(Task(state, sides[verbs.mover(state)]))
        state = verbs.play(state, decision.move)
    return result


def opening(game: plies.Game, rng: random.Random) -> Any:
    state = game.initial()
    for _ in range(OPENING_PLIES):
        state = game.play(state, rng.choice(game.moves(state)))
    return state


def scores(weights: Improved, depth: int, pairs: int, seed: int) -> Iterator[float]:
    """What the weights score in each pair of games against the evaluator's own, 0 to 1."""
    game, rng, own = plies.game("seega"), random.Random(seed), Improved()
    for _ in range(pairs):
        state = opening(game, rng)
        results = [winner(state, sides, depth) for sides in ((weights, own), (own, weights))]
        points = [0.5 if won == plies.DRAW else won == seat for seat, won in enumerate(results)]
        yield sum(points) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description="Matches between weights of Seega's evaluator.")
    parser.add_argument("weights", nargs="+", help="such as boring=0 or danger=0,threat=6")
    parser.add_argument("--depth", type=int, default=3, help="plies that both search (3)")
    parser.add_argument("--pairs", type=int, default=300, help="openings (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (1)")
    arguments = parser.parse_args()
    for text in arguments.weights:
        try:
            weights = changed(text)
        except argparse.ArgumentTypeError as error:
            parser.error(str(error))
        results = list(scores(weights, arguments.depth, arguments.pairs, arguments.seed))
        mean = sum(results) / len(results)
        variance = sum((score - mean) ** 2 for score in results) / len(results)
        error = 1.96 * math.sqrt(variance / len(results))
        print(f"{text:<24} {100 * mean:.1f} % +/- {100 * error:.1f}", flush=True)


if __name__ == "__main__":
    with ThreadPoolExecutor(1) as pool:  # there a search needs no thread of its own
        pool.submit(main).result()
