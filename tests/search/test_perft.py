"""Counts are whole, within limits, or refused."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.errors import BadSpec
from plies.search import perft as counting
from plies.search.perft import Stopped, count, split, tally
from plies.search.runner import StopFlag

BOARD = "tictactoe:width=6,height=6,k=4"  # far too many lines to finish at depth 36
KERNELS = [
    counting.perft,
    counting.bulk_perft,
    counting.lines_by_move,
    counting.finished_games,
    counting.distinct_positions,
]
BULK = {"tictactoe": 5, "quixo:n=3": 4, "nim": 4, "chess": 3, "morris:board=24": 3, "seega": 2}
COUNTS: dict[str, Callable[..., Any]] = {
    "plies.perft": lambda game, *limits: plies.perft(game, game.initial(), *limits),
    "count": lambda game, *limits: count(counting.perft, game.initial(), *limits),
    "split": lambda game, *limits: split(game.initial(), *limits),
}


@pytest.fixture(params=COUNTS)
def counted(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return COUNTS[request.param]


@pytest.mark.parametrize("depth", [-1, 128, 200_000, 10**30])
def test_a_depth_out_of_range_is_refused(counted: Callable[..., Any], depth: int) -> None:
    with pytest.raises(BadSpec, match=f"depth .*{depth}"):
        counted(plies.game("tictactoe"), depth)


def test_a_depth_that_is_no_whole_number_is_refused(counted: Callable[..., Any]) -> None:
    with pytest.raises(BadSpec, match=r"depth .*3\.0"):
        counted(plies.game("tictactoe"), 3.0)


def test_a_budget_out_of_range_is_refused(counted: Callable[..., Any]) -> None:
    with pytest.raises(BadSpec, match=r"nodes .*-1"):
        counted(plies.game("tictactoe"), 3, -1)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
@given(nodes=st.integers(1, 600))
def test_a_count_looks_at_as_many_positions_as_its_budget_allows(kernel: Any, nodes: int) -> None:
    state = plies.game("tictactoe").initial()
    whole = tally(kernel, state, 3)
    found = tally(kernel, state, 3, nodes)
    assert whole.is_complete
    assert found.nodes == min(nodes, whole.nodes)
    assert found.is_complete == (nodes >= whole.nodes)
    if found.is_complete:
        assert list_of(found.count) == list_of(whole.count)


def list_of(counts: Any) -> list[int]:
    return [counts] if isinstance(counts, int) else list(counts)


def test_half_a_count_is_never_given_out(counted: Callable[..., Any]) -> None:
    with pytest.raises(Stopped, match="2,000"):
        counted(plies.game(BOARD), 36, 2000)


def test_a_budget_that_is_just_enough_gives_the_whole_count(counted: Callable[..., Any]) -> None:
    game = plies.game("tictactoe")
    # The root, 9 replies, 72 replies to those and 504 lines.
    enough = 1 + 9 + 72 + 504
    assert counted(game, 3, enough) == counted(game, 3)
    with pytest.raises(Stopped):
        counted(game, 3, enough - 1)


@pytest.mark.parametrize("kernel", KERNELS[:-1], ids=lambda kernel: kernel.__name__)
def test_another_thread_stops_a_count_that_would_take_years(kernel: Any) -> None:
    stop = StopFlag()
    threading.Timer(0.2, stop.stop).start()
    assert not tally(kernel, plies.game(BOARD).initial(), 36, stop=stop).is_complete


def test_a_flag_that_was_set_before_stops_every_count(counted: Callable[..., Any]) -> None:
    stop = StopFlag()
    stop.stop()
    with pytest.raises(Stopped, match=" 0 "):
        counted(plies.game("tictactoe"), 3, 0, stop)


def test_the_parts_of_a_split_sum_to_the_whole() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("X.O/.../... X")
    for depth in range(1, 6):
        parts = split(state, depth)
        assert tuple(parts) == game.moves(state)
        assert sum(parts.values()) == plies.perft(game, state, depth)
    assert split(state, 0) == {}
    assert split(game.parse_position("XXX/OO./... O"), 2) == {}


@given(st.sampled_from(sorted(BULK)), st.integers(0, 5))
def test_counting_the_last_moves_is_as_good_as_playing_them(spec: str, depth: int) -> None:
    state = plies.game(spec).initial()
    depth = min(depth, BULK[spec])
    assert count(counting.bulk_perft, state, depth) == count(counting.perft, state, depth)


def test_lines_that_end_early_do_not_count_in_bulk_either() -> None:
    game = plies.game("tictactoe")
    over = game.parse_position("XXX/OO./... O")
    assert [count(counting.bulk_perft, over, depth) for depth in range(3)] == [1, 0, 0]
