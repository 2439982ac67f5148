"""Openings: seeded, distinct, never the end of a game."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.arena.config import KnockOut, Openings, Tournament
from plies.arena.openings import books, random_openings
from plies.arena.plan import named
from plies.errors import BadSpec

THREE_PLAYERS = f"tree:file={Path(__file__).parents[1] / 'data' / 'three_players.json'}"


def tournament(game: str = "tictactoe", **more) -> Tournament:
    return Tournament(games=(game,), agents=named(["random", "greedy"]), **more)


@settings(max_examples=20)
@given(st.integers(0, 99), st.integers(1, 20), st.sampled_from([0, 2, 4, 6]))
def test_openings_are_distinct_and_not_over(seed: int, pairs: int, plies_: int):
    (book,) = books(tournament(pairs=pairs, seed=seed, openings=Openings(plies_)))
    game = plies.game("tictactoe")
    assert len(set(book.openings)) == len(book.openings) <= pairs
    for text in book.openings:
        state = game.parse_position(text)
        assert not game.is_over(state)
        assert game.mover(state) == 0
        assert sum(mark in "XO" for mark in text.rpartition(" ")[0]) == plies_


def test_a_seed_always_draws_the_same_openings_and_another_one_others():
    first, again, other = (books(tournament(pairs=20, seed=seed))[0].openings for seed in (1, 1, 2))
    assert first == again != other


def test_more_pairs_keep_the_openings_of_fewer():
    few, many = (books(tournament(pairs=pairs))[0].openings for pairs in (10, 30))
    assert many[:10] == few


# After 2 plies of tic-tac-toe there are 9 * 8 positions.
@pytest.mark.parametrize(("count", "there_are"), [(0, 1), (2, 72)])
def test_where_there_are_fewer_openings_than_pairs_all_are_found(count: int, there_are: int):
    (book,) = books(tournament(pairs=100, openings=Openings(count)))
    assert len(book.openings) == there_are


def test_a_meeting_that_may_go_on_has_openings_for_that():
    (book,) = books(tournament(kind="knock-out", pairs=5, knock_out=KnockOut(4)))
    assert len(book.openings) == 9


def test_listed_positions_are_used_each_once_and_in_an_order_of_the_seed():
    game = plies.game("tictactoe")
    listed = tuple(random_openings(game, 30, 2, random.Random(1)))
    first, again, other = (
        books(tournament(pairs=30, seed=seed, openings=Openings(positions=listed + listed[:5])))[0]
        for seed in (1, 1, 2)
    )
    assert sorted(first.openings) == sorted(other.openings) == sorted(listed)
    assert first == again != other


@pytest.mark.parametrize(
    ("openings", "complaint"),
    [
        (Openings(3), "openings.plies is even, not 3, so that the first player begins"),
        (Openings(10), "tictactoe is over after 10 random plies; ask for fewer"),
        (Openings(positions=("XXX/OO./... O",)), "openings: the game is over at XXX/OO./... O"),
        (Openings(positions=("XQX",)), "openings: "),
    ],
)
def test_openings_that_cannot_be_played_are_refused(openings: Openings, complaint: str):
    with pytest.raises(BadSpec) as caught:
        books(tournament(openings=openings))
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)


def test_the_number_of_players_is_that_of_the_game():
    three = Tournament(
        games=("tictactoe", THREE_PLAYERS),
        agents=named(["random", "random", "random"]),
        openings=Openings(0),
    )
    assert [book.players for book in books(three)] == [2, 3]
