"""A search can be stopped: by a node budget, by another thread, by Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core.verbs import ZERO
from plies.search import reference
from plies.search.alphabeta import AlphaBeta
from plies.search.minimax import Minimax
from plies.search.reference import Position
from plies.search.runner import NoLegalMove, StopFlag, run
from plies.search.task import Task
from plies.search.workspace import UNLIMITED, new_workspace

STUCK = (
    Path(__file__).parents[1] / "data" / "games" / "stuck.py"
)  # one piece is left, moves take more
BOARD = "tictactoe:width=6,height=6,k=4"  # far too many lines to finish at depth 36
ENDLESS = f"""
import plies
game = plies.game({BOARD!r})
plies.search(game, game.initial(), "alphabeta:depth=1")
try:
    print("ready", flush=True)
    plies.search(game, game.initial(), "alphabeta:depth=36")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@settings(max_examples=30)
@given(nodes=st.integers(1, 5000))
def test_a_node_budget_is_kept_exactly(nodes: int) -> None:
    game = plies.game(BOARD)
    for method in (Minimax, AlphaBeta):
        found = method(depth=20, nodes=nodes).decide(Task(game.initial()))
        assert found.nodes == nodes
        assert not found.is_complete
        assert found.move in game.moves(game.initial())


def test_a_budget_that_is_just_enough_gives_the_complete_answer() -> None:
    game = plies.game("tictactoe")
    task = Task(game.initial())
    full = Minimax(depth=9).decide(task)
    again = Minimax(depth=9, nodes=full.nodes).decide(task)
    assert (again.is_complete, again.value, again.line) == (True, full.value, full.line)
    short = Minimax(depth=9, nodes=full.nodes - 1).decide(task)
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
    assert (found.nodes, found.is_complete) == (0, False)
    assert found.move in game.moves(game.initial())


@pytest.mark.parametrize("method", [Minimax, AlphaBeta])
def test_a_search_that_finished_no_move_has_no_value(method: type[Any]) -> None:
    game = plies.game("tictactoe")
    stop = StopFlag()
    stop.stop()
    nothing = method(depth=3).decide(Task(game.initial(), stop=stop))
    root_only = method(depth=3, nodes=1).decide(Task(game.initial()))
    assert (nothing.nodes, nothing.value) == (0, None)
    assert (root_only.nodes, root_only.value) == (1, None)


def test_a_flag_forgets_a_search_that_has_ended() -> None:
    stop = StopFlag()
    ended, failed = new_workspace(), new_workspace()
    assert run(lambda work: 7, work=ended, stop=stop) == 7
    with pytest.raises(ZeroDivisionError):
        run(lambda work: 1 // 0, work=failed, stop=stop)
    stop.stop()
    assert (ended.budget, failed.budget) == (UNLIMITED, UNLIMITED)


def test_one_flag_stops_every_search_that_runs() -> None:
    stop = StopFlag()
    are_running = threading.Barrier(3, timeout=60)

    def spin(work: np.record) -> None:
        are_running.wait()
        while work.budget:
            pass

    works = [new_workspace() for _ in range(2)]
    threads = [
        threading.Thread(target=lambda work=work: run(spin, work=work, stop=stop), daemon=True)
        for work in works
    ]
    for thread in threads:
        thread.start()
    are_running.wait()
    stop.stop()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)


def test_ctrl_c_while_the_thread_of_a_kernel_starts_stops_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = new_workspace()
    has_ended = threading.Event()
    start = threading.Thread.start

    def interrupted_start(thread: threading.Thread) -> None:
        start(thread)
        raise KeyboardInterrupt

    def spin(work: np.record) -> None:
        while work.budget:
            pass
        has_ended.set()

    monkeypatch.setattr(threading.Thread, "start", interrupted_start)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(spin, work=work)
        assert work.budget == 0
        assert has_ended.wait(timeout=60)
    finally:
        work.budget = 0


SEARCHES = {
    "minimax": lambda state: Minimax(depth=6).decide(Task(state)),
    "alphabeta": lambda state: AlphaBeta(depth=6).decide(Task(state)),
    "reference": lambda state: reference.minimax(
        Position(state), depth=6, **reference.on_game(ZERO)
    ),
}


@pytest.mark.parametrize("method", SEARCHES)
@pytest.mark.parametrize(("heap", "plies_before"), [(7, 3), (3, 1), (1, 0)])
def test_a_search_names_the_position_in_which_a_broken_rule_leaves_no_move(
    method: str, heap: int, plies_before: int
) -> None:
    game = plies.game(str(STUCK))
    with pytest.raises(NoLegalMove) as error:
        SEARCHES[method](game.State(heap, 0))
    # The first move always takes 2.
    assert error.value.state == game.State(1, plies_before % 2)


def test_a_position_without_moves_may_lie_beyond_the_horizon() -> None:
    game = plies.game(str(STUCK))
    assert Minimax(depth=1).decide(Task(game.State(3, 0))).is_complete


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to whole consoles only")
def test_ctrl_c_ends_a_search_that_would_take_years() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted\n"
    assert process.returncode == 0


def test_a_failure_inside_a_kernel_reaches_the_caller() -> None:
    def broken(work: object) -> None:
        raise ZeroDivisionError(work)

    with pytest.raises(ZeroDivisionError):
        run(broken, work=new_workspace())
