"""Results as counts: how many games, or pairs of games, had which score.

The two games of one opening with the seats swapped are not independent of each other, so a
sample is such a pair wherever games come in pairs, and only complete pairs count.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from plies.errors import BadSpec

RARE = 1e-3  # stands for the count of a class that never occurred
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
