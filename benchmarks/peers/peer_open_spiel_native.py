"""OpenSpiel's C++ without Python in between, asked by `peer_run`.

`peer_open_spiel.cpp` is compiled against the headers in OpenSpiel's Python package and
finds the library itself in the module `pyspiel`, so a C++ compiler is needed, but not for
MCTS: `pyspiel` has the bot.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pyspiel  # pyright: ignore[reportMissingImports]

from peer_open_spiel import NAMES, nodes_of_solving
from peer_search import EXPLORATION
from peer_worker import Run, Task, serve, timed

SOURCE = Path(__file__).with_name("peer_open_spiel.cpp")
MODULE = Path(str(pyspiel.__file__))
CAN_UNDO = {"tictactoe"}  # of the games that are counted state by state
MEGABYTES = 1000  # more than any tree here needs: nothing is thrown away
HEADERS = ("", "open_spiel/abseil-cpp", "open_spiel/json/include")


@cache
def native() -> ctypes.CDLL:
    """The compiled tasks; kept in the environment of the Python that runs this."""
    built = Path(sys.prefix) / "peer_open_spiel.so"
    newest = max(SOURCE.stat().st_mtime, MODULE.stat().st_mtime)
    if not built.exists() or built.stat().st_mtime < newest:
        compile_to(built)
    ctypes.CDLL(str(MODULE), ctypes.RTLD_GLOBAL)
    loaded = ctypes.CDLL(str(built))
    for name in ("lines", "chess_lines", "chess_alphabeta"):
        getattr(loaded, name).restype = ctypes.c_long
    loaded.solved.restype = ctypes.c_double
    return loaded


def compile_to(built: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("clang++")
    if compiler is None:
        raise RuntimeError("no C++ compiler is installed")
    folders = [f"-I{MODULE.parent / folder}" for folder in HEADERS]
    options = ["-std=c++17", "-O3", "-shared", "-fPIC", *folders]
    if subprocess.run([compiler, *options, str(SOURCE), "-o", str(built)]).returncode:
        raise RuntimeError(f"{compiler} cannot compile {SOURCE.name}")


def count_lines(game: str, fen: str, depth: int, is_bulk: bool) -> Run:
    if game == "chess":
        chess_lines = native().chess_lines
        return timed(lambda: (chess_lines(fen.encode(), depth, is_bulk), None))
    assert not fen
    lines, name, can_undo = native().lines, NAMES[game].encode(), game in CAN_UNDO
    return timed(lambda: (lines(name, depth, can_undo), None))


def solve(prefers_faster: bool) -> Run:
    """Its alpha-beta counts nothing; that in Python is the same, line by line."""
    assert not prefers_faster
    solved, nodes, game = native().solved, nodes_of_solving(), NAMES["tictactoe"].encode()
    return timed(lambda: (nodes, int(solved(game, 9))))


def search(fen: str, depth: int, is_sorted: bool) -> Run:
    alphabeta = native().chess_alphabeta

    def think() -> tuple[int, int]:
        value = ctypes.c_long()
        nodes = alphabeta(fen.encode(), depth, is_sorted, ctypes.byref(value))
        return nodes, value.value

    return timed(think)


def simulate(game: str, simulations: int, longest: int) -> Run:
    """UCT from the start with one random rollout a simulation, without proving anything.

    A rollout ends with the game: its rules say when, and `longest` is not asked.
    """
    rules = pyspiel.load_game(NAMES[game])

    def think() -> tuple[int, None]:
        rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        bot = pyspiel.MCTSBot(
            game=rules,
            evaluator=rollouts,
            uct_c=EXPLORATION,
            max_simulations=simulations,
            max_memory_mb=MEGABYTES,
            solve=False,
            seed=1,
            verbose=False,
        )
        return bot.mcts_search(rules.new_initial_state()).explore_count, None

    return timed(think)


TASKS: dict[str, Task] = {
    "perft": count_lines,
    "solve": solve,
    "alphabeta": search,
    "mcts": simulate,
}

if __name__ == "__main__":
    serve(version("open_spiel"), TASKS)
