"""The sequential probability ratio test."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plies.arena.statistics.counts import RARE, Counts, moments
from plies.arena.statistics.elo import elo_of_score, score_of_elo
from plies.arena.statistics.likelihood import tilted
from plies.arena.statistics.sprt import Model, Sprt
from plies.errors import BadSpec

MODELS: tuple[Model, ...] = ("normalised", "logistic")
number = st.one_of(st.just(0), st.integers(0, 20), st.integers(0, 10**5))
games = st.tuples(*[number] * 3).filter(any).map(Counts)
pairs = st.tuples(*[number] * 5).filter(any).map(Counts)
either = st.one_of(games, pairs)
models = st.sampled_from(MODELS)


# The numbers of the two tests that follow are those of shared/facts/ratings.md.


@pytest.mark.parametrize(
    ("numbers", "test", "llr"),
    [
        ((13, 37, 50, 25, 3), Sprt(0, 4), -0.54912),
        ((13, 37, 50, 25, 3), Sprt(0, 4, model="logistic"), -0.80223),
        ((100, 500, 1000, 600, 150), Sprt(0, 5), 3.82231),
        ((30, 40, 50), Sprt(0, 10), 0.65552),
    ],
)
def test_the_ratio_agrees_with_known_figures(
    numbers: tuple[int, ...], test: Sprt, llr: float
) -> None:
    assert test.llr(Counts(numbers)) == pytest.approx(llr, abs=5e-6)


def test_errors_of_one_in_twenty_give_the_known_bounds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.9444, 2.9444), abs=5e-5)


def test_the_bounds_follow_the_errors_that_are_accepted() -> None:
    lower, upper = Sprt(0, 5, alpha=0.01, beta=0.1).bounds
    assert (math.exp(lower), math.exp(upper)) == pytest.approx((0.1 / 0.99, 0.9 / 0.01))


def test_a_verdict_is_a_ratio_beyond_the_bounds() -> None:
    better = Counts((100, 500, 1000, 600, 150))  # 3.82 for 0..5
    assert Sprt(0, 5).verdict(better) == "H1"
    assert Sprt(0, 5, alpha=0.01).verdict(better) == ""
    assert Sprt(-5, 0).verdict(better.from_other_side) == "H0"


@pytest.mark.parametrize("model", MODELS)
def test_a_match_goes_on_while_nothing_is_played(model: Model) -> None:
    assert Sprt(0, 5, model=model).llr(Counts((0, 0, 0, 0, 0))) == 0
    assert Sprt(0, 5, model=model).verdict(Counts((0, 0, 0))) == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 below elo1"),
        ({"elo0": 5, "elo1": 0}, "elo0 below elo1"),
        ({"elo0": 0, "elo1": 201}, "between -200 and 200"),
        ({"elo0": -1001, "elo1": 0, "model": "logistic"}, "between -1000 and 1000"),
        ({"elo0": math.nan, "elo1": 5}, "elo0 below elo1"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha of an SPRT"),
        ({"elo0": 0, "elo1": 5, "beta": 0.5}, "beta of an SPRT"),
        ({"elo0": 0, "elo1": 5, "model": "trinomial"}, "normalised or logistic, not trinomial"),
    ],
)
def test_a_test_without_sense_is_refused(options: dict, message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        Sprt(**options)


# Properties


@given(counts=either, model=models, low=st.floats(-100, 100), width=st.floats(1, 100))
def test_the_opponent_sees_the_opposite_ratio(
    counts: Counts, model: Model, low: float, width: float
) -> None:
    own = Sprt(low, low + width, model=model).llr(counts)
    other = Sprt(-low - width, -low, model=model).llr(counts.from_other_side)
    assert own == pytest.approx(-other, rel=1e-6, abs=1e-6)


@given(counts=either, model=models, elos=st.sets(st.integers(-100, 100), min_size=3, max_size=3))
def test_ratios_of_adjoining_claims_add_up(counts: Counts, model: Model, elos: set[int]) -> None:
    low, middle, high = sorted(elos)
    parts = sum(
        Sprt(*claims, model=model).llr(counts) for claims in ((low, middle), (middle, high))
    )
    assert Sprt(low, high, model=model).llr(counts) == pytest.approx(parts, rel=1e-6, abs=1e-6)


@given(
    numbers=st.lists(st.integers(1, 1000), min_size=5, max_size=5),
    model=models,
    times=st.integers(2, 1000),
)
def test_the_ratio_grows_with_the_number_of_games(
    numbers: list[int], model: Model, times: int
) -> None:
    test = Sprt(0, 10, model=model)
    once, often = (Counts(tuple(n * k for n in numbers)) for k in (1, times))
    assert test.llr(often) == pytest.approx(times * test.llr(once), rel=1e-6, abs=1e-6)


@given(counts=either, elo=st.integers(-100, 100), width=st.integers(1, 100))
def test_the_nearer_claim_is_the_likelier(counts: Counts, elo: int, width: int) -> None:
    mean, llr = counts.mean, Sprt(elo, elo + width, model="logistic").llr(counts)
    if mean >= score_of_elo(elo + width):
        assert llr > 0
    elif mean <= score_of_elo(elo):
        assert llr < 0


@given(data=st.data(), counts=either)
def test_a_tilted_distribution_has_the_mean_asked_for(data: st.DataObject, counts: Counts) -> None:
    mean = data.draw(st.floats(0.01, 0.99))
    found = tilted(counts.shares, [score - mean for score in counts.scores])
    assert min(found) > 0
    assert sum(found) == pytest.approx(1)
    assert moments(found, counts.scores)[0] == pytest.approx(mean)


# Three classes leave one free number, the share of draws: a search along it is an oracle.


def highest(function: Callable[[float], float], low: float, high: float) -> float:
    """The maximum of a function with one peak, by ternary search."""
    for _ in range(200):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (one, high) if function(one) < function(other) else (low, other)
    return function((low + high) / 2)


def log_likelihood(counts: Counts, elo: float, model: Model) -> float:
    """Of the likeliest distribution (loss, draw, win) with that Elo."""

    def at(draws: float) -> float:
        if model == "logistic":
            ahead = 2 * score_of_elo(elo) - 1
        else:
            # mean - 1/2 = ahead / 2 and variance = (1 - draws - ahead^2) / 4, so from
            # ahead = t sqrt(1 - draws - ahead^2):
            t = elo * math.log(10) / 800
            ahead = t * math.sqrt((1 - draws) / (1 + t * t))
        chances = ((1 - draws - ahead) / 2, draws, (1 - draws + ahead) / 2)
        numbers = [number or RARE for number in counts.numbers]
        return sum(
            n * (math.log(p) if p > 0 else -math.inf) for n, p in zip(numbers, chances, strict=True)
        )

    return highest(at, 0, 1 - abs(2 * score_of_elo(elo) - 1) if model == "logistic" else 1)


@settings(max_examples=200)
@given(counts=games, model=models, elo0=st.integers(-180, 180), width=st.integers(1, 20))
def test_the_ratio_is_that_of_the_likeliest_distributions(
    counts: Counts, model: Model, elo0: int, width: int
) -> None:
    test = Sprt(elo0, elo0 + width, model=model)
    expected = log_likelihood(counts, test.elo1, model) - log_likelihood(counts, test.elo0, model)
    assert test.llr(counts) == pytest.approx(expected, rel=1e-5, abs=1e-5)


@given(numbers=st.tuples(*[st.integers(100, 10000)] * 3), elo=st.integers(-100, 100))
def test_pairs_without_odd_scores_are_games_with_a_spread_of_pairs(
    numbers: tuple[int, int, int], elo: int
) -> None:
    # A standard deviation of a pair's score is 1 / sqrt(2) of that of its games.
    lost, drawn, won = numbers
    of_pairs = Sprt(elo, elo + 10).llr(Counts((lost, 0, drawn, 0, won)))
    of_games = Sprt(elo * math.sqrt(2), (elo + 10) * math.sqrt(2)).llr(Counts(numbers))
    assert of_pairs == pytest.approx(of_games, rel=1e-3, abs=1e-3)


# Extremes


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("total", [1, 100, 10**6, 10**9])
def test_pairs_that_are_all_alike_have_a_ratio(model: Model, total: int) -> None:
    test = Sprt(0, 5, model=model)
    won, even, lost = (
        test.llr(Counts(tuple(total * (place == all_of) for place in range(5))))
        for all_of in (4, 2, 0)
    )
    assert lost < even < 0 < won
    assert all(map(math.isfinite, (lost, even, won)))


# Simulated matches


def with_elo(elo: float, model: Model) -> np.ndarray:
    """Chances of five classes whose Elo in that model is the one given."""
    base, scores = np.array([2, 5, 9, 5, 2]), np.arange(5) / 4

    def tilt(strength: float) -> np.ndarray:
        weights = base * np.exp(strength * scores)
        return weights / weights.sum()

    def measured(chances: np.ndarray) -> float:
        mean, deviation = moments(tuple(chances), tuple(scores))
        if model == "logistic":
            return elo_of_score(mean)
        return (mean - 0.5) / (math.sqrt(2) * deviation) * 800 / math.log(10)

    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if measured(tilt(middle)) < elo else (low, middle)
    return tilt(low)


MATCHES, STEP = 500, 20  # the test looks after every so many pairs


def verdicts(test: Sprt, chances: np.ndarray) -> dict[str, int]:
    """How many of the simulated matches end with which claim."""
    rng = np.random.default_rng(2024)
    found = {"H0": 0, "H1": 0}
    for _ in range(MATCHES):
        numbers = np.zeros(5, int)
        while True:
            numbers += rng.multinomial(STEP, chances)
            if verdict := test.verdict(Counts(tuple(map(int, numbers)))):
                found[verdict] += 1
                break
    return found


@pytest.mark.parametrize("model", MODELS)
def test_wrong_verdicts_are_as_rare_as_promised(model: Model) -> None:
    # 500 matches with an error of 5 % each: 25 errors, and 3 sqrt(500 * 0.05 * 0.95) = 14
    # more by chance.  Looking only at every 20th pair lowers the number, though not below a
    # fifth of what was accepted.
    test = Sprt(0, 40, model=model)
    mistaken_for_better = verdicts(test, with_elo(0, model))["H1"]
    mistaken_for_equal = verdicts(test, with_elo(40, model))["H0"]
    assert 5 <= mistaken_for_better <= 25 + 14
    assert 5 <= mistaken_for_equal <= 25 + 14
