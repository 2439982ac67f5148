"""Elo, normalised Elo and the likelihood of superiority."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.arena.statistics.counts import Counts, moments
from plies.arena.statistics.elo import (
    FEWEST,
    SURE,
    Estimate,
    elo_estimate,
    elo_of_score,
    is_enough,
    likelihood_of_superiority,
    normalised_elo_estimate,
    score_of_elo,
)
from plies.errors import BadSpec

number = st.one_of(st.just(0), st.integers(0, 20), st.integers(0, 10**6))
counts = st.sampled_from([3, 5]).flatmap(lambda classes: st.tuples(*[number] * classes)).map(Counts)
played = counts.filter(lambda found: found.samples > 0)
few = st.one_of(st.just(0), st.integers(0, 4))
either_size = st.one_of(
    played,
    st.sampled_from([3, 5])
    .flatmap(lambda classes: st.tuples(*[few] * classes))
    .map(Counts)
    .filter(lambda found: found.samples > 0),
)
# A total of all samples that scatters by far more than four points.
spread = st.one_of(
    st.tuples(*[st.integers(100, 2000)] * 3), st.tuples(*[st.integers(100, 2000)] * 5)
).map(Counts)


def estimate_of(*numbers: int) -> Estimate:
    found = elo_estimate(Counts(numbers))
    assert found is not None
    return found


def value_and_error(found: Estimate | None) -> tuple[float, float]:
    assert found is not None
    assert found.value is not None
    assert found.error is not None
    return found.value, found.error


# The numbers of the three tests that follow are those of shared/facts/ratings.md.


@pytest.mark.parametrize(
    ("numbers", "elo", "error"),
    [((100, 500, 1000, 600, 150), 14.79, 6.63), ((30, 40, 50), 58.5, 51.5)],
)
def test_elo_agrees_with_known_figures(numbers: tuple[int, ...], elo: float, error: float) -> None:
    found = value_and_error(elo_estimate(Counts(numbers)))
    assert found == pytest.approx((elo, error), abs=0.05)


def test_a_lost_match_has_the_known_elo_and_normalised_elo() -> None:
    lost = Counts((13, 37, 50, 25, 3))
    assert value_and_error(elo_estimate(lost))[0] == pytest.approx(-43.658, abs=5e-4)
    assert value_and_error(normalised_elo_estimate(lost))[0] == pytest.approx(-63.97, abs=5e-3)


def test_the_likelihood_of_superiority_agrees_with_a_known_figure() -> None:
    assert likelihood_of_superiority(Counts((30, 40, 50))) == pytest.approx(0.989, abs=5e-4)


def test_one_deviation_of_a_game_is_347_normalised_elo() -> None:
    # Mean 3/4, variance (1/2) (1/4)^2: the excess of 1/4 is sqrt(2) deviations of a pair, or
    # one of a game, which is 800 / ln 10 = 347.4.  The zero counts move it by less than 0.1.
    found = value_and_error(normalised_elo_estimate(Counts((0, 0, 2500, 5000, 2500))))
    assert found[0] == pytest.approx(347.4, abs=0.1)


def test_normalised_elo_is_never_surer_than_with_a_known_spread() -> None:
    # Two thirds at 3/4 and one third at 1 are where the figure has its least value: to first
    # order it does not move with the shares, which is no certainty.
    error = value_and_error(normalised_elo_estimate(Counts((0, 0, 0, 20, 10))))[1]
    assert error == pytest.approx(1.96 * 347.4 / math.sqrt(2 * 30), rel=1e-3)


def test_without_a_game_there_is_no_estimate() -> None:
    for empty in (Counts((0, 0, 0)), Counts((0, 0, 0, 0, 0))):
        assert elo_estimate(empty) is None
        assert normalised_elo_estimate(empty) is None
        assert likelihood_of_superiority(empty) is None


@given(found=played, place=st.integers(0, 4))
def test_normalised_elo_is_refused_without_spread(found: Counts, place: int) -> None:
    alike = [0] * len(found.numbers)
    alike[place % len(alike)] = found.samples
    assert normalised_elo_estimate(Counts(tuple(alike))) is None
    assert (normalised_elo_estimate(found) is None) == (not found.has_spread)


def test_who_won_everything_is_only_bounded_from_below() -> None:
    # With half a lost pair added, 10.5 pairs: 2 (10 ln(10 / 10.5 / x) + 0.5 ln(0.5 / 10.5 /
    # (1 - x))) = 1.96^2 at x = 0.71923, which is 163.4 Elo.
    won = estimate_of(0, 0, 0, 0, 10)
    assert (won.value, won.high, won.error) == (None, None, None)
    assert won.low == pytest.approx(163.4, abs=0.1)
    assert str(won) == "at least +163"
    lost = estimate_of(10, 0, 0, 0, 0)
    assert (lost.value, lost.low) == (None, None)
    assert str(lost) == "at most -163"


def test_an_estimate_reads_as_a_figure_and_its_error() -> None:
    assert str(estimate_of(30, 40, 50)) == "+58.5 +/- 51.5"
    assert str(estimate_of(0, 100, 0)).startswith("+0.0 +/- ")


def test_a_lopsided_interval_reads_by_its_ends() -> None:
    # +/- would say that 0 is possible, or that it is not, where the ends say the opposite.
    assert str(estimate_of(0, 0, 11, 8, 1)) == "+88.7, between +11.9 and +155.6"
    assert str(Estimate(100, 1, 197)) == "+100.0 +/- 98.0"
    assert str(Estimate(99, 1, 203)) == "+99.0, between +1.0 and +203.0"


def los_of(*numbers: int) -> float:
    found = likelihood_of_superiority(Counts(numbers))
    assert found is not None
    return found


def test_few_pairs_are_never_surer_than_more_of_the_same_kind() -> None:
    # Two pairs with 3.5 of 4 points once said 99.998 %, two with 4 of 4 points 75 %.
    one, two, three = (los_of(0, 0, 0, 0, won) for won in (1, 2, 3))
    assert 0.5 < one < two < three < 0.95
    assert 0.5 < los_of(0, 0, 0, 1, 1) < two
    # Signed roots by hand: 2 * 3.5 (ln 2 + 6/7 ln 6/7 + 1/7 ln 1/7) = 1.980, Phi(1.407) = 0.920.
    assert three == pytest.approx(0.920, abs=5e-4)


def test_drawn_pairs_favour_nobody() -> None:
    for drawn in (1, 10, 1000):
        assert los_of(0, 0, drawn, 0, 0) == 0.5
        assert los_of(0, drawn, 0) == 0.5


def all_counts(samples: int) -> list[Counts]:
    """Every result that so many pairs can have."""
    bars = itertools.combinations(range(samples + 4), 4)
    return [Counts((a, b - a - 1, c - b - 1, d - c - 1, samples + 3 - d)) for a, b, c, d in bars]


def test_fewer_than_five_pairs_never_tell_who_is_better() -> None:
    for samples in range(1, FEWEST):
        for counts in all_counts(samples):
            assert 1 - SURE < los_of(*counts.numbers) < SURE
            assert not is_enough(counts)
    assert los_of(0, 0, 0, 0, FEWEST) > SURE
    assert is_enough(Counts((0, 0, 0, 0, FEWEST)))


# Loss, draw and win of one game; what the pairs of two equal agents then are if their games
# are independent, or if both games of every pair end alike.
EQUAL = [(0.5, 0, 0.5), (0.35, 0.3, 0.35), (0.1, 0.8, 0.1), (0.02, 0.96, 0.02)]


def independent(game: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(float(chance) for chance in np.convolve(game, game))


def alike(game: tuple[float, ...]) -> tuple[float, ...]:
    lost, drawn, won = game
    return (lost, 0, drawn, 0, won)


def chance_of(counts: Counts, chances: tuple[float, ...]) -> float:
    """Of exactly these counts (multinomial)."""
    ways = math.factorial(counts.samples) / math.prod(map(math.factorial, counts.numbers))
    return ways * math.prod(p**n for p, n in zip(chances, counts.numbers, strict=True))


@pytest.mark.parametrize("samples", [2, 3, 5, 6, 8])
def test_equal_agents_are_hardly_ever_called_unequal(samples: int) -> None:
    # All results are enumerated: these are exact chances, not simulations.  The most is 1 / 32,
    # five pairs of which every one is decided and none is split, and 9 / 256, seven of eight.
    results = [(counts, los_of(*counts.numbers)) for counts in all_counts(samples)]
    for game in EQUAL:
        for pairs, most in ((independent(game), 0.01), (alike(game), 0.036)):
            wrong = sum(chance_of(counts, pairs) for counts, los in results if los > SURE)
            assert wrong < most


@pytest.mark.parametrize("samples", [2, 3, 5, 8])
@pytest.mark.parametrize(
    "game",
    [*EQUAL, (0.3, 0.2, 0.5), (0.1, 0.6, 0.3), (0.05, 0, 0.95), (0.01, 0.04, 0.95)],
    ids=str,
)
def test_intervals_of_few_pairs_hold_the_true_strength(
    samples: int, game: tuple[float, ...]
) -> None:
    truth = elo_of_score(moments(game, (0, 0.5, 1))[0])
    results = [(counts, elo_estimate(counts)) for counts in all_counts(samples)]
    for pairs in (independent(game), alike(game)):
        weights = [(estimate, chance_of(counts, pairs)) for counts, estimate in results]
        held = sum(chance for estimate, chance in weights if covered([estimate], truth))
        # Five decided pairs of equal agents are all alike once in 16 times: 0.9375.
        assert held > 0.92


@pytest.mark.parametrize("numbers", [(), (1, 2), (1, 2, 3, 4), (1, -1, 1), (1,) * 7])
def test_counts_are_of_games_or_of_pairs(numbers: tuple[int, ...]) -> None:
    with pytest.raises(BadSpec, match="games lost, drawn, won"):
        Counts(numbers)


@given(elo=st.floats(-2000, 2000))
def test_score_and_elo_turn_each_other_back(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)
    assert score_of_elo(-elo) == pytest.approx(1 - score_of_elo(elo))


def test_no_finite_elo_gives_a_certain_result() -> None:
    assert elo_of_score(1) == math.inf
    assert elo_of_score(0) == -math.inf


@given(found=played)
def test_the_opponent_sees_the_opposite(found: Counts) -> None:
    for measure in (elo_estimate, normalised_elo_estimate):
        own, other = measure(found), measure(found.from_other_side)
        if own is None or other is None:
            assert own is other
            continue
        for one, opposite in ((own.value, other.value), (own.low, other.high)):
            assert (one is None) == (opposite is None)
            if one is not None and opposite is not None:
                assert one == pytest.approx(-opposite, rel=1e-6, abs=1e-6)
    own, other = (likelihood_of_superiority(side) for side in (found, found.from_other_side))
    assert own is not None
    assert other is not None
    assert own + other == pytest.approx(1)


@given(found=played)
def test_the_figure_lies_in_its_interval(found: Counts) -> None:
    for estimate in (elo_estimate(found), normalised_elo_estimate(found)):
        if estimate is not None and estimate.value is not None:
            assert estimate.low is None or estimate.low <= estimate.value
            assert estimate.high is None or estimate.value <= estimate.high


@given(found=played, place=st.integers(0, 3))
def test_a_better_result_raises_the_elo(found: Counts, place: int) -> None:
    place %= len(found.numbers) - 1
    numbers = list(found.numbers)
    numbers[place] += 1
    worse = estimate_of(*numbers).value
    numbers[place] -= 1
    numbers[place + 1] += 1
    better = estimate_of(*numbers).value
    assert worse is None or better is None or worse < better


def end(elo: float | None, unbounded: float) -> float:
    return unbounded if elo is None else elo


def measures(counts: Counts) -> tuple[float, float, float]:
    """Likelihood of superiority and both ends of the interval, which all rise with the results."""
    estimate = estimate_of(*counts.numbers)
    ends = end(estimate.low, -math.inf), end(estimate.high, math.inf)
    return los_of(*counts.numbers), *ends


def assert_not_lower(better: Counts, worse: Counts) -> None:
    for high, low in zip(measures(better), measures(worse), strict=True):
        assert high >= low or high == pytest.approx(low, rel=1e-7, abs=1e-9)


@given(found=either_size, place=st.integers(0, 3))
def test_a_better_result_never_lowers_what_is_said(found: Counts, place: int) -> None:
    place %= len(found.numbers) - 1
    numbers = list(found.numbers)
    numbers[place] += 1
    worse = Counts(tuple(numbers))
    numbers[place] -= 1
    numbers[place + 1] += 1
    assert_not_lower(Counts(tuple(numbers)), worse)


@given(found=either_size)
def test_more_wins_never_lower_and_more_losses_never_raise_what_is_said(found: Counts) -> None:
    *most, won = found.numbers
    assert_not_lower(Counts((*most, won + 1)), found)
    lost, *others = found.numbers
    assert_not_lower(found, Counts((lost + 1, *others)))


def test_bounds_fall_with_every_point_lost_at_the_edge() -> None:
    # 1000 wins once said "at least +852" and 997 with three draws "+1130, at least +997".
    results = [(0, 0, 1000), (0, 1, 999), (0, 3, 997), (1, 2, 997), (3, 0, 997), (10, 0, 990)]
    lows = [end(estimate_of(*numbers).low, math.nan) for numbers in results]
    assert lows == sorted(lows, reverse=True)
    assert len(set(lows)) == len(lows)


@given(found=either_size)
def test_interval_and_likelihood_of_superiority_agree(found: Counts) -> None:
    los, low, high = measures(found)
    assert (low > 0) == (los > SURE)
    assert (high < 0) == (los < 1 - SURE)
    if (normalised := normalised_elo_estimate(found)) is not None:
        assert normalised.low is not None
        assert normalised.high is not None
        assert (normalised.low > 0) == (los > SURE)
        assert (normalised.high < 0) == (los < 1 - SURE)


@given(found=spread)
def test_many_samples_follow_the_published_formula(found: Counts) -> None:
    error = 1.96 * found.standard_error
    expected = [elo_of_score(found.mean + side * error) for side in (-1, 1)]
    estimate = estimate_of(*found.numbers)
    # Where nearly all games are won the likelihood ratio has the last word, by 1.3 % at most.
    allowed = 0.02 * value_and_error(estimate)[1]
    assert [estimate.low, estimate.high] == pytest.approx(expected, abs=allowed)
    normal = NormalDist().cdf((found.mean - 0.5) / found.standard_error)
    if 0.001 < normal < 0.999:
        assert los_of(*found.numbers) == pytest.approx(normal, abs=1e-9)


@given(found=played)
def test_more_games_with_the_same_shares_narrow_the_interval(found: Counts) -> None:
    before = elo_estimate(found)
    after = estimate_of(*(100 * number for number in found.numbers))
    assert before is not None
    if before.error is not None:
        assert after.error is not None
        assert after.error < before.error


def covered(estimates: Iterable[Estimate | None], truth: float) -> float:
    """The share of intervals that hold the truth."""
    held = [
        found is not None
        and (found.low is None or found.low <= truth)
        and (found.high is None or truth <= found.high)
        for found in estimates
    ]
    return sum(held) / len(held)


def matches_of(samples: int, chances: tuple[float, ...], seed: int) -> list[Counts]:
    drawn = np.random.default_rng(seed).multinomial(samples, chances, size=MATCHES)
    return [Counts(tuple(map(int, numbers))) for numbers in drawn]


def elo_estimates(matches: list[Counts]) -> Iterator[Estimate | None]:
    """Of every match; those that ended alike are computed once."""
    for counts, times in Counter(matches).items():
        yield from [elo_estimate(counts)] * times


# 2000 matches that are covered with 95 % leave their share in 0.95 +/- 3 sqrt(0.95 * 0.05 /
# 2000) = 0.95 +/- 0.0146; another 0.005 is for the approximation by the normal distribution.
MATCHES, ALLOWANCE = 2000, 0.02


@pytest.mark.parametrize(
    "chances",
    [(0.05, 0.2, 0.5, 0.2, 0.05), (0.01, 0.04, 0.25, 0.4, 0.3), (0.3, 0.3, 0.4)],
    ids=str,
)
def test_19_of_20_intervals_hold_the_true_strength(chances: tuple[float, ...]) -> None:
    matches = matches_of(300, chances, seed=5)
    mean, deviation = moments(chances, matches[0].scores)
    share = covered(elo_estimates(matches), elo_of_score(mean))
    assert share == pytest.approx(0.95, abs=ALLOWANCE)
    normalised = (mean - 0.5) / deviation * 800 / math.log(10)
    normalised /= math.sqrt((len(chances) - 1) / 2)
    share = covered([normalised_elo_estimate(match) for match in matches], normalised)
    assert share == pytest.approx(0.95, abs=ALLOWANCE)


@pytest.mark.parametrize("chances", [(0, 0, 0.98, 0.02, 0), (0, 0, 0, 0.02, 0.98)], ids=str)
def test_intervals_hold_the_truth_when_a_class_is_hardly_ever_seen(
    chances: tuple[float, ...],
) -> None:
    # In 0.98^50 = 36 % of these matches all pairs are alike and show no spread at all.
    matches = matches_of(50, chances, seed=6)
    truth = elo_of_score(moments(chances, matches[0].scores)[0])
    assert covered(elo_estimates(matches), truth) > 0.95 - ALLOWANCE
