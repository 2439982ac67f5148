"""How sure it is that the true mean score lies above a given one.

One function of the results, `deviations`, gives every interval and likelihood of superiority,
so that they cannot contradict each other: an interval holds the scores at which it is between
-1.96 and 1.96.  It is the signed root of the likelihood ratio,

    r(x) = sign(mean - x) sqrt(2 log(likelihood of the results / likelihood with mean x)),

normal with variance 1 for many samples (Wilks).  With few samples the normal distribution of a
mean is wrong, while the likelihood ratio knows that no score is below 0 or above 1: it holds
where all pairs are alike, and a better result never lowers it.  Against chance in the first few
samples half a lost sample is added before anything below the mean is ruled out, and half a won
one before anything above it is (Jeffreys' half, on the side where it makes less sure).

The published formula for many samples is (mean - x) / standard error.  It is taken where the
total of all samples has a standard deviation of 4 points or more (64 games without draws,
or 128 pairs of such games) and the two differ by at most 0.1, as they do then.
Below 2 points it has no say: a total of so few steps is not normal, and a better result may
lower it.
"""

import math
from collections.abc import Sequence

from plies.arena.statistics.counts import Counts
from plies.arena.statistics.likelihood import tilt

PRIOR = 0.5  # samples added at the end that makes less sure
FEW, MANY = 2.0, 4.0  # points of deviation between which the published formula gains its say
SLACK = 0.1  # by which it may then differ from the likelihood ratio
STEPS = 100  # to the end of an interval; five are the rule
EXACT = 1e-10  # precision of a score, as a share of its distance to 0 or 1
NEAR = 1e-6  # a root so small is at the mean, where its slope is a limit


def deviations(counts: Counts, score: float) -> float:
    """By how many standard deviations the mean exceeds `score`, which lies between 0 and 1."""
    slack, ratio = _slack(counts), _signed_root(counts, score)
    published = (counts.mean - score) / counts.standard_error
    return min(max(published, ratio - slack), ratio + slack)


def score_at(counts: Counts, excess: float) -> float:
    """The score that the mean exceeds by so many deviations, not 0: `deviations` turned round."""
    published = counts.mean - excess * counts.standard_error
    if 0 < published < 1:
        difference = excess - _signed_root(counts, published)
        if abs(difference) <= _slack(counts):
            return published
    else:
        difference = published
    return _score_of_root(counts, excess - math.copysign(_slack(counts), difference))


def _slack(counts: Counts) -> float:
    """How far the published formula may differ from the likelihood ratio."""
    total = counts.deviation * math.sqrt(counts.weight)
    return SLACK * min(max((total - FEW) / (MANY - FEW), 0), 1)


def _signed_root(counts: Counts, score: float) -> float:
    """Of the likelihood ratio; 0 for scores that the added half sample leaves open."""
    for side in (1, -1):
        weights = _weights(counts, side)
        if side * (_mean(counts, weights) - score) > 0:
            return _root_and_slope(counts, weights, score)[0]
    return 0.0


def _score_of_root(counts: Counts, root: float) -> float:
    """Where the signed root, which falls as the score rises, has that value: Newton's method."""
    weights = _weights(counts, root)
    score = _mean(counts, weights)
    if score in (0, 1):  # all lost, or all won: nothing on that side is ruled out
        return score
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        found, slope = _root_and_slope(counts, weights, score)
        low, high = (score, high) if found > root else (low, score)
        step = (root - found) / slope
        if abs(step) <= max(EXACT * min(score, 1 - score), math.ulp(1)):
            break
        score = score + step if low < score + step < high else (low + high) / 2
    return score


def _weights(counts: Counts, side: float) -> list[float]:
    """The samples of each class, with half a lost one where `side` is positive, else a won one."""
    weights = list(map(float, counts.numbers))
    weights[0 if side > 0 else -1] += PRIOR
    return weights


def _mean(counts: Counts, weights: Sequence[float]) -> float:
    return sum(w * a for w, a in zip(weights, counts.scores, strict=True)) / sum(weights)


def _root_and_slope(counts: Counts, weights: Sequence[float], score: float) -> tuple[float, float]:
    """The signed root for samples so weighted, and its derivative by `score`."""
    values = [each - score for each in counts.scores]
    theta = tilt(weights, values)
    half = sum(w * math.log1p(theta * v) for w, v in zip(weights, values, strict=True))
    root = math.copysign(math.sqrt(2 * max(half, 0.0)), theta)
    total = sum(weights)
    if abs(root) > NEAR:
        return root, -theta * total / root
    return root, -total / math.sqrt(sum(w * v * v for w, v in zip(weights, values, strict=True)))
