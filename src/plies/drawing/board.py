"""Where things are: the geometry that drawings, prompts and clicks share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

Style = Literal["cells", "checkered", "cubes"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Board:
    """Named points with coordinates (x to the right, y upwards), one unit apart.

    With `lines` (pairs of point names) the board is drawn as points joined by
    lines; without, every point is a cell.  Cells may be `checkered`, or be places of
    `cubes`, of which every one holds one, blank or not.  The points that are `marked`
    stand out, whatever the position.
    """

    points: Mapping[str, tuple[float, float]]
    lines: tuple[tuple[str, str], ...] = ()
    style: Style = "cells"
    marked: tuple[str, ...] = ()


def cell_name(column: int, row: int) -> str:
    """`cell_name(0, 0)` is a1, the lower left corner."""
    return f"{LETTERS[column]}{row + 1}"


@cache
def grid(columns: int, rows: int, style: Style = "cells", marked: tuple[str, ...] = ()) -> Board:
    """A board of cells, a1 in the lower left corner."""
    cells = ((column, row) for row in range(rows) for column in range(columns))
    return Board({cell_name(x, y): (x, y) for x, y in cells}, (), style, marked)


def rows_text(board: Board, pieces: Mapping[str, str], empty: str = ".") -> str:
    """A board of cells as rows from the top, joined by `/`: `X../.O./...`."""
    tops = sorted({y for _, y in board.points.values()}, reverse=True)
    return "/".join(
        "".join(pieces.get(name, empty) for name, (_, y) in board.points.items() if y == top)
        for top in tops
    )
