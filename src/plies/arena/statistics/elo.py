"""How much better one of two agents is: Elo, normalised Elo and the likelihood of superiority.

All of it is computed from `Counts`, the scores of independent samples.  Intervals hold with
95 %; the one of Elo leaves out 0 exactly where the likelihood of superiority is above 97.5 %
or below 2.5 %, for both are readings of one function (`confidence.deviations`).
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from plies.arena.statistics.confidence import deviations, score_at
from plies.arena.statistics.counts import Counts

SURE = 0.975  # the likelihood of superiority from which on one agent counts as the better one
CONFIDENCE = NormalDist().inv_cdf(SURE)  # standard errors on either side of an interval, 1.96
# Four pairs leave it open who is better even if one agent wins them all; five are the fewest
# that can tell.  Of two equal agents one wins five pairs in a row once in 32 times at most.
FEWEST = 5
NORMALISED = 800 / math.log(10)  # normalised Elo of one standard deviation of a game
SYMMETRIC = 0.1  # difference of the two halves of an interval that `+/-` may hide, as a share


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval; None is a side, or a figure, without a bound.

    Who won everything has neither figure nor upper end, who lost everything has neither
    figure nor lower end.
    """

    value: float | None
    low: float | None
    high: float | None

    @property
    def error(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def is_symmetric(self) -> bool:
        """Whether `value +/- error` says the same as both ends."""
        if self.value is None or self.low is None or self.high is None or self.error is None:
            return False
        ends = (self.low, self.value - self.error), (self.high, self.value + self.error)
        return all(
            abs(end - shown) <= SYMMETRIC / 2 * self.error and (end > 0) == (shown > 0)
            for end, shown in ends
        )

    def __str__(self) -> str:
        if self.is_symmetric:
            return f"{self.value:+z.1f} +/- {self.error:.1f}"
        if self.value is not None and self.low is not None and self.high is not None:
            return f"{self.value:+z.1f}, between {self.low:+z.1f} and {self.high:+z.1f}"
        if self.low is not None:
            return f"at least {self.low:+z.0f}"
        return "unknown" if self.high is None else f"at most {self.high:+z.0f}"


def elo_of_score(score: float) -> float:
    """The difference in strength at which that score is expected; infinite for 0 and 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def score_of_elo(elo: float) -> float:
    """The score expected of who is stronger by so much; `elo_of_score` turns it back."""
    return 0.5 + 0.5 * math.tanh(elo * math.log(10) / 800)


def is_enough(counts: Counts) -> bool:
    """Whether so many samples can tell who is better at all, whatever the results."""
    return counts.samples >= FEWEST


def elo_estimate(counts: Counts) -> Estimate | None:
    """Logistic Elo with its interval, None without a sample."""
    if not counts.samples:
        return None
    low, high = (score_at(counts, side * CONFIDENCE) for side in (1, -1))
    if counts.numbers[-1] == counts.samples:
        return Estimate(None, elo_of_score(low), None)
    if counts.numbers[0] == counts.samples:
        return Estimate(None, None, elo_of_score(high))
    return Estimate(*map(elo_of_score, (counts.mean, low, high)))


def normalised_elo_estimate(counts: Counts) -> Estimate | None:
    """What the mean exceeds 1/2 by, in standard deviations of a game, on the scale of Elo.

    None without spread, where it has no meaning.  The interval takes in that the spread
    is itself estimated; it leaves out 0 exactly where that of Elo does.
    """
    if not counts.has_spread:
        return None
    excess = (counts.mean - 0.5) / counts.deviation
    standard = [(score - counts.mean) / counts.deviation for score in counts.scores]
    skew = sum(p * x**3 for p, x in zip(counts.shares, standard, strict=True))
    peak = sum(p * x**4 for p, x in zip(counts.shares, standard, strict=True))
    variance = max(1.0, 1 - excess * skew + excess**2 * (peak - 1) / 4)
    unit = NORMALISED / math.sqrt(counts.games_per_sample)
    value = unit * excess
    error = unit * CONFIDENCE * math.sqrt(variance / counts.weight)
    sure = abs(deviations(counts, 0.5)) / CONFIDENCE
    if sure > 1:
        error = min(error, abs(value) / sure)
    elif sure > 0:
        error = max(error, abs(value) / sure)
    return Estimate(value, value - error, value + error)


def likelihood_of_superiority(counts: Counts) -> float | None:
    """How sure it is that the agent is the better one, between 0 and 1; None without a sample."""
    return NormalDist().cdf(deviations(counts, 0.5)) if counts.samples else None
