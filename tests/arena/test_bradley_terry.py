"""Ratings of many agents, and the pay-off matrix."""

import itertools
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plies.arena.statistics.bradley_terry import (
    Payoffs,
    Rating,
    Ratings,
    Result,
    payoff_matrix,
    rate,
)
from plies.arena.statistics.counts import Counts
from plies.arena.statistics.elo import Estimate, elo_estimate, score_of_elo
from plies.errors import BadSpec

agent = st.sampled_from("abcde")
result = st.tuples(agent, agent, st.sampled_from([0, 0.5, 1]))
PAIRINGS = list(itertools.permutations("abcd", 2))
results = st.lists(result, min_size=1, max_size=60)


def by_agent(ratings: Ratings) -> dict[str, Rating]:
    return {rated.agent: rated for rated in ratings.agents}


def figures(ratings: Ratings) -> dict[str, float]:
    """The rating of each agent, and the advantage of moving first."""
    found = {rated.agent: value_of(rated.elo) for rated in ratings.agents}
    return {**found, "advantage": value_of(ratings.advantage)}


def value_of(estimate: Estimate | None) -> float:
    assert estimate is not None
    assert estimate.value is not None
    return estimate.value


def error_of(estimate: Estimate | None) -> float:
    assert estimate is not None
    assert estimate.error is not None
    return estimate.error


def ascent(games: Sequence[Result]) -> dict[str, float]:
    """The maximum of the posterior by small steps uphill, game by game: slow, but plain.

    In natural units the score expected is 1 / (1 + e^-x), whose log likelihood has the slope
    score - expected, and a prior of deviation d has the slope -value / d^2.
    """
    names = sorted({agent for first, second, _ in games for agent in (first, second)})
    values = dict.fromkeys([*names, "advantage"], 0.0)
    unit = 400 / math.log(10)
    step = 1 / len(games)
    for _ in range(20_000):
        slopes = {name: -value / (1000 / unit) ** 2 for name, value in values.items()}
        for first, second, score in games:
            ahead = values[first] - values[second] + values["advantage"]
            surprise = score - 1 / (1 + math.exp(-ahead))
            slopes[first] += surprise
            slopes[second] -= surprise
            slopes["advantage"] += surprise
        values = {name: value + step * slopes[name] for name, value in values.items()}
    return {name: unit * value for name, value in values.items()}


# The maximum


@pytest.mark.parametrize("seed", range(4))
def test_the_ratings_are_those_that_a_slow_ascent_finds(seed: int) -> None:
    rng = random.Random(seed)
    games = [(*rng.choice(PAIRINGS), rng.choice((0, 0.5, 1, 1))) for _ in range(20)]
    assert figures(rate(games)) == pytest.approx(ascent(games), abs=1e-3)


def test_a_match_of_two_is_rated_as_its_elo() -> None:
    # 60 % is 70.44 Elo; the prior weighs an eighth of a game among 4000.
    games: list[Result] = [("a", "b", 1), ("b", "a", 0)] * 1200
    games += [("a", "b", 0), ("b", "a", 1)] * 800
    found = by_agent(rate(games))
    match = elo_estimate(Counts((1600, 0, 2400)))
    assert match is not None
    assert value_of(found["a"].elo) == pytest.approx(70.44 / 2, abs=0.01)
    assert value_of(found["b"].elo) == pytest.approx(-70.44 / 2, abs=0.01)
    # The difference is twice the rating, and so is its error.
    assert 2 * error_of(found["a"].elo) == pytest.approx(error_of(match), rel=1e-3)


def test_draws_narrow_the_intervals_as_they_do_those_of_a_match() -> None:
    games: list[Result] = [("a", "b", 1), ("b", "a", 0)] * 150
    games += [("a", "b", 0), ("b", "a", 1)] * 100
    games += [("a", "b", 0.5), ("b", "a", 0.5)] * 750
    match = elo_estimate(Counts((200, 1500, 300)))
    found = by_agent(rate(games))["a"]
    assert match is not None
    assert 2 * value_of(found.elo) == pytest.approx(match.value, rel=1e-3)
    assert 2 * error_of(found.elo) == pytest.approx(error_of(match), rel=5e-3)


def test_the_advantage_of_moving_first_is_no_strength() -> None:
    # Everybody scores 3/4 as first player, which is 190.85 Elo.
    games = [(first, second, won) for won in (1, 1, 1, 0) for first, second in ("ab", "ba")] * 500
    found = rate(games)
    assert value_of(found.advantage) == pytest.approx(190.85, abs=0.1)
    assert [value_of(rated.elo) for rated in found.agents] == pytest.approx([0, 0], abs=1e-6)


def test_agents_that_only_draw_with_each_other_keep_their_distance_to_a_third() -> None:
    # Both score 95 % against the third, 511.5 Elo, whatever they do against each other.
    games: list[Result] = []
    for best in "ab":
        games += [(best, "c", 1), ("c", best, 0)] * 900 + [(best, "c", 0.5), ("c", best, 0.5)] * 100
    games += [("a", "b", 0.5), ("b", "a", 0.5)] * 1000
    found = figures(rate(games))
    assert found["a"] == pytest.approx(found["b"], abs=1e-6)
    assert found["a"] - found["c"] == pytest.approx(511.5, abs=1)


@settings(max_examples=50)
@given(games=st.lists(result.filter(lambda game: game[0] != game[1]), min_size=1, max_size=60))
def test_every_agent_has_scored_what_the_ratings_expect(games: list[Result]) -> None:
    # With a win and a loss in each pairing no rating runs away, and a hundred times the
    # games leave hardly anything of the prior.
    games = games + [(first, second, score) for first, second, _ in games for score in (0, 1)]
    values = figures(rate(games * 100))
    expected = dict.fromkeys(values, 0.0)
    scored = dict.fromkeys(values, 0.0)
    for first, second, score in games:
        likely = score_of_elo(values[first] - values[second] + values["advantage"])
        scored[first] += score
        scored[second] += 1 - score
        expected[first] += likely
        expected[second] += 1 - likely
    assert expected == pytest.approx(scored, abs=0.01)


# What must not matter, and what must


@settings(max_examples=50)
@given(games=results, seed=st.integers(0, 100))
def test_the_order_of_the_games_does_not_matter(games: list[Result], seed: int) -> None:
    shuffled = random.Random(seed).sample(games, len(games))
    assert rate(shuffled) == rate(games)


@settings(max_examples=50)
@given(games=results)
def test_opposite_results_give_opposite_ratings(games: list[Result]) -> None:
    found = figures(rate(games))
    opposite = figures(rate([(first, second, 1 - score) for first, second, score in games]))
    assert {name: -value for name, value in opposite.items()} == pytest.approx(found, abs=1e-6)


@settings(max_examples=50)
@given(games=results)
def test_ratings_are_finite_sorted_and_their_mean_is_0(games: list[Result]) -> None:
    found = rate(games)
    values = [value_of(rated.elo) for rated in found.agents]
    assert values == sorted(values, key=lambda value: -round(value, 6))
    assert all(0 <= error_of(rated.elo) < 5000 for rated in found.agents)
    for group in found.groups:
        assert sum(value_of(by_agent(found)[name].elo) for name in group) == pytest.approx(
            0, abs=1e-6
        )


def test_who_won_every_game_has_a_rating_and_a_wide_interval() -> None:
    games: list[Result] = [("a", "b", 1), ("b", "a", 0)] * 10
    found = by_agent(rate([*games, ("b", "c", 1), ("c", "b", 1)]))
    assert 200 < value_of(found["a"].elo) < 2000
    assert error_of(found["a"].elo) > 200


def test_a_few_draws_are_no_certainty() -> None:
    few, many = (rate([("a", "b", 0.5), ("b", "a", 0.5)] * count) for count in (2, 200))
    assert error_of(few.agents[0].elo) > 50
    assert 0 < error_of(many.agents[0].elo) < 5


def test_games_and_scores_are_counted_in_both_seats() -> None:
    found = by_agent(rate([("a", "b", 1), ("b", "a", 0.5), ("c", "a", 1)]))
    assert (found["a"].games, found["a"].score) == (3, 0.5)
    assert (found["b"].games, found["b"].score) == (2, 0.25)
    assert rate([("a", "b", 1), ("b", "a", 0.5)]).draws == 0.5


def test_groups_that_never_met_are_named_and_rated_apart() -> None:
    games = [(*pair, won) for pair in (("a", "b"), ("b", "a")) for won in (0, 1, 1)] * 30
    others = [(*pair, won) for pair in itertools.permutations("cde", 2) for won in (0, 0.5)] * 30
    found = rate([*games, *others])
    assert found.groups == (("a", "b"), ("c", "d", "e"))
    # The intervals are about the mean of the group, not about a common one of which nothing
    # is known: those of two agents are the same with and without the other group.
    alone, together = (by_agent(ratings)["a"] for ratings in (rate(games), found))
    assert error_of(together.elo) == pytest.approx(error_of(alone.elo), rel=0.05)
    assert rate([*games, *others, ("e", "a", 1)]).groups == (("a", "b", "c", "d", "e"),)


def test_without_games_there_are_no_ratings() -> None:
    assert rate([]) == Ratings((), None, None, ())


def test_an_agent_that_met_only_itself_shows_the_advantage() -> None:
    found = rate([("a", "a", 1)] * 30 + [("a", "a", 0)] * 10)
    assert value_of(found.advantage) == pytest.approx(190.85, abs=2)
    assert found.agents[0].elo == Estimate(0, 0, 0)


def test_a_score_that_no_game_has_is_refused() -> None:
    with pytest.raises(BadSpec, match=r"0, 0.5 or 1, not 2"):
        rate([("a", "b", 2)])


# Simulated tournaments

TRUE = {"a": 250.0, "b": 60.0, "c": 0.0, "d": -110.0, "e": -200.0}
ADVANTAGE = 40.0
TOURNAMENTS = 400


def tournament(rng: np.random.Generator) -> list[Result]:
    """30 games of each pairing; agents far apart draw less, and `c` never draws."""
    games: list[Result] = []
    for first in TRUE:
        for second in TRUE.keys() - {first}:
            score = score_of_elo(TRUE[first] - TRUE[second] + ADVANTAGE)
            draws = 0 if "c" in (first, second) else 1.2 * min(score, 1 - score)
            chances = (1 - score - draws / 2, draws, score - draws / 2)
            numbers = rng.multinomial(30, chances)
            for points, count in zip((0, 0.5, 1), numbers, strict=True):
                games += [(first, second, points)] * int(count)
    return games


def test_simulated_tournaments_give_back_the_true_ratings_within_their_intervals() -> None:
    rng = np.random.default_rng(3)
    truth = {**TRUE, "advantage": ADVANTAGE}
    held = dict.fromkeys(truth, 0)
    total = dict.fromkeys(truth, 0.0)
    for _ in range(TOURNAMENTS):
        ratings = rate(tournament(rng))
        estimates = {rated.agent: rated.elo for rated in ratings.agents}
        for name, estimate in {**estimates, "advantage": ratings.advantage}.items():
            total[name] += value_of(estimate)
            held[name] += abs(value_of(estimate) - truth[name]) <= error_of(estimate)
    # One tournament is off by about 20 Elo, the mean of 400 by 1; three times that, and 2 for
    # the prior, which draws the strongest a little to the mean.
    for name, sum_of_values in total.items():
        assert sum_of_values / TOURNAMENTS == pytest.approx(truth[name], abs=5)
    # 95 % of 400 leave 0.95 +/- 3 sqrt(0.95 * 0.05 / 400) = 0.95 +/- 0.033.
    for count in held.values():
        assert count / TOURNAMENTS == pytest.approx(0.95, abs=0.033)


# Pay-offs


def test_pay_offs_are_means_over_both_seats() -> None:
    games: list[Result] = [("a", "b", 1), ("b", "a", 0.5), ("b", "a", 1), ("c", "b", 0)]
    assert payoff_matrix(games, ["b", "a", "c"]) == Payoffs(
        ("b", "a", "c"),
        ((None, 0.5, 1.0), (0.5, None, None), (0.0, None, None)),
        ((0, 3, 1), (3, 0, 0), (1, 0, 0)),
    )


def test_pay_offs_leave_out_who_is_not_asked_for() -> None:
    games: list[Result] = [("a", "b", 1), ("c", "b", 0)]
    assert payoff_matrix(games, ["a", "b"]).games == ((0, 1), (1, 0))
    assert payoff_matrix(games, []) == Payoffs((), (), ())


@given(games=results)
def test_two_agents_share_the_points_of_their_games(games: list[Result]) -> None:
    found = payoff_matrix(games, "abcde")
    for row, scores in enumerate(found.scores):
        for column, score in enumerate(scores):
            opposite = found.scores[column][row]
            assert found.games[row][column] == found.games[column][row]
            assert (score is None) == (opposite is None) == (found.games[row][column] == 0)
            if score is not None and opposite is not None:
                assert score + opposite == pytest.approx(1)
