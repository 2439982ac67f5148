"""The figures of a run, and what to doubt about them."""

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plies.arena.config import Tournament
from plies.arena.plan import Book, Entry, points_of
from plies.arena.report.words import match_facts, standings_table
from plies.arena.schedule import pending
from plies.arena.schedule.pairs import Plan
from plies.arena.statistics.sprt import Sprt
from plies.arena.store import Finished
from plies.arena.summary import MatchSummary, games_of_two, summary
from plies.arena.tally import results_of
from plies.cli.results import as_data
from plies.records import GameRecord, MoveRecord

OPENINGS = tuple(f"opening {number}" for number in range(200))


def plan_of(*names: str, players: int = 2, **more) -> Plan:
    agents = tuple(Entry(name, name) for name in names)
    kind = "match" if len(names) == 2 else "round-robin"
    tournament = Tournament(**{"games": ("g",), "agents": agents, "kind": kind, "pairs": 3} | more)
    return Plan(tournament, (Book("g", players, OPENINGS),))


def games_of(plan: Plan, best: str, moves: int = 1) -> list[Finished]:
    """All games that are planned; one agent wins all of its own, others draw."""
    found = []
    for planned in pending(plan.tournament, plan.books, []):
        is_there = best in planned.seats
        payoffs = tuple((1 if name == best else -1) if is_there else 0 for name in planned.seats)
        record = GameRecord(
            game="g",
            agents=planned.seats,
            seed=planned.seed,
            moves=tuple(
                MoveRecord(0, f"{planned.number} {ply}", None, 0, 0, 0.0) for ply in range(moves)
            ),
            payoffs=payoffs,
            reason="rules",
            start=planned.opening,
            final="",
        )
        found.append(Finished(planned, record))
    return found


def match_of(*counts: int, names: tuple[str, str] = ("a", "b")) -> MatchSummary:
    """The match in which the first agent got 0, 1/2, 1, 3/2 and 2 points in so many pairs."""
    plan = plan_of(*names, pairs=max(sum(counts), 1))
    by_pair = [(0, 0), (0, 0.5), (0, 1), (0.5, 1), (1, 1)]
    points = [each for pair, times in zip(by_pair, counts, strict=True) for each in [pair] * times]
    games = []
    for finished, own in zip(games_of(plan, names[0]), itertools.chain(*points), strict=False):
        seat = finished.planned.seats.index(names[0])
        payoffs = (round(2 * own - 1), round(1 - 2 * own))[:: 1 if seat == 0 else -1]
        games.append(replace(finished, record=replace(finished.record, payoffs=payoffs)))
    found = summary(plan, games).match
    assert found is not None
    assert found.counts == counts
    return found


@pytest.mark.parametrize(
    ("counts", "pairs"),
    [
        ((1, 0, 0, 0, 0), "1 complete pair"),  # 0:2 once was "50 % sure"
        ((0, 0, 0, 0, 1), "1 complete pair"),
        ((0, 0, 0, 1, 1), "2 complete pairs"),  # 3.5:0.5 once was 99.998 %
        ((0, 0, 0, 0, 3), "3 complete pairs"),
        ((0, 0, 0, 0, 4), "4 complete pairs"),
        ((0, 0, 0, 0, 0), "0 complete pairs"),
    ],
)
def test_too_few_games_are_called_that(counts: tuple[int, ...], pairs: str) -> None:
    facts = match_facts(match_of(*counts))
    words = f"too few games to tell who is better ({pairs}; at least 5 are needed)"
    assert facts["Elo"] == words
    assert not {"nElo", "LOS"} & facts.keys()


def test_neither_a_table_of_standings_nor_a_program_is_told_more_of_too_few_games() -> None:
    # The report of two pairs once said "+150" above "too few games to tell who is better".
    plan = plan_of("a", "b", pairs=4)
    first, *others = games_of(plan, "a")
    games = [replace(first, record=replace(first.record, payoffs=(0, 0))), *others]
    assert [row.elo for row in summary(plan, games).rows] == [None, None]
    data = as_data(plan, games)
    assert all(data[key] is None for key in data if "elo" in key)
    assert data["los"] is None


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        # 11 (ln 2 + 10/11 ln(10/11) + 1/11 ln(1/11)) = 4.274, Phi(2.067) = 0.981.
        ((0, 0, 0, 0, 5), "98.1 % sure that a is better"),
        ((5, 0, 0, 0, 0), "98.1 % sure that b is better"),
        ((0, 0, 5, 0, 0), "50.0 %: not clear who is better"),
        ((1, 1, 3, 3, 2), "75.9 % for a: not clear who is better"),
        ((2, 3, 3, 1, 1), "75.9 % for b: not clear who is better"),
        ((2, 10, 50, 30, 8), "more than 99.9 % sure that a is better"),
    ],
)
def test_words_name_the_better_agent_only_where_that_is_clear(
    counts: tuple[int, ...], words: str
) -> None:
    assert match_facts(match_of(*counts))["LOS"] == words


@settings(max_examples=60)
@given(counts=st.tuples(*[st.integers(0, 6)] * 5))
def test_words_interval_and_ratings_of_a_match_agree(counts: tuple[int, ...]) -> None:
    match = match_of(*counts)
    words = " ".join(match_facts(match).values())
    low, high = (match.interval.low, match.interval.high) if match.interval else (None, None)
    assert ("sure that a is better" in words) == (low is not None and low > 0)
    assert ("sure that b is better" in words) == (high is not None and high < 0)
    is_open = "too few games" in words or "not clear who is better" in words
    assert is_open == ("sure that" not in words)


def test_two_agents_are_rated_as_their_match_says() -> None:
    plan = plan_of("a", "b", pairs=6)
    games = games_of(plan, "a")
    drawn = replace(games[0], record=replace(games[0].record, payoffs=(0, 0)))
    found = summary(plan, [drawn, *games[1:]])
    between = found.match and found.match.interval
    assert between is not None
    first, second = (row.elo for row in found.rows)
    assert first is not None
    assert second is not None
    for own, other, whole in (
        (first.value, second.value, between.value),
        (first.low, second.high, between.low),
        (first.high, second.low, between.high),
    ):
        assert whole is not None
        assert (own, other) == pytest.approx((whole / 2, -whole / 2))


def test_a_table_of_ratings_shows_both_ends_of_a_lopsided_interval() -> None:
    # Half of +300.8, between -40.5 and +535.9: "+150 +/- 144" would leave out 0.
    plan = plan_of("a", "b", pairs=5)
    games = games_of(plan, "a")
    drawn = [replace(each, record=replace(each.record, payoffs=(0, 0))) for each in games[:6:2]]
    found = summary(plan, [*drawn, *games[1:6:2], *games[6:]])
    table = standings_table(found.rows, games)
    assert [row[2:4] for row in table.rows] == [("+150", "-20 to +268"), ("-150", "-268 to +20")]


def test_what_moving_first_is_worth_is_said_only_where_games_tell() -> None:
    # One pair once said "+0.0 +/- 1183".
    plan = plan_of("a", "b", "c", pairs=1)
    assert summary(plan, games_of(plan, "a")).first_advantage is None
    plan = plan_of("a", "b", "c", pairs=60)
    known = summary(plan, games_of(plan, "nobody")).first_advantage
    assert known is not None
    assert known.value == pytest.approx(0, abs=1e-6)
    assert (known.error or math.inf) < 200
    # Few games that the first player always wins are clear.
    plan = plan_of("a", "b", "c", pairs=6)
    won = [replace(g, record=replace(g.record, payoffs=(1, -1))) for g in games_of(plan, "a")]
    clear = summary(plan, won).first_advantage
    assert clear is not None
    assert (clear.low or 0) > 0


def test_a_match_is_told_from_the_side_of_the_first() -> None:
    plan = plan_of("a", "b", pairs=5)
    found = summary(plan, games_of(plan, "b"))
    assert (found.games, found.distinct_games, found.is_finished) == (10, 10, True)
    match = found.match
    assert match is not None
    assert (match.first, match.second) == ("a", "b")
    assert (match.score.wins, match.score.losses, match.counts) == (0, 10, (5, 0, 0, 0, 0))
    # Who lost everything has no figure, only an upper end.
    assert match.interval is not None
    assert (match.interval.value, match.interval.low) == (None, None)
    assert (match.test, match.llr, match.verdict) == (None, None, "")
    assert found.warnings == []


def test_the_elo_of_who_won_everything_is_no_number_for_programs_either() -> None:
    # It once was +1320 after five won pairs, which is what a thousandth of a game stands for.
    plan = plan_of("a", "b", pairs=5)
    found = as_data(plan, games_of(plan, "a"))
    assert (found["elo"], found["elo_error"], found["elo_high"]) == (None, None, None)
    assert found["elo_low"] > 0
    assert found["los"] > 0.975


def test_half_a_pair_says_nothing_about_elo() -> None:
    plan = plan_of("a", "b")
    found = summary(plan, games_of(plan, "a")[:1])
    assert found.games == 1
    assert not found.is_finished
    assert found.match is not None
    assert (found.match.interval, found.match.counts) == (None, (0,) * 5)


def test_nothing_played_is_no_trouble() -> None:
    for names in (("a", "b"), ("a", "b", "c")):
        found = summary(plan_of(*names), [])
        assert (found.games, found.is_finished, found.terminations) == (0, False, {})
        assert len(found.rows) == len(names)


def test_more_agents_are_rated_and_the_best_comes_first() -> None:
    plan = plan_of("a", "b", "c")
    found = summary(plan, games_of(plan, "c"))
    assert found.rows[0].standing.name == "c"
    assert found.match is None
    values = [row.elo.value for row in found.rows if row.elo is not None]
    assert len(values) == 3
    assert found.warnings == []


def test_games_of_three_have_no_elo() -> None:
    plan = plan_of("a", "b", "c", players=3)
    games = games_of(plan, "c")
    found = summary(plan, games)
    assert len(games) == found.games == 9
    assert found.rows[0].standing.name == "c"
    assert [row.elo for row in found.rows] == [None] * 3
    assert games_of_two(results_of(games)) == []


def test_games_that_repeat_another_are_told() -> None:
    plan = plan_of("a", "b", pairs=201)  # one more pair than there are openings
    games = [replace(game, record=replace(game.record, moves=())) for game in games_of(plan, "a")]
    found = summary(plan, games)
    assert (found.games, found.distinct_games) == (402, 200)
    (warning,) = found.warnings
    # Those of the last pair; the others are the same game with other seats.
    assert "repeat another one exactly and add no information: 2, such as of a - b" in warning


def test_a_test_counts_pairs_in_order_up_to_its_verdict() -> None:
    plan = plan_of("a", "b", kind="sprt", pairs=100, sprt=Sprt(elo0=0, elo1=200))
    games = games_of(plan, "a")
    whole = summary(plan, games)
    assert whole.match is not None
    assert (whole.match.verdict, whole.is_finished) == ("H1", True)
    count = sum(whole.match.counts)
    assert whole.games == 2 * count < len(games)
    (warning,) = whole.warnings
    assert warning.startswith(f"games that do not count: {len(games) - whole.games}; ")
    less = summary(plan, games[: 2 * count - 1])  # the last pair is not complete
    assert less.match is not None
    assert (less.match.verdict, less.is_finished, less.games) == ("", False, 2 * count - 2)
    assert (less.match.llr or 0) < (whole.match.llr or 0)


@pytest.mark.parametrize("payoffs", [(1, -1), (0, 0), (2, 2, 1), (0, 0, 0)])
def test_points_of_a_game_add_up_to_one(payoffs: tuple[int, ...]) -> None:
    assert sum(points_of(payoffs)) == pytest.approx(1)
