"""What `plies check` says about mistakes with arrays, which compiled code does not notice."""

import re
from pathlib import Path

import pytest

from game_samples import replaced
from plies.registry import game
from plies.testing import CheckResult, check_game
from plies.testing.files import checks_of_file

EQUAL = "compiled rules equal the interpreted"
GOMOKU = '''"""Gomoku without the five in a row."""

from typing import NamedTuple

import numpy as np

from plies.core import DRAW, ONGOING, Game, compiled


class State(NamedTuple):
    cells: np.ndarray
    turn: int


def initial():
    return State(np.zeros(9 * 9, np.int64), 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.flatnonzero(state.cells == 0)


@compiled
def play(state, move):
    cells = state.cells.copy()
    cells[move] = state.turn + 1
    return State(cells, 1 - state.turn)


@compiled
def outcome(state):
    return ONGOING if (state.cells == 0).any() else DRAW


GAME = Game(__name__, title="Gomoku")
'''


def compared(folder: Path, old: str, new: str) -> CheckResult:
    """The comparison of compiled and interpreted rules where a part of that file is replaced."""
    path = folder / "gomoku.py"
    path.write_text(replaced(GOMOKU, (old, new)))
    results = check_game(game(str(path)), games=1)
    return next(result for result in results if result.name == EQUAL)


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("cells[move] =", "cells[move + 1] =", "play of move 80"),
        ("(state.cells == 0).any()", "state.cells[len(state.cells)] == 0", "outcome"),
    ],
    ids=["written", "read"],
)
def test_an_index_beyond_an_array_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, asked: str
):
    result = compared(tmp_path, old, new)
    line = 1 + replaced(GOMOKU, (old, new)).partition(new)[0].count("\n")
    where = f"{asked} goes beyond the end of an array (gomoku.py, line {line}): "
    assert not result.passed
    assert result.detail.startswith(where)
    reason = "index 81 is out of bounds for axis 0 with size 81"
    assert result.detail.removeprefix(where).startswith(f"{reason}; at 0,0,0,")


def test_states_that_differ_are_told_by_the_first_entry_that_does(tmp_path: Path):
    """Only compiled code cuts numbers off after 64 bits: 2 * 2**62 // 2**61 is 4 or -4."""
    result = compared(tmp_path, "= state.turn + 1", "= (state.turn + 1) * 2**62 // 2**61")
    told = r"play of move (\d+): cells\[\1\] is -4 compiled, expected 4 as interpreted; at "
    assert re.match(told, result.detail), result.detail


BEYOND = """
import numpy as np
from plies.core import compiled
GAME = "tictactoe"
TABLE = np.arange(3)

@compiled
def evaluate(state):
    return 0 * TABLE[len(TABLE)]
"""


def test_an_evaluator_that_goes_beyond_an_array_is_named_with_its_line(tmp_path: Path):
    path = tmp_path / "beyond.py"
    path.write_text(BEYOND)
    results = checks_of_file(str(path))
    assert results is not None
    (failed,) = (result for result in results if not result.passed)
    assert failed.name == "tictactoe: compiled equals interpreted"
    problem = "it goes beyond the end of an array (beyond.py, line 9): "
    assert failed.detail.startswith(f"at .../.../... X: {problem}")
