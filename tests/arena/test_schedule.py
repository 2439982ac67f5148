"""Schedules: what is played does not depend on when it is played."""

import random
from collections import Counter, defaultdict
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plies.arena.config import Gauntlet, Tournament
from plies.arena.plan import Planned, Result
from plies.arena.schedule import counted, is_finished, outline, pending, progress, total
from plies.arena.schedule.sprt import AHEAD
from plies.arena.statistics.counts import Counts
from plies.arena.statistics.sprt import Sprt
from tournament_samples import TWO_PLAYER_KINDS, books_of, by_chance, by_seed, play, tournament_of

KINDS = st.sampled_from(TWO_PLAYER_KINDS)


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    kind = draw(KINDS)
    agents = 2 if kind in ("match", "sprt") else draw(st.integers(2, 9))
    return tournament_of(kind, agents, pairs=draw(st.integers(1, 4)), seed=draw(st.integers(0, 9)))


def pairs_of(games: list[Planned]) -> list[list[Planned]]:
    found = defaultdict(list)
    for game in sorted(games, key=lambda game: game.number):
        found[game.pair].append(game)
    return list(found.values())


@given(tournaments(), st.integers(1, 2), st.integers(0, 99))
def test_every_pair_is_one_opening_with_the_seats_rotated(
    tournament: Tournament, games: int, chance: int
):
    books = books_of(*[2] * games)
    played = [result.planned for result in play(tournament, books, by_chance(chance))]
    assert len({game.number for game in played}) == len(played)
    assert len({game.seed for game in played}) == len(played)
    for pair in pairs_of(played):
        assert len(pair) == 2
        assert len({(game.game, game.opening, game.round) for game in pair}) == 1
        assert pair[0].seats == pair[1].seats[::-1]


@given(tournaments(), st.integers(0, 99), st.integers(0, 99))
def test_the_order_in_which_games_end_makes_no_difference(
    tournament: Tournament, chance: int, order: int
):
    books, points = books_of(2, 2), by_chance(chance)
    straight = play(tournament, books, points)
    shuffled = play(tournament, books, points, order=random.Random(order))
    if tournament.kind == "sprt":
        assert progress(tournament, books, straight) == progress(tournament, books, shuffled)
    straight, shuffled = counted(tournament, books, straight), counted(tournament, books, shuffled)
    assert straight == shuffled


@given(tournaments(), st.integers(0, 99), st.integers(0, 200))
def test_a_run_that_was_stopped_anywhere_goes_on_to_the_same_end(
    tournament: Tournament, chance: int, most: int
):
    books, points = books_of(2), by_chance(chance)
    stopped = play(tournament, books, points, order=random.Random(chance), most=most)
    resumed = play(tournament, books, points, stopped)
    assert resumed[: len(stopped)] == stopped
    whole = play(tournament, books, points)
    assert counted(tournament, books, resumed) == counted(tournament, books, whole)


@given(tournaments(), st.integers(0, 99))
def test_the_total_is_the_most_that_is_played(tournament: Tournament, chance: int):
    books = books_of(2, 2)
    played = play(tournament, books, by_chance(chance))
    assert is_finished(tournament, books, played)
    if tournament.kind in ("knock-out", "sprt"):
        assert len(played) <= total(tournament, books)
    else:
        assert len(played) == total(tournament, books)
        assert len(played) == sum(stage.games for stage in outline(tournament, books))


@given(tournaments(), st.integers(0, 99), st.integers(0, 60))
def test_what_has_ended_is_never_pending(tournament: Tournament, chance: int, most: int):
    books = books_of(2)
    played = play(tournament, books, by_chance(chance), order=random.Random(chance), most=most)
    numbers = [game.number for game in pending(tournament, books, played)]
    assert len(set(numbers)) == len(numbers)
    assert not {result.planned.number for result in played} & set(numbers)


# Round robin, gauntlet, match


@given(st.integers(2, 7), st.integers(1, 3))
def test_in_a_round_robin_everybody_meets_everybody_equally(agents: int, pairs: int):
    tournament = tournament_of("round-robin", agents, pairs=pairs)
    games = pending(tournament, books_of(2), [])
    expected = {frozenset(two): 2 * pairs for two in combinations(tournament.names, 2)}
    assert Counter(frozenset(game.seats) for game in games) == expected


@given(st.integers(4, 6), st.lists(st.integers(2, 4), min_size=1, max_size=3), st.integers(1, 2))
def test_games_for_many_players_seat_every_group_in_rotation(
    agents: int, players: list[int], pairs: int
):
    tournament = tournament_of("round-robin", agents, pairs=pairs)
    books = books_of(*players)
    games = pending(tournament, books, [])
    assert len({game.number for game in games}) == len(games) == total(tournament, books)
    for book in books:
        own = pairs_of([game for game in games if game.game == book.game])
        groups = Counter(frozenset(pair[0].seats) for pair in own)
        groups_expected = combinations(tournament.names, book.players)
        assert groups == {frozenset(group): pairs for group in groups_expected}
        for pair in own:
            assert len({game.opening for game in pair}) == 1
            for column in zip(*(game.seats for game in pair), strict=True):
                assert set(column) == set(pair[0].seats)


@given(st.integers(2, 8), st.data())
def test_in_a_gauntlet_challengers_meet_all_others(agents: int, data: st.DataObject):
    challengers = data.draw(st.integers(1, agents - 1))
    tournament = tournament_of("gauntlet", agents, pairs=1, gauntlet=Gauntlet(challengers))
    games = pending(tournament, books_of(2), [])
    names = tournament.names
    expected = {frozenset(two): 2 for two in product(names[:challengers], names[challengers:])}
    assert Counter(frozenset(game.seats) for game in games) == expected


@given(st.sampled_from(["round-robin", "gauntlet"]), st.integers(3, 6), st.data())
def test_what_is_played_first_is_balanced_over_all_meetings(
    kind: str, agents: int, data: st.DataObject
):
    tournament = tournament_of(kind, agents, pairs=3)
    games = pending(tournament, books_of(2, 2), [])
    first = games[: data.draw(st.integers(0, len(games)))]
    counts = Counter({(game.game, frozenset(game.seats)): 0 for game in games})
    counts.update((game.game, frozenset(game.seats)) for game in first)
    assert max(counts.values()) - min(counts.values()) <= 2


@given(st.integers(2, 5), st.integers(1, 3), st.integers(1, 3))
def test_more_pairs_only_add_games_at_the_end(agents: int, pairs: int, more: int):
    books = books_of(2, 2)
    short = pending(tournament_of("round-robin", agents, pairs=pairs), books, [])
    long = pending(tournament_of("round-robin", agents, pairs=pairs + more), books, [])
    assert long[: len(short)] == short


def test_openings_are_used_in_turn_and_are_the_same_for_every_meeting():
    games = pending(tournament_of("round-robin", 3, pairs=5), books_of(2, openings=2), [])
    used = defaultdict(list)
    for pair in pairs_of(games):
        used[frozenset(pair[0].seats)].append(pair[0].opening)
    assert set(map(tuple, used.values())) == {("opening 0", "opening 1") * 2 + ("opening 0",)}


def test_numbers_count_from_zero_without_gaps_where_all_is_known():
    games = pending(tournament_of("round-robin", 4, pairs=2), books_of(2, 2), [])
    assert [game.number for game in games] == list(range(48))  # 6 meetings, 2 games, 2 pairs of 2


# Sequential tests


def halves(results: list[Result], first: str) -> list[int]:
    """Half points of the first agent in complete pairs, in order, up to the first gap."""
    found: dict[int, list[float]] = defaultdict(list)
    for result in results:
        seat = result.planned.seats.index(first)
        found[result.planned.pair].append(2 * result.points[seat])
    scores = []
    while len(found[len(scores)]) == 2:
        scores.append(round(sum(found[len(scores)])))
    return scores


@settings(max_examples=20)
@given(st.integers(0, 999), st.sampled_from([(1, 1, 1), (3, 2, 2), (1, 2, 3)]), st.integers(0, 999))
def test_a_test_ends_at_the_first_pair_that_decides(
    chance: int, likely: tuple[int, ...], order: int
):
    test = Sprt(elo0=-40, elo1=40)
    tournament = tournament_of("sprt", 2, pairs=120, sprt=test)
    books = books_of(2)
    points = by_chance(chance, likely)
    played = play(tournament, books, points, order=random.Random(order))
    scores = halves(played, tournament.names[0])
    verdict, count = "", 0
    while not verdict and count < len(scores):
        count += 1
        verdict = test.verdict(Counts(tuple(scores[:count].count(half) for half in range(5))))
    found = progress(tournament, books, played)
    assert (found.verdict, found.counts.samples) == (verdict, count)
    assert verdict or count == 120
    assert [result.planned.number for result in counted(tournament, books, played)] == list(
        range(2 * count)
    )


def test_a_missing_game_keeps_a_test_open():
    tournament = tournament_of("sprt", 2, pairs=200)
    books = books_of(2)
    played = play(tournament, books, by_seed)
    assert progress(tournament, books, played).verdict == "H1"
    without = [result for result in played if result.planned.number != 4]
    found = progress(tournament, books, without)
    assert (found.verdict, found.counts.samples) == ("", 2)
    games = pending(tournament, books, without)
    assert games[0].number == 4
    assert games[-1].pair == 2 + AHEAD - 1


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "match", "sprt"])
def test_two_agents_meet_once_under_every_kind(kind: str):
    games = pending(tournament_of(kind, 2, pairs=2), books_of(2), [])
    assert [game.seats for game in games] == [("agent0", "agent1"), ("agent1", "agent0")] * 2
