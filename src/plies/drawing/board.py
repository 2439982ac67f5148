"""Where things are: the geometry that drawings, prompts and clicks share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

Style = Literal["cells", "checkered", "cubes", "points"]
STYLES: tuple[Style, ...] = get_args(Style)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Board:
    """Named points with coordinates (x to the right, y upwards), one unit apart.

    With `lines` (pairs of point names, perhaps none yet) the board is drawn as points joined by
    lines; without, every point is a cell.  Cells may be `checkered`, or be places of
    `cubes`, of which every one holds one, blank or not.  The points that are `marked`
    stand out, whatever the position.
    """

    points: Mapping[str, tuple[float, float]]
    lines: tuple[tuple[str, str], ...] = None  # type: ignore[assignment]  # () once it is made
    style: Style = None  # type: ignore[assignment]  # points with lines, cells without
    marked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.style is None:
            object.__setattr__(self, "style", "cells" if self.lines is None else "points")
        if self.style not in STYLES:
            styles = f"{', '.join(STYLES[:-1])} or {STYLES[-1]}"
            raise ValueError(f"{self.style!r} is no style of a board; write {styles}")
        object.__setattr__(self, "lines", self.lines or ())

    @property
    def has_cells(self) -> bool:
        """Whether its points are cells side by side."""
        return self.style != "points" and not self.lines


def cell_name(column: int, row: int) -> str:
    """`cell_name(0, 0)` is a1, the lower left corner."""
    return f"{LETTERS[column]}{row + 1}"


@cache
def grid(columns: int, rows: int, style: Style = "cells", marked: tuple[str, ...] = ()) -> Board:
    """A board of cells, a1 in the lower left corner."""
    cells = ((column, row) for row in range(rows) for column in range(columns))
    return Board({cell_name(x, y): (x, y) for x, y in cells}, style=style, marked=marked)


def rows_text(board: Board, pieces: Mapping[str, str], empty: str = ".") -> str:
    """A board of cells as rows from the top, joined by `/`: `X../.O./...`."""
    return "/".join("".join(pieces.get(name, empty) for name in row) for row in _rows(board))


def read_rows(text: str, board: Board, symbols: str, empty: str = ".") -> dict[str, str]:
    """Inverse of `rows_text`: point -> symbol; `ValueError` says what is wrong and where."""
    rows, texts = _rows(board), text.split("/")
    if len(texts) != len(rows):
        raise ValueError(f"the board has {len(rows)} rows, not {len(texts)}")
    pieces = {}
    for index, (names, row) in enumerate(zip(rows, texts, strict=True)):
        if len(row) != len(names):
            number = len(rows) - index
            raise ValueError(f"row {number}, {row!r}, has {len(row)} cells, not {len(names)}")
        pieces |= dict(zip(names, row, strict=True))
    for name, symbol in pieces.items():
        if symbol not in (*symbols, empty):
            known = f"{', '.join(symbols)} or {empty}"
            raise ValueError(f"there is {symbol!r} on {name}; a cell is {known}")
    return {name: symbol for name, symbol in pieces.items() if symbol != empty}


def _rows(board: Board) -> list[list[str]]:
    """The names of the points, row by row from the top."""
    tops = sorted({y for _, y in board.points.values()}, reverse=True)
    return [[name for name, (_, y) in board.points.items() if y == top] for top in tops]
