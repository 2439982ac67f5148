"""Boards and their styles; positions of boards of cells as rows of text, and back."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_samples import extended
from plies.drawing.board import Board, grid, read_rows, rows_text
from plies.errors import BadGame

BOARD = grid(3, 2)


@given(st.dictionaries(st.sampled_from(list(BOARD.points)), st.sampled_from("XO")))
def test_rows_are_read_as_they_are_written(pieces):
    assert read_rows(rows_text(BOARD, pieces), BOARD, "XO") == pieces


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the board has 2 rows, not 1"),
        (".../.../...", "the board has 2 rows, not 3"),
        ("..../...", "row 2, '....', has 4 cells, not 3"),
        (".../..x", "there is 'x' on c1; a cell is X, O or ."),
    ],
)
def test_rows_that_fit_no_board_are_refused_with_the_place(text, reason):
    with pytest.raises(ValueError, match=reason):
        read_rows(text, BOARD, "XO")


PAIR = {"a1": (0, 0), "b1": (1, 0)}


@pytest.mark.parametrize(
    ("board", "style"),
    [
        (Board(PAIR), "cells"),
        (Board(PAIR, (("a1", "b1"),)), "points"),
        (Board(PAIR, ()), "points"),
        (Board(PAIR, (), "checkered"), "checkered"),
        (Board(PAIR, style="points"), "points"),
        (grid(2, 1, "cubes"), "cubes"),
    ],
)
def test_a_board_with_lines_even_none_has_points_others_have_cells(board: Board, style: str):
    assert (board.style, board.has_cells) == (style, style != "points")
    assert isinstance(board.lines, tuple)
    assert replace(board, marked=("a1",)).style == style


@pytest.mark.parametrize("style", ["chekered", "", 7])
def test_a_style_that_nobody_knows_is_refused_with_those_that_there_are(style: Any):
    with pytest.raises(ValueError, match=r"no style .* cells, checkered, cubes or points$"):
        Board(PAIR, style=style)


def test_the_line_of_a_game_with_an_unknown_style_is_named(tmp_path: Path):
    text = "from plies.core import grid", "def board(state):", "    return grid(3, 3, 'chekered')"
    game = extended(tmp_path, *text)
    line = 1 + Path(game.source).read_text().splitlines().index(text[-1])
    with pytest.raises(BadGame, match=rf"'chekered' .*\(changed.py, line {line}\)$"):
        game.draw(game.initial())
