"""A search can be stopped: by a node budget, by another thread, by Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core.errors import BadSpec
from plies.search import alphabeta, minimax
from plies.search.perft import perft
from plies.search.runner import StopFlag, run
from plies.search.workspace import new_workspace

BOARD = "tictactoe:width=6,height=6,k=4"  # far too many lines to finish at depth 36
ENDLESS = f"""
import plies
game = plies.game({BOARD!r})
plies.search(game, game.initial(), "alphabeta:depth=1")
print("ready", flush=True)
try:
    plies.search(game, game.initial(), "alphabeta:depth=36")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@settings(max_examples=30)
@given(nodes=st.integers(1, 5000))
def test_a_node_budget_is_kept_exactly(nodes: int) -> None:
    game = plies.game(BOARD)
    for method in (minimax, alphabeta):
        found = method.search(game.initial(), 20, game.evaluator(), nodes=nodes)
        assert found.nodes == nodes
        assert not found.is_complete
        assert found.move in game.moves(game.initial())


def test_a_budget_that_is_just_enough_gives_the_complete_answer() -> None:
    game = plies.game("tictactoe")
    full = minimax.search(game.initial(), 9, game.evaluator())
    again = minimax.search(game.initial(), 9, game.evaluator(), nodes=full.nodes)
    assert (again.is_complete, again.value, again.line) == (True, full.value, full.line)
    short = minimax.search(game.initial(), 9, game.evaluator(), nodes=full.nodes - 1)
    assert not short.is_complete


def test_another_thread_stops_a_search_which_still_answers_a_legal_move() -> None:
    game = plies.game(BOARD)
    stop = StopFlag()
    threading.Timer(0.2, stop.stop).start()
    found = plies.search(game, game.initial(), "alphabeta:depth=36", stop=stop)
    assert not found.is_complete
    assert found.move in game.moves(game.initial())


def test_a_flag_that_was_set_before_stops_a_search_at_once() -> None:
    game = plies.game(BOARD)
    stop = StopFlag()
    stop.stop()
    found = plies.search(game, game.initial(), "alphabeta:depth=36", stop=stop)
    assert found.nodes == 0
    assert found.move in game.moves(game.initial())


def test_a_count_can_be_stopped_too() -> None:
    game = plies.game(BOARD)
    work = new_workspace()
    stop = StopFlag()
    stop.watch(work)
    threading.Timer(0.2, stop.stop).start()
    run(perft, game.initial(), 36, work=work)
    assert work.is_stopped


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to whole consoles only")
def test_ctrl_c_ends_a_search_that_would_take_years() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted\n"
    assert process.returncode == 0


@pytest.mark.parametrize("depth", [-1, 0, 128])
def test_a_depth_out_of_range_is_refused(depth: int) -> None:
    game = plies.game("tictactoe")
    with pytest.raises(BadSpec, match="depth is 1 to 127"):
        plies.search(game, game.initial(), f"minimax:depth={depth}")


def test_a_failure_inside_a_kernel_reaches_the_caller() -> None:
    def broken(work: object) -> None:
        raise ZeroDivisionError(work)

    with pytest.raises(ZeroDivisionError):
        run(broken, work=new_workspace())
