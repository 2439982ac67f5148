"""Knock-out: one champion, and favourites are kept apart."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.arena.config import KnockOut
from plies.arena.plan import Planned, Result
from plies.arena.schedule import bracket, outline, pending, total
from tournament_samples import books_of, by_chance, by_seed, drawn, play, tournament_of


@given(st.integers(2, 17), st.integers(0, 999), st.integers(1, 2), st.integers(0, 2))
def test_everybody_but_the_champion_loses_once(agents: int, chance: int, pairs: int, extra: int):
    tournament = tournament_of("knock-out", agents, pairs=pairs, knock_out=KnockOut(extra))
    books = books_of(2)
    meetings = bracket(tournament, books, play(tournament, books, by_chance(chance)))
    held = [meeting for meeting in meetings if meeting.turns]
    losers = [name for meeting in held for name in meeting.names if name != meeting.winner]
    assert len(held) == agents - 1
    assert Counter([*losers, meetings[-1].winner]) == Counter(tournament.names)
    assert len(held) == sum(stage.meetings for stage in outline(tournament, books))


@given(st.integers(2, 17), st.integers(0, 999))
def test_nobody_plays_after_a_loss(agents: int, chance: int):
    tournament = tournament_of("knock-out", agents, pairs=1)
    books = books_of(2)
    played = play(tournament, books, by_chance(chance))
    for meeting in bracket(tournament, books, played):
        out = set(meeting.names) - {meeting.winner}
        later = {
            name
            for result in played
            if result.planned.round > meeting.round
            for name in result.planned.seats
        }
        assert not later & out


@given(st.integers(2, 33))
def test_when_favourites_win_the_two_best_meet_in_the_final(agents: int):
    tournament = tournament_of("knock-out", agents, pairs=1)
    books = books_of(2)
    meetings = bracket(tournament, books, play(tournament, books, by_seed))
    assert set(meetings[-1].names) == {"agent0", "agent1"}
    # In the round of the last k, seed s meets seed k - 1 - s.
    for meeting in meetings:
        still_in = 2 * sum(other.round == meeting.round for other in meetings)
        seeds = [int(name.removeprefix("agent")) for name in meeting.names if name]
        assert len(seeds) == 1 or sum(seeds) == still_in - 1


@pytest.mark.parametrize("agents", range(2, 18))
def test_the_best_seeds_are_free_where_the_field_is_no_power_of_two(agents: int):
    size = 2 ** (agents - 1).bit_length()
    meetings = bracket(tournament_of("knock-out", agents), books_of(2), [])
    free = {meeting.winner for meeting in meetings if meeting.reason == "free"}
    assert free == {f"agent{seed}" for seed in range(size - agents)}


def test_later_meetings_begin_as_soon_as_their_agents_are_known():
    tournament = tournament_of("knock-out", 3, pairs=1)
    games = pending(tournament, books_of(2), [])
    assert [set(game.seats) for game in games] == [{"agent1", "agent2"}] * 2
    played = [Result(game, by_seed(game)) for game in games]
    final = pending(tournament, books_of(2), played)
    assert [(game.seats, game.round) for game in final] == [
        (("agent0", "agent1"), 1),
        (("agent1", "agent0"), 1),
    ]


def test_first_pairs_of_all_meetings_come_first():
    games = pending(tournament_of("knock-out", 4, pairs=2), books_of(2), [])
    assert [set(game.seats) for game in games[::2]] == [
        {"agent0", "agent3"},
        {"agent1", "agent2"},
    ] * 2


def test_a_drawn_meeting_takes_all_extra_pairs_and_then_the_better_seed():
    tournament = tournament_of("knock-out", 2, pairs=2, knock_out=KnockOut(3))
    books = books_of(2)
    played = play(tournament, books, drawn)
    assert len(played) == 10 == total(tournament, books)  # 2 + 3 pairs of 2 games
    final = bracket(tournament, books, played)[-1]
    assert (final.winner, final.reason) == ("agent0", "drawn; the better seed advances")


def test_an_extra_pair_is_played_only_while_it_is_needed():
    def second_wins_late(game: Planned) -> tuple[float, ...]:
        return drawn(game) if game.pair < 3 else tuple(1 - point for point in by_seed(game))

    tournament = tournament_of("knock-out", 2, pairs=2, knock_out=KnockOut(3))
    books = books_of(2)
    played = play(tournament, books, second_wins_late)
    assert len(played) == 8
    final = bracket(tournament, books, played)[-1]
    assert (final.winner, final.reason) == ("agent1", "5 : 3 after 2 extra")


def test_a_meeting_over_several_games_counts_all_of_them():
    tournament = tournament_of("knock-out", 2, pairs=1, knock_out=KnockOut(1))
    books = books_of(2, 2)

    def each_wins_one_game(game: Planned) -> tuple[float, ...]:
        favourite = by_seed(game)
        return favourite if game.game == "game0" else tuple(1 - point for point in favourite)

    played = play(tournament, books, each_wins_one_game)
    assert [result.planned.game for result in played] == ["game0", "game0", "game1", "game1"] * 2


def test_rounds_have_the_names_of_the_field():
    stages = outline(tournament_of("knock-out", 12, pairs=2), books_of(2))
    assert [(stage.name, stage.meetings, stage.games) for stage in stages] == [
        ("last 16", 4, 16),
        ("quarter-finals", 4, 16),
        ("semi-finals", 2, 8),
        ("final", 1, 4),
    ]
