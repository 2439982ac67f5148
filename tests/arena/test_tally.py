"""What the games of a run add up to."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.arena.plan import Planned
from plies.arena.store import Finished
from plies.arena.tally import (
    Score,
    distinct_games,
    pair_classes,
    pairs_between,
    repeated_by,
    results_of,
    standings,
    terminations,
)
from plies.records import GameRecord, MoveRecord

WON, DRAWN, LOST = (1, -1), (0, 0), (-1, 1)


def game(
    number: int,
    seats: str,
    payoffs: tuple[int, ...],
    moves: Sequence[MoveRecord] = (),
    termination: str = "normal",
    faults: tuple[str, ...] = (),
) -> Finished:
    """Of the pair that the number belongs to; every letter of `seats` is an agent."""
    record = GameRecord(
        game="g",
        agents=tuple(seats),
        seed=0,
        moves=tuple(moves),
        payoffs=payoffs,
        reason="",
        start=f"opening {number // 2}",
        final="",
        termination=termination,
        faults=faults,
    )
    return Finished(Planned(number, "g", tuple(seats), "", 0, 0, number // 2), record)


def move(player: int, text: str = "m", nodes: int = 0, seconds: float = 0, fault: str = ""):
    return MoveRecord(player, text, None, 0, nodes, seconds, (), fault)


# By hand: a wins as first, draws as second, wins as second.
def test_scores_are_counted_by_seat() -> None:
    games = [game(0, "ab", WON), game(1, "ba", DRAWN), game(3, "ba", LOST)]
    a, b = standings("ab", games)
    assert (a.name, a.score) == ("a", Score(wins=2, draws=1, losses=0, points=2.5))
    assert a.by_seat == {0: Score(1, 0, 0, 1.0), 1: Score(1, 1, 0, 1.5)}
    assert (b.name, b.score) == ("b", Score(wins=0, draws=1, losses=2, points=0.5))
    assert (a.score.games, a.score.share) == (3, pytest.approx(2.5 / 3))


def test_who_has_played_nothing_stands_there_with_nothing() -> None:
    (a,) = standings("a", [])
    assert (a.score.games, a.score.share, a.by_seat) == (0, 0.0, {})


def test_the_best_share_comes_first_and_equals_stay_in_their_order() -> None:
    games = [game(0, "bc", WON), game(1, "ca", DRAWN), game(2, "ac", DRAWN)]
    assert [each.name for each in standings("abcd", games)] == ["b", "a", "c", "d"]


# Three players: one point in all, shared by those who got most.
def test_a_point_is_shared_by_those_who_got_most() -> None:
    games = [game(0, "abc", (1, 0, 0)), game(1, "bca", (0, 0, -1)), game(2, "cab", (0, 0, 0))]
    found = {each.name: each.score for each in standings("abc", games)}
    assert found["a"] == Score(1, 1, 1, 1 + 1 / 3)
    assert found["b"] == Score(0, 2, 1, 1 / 2 + 1 / 3)
    assert sum(score.points for score in found.values()) == pytest.approx(3)


def test_an_agent_that_plays_itself_has_both_seats() -> None:
    (a,) = standings("a", [game(0, "aa", WON)])
    assert a.score == Score(1, 0, 1, 1.0)
    assert a.by_seat == {0: Score(1, 0, 0, 1.0), 1: Score(0, 0, 1, 0.0)}


def test_thinking_is_summed_for_whoever_did_it() -> None:
    moves = [move(0, nodes=10, seconds=0.5), move(1, nodes=3, seconds=2), move(0, nodes=5)]
    a, b = standings("ab", [game(0, "ab", WON, moves), game(1, "ba", LOST, moves[:1])])
    assert (a.moves, a.nodes, a.seconds) == (2, 15, 0.5)
    assert (b.moves, b.nodes, b.seconds) == (2, 13, 2.5)


def test_faults_are_those_of_the_one_who_lost_by_them() -> None:
    games = [
        game(0, "ab", LOST, (), "time", ("time", "")),
        game(1, "ba", WON, (), "crash", ("", "crash")),
        game(2, "ab", WON, (), "adjudicated"),
        game(3, "ba", DRAWN, (), "crash", ("crash", "memory")),  # neither could start
    ]
    found = {each.name: dict(each.faults) for each in standings("ab", games)}
    assert found == {"a": {"time": 1, "crash": 1, "memory": 1}, "b": {"crash": 1}}


def test_moves_of_the_judge_are_counted_as_forgiven() -> None:
    moves = [move(0, fault="too late"), move(1), move(0)]
    a, b = standings("ab", [game(0, "ab", WON, moves)])
    assert (a.forgiven, b.forgiven) == (1, 0)
    assert not a.faults


# By hand: a gets 1 + 1, 1/2 + 0, and the third pair is not complete.
def test_pairs_are_seen_from_one_side_and_only_complete_ones_count() -> None:
    games = [
        *(game(0, "ab", WON), game(1, "ba", LOST)),
        *(game(3, "ba", WON), game(2, "ab", DRAWN)),
        game(4, "ab", WON),
        *(game(6, "ac", WON), game(7, "ca", WON)),
    ]
    results = results_of(games)
    assert pairs_between("a", "b", results) == [(1.0, 1.0), (0.5, 0.0)]
    assert pairs_between("b", "a", results) == [(0.0, 0.0), (0.5, 1.0)]
    assert pair_classes(pairs_between("a", "b", results)) == (0, 1, 0, 0, 1)


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 2)))
def test_every_pair_is_in_one_class(pairs: list[tuple[float, float]]) -> None:
    classes = pair_classes(pairs)
    assert sum(classes) == len(pairs)
    points = sum(count * half / 2 for half, count in enumerate(classes))
    assert points == sum(map(sum, pairs))
    turned = [(1 - first, 1 - second) for first, second in pairs]
    assert pair_classes(turned) == classes[::-1]


@given(st.permutations(range(8)))
def test_nothing_depends_on_the_order_in_which_games_ended(order: list[int]) -> None:
    payoffs = [WON, LOST, DRAWN, WON, LOST, LOST, DRAWN, WON]
    games = [game(number, "ab" if number % 2 == 0 else "ba", payoffs[number]) for number in order]
    ordered = sorted(games, key=lambda each: each.planned.number)
    assert standings("ab", games) == standings("ab", ordered)
    assert pairs_between("a", "b", results_of(games)) == pairs_between(
        "a", "b", results_of(ordered)
    )


def test_games_are_the_same_when_opening_and_moves_are() -> None:
    one, other = [move(0, "x")], [move(0, "y")]
    games = [game(0, "ab", WON, one), game(1, "ba", WON, one), game(2, "ab", WON, one)]
    assert distinct_games(games) == 2
    assert repeated_by(games) == []  # the second one by the others
    games += [game(1, "ba", LOST, one), game(0, "ab", WON, other)]
    assert distinct_games(games) == 3
    assert repeated_by(games) == [("b", "a")]


def test_terminations_are_counted_the_most_frequent_first() -> None:
    games = [game(0, "ab", WON, termination=end) for end in ("time", "normal", "normal")]
    assert list(terminations(games).items()) == [("normal", 2), ("time", 1)]
