"""Searches that users write with `plies.search.kernel`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import plies
from plies.errors import AgentFault
from plies.search.clock import Clock
from plies.search.kernel import MAX_DEPTH
from plies.search.runner import StopFlag
from search_samples import position_after
from user_samples import SEARCH, written

PREFACE = (
    "import plies\n"
    "from plies.core import ONGOING, compiled, evaluate, key, legal_moves, mover, outcome, play\n"
    "from plies.search.kernel import INFINITY, enter, evaluate_leaf, save_line\n"
)
AGENT = (
    "class Mine(plies.Search):\n"
    "    def decide(self, task):\n        return task.best_by(kernel, 4)\n"
)
# Two functions that call each other: Numba alone crashes when it loads them from its cache.
MUTUAL = f"""{PREFACE}
@compiled
def kernel(state, depth, alpha, beta, ply, evaluator, work):
    if not enter(work, ply):
        return 0
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    best = -INFINITY
    for move in legal_moves(state):
        value = child_value(state, move, depth, ply, evaluator, work)
        if work.is_stopped:
            break
        if value > best:
            best = value
            save_line(work, ply, move)
    return best


@compiled
def child_value(state, move, depth, ply, evaluator, work):
    child = play(state, move)
    value = kernel(child, depth - 1, -INFINITY, INFINITY, ply + 1, evaluator, work)
    return value if mover(child) == mover(state) else -value


{AGENT}"""
# Says what a search finds, and which code this process had to compile.
PROBE = """
import sys, plies
from numba.core import event
recorder = event.RecordingListener()
event.register("numba:compile", recorder)
game = plies.game("tictactoe")
found = plies.search(game, game.initial(), sys.argv[1])
compiled = {event.data["dispatcher"].__name__ for _, event in recorder.buffer}
print(found.value, found.nodes, "kernel" in compiled)
"""


def searched(path: Path, cache: Path) -> list[str]:
    """What a fresh process finds with a file."""
    environment = {**os.environ, "PLIES_CACHE_DIR": str(cache), "PLIES_QUIET": "1"}
    command = [sys.executable, "-W", "error", "-c", PROBE, str(path)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.split()


def test_a_kernel_whose_parts_call_each_other_is_compiled_once_for_all_processes(tmp_path: Path):
    path = written(tmp_path, MUTUAL)
    game = plies.game("tictactoe")
    right = plies.search(game, game.initial(), "minimax:depth=4")
    cold, warm = (searched(path, tmp_path / "cache") for _ in range(2))
    assert cold == [str(right.value), str(right.nodes), "True"]
    assert warm == [str(right.value), str(right.nodes), "False"]


def test_an_edited_kernel_is_compiled_anew(tmp_path: Path):
    path, game = written(tmp_path, MUTUAL), plies.game("tictactoe")
    before = plies.search(game, game.initial(), str(path))
    written(tmp_path, MUTUAL.replace("best_by(kernel, 4)", "best_by(kernel, 3)"))
    assert plies.search(game, game.initial(), str(path)).nodes < before.nodes


def test_one_ply_is_the_root_alone_and_lines_need_no_saving(tmp_path: Path):
    text = f"""{PREFACE}
@compiled
def kernel(state, depth, alpha, beta, ply, evaluator, work):
    enter(work, ply)
    return evaluate_leaf(state, outcome(state), ply, evaluator, work)


{AGENT.replace("kernel, 4", "kernel, 1")}"""
    game = plies.game("quixo")
    state = position_after(game, 6, seed=2)
    found = plies.search(game, state, str(written(tmp_path, text)))
    right = plies.search(game, state, "minimax:depth=1")
    assert (found.value, found.nodes, found.line) == (right.value, right.nodes, (found.move,))


def test_nodes_clocks_and_stops_end_a_kernel(tmp_path: Path):
    game = plies.game("quixo")
    limited = plies.search(game, game.initial(), f"{SEARCH}:depth=9,nodes=5000")
    assert (limited.nodes, limited.is_complete) == (5000, False)
    stop = StopFlag()
    stop.stop()
    player = plies.agent(f"{SEARCH}:depth=9", game)
    assert player.choose(game.initial(), stop=stop).value is None
    text = f"{MUTUAL}".replace("task.best_by(kernel, 4)", "task.best_in_time(kernel)")
    player = plies.agent(str(written(tmp_path, text)), game)
    player.prepare(game.initial())
    found = player.choose(game.initial(), clock=Clock(per_move=0.2))
    assert 0 < found.seconds < 1
    assert found.history[-1].depth == found.depth >= 1


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("legal_moves(state):", "zebra(state):", "zebra"),
        ("mover(child) ==", "child.stripes ==", "stripes"),
        ("task.best_by(kernel, 4)", "task.best_by(kernel, 400)", "400"),
        ("task.best_by(kernel, 4)", "task.best_by(mover, 4)", "mine.py"),
    ],
)
def test_a_kernel_that_does_not_compile_is_a_fault_in_one_line(
    old: str, new: str, word: str, tmp_path: Path
):
    path, game = written(tmp_path, MUTUAL.replace(old, new)), plies.game("tictactoe")
    with pytest.raises(AgentFault) as error:
        plies.search(game, game.initial(), str(path))
    assert word in str(error.value)
    assert "\n" not in str(error.value)


ENDLESS = f"""{PREFACE}
@compiled
def kernel(state, depth, alpha, beta, ply, evaluator, work):
    if not enter(work, ply):
        return 0
    value = -kernel(state, depth, -beta, -alpha, ply + 1, evaluator, work)
    save_line(work, ply, legal_moves(state)[0])
    return value

{AGENT}"""


def test_a_kernel_that_goes_deeper_than_the_workspace_is_stopped(tmp_path: Path):
    game = plies.game("tictactoe")
    path = written(tmp_path, ENDLESS)
    found = plies.search(game, game.initial(), str(path))
    assert not found.is_complete
    assert found.nodes <= MAX_DEPTH + 1
