"""The protocol without streams and threads: options, the end, and anything at all."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uci_desk import Desk

from plies.uci.conversation import Forget, Prepare, Quit, Stop
from plies.uci.orders import WORDS, read_order

# Options


def test_options_are_set_whatever_the_case() -> None:
    desk = Desk("chess", is_ready=False)
    desk.hear("setoption name threads value 4", "setoption name EVAL value SEF", "isready")
    assert isinstance(desk.job, Prepare)
    assert desk.job.spec == "engine:table=64,threads=4,eval=sef"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("name Hash value 0", "Hash is 1 to "),
        ("name Hash value many", "Hash is a whole number, not 'many'"),
        ("name Threads", "Threads is a whole number, not ''"),
        ("name Eval value best", "Eval is strong or sef or material or placement, not 'best'"),
        ("name Hahs value 1", "there is no option Hahs; did you mean Hash?"),
        ("", "there is no option "),
    ],
)
def test_options_that_do_not_exist_or_fit_are_told_and_change_nothing(line, complaint) -> None:
    desk = Desk("chess", is_ready=False)
    before = desk.talk.options.settings
    desk.hear(f"setoption {line}")
    (told,) = desk.said
    assert told.startswith(f"info string {complaint}")
    assert desk.talk.options.settings == before


def test_another_table_is_made_before_ready_is_said() -> None:
    desk = Desk()
    desk.hear("setoption name Hash value 2", "isready")
    assert desk.answers() == []
    desk.work()
    assert desk.answers() == ["readyok"]
    desk.hear("setoption name Hash value 2", "setoption name Threads value 2", "isready")
    assert desk.answers() == ["readyok"]


@pytest.mark.parametrize("line", ["ucinewgame", "setoption name Clear Hash"])
def test_a_new_game_and_a_cleared_table_forget(line: str) -> None:
    desk = Desk()
    desk.hear(line)
    assert desk.done[-1] == Forget()


def test_debugging_tells_which_agent_thinks() -> None:
    desk = Desk()
    desk.hear("debug on", "go depth 1")
    assert any("engine:" in line for line in desk.said)
    desk.work()
    desk.said.clear()
    desk.hear("debug off", "go depth 1")
    assert desk.said == []


def test_quit_ends_it_even_while_the_engine_is_compiled() -> None:
    desk = Desk(is_ready=False)
    desk.hear("go", "quit")
    assert desk.done[-1] == Quit()


def test_quit_stops_the_search() -> None:
    desk = Desk()
    desk.hear("go", "quit")
    assert desk.done[-2:] == [Stop(), Quit()]


def test_unknown_lines_are_told_and_empty_ones_are_nothing() -> None:
    desk = Desk()
    desk.hear("hello", "", "   ")
    assert desk.said == ["info string unknown: hello"]


# Anything at all

words = st.sampled_from(
    [
        *WORDS,
        *("startpos", "fen", "moves", "a1", "b2", "c3", "X.O/.../...", "X", "name", "value"),
        *("Hash", "Eval", "Clear", "zero", "infinite", "ponder", "depth", "movetime", "wtime"),
        *("btime", "nodes", "3", "-1", "on", "\0", "é", "0" * 5000),
    ]
)
lines = st.one_of(st.lists(words, max_size=6).map(" ".join), st.text(max_size=40))


@settings(max_examples=300)
@given(
    st.lists(st.one_of(lines, st.sampled_from(["go", "go depth 3", "stop", "isready"]), st.none()))
)
def test_every_go_and_every_isready_is_answered_once_whatever_is_said(heard: list) -> None:
    """None stands for an engine that ends its job meanwhile."""
    desk, asked = Desk(is_ready=False), Counter()
    for line in [*heard, "stop", None, "stop"]:
        if line is None:
            desk.work()
        else:
            asked[read_order(line).word] += 1
            desk.hear(line)
    desk.work_all()
    desk.hear("stop")
    desk.work_all()
    first_words = Counter(line.split()[0] for line in desk.said)
    assert first_words["bestmove"] == asked["go"]
    assert first_words["readyok"] == asked["isready"]
    assert first_words["uciok"] == asked["uci"]
    assert all("\n" not in line for line in desk.said)
