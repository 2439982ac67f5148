"""Elo, normalised Elo and the likelihood of superiority."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.arena.statistics.counts import Counts, moments
from plies.arena.statistics.elo import (
    Estimate,
    elo_estimate,
    elo_of_score,
    likelihood_of_superiority,
    normalised_elo_estimate,
    score_of_elo,
)
from plies.core.errors import BadSpec

number = st.one_of(st.just(0), st.integers(0, 20), st.integers(0, 10**6))
counts = st.sampled_from([3, 5]).flatmap(lambda classes: st.tuples(*[number] * classes)).map(Counts)
played = counts.filter(lambda found: found.samples > 0)


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
    # Someone who wins a pair with probability 0.025^(1/10) = 0.6915 wins ten of them once in
    # forty times, and 0.6915 is 140.1 Elo.
    won = estimate_of(0, 0, 0, 0, 10)
    assert (won.value, won.high, won.error) == (None, None, None)
    assert won.low == pytest.approx(140.1, abs=0.1)
    assert str(won) == "at least +140"
    lost = estimate_of(10, 0, 0, 0, 0)
    assert (lost.value, lost.low) == (None, None)
    assert str(lost) == "at most -140"


def test_an_estimate_reads_as_a_figure_and_its_error() -> None:
    assert str(estimate_of(30, 40, 50)) == "+58.5 +/- 51.5"
    assert str(estimate_of(0, 100, 0)).startswith("+0.0 +/- ")
    assert str(estimate_of(1, 0, 1)) == "unknown"


def test_one_won_pair_says_nothing_about_superiority() -> None:
    assert likelihood_of_superiority(Counts((0, 0, 0, 0, 1))) == 0.5
    # An agent that is no better wins ten pairs of ten with probability 1/1024 at most.
    assert likelihood_of_superiority(Counts((0, 0, 0, 0, 10))) == 1 - 2**-10
    assert likelihood_of_superiority(Counts((10, 0, 0, 0, 0))) == 2**-10
    assert likelihood_of_superiority(Counts((0, 1000, 0))) == 0.5


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


@given(found=played)
def test_more_games_with_the_same_shares_narrow_the_interval(found: Counts) -> None:
    before = elo_estimate(found)
    after = estimate_of(*(100 * number for number in found.numbers))
    assert before is not None
    if before.error is not None:
        assert after.error is not None
        assert after.error < before.error


def covered(estimates: list[Estimate | None], truth: float) -> float:
    """The share of intervals that hold the truth."""
    return sum(
        found is not None
        and (found.low is None or found.low <= truth)
        and (found.high is None or truth <= found.high)
        for found in estimates
    ) / len(estimates)


# 2000 matches that are covered with 95 % leave their share in 0.95 +/- 3 sqrt(0.95 * 0.05 /
# 2000) = 0.95 +/- 0.0146; another 0.005 is for the approximation by the normal distribution.
MATCHES, ALLOWANCE = 2000, 0.02


@pytest.mark.parametrize(
    "chances",
    [(0.05, 0.2, 0.5, 0.2, 0.05), (0.01, 0.04, 0.25, 0.4, 0.3), (0.3, 0.3, 0.4)],
    ids=str,
)
def test_19_of_20_intervals_hold_the_true_strength(chances: tuple[float, ...]) -> None:
    drawn = np.random.default_rng(5).multinomial(300, chances, size=MATCHES)
    matches = [Counts(tuple(map(int, numbers))) for numbers in drawn]
    mean, deviation = moments(chances, matches[0].scores)
    share = covered([elo_estimate(match) for match in matches], elo_of_score(mean))
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
    drawn = np.random.default_rng(6).multinomial(50, chances, size=MATCHES)
    matches = [Counts(tuple(map(int, numbers))) for numbers in drawn]
    truth = elo_of_score(moments(chances, matches[0].scores)[0])
    assert covered([elo_estimate(match) for match in matches], truth) > 0.95 - ALLOWANCE
