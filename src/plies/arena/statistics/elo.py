"""How much better one of two agents is: Elo, normalised Elo and the likelihood of superiority.

All of it is computed from `Counts`, the scores of independent samples.  The two games of
one opening with the seats swapped are not independent of each other, so a sample is such
a pair wherever games come in pairs, and only complete pairs count.

Intervals hold with 95 %.  They rest on the normal distribution of a mean, which small
samples approach slowly: a dozen pairs give an idea, hundreds give a figure.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

from plies.core.errors import BadSpec

CONFIDENCE = 1.96  # standard errors on either side, 95 %
MISSED = 0.025  # the probability left on each side
RARE = 1e-3  # stands for the count of a class that never occurred
NORMALISED = 800 / math.log(10)  # normalised Elo of one standard deviation of a game
KINDS = {3: "games lost, drawn, won", 5: "pairs with 0, 1, 2, 3, 4 half points"}


@dataclass(frozen=True)
class Counts:
    """How many samples had each score, as one of the two agents sees it.

    Three numbers are games lost, drawn and won; five are pairs of games by half points.
    The score of class i among n is i / (n - 1), so 0 is all lost and 1 is all won.
    """

    numbers: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.numbers) not in KINDS or min(self.numbers) < 0:
            kinds = " or ".join(f"{classes} ({what})" for classes, what in KINDS.items())
            raise BadSpec(f"{self.numbers} are no counts: they are {kinds}, none below 0")

    @property
    def samples(self) -> int:
        return sum(self.numbers)

    @property
    def games_per_sample(self) -> int:
        return len(self.numbers) // 2

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each class."""
        return tuple(index / (len(self.numbers) - 1) for index in range(len(self.numbers)))

    @property
    def has_spread(self) -> bool:
        """Whether more than one class occurred."""
        return sum(number > 0 for number in self.numbers) > 1

    @property
    def from_other_side(self) -> "Counts":
        """The same games as the opponent sees them."""
        return Counts(self.numbers[::-1])

    @cached_property
    def weight(self) -> float:
        """The number of samples, a class that never occurred counted as `RARE`."""
        return sum(number or RARE for number in self.numbers)

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """The share of each class, none of them zero."""
        return tuple((number or RARE) / self.weight for number in self.numbers)

    @cached_property
    def mean(self) -> float:
        return moments(self.shares, self.scores)[0]

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of one sample's score."""
        return moments(self.shares, self.scores)[1]

    @property
    def standard_error(self) -> float:
        """The standard deviation of the mean."""
        return self.deviation / math.sqrt(self.weight)


def moments(shares: tuple[float, ...], scores: tuple[float, ...]) -> tuple[float, float]:
    """Mean and standard deviation of a distribution."""
    mean = sum(p * a for p, a in zip(shares, scores, strict=True))
    return mean, math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(shares, scores, strict=True)))


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

    def __str__(self) -> str:
        if self.value is not None and self.error is not None:
            return f"{self.value:+z.1f} +/- {self.error:.1f}"
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


def elo_estimate(counts: Counts) -> Estimate | None:
    """Logistic Elo with its interval, None without a sample.

    Where all samples are alike their spread says nothing.  Then the interval takes in what may
    have been missed: if the results seen are a share of `seen` among all that are possible,
    nothing else turns up in so many samples once in forty times, and all else may be losses,
    or wins.
    """
    if not counts.samples:
        return None
    error = CONFIDENCE * counts.standard_error
    low, high = counts.mean - error, counts.mean + error
    if not counts.has_spread:
        seen = MISSED ** (1 / counts.samples)
        low, high = min(low, seen * counts.mean), max(high, seen * counts.mean + 1 - seen)
    is_one_sided = counts.samples in (counts.numbers[0], counts.numbers[-1])
    value = None if is_one_sided else elo_of_score(counts.mean)
    return Estimate(value, _bounded(elo_of_score(low)), _bounded(elo_of_score(high)))


def _bounded(elo: float) -> float | None:
    return elo if math.isfinite(elo) else None


def normalised_elo_estimate(counts: Counts) -> Estimate | None:
    """What the mean exceeds 1/2 by, in standard deviations of a game, on the scale of Elo.

    None without spread, where it has no meaning.  The interval takes in that the spread
    is itself estimated, and is never narrower than it would be for a known one.
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
    return Estimate(value, value - error, value + error)


def likelihood_of_superiority(counts: Counts) -> float | None:
    """How sure it is that the agent is the better one, between 0 and 1; None without a sample.

    Without spread the normal distribution has nothing to go on.  What counts then is how
    likely an agent that scores at most 1/2 would be to get nothing but this score: at most
    half in one sample that is won, and at most 1 / (2 score) in general.
    """
    if not counts.samples:
        return None
    if counts.has_spread:
        return NormalDist().cdf((counts.mean - 0.5) / counts.standard_error)
    score = counts.scores[max(range(len(counts.numbers)), key=counts.numbers.__getitem__)]
    better = max(score, 1 - score)
    sure = max(0.5, 1 - (0.5 / better) ** counts.samples)
    return sure if score >= 0.5 else 1 - sure
