"""Entries, points and seeds."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.arena.plan import Entry, named, points_of, seed_of


@pytest.mark.parametrize(
    ("payoffs", "points"),
    [
        ((1, -1), (1, 0)),
        ((0, 0), (0.5, 0.5)),
        ((-3, 5), (0, 1)),
        ((0, 1, 0), (0, 1, 0)),
        ((2, 2, 1), (0.5, 0.5, 0)),
        ((-1, 0, 0, 0), (0, 1 / 3, 1 / 3, 1 / 3)),
    ],
)
def test_a_point_is_shared_by_those_who_got_most(payoffs: tuple[int, ...], points: tuple[float]):
    assert points_of(payoffs) == points


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=6))
def test_every_game_gives_one_point(payoffs: list[int]):
    assert sum(points_of(payoffs)) == pytest.approx(1)


def test_an_agent_that_plays_itself_has_two_names():
    assert named(["random", "greedy", "random"]) == (
        Entry("random", "random"),
        Entry("greedy", "greedy"),
        Entry("random (2)", "random"),
    )


def test_games_and_tournaments_have_seeds_of_their_own():
    seeds = [{seed_of(seed, number) for number in range(1000)} for seed in range(5)]
    assert all(len(each) == 1000 for each in seeds)
    assert all(one.isdisjoint(other) for one, other in combinations(seeds, 2))


# The first 6 bytes of BLAKE2b("7/3") with a digest of 6 bytes, by Python's hashlib: a run that
# was begun with an older version must find the same seeds.
def test_seeds_never_change():
    assert seed_of(7, 3) == 93954846929648
