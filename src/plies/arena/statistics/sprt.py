"""The sequential probability ratio test: play until it is clear which of two claims holds.

H0 says that the agent is stronger by `elo0`, H1 that it is stronger by `elo1`.  The log
likelihood ratio compares the results most likely under each.  Ending the match as soon as
it leaves the bounds accepts H1 wrongly with probability `alpha` at most, H0 wrongly with
probability `beta` at most, nearly.
"""

import math
from dataclasses import dataclass
from typing import Literal

from plies.arena.statistics.counts import Counts, moments
from plies.arena.statistics.elo import NORMALISED, score_of_elo
from plies.arena.statistics.likelihood import tilted
from plies.errors import BadSpec

Model = Literal["normalised", "logistic"]

# Beyond these a match of a few games says the same without a test, and the iteration for
# normalised Elo has no safe start.
LIMITS = {"normalised": 200, "logistic": 1000}
SETTLED = 1e-9  # change of every probability at which the iteration ends
ROUNDS = 200  # of that iteration; rounding alone keeps it going in counts of millions


@dataclass(frozen=True)
class Sprt:
    """The claims in Elo of a model, and the probabilities of error that are accepted."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalised"

    def __post_init__(self) -> None:
        if self.model not in LIMITS:
            raise BadSpec(f"an SPRT is {' or '.join(LIMITS)}, not {self.model}")
        most = LIMITS[self.model]
        if not -most <= self.elo0 < self.elo1 <= most:
            raise BadSpec(
                f"an SPRT needs elo0 below elo1, both between -{most} and {most}"
                f" ({self.model}), not {self.elo0:g} and {self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise BadSpec(f"{name} of an SPRT is above 0 and below 0.5, not {value:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are accepted."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, counts: Counts) -> float:
        """The log likelihood ratio: positive where H1 explains the results better."""
        if not counts.samples:
            return 0.0
        under0, under1 = (self._most_likely(counts, elo) for elo in (self.elo0, self.elo1))
        return counts.weight * sum(
            share * math.log(p1 / p0)
            for share, p0, p1 in zip(counts.shares, under0, under1, strict=True)
        )

    def verdict(self, counts: Counts) -> Literal["H0", "H1", ""]:
        """The claim that is accepted, or nothing while the match should go on."""
        lower, upper = self.bounds
        llr = self.llr(counts)
        if llr <= lower:
            return "H0"
        return "H1" if llr >= upper else ""

    def _most_likely(self, counts: Counts, elo: float) -> tuple[float, ...]:
        """Of all distributions with that Elo the one that makes the counts most likely."""
        if self.model == "logistic":
            score = score_of_elo(elo)
            return tilted(counts.shares, [each - score for each in counts.scores])
        excess = elo / NORMALISED * math.sqrt(counts.games_per_sample)
        return _with_excess(counts, excess)


def _with_excess(counts: Counts, excess: float) -> tuple[float, ...]:
    """The most likely distribution whose mean is so many deviations above 1/2.

    That is no linear condition.  Each round replaces it by the linear one that touches it
    at the distribution of the round before.
    """
    scores = counts.scores
    found = (1 / len(scores),) * len(scores)
    for _ in range(ROUNDS):
        mean, deviation = moments(found, scores)
        touching = [
            score - 0.5 - excess * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
            for score in scores
        ]
        before, found = found, tilted(counts.shares, touching)
        if max(abs(p - q) for p, q in zip(before, found, strict=True)) < SETTLED:
            break
    return found
