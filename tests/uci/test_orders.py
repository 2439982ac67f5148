"""What lines of the protocol mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.search.clock import Clock
from plies.search.limits import MAX_SECONDS
from plies.search.workspace import MAX_DEPTH
from plies.uci.limits import clock_of, is_endless, limits_of
from plies.uci.orders import (
    NUMBERS,
    WORDS,
    Go,
    SetOption,
    read_go,
    read_option,
    read_order,
    read_position,
)


def rest(line: str) -> tuple[str, ...]:
    """What follows the order's word."""
    return read_order(line).rest


def go(line: str) -> Go:
    return read_go(rest(f"go {line}"))[0]


@pytest.mark.parametrize("word", WORDS)
def test_unknown_words_before_an_order_are_skipped(word: str) -> None:
    assert read_order(f"  joho {word}\ton \n") == (word, ("on",))


def test_a_line_without_an_order_is_kept_as_it_is() -> None:
    assert read_order("hello world") == ("", ("hello", "world"))
    assert read_order("  \n") == ("", ())


def test_go_is_read_in_any_order() -> None:
    found = go("winc 5 wtime 1000 binc 6 btime 2000 movestogo 40")
    assert found == Go(wtime=1000, btime=2000, winc=5, binc=6, movestogo=40)
    assert go("infinite") == Go(infinite=True)
    assert go("ponder depth 3 nodes 9 movetime 7 mate 2") == Go(
        ponder=True, depth=3, nodes=9, movetime=7, mate=2
    )


def test_moves_to_search_are_passed_over() -> None:
    found, skipped = read_go(rest("go searchmoves e2e4 d2d4 depth 5"))
    assert (found, skipped) == (Go(searchmoves=True, depth=5), [])


def test_what_cannot_be_read_is_skipped_and_told() -> None:
    assert read_go(rest("go depth five joho nodes 7 wtime")) == (
        Go(nodes=7),
        ["depth", "five", "joho", "wtime"],
    )


@given(st.lists(st.sampled_from([*NUMBERS, "infinite", "ponder", "5", "-3", "x", "9" * 5000])))
def test_any_words_after_go_are_read(tokens: list[str]) -> None:
    found, _ = read_go(tokens)
    limits_of(found, 30)
    clock_of(found, False, 30)


def test_positions_are_a_text_and_moves() -> None:
    assert read_position(rest("position startpos")) == ("startpos", ())
    assert read_position(rest("position startpos moves e2e4 e7e5")) == (
        "startpos",
        ("e2e4", "e7e5"),
    )
    assert read_position(rest("position fen 8/8 w - - 0 1 moves a1a2")) == (
        "8/8 w - - 0 1",
        ("a1a2",),
    )
    assert read_position([]) == ("", ())


def test_names_and_values_of_options_have_several_words() -> None:
    found = read_option(rest("setoption name Move Overhead value 5"))
    assert found == SetOption("Move Overhead", "5")
    assert read_option(rest("setoption name Clear Hash")) == SetOption("Clear Hash", "")
    assert read_option(rest("setoption name Path value a b")) == SetOption("Path", "a b")


# What `go` means


@pytest.mark.parametrize(
    "line", ["infinite", "", "ponder wtime 1000 btime 1000", "infinite depth 3"]
)
def test_searches_without_an_end_of_their_own(line: str) -> None:
    assert is_endless(go(line))
    assert limits_of(go(line), 30) == {"depth": MAX_DEPTH}
    assert clock_of(go(line), False, 30) is None


def test_limits_become_options_of_an_agent() -> None:
    assert limits_of(go("depth 5 nodes 700"), 30) == {"depth": 5, "nodes": 700}
    assert limits_of(go("movetime 1030"), 30) == {"seconds": 1.0}
    assert limits_of(go("movetime 10"), 30) == {"seconds": 0.001}
    assert limits_of(go("depth 0 nodes -4"), 30) == {"depth": 1, "nodes": 1}
    assert limits_of(go("depth 999"), 30) == {"depth": MAX_DEPTH}
    assert limits_of(go(f"movetime {10**30}"), 30) == {"seconds": MAX_SECONDS}


def test_what_is_not_followed_leaves_a_search_of_a_second() -> None:
    """That is what an agent takes without limits."""
    for line in ("mate 3", "searchmoves e2e4", "movestogo 3"):
        assert not is_endless(go(line))
        assert limits_of(go(line), 30) == {}


def test_the_clock_is_that_of_the_side_to_move_less_the_overhead() -> None:
    asked = go("wtime 60030 btime 30 winc 1000 binc 2000 movestogo 9")
    assert clock_of(asked, False, 30) == Clock(60.0, 1.0, 9)
    assert clock_of(asked, True, 30) == Clock(0.0, 2.0, 9)
    assert clock_of(go("btime 30"), False, 30) is None


def test_impossible_clocks_are_brought_within_bounds() -> None:
    asked = go(f"wtime {10**30} winc -5 movestogo -1")
    assert clock_of(asked, False, 30) == Clock(MAX_SECONDS, 0.0, 0)
    assert clock_of(go("wtime -500"), False, 0) == Clock(-0.5)
