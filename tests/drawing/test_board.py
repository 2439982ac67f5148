"""Positions of boards of cells as rows of text, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.drawing.board import grid, read_rows, rows_text

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
