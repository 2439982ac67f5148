"""The figures of a run, and what to doubt about them."""

from dataclasses import replace

import pytest

from plies.arena.config import Tournament
from plies.arena.plan import Book, Entry, points_of
from plies.arena.report.words import match_facts
from plies.arena.schedule import pending
from plies.arena.schedule.pairs import Plan
from plies.arena.statistics.sprt import Sprt
from plies.arena.store import Finished
from plies.arena.summary import games_of_two, summary
from plies.arena.tally import results_of
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


def test_one_lost_pair_makes_nobody_sure() -> None:
    told = []
    for pairs in (1, 2):
        plan = plan_of("a", "b", pairs=pairs)
        match = summary(plan, games_of(plan, "b")).match
        assert match is not None
        told.append(match_facts(match)["LOS"])
    assert told == ["these games do not tell who is better", "75.0 % sure that b is better"]


def test_a_match_is_told_from_the_side_of_the_first() -> None:
    plan = plan_of("a", "b")
    found = summary(plan, games_of(plan, "b"))
    assert (found.games, found.distinct_games, found.is_finished) == (6, 6, True)
    match = found.match
    assert match is not None
    assert (match.first, match.second) == ("a", "b")
    assert (match.score.wins, match.score.losses, match.counts) == (0, 6, (3, 0, 0, 0, 0))
    # Who lost everything has no figure, only an upper end.
    assert match.interval is not None
    assert (match.interval.value, match.interval.low) == (None, None)
    assert (match.test, match.llr, match.verdict) == (None, None, "")
    assert found.warnings == []


def test_half_a_pair_says_nothing_about_elo() -> None:
    plan = plan_of("a", "b")
    found = summary(plan, games_of(plan, "a")[:1])
    assert found.games == 1
    assert not found.is_finished
    assert found.match is not None
    assert (found.match.elo, found.match.interval, found.match.counts) == (None, None, (0,) * 5)


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
    assert "repeat another one move for move and say nothing new: 2, such as of a - b" in warning


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
