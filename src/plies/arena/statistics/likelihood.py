"""The distribution nearest to the results that has a given mean (empirical likelihood).

Owen, "Empirical Likelihood" (2001), chapter 2.  Both the sequential test and the confidence in
a score rest on it.
"""

import math
from collections.abc import Sequence

STEPS = 200  # to the zero of a function; ten are the rule


def tilt(weights: Sequence[float], values: Sequence[float]) -> float:
    """The theta for which the mean of `values` under weights / (1 + theta values) is 0.

    Values of both signs.  That mean is a decreasing function of theta between its two poles:
    Newton's method finds its zero, with a halving of the interval wherever it would leave it.
    """
    low, high = -1 / max(values), -1 / min(values)
    theta = 0.0
    for _ in range(STEPS):
        parts = [(w, v / (1 + theta * v)) for w, v in zip(weights, values, strict=True)]
        mean = sum(w * x for w, x in parts)
        low, high = (theta, high) if mean > 0 else (low, theta)
        step = mean / sum(w * x * x for w, x in parts)
        if abs(step) <= math.ulp(1 + abs(theta)):
            break
        theta = theta + step if low < theta + step < high else (low + high) / 2
    return theta


def tilted(shares: Sequence[float], values: Sequence[float]) -> tuple[float, ...]:
    """The distribution nearest in likelihood to `shares` in which the mean of `values` is 0."""
    theta = tilt(shares, values)
    return tuple(p / (1 + theta * v) for p, v in zip(shares, values, strict=True))
