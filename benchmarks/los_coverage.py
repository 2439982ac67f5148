"""How far likelihood of superiority (LOS) and 95 % interval can be trusted in short matches.

    python benchmarks/los_coverage.py                   three tables in Markdown, 15 seconds
    python benchmarks/los_coverage.py --matches 20000   ten times the matches

Matches are simulated: games of four draw rates, in pairs that are independent, half or wholly
alike, or played from openings that favour one seat by 400 Elo.  Every table has the normal
approximation (mean +/- 1.96 standard errors, with its rules for pairs that are all alike)
beside what plies says.  The seed is fixed, so the tables are the same every time.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from statistics import NormalDist, mean
from typing import NamedTuple

import numpy as np

from plies.arena.statistics import (
    Counts,
    elo_estimate,
    likelihood_of_superiority,
    score_of_elo,
)

PAIRS = (2, 3, 5, 10, 20, 50)
STRENGTHS = (0, 60, 200, 400)  # Elo
SPREAD = 150  # Elo: standard deviation of the strengths among which LOS is calibrated
DRAWS = (0.0, 0.3, 0.7, 0.95)  # share of drawn games between equal agents
CLAIMS = ((0.8, 0.9), (0.9, 0.95), (0.95, 0.975), (0.975, 1.01))
SURE = 0.975


class Pairing(NamedTuple):
    """How the two games of a pair hang together."""

    alike: float  # share of pairs in which the second game ends as the first one did
    bias: float  # Elo by which the opening favours one seat


PAIRINGS = (Pairing(0, 0), Pairing(0.5, 0), Pairing(1, 0), Pairing(0, 400))


class Verdict(NamedTuple):
    """What a method says about a match."""

    los: float
    low: float  # scores
    high: float


Method = Callable[[tuple[int, ...]], Verdict]


@cache
def normal_approximation(numbers: tuple[int, ...]) -> Verdict:
    counts = Counts(numbers)
    error = 1.96 * counts.standard_error
    low, high = counts.mean - error, counts.mean + error
    if counts.has_spread:
        excess = (counts.mean - 0.5) / counts.standard_error
        return Verdict(NormalDist().cdf(excess), low, high)
    seen = 0.025 ** (1 / counts.samples)
    score = counts.scores[numbers.index(counts.samples)]
    sure = max(0.5, 1 - (0.5 / max(score, 1 - score)) ** counts.samples)
    los = sure if score >= 0.5 else 1 - sure
    low, high = min(low, seen * counts.mean), max(high, seen * counts.mean + 1 - seen)
    return Verdict(los, low, high)


@cache
def likelihood_ratio(numbers: tuple[int, ...]) -> Verdict:
    counts = Counts(numbers)
    los, found = likelihood_of_superiority(counts), elo_estimate(counts)
    assert los is not None
    assert found is not None
    low = 0.0 if found.low is None else score_of_elo(found.low)
    return Verdict(los, low, 1.0 if found.high is None else score_of_elo(found.high))


AGENTS: tuple[Method, Method] = (normal_approximation, likelihood_ratio)


def game(elo: float, draws: float) -> np.ndarray:
    """Chances of a loss, a draw and a win."""
    score = score_of_elo(elo)
    drawn = 2 * draws * min(score, 1 - score)
    return np.array([1 - score - drawn / 2, drawn, score - drawn / 2])


def pair(elo: float, draws: float, pairing: Pairing) -> np.ndarray:
    """Chances of 0, 1/2, 1, 3/2 and 2 points in a pair."""
    first, second = game(elo + pairing.bias, draws), game(elo - pairing.bias, draws)
    chances = (1 - pairing.alike) * np.convolve(first, second)
    chances[::2] += pairing.alike * (first + second) / 2
    return chances


def matches(chances: np.ndarray, pairs: int, count: int, seed: int) -> Iterator[tuple[int, ...]]:
    drawn = np.random.default_rng(seed).multinomial(pairs, chances / chances.sum(), size=count)
    return (tuple(map(int, numbers)) for numbers in drawn)


def share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags)


def wrong_claims(pairs: int, count: int) -> list[list[float]]:
    """By method and kind of match: how often one of two equal agents is called better."""
    worlds = [pair(0, draws, pairing) for draws, pairing in product(DRAWS, PAIRINGS)]
    return [
        [
            share([method(numbers).los > SURE for numbers in matches(world, pairs, count, seed)])
            for seed, world in enumerate(worlds)
        ]
        for method in AGENTS
    ]


def coverage(pairs: int, count: int) -> list[list[float]]:
    """By method and kind of match: how often the interval holds the true strength."""
    found: list[list[float]] = [[], []]
    for seed, (elo, draws, pairing) in enumerate(product(STRENGTHS, DRAWS, PAIRINGS)):
        chances = pair(elo, draws, pairing)
        truth = float(chances @ np.arange(5) / 4)
        played = list(matches(chances, pairs, count, seed))
        for method, shares in zip(AGENTS, found, strict=True):
            verdicts = map(method, played)
            shares.append(share([each.low <= truth <= each.high for each in verdicts]))
    return found


def calibration(pairs: int, count: int) -> list[list[str]]:
    """By method and claim: how often the agent that is called better is the better one."""
    rng = np.random.default_rng(pairs)
    played: list[tuple[tuple[int, ...], bool]] = []
    for _ in range(count * len(DRAWS)):
        elo, draws = rng.normal(0, SPREAD), rng.choice(DRAWS)
        chances = pair(elo, draws, PAIRINGS[rng.integers(len(PAIRINGS))])
        played.append((tuple(map(int, rng.multinomial(pairs, chances / chances.sum()))), elo > 0))
    rows = []
    for method in AGENTS:
        claims = [(method(numbers).los, is_better) for numbers, is_better in played]
        sides = [(los, better) if los >= 0.5 else (1 - los, not better) for los, better in claims]
        cells = []
        for low, high in CLAIMS:
            hits = [better for los, better in sides if low <= los < high]
            cells.append(f"{100 * share(hits):.0f} %" if len(hits) >= 30 else "-")
        rows.append(cells)
    return rows


def percent(number: float) -> str:
    return f"{100 * number:.1f} %"


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print(f"| {' | '.join(columns)} |")
    print(f"| {' | '.join(['---:'] * len(columns))} |")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=2000, help="of every kind (default 2000)")
    count = parser.parse_args().matches
    both = ("normal, mean", "normal, worst", "plies, mean", "plies, worst")
    print("Equal agents of which one is called better (LOS above 97.5 %); 2.5 % is right:\n")
    rows = [(pairs, wrong_claims(pairs, count)) for pairs in PAIRS]
    print_table(
        ("pairs", *both),
        [[str(n), *(percent(f(each)) for each in by for f in (mean, max))] for n, by in rows],
    )
    print("Intervals that hold the true strength; 95 % is right:\n")
    rows = [(pairs, coverage(pairs, count)) for pairs in PAIRS]
    print_table(
        ("pairs", *both),
        [[str(n), *(percent(f(each)) for each in by for f in (mean, min))] for n, by in rows],
    )
    print(f"The agent called better is better, strengths spread by {SPREAD} Elo:\n")
    names = [f"{100 * low:g} to {100 * min(high, 1):g} %" for low, high in CLAIMS]
    print_table(
        ("pairs", *(f"normal {name}" for name in names), *(f"plies {name}" for name in names)),
        [
            [str(pairs), *(cell for row in calibration(pairs, count) for cell in row)]
            for pairs in PAIRS
        ],
    )


if __name__ == "__main__":
    main()
