"""A match of two agents that ends as soon as a sequential test has come to its verdict.

The test looks at complete pairs in the order of their keys, after each of them.  The first
pair that decides is the last one that counts; what was played beyond it, by workers that
were ahead, is kept and not counted.  So the verdict is the same for any number of workers.
"""

from dataclasses import dataclass
from functools import lru_cache

from plies.arena.plan import Planned
from plies.arena.schedule.everyone import all_games
from plies.arena.schedule.pairs import Plan, Results, points
from plies.arena.statistics.counts import Counts
from plies.arena.statistics.sprt import Sprt

AHEAD = 32  # pairs that are given out before the earlier ones have ended


@dataclass(frozen=True)
class Progress:
    """The pairs that count, as the first agent sees them, and the verdict.

    That is `H0`, `H1`, or empty while there is none.
    """

    counts: Counts
    verdict: str = ""


def known(plan: Plan, results: Results) -> tuple[Planned, ...]:
    """The games up to the verdict, or some more than have been counted."""
    so_far = progress(plan, results)
    pairs = so_far.counts.samples + (0 if so_far.verdict else AHEAD)
    return all_games(plan)[: 2 * pairs]


def progress(plan: Plan, results: Results) -> Progress:
    """The test after as many pairs as have ended without a gap, or as decide it."""
    test = plan.tournament.sprt
    assert test is not None
    games = all_games(plan)
    first = plan.tournament.names[0]
    numbers = [0] * 5
    for start in range(0, len(games), 2):
        if (got := points(games[start : start + 2], results)) is None:
            break
        numbers[round(2 * got[first])] += 1
        if verdict := _verdict(test, tuple(numbers)):
            return Progress(Counts(tuple(numbers)), verdict)
    return Progress(Counts(tuple(numbers)))


@lru_cache(maxsize=2**16)
def _verdict(test: Sprt, numbers: tuple[int, ...]) -> str:
    return test.verdict(Counts(numbers))
