"""Boards as text; `plies.drawing.svg` makes pictures of them.

A board of cells is a grid of symbols.  A board with lines is a raster in which
`-`, `|`, `/` and `\\` join the points; a line that is flatter than a diagonal turns a
corner, as in the drawing of a tree.
"""

from collections.abc import Mapping

from plies.drawing.board import Board
from plies.drawing.scene import Scene, scene

EMPTY = "."
# Characters for one unit of the board's coordinates: across, down.
CELLS_APART = (2, 1)
POINTS_APART = (4, 2)


def draw_board(board: Board, pieces: Mapping[str, str]) -> str:
    """The position as lines of text, the highest y first."""
    its_scene = scene(board, pieces)
    symbols = {
        name: pieces.get(name) or (name if its_scene.shows_names else EMPTY)
        for name in board.points
    }
    across, down = CELLS_APART if board.has_cells else POINTS_APART
    columns = _columns(board, symbols, its_scene, across)
    rows = _rows(board, down)
    raster = _Raster()
    places = {name: (columns[x], rows[y]) for name, (x, y) in board.points.items()}
    for first, second in board.lines:
        (x, y), (to_x, to_y) = board.points[first], board.points[second]
        raster.join(places[first], places[second], is_flat=abs(to_x - x) > abs(to_y - y))
    for name, (column, row) in places.items():
        raster.write(column, row, symbols[name])
    bottom = max(rows.values(), default=0) + 1
    for x, label in its_scene.columns.items():
        raster.write(columns[x], bottom, label)
    return raster.text({rows[y]: label for y, label in its_scene.rows.items()})


def _columns(
    board: Board, symbols: Mapping[str, str], its_scene: Scene, apart: int
) -> dict[float, int]:
    """x -> column, at the distance of the coordinates, or more where texts need room."""
    texts: dict[float, list[tuple[float, str]]] = {x: [] for x, _ in sorted(board.points.values())}
    below = min((y for _, y in board.points.values()), default=0.0) - 1
    for name, (x, y) in board.points.items():
        texts[x].append((y, symbols[name]))
    for x, label in its_scene.columns.items():
        texts[x].append((below, label))
    columns: dict[float, int] = {}
    free: dict[float, int] = {}  # y -> first column that a text in that row may use
    before, column = 0.0, 0
    for x, entries in texts.items():
        column = column + round(x * apart) - round(before * apart) if columns else 0
        before = x
        column = max([column, *(free.get(y, 0) + _left(symbol) for y, symbol in entries)])
        columns[x] = column
        free.update({y: column - _left(symbol) + len(symbol) + 1 for y, symbol in entries})
    return columns


def _rows(board: Board, apart: int) -> dict[float, int]:
    """y -> row, counted from the top."""
    rows: dict[float, int] = {}
    above, row = 0.0, 0
    for y in sorted({y for _, y in board.points.values()}, reverse=True):
        row = row + max(1, round((above - y) * apart)) if rows else 0
        rows[y], above = row, y
    return rows


def _left(symbol: str) -> int:
    """The characters of a centred text to the left of its column."""
    return (len(symbol) - 1) // 2


class _Raster:
    """Characters by (column, row), row 0 at the top."""

    def __init__(self) -> None:
        self._characters: dict[tuple[int, int], str] = {}

    def write(self, column: int, row: int, symbol: str) -> None:
        """Centre a text on a column."""
        for index, character in enumerate(symbol, start=column - _left(symbol)):
            self._characters[index, row] = character

    def join(self, start: tuple[int, int], end: tuple[int, int], is_flat: bool) -> None:
        """Draw a line between two points, without their own characters."""
        (column, row), (last_column, last_row) = sorted((start, end), key=lambda place: place[1])
        if row == last_row:
            for between in _between(column, last_column):
                self._stroke(between, row, "-")
        elif column == last_column:
            for between in _between(row, last_row):
                self._stroke(column, between, "|")
        elif is_flat:
            self._corner(column, row, last_column, last_row)
        else:
            slope = (last_column - column) / (last_row - row)
            for between in _between(row, last_row):
                character = "\\" if slope > 0 else "/"
                self._stroke(column + round(slope * (between - row)), between, character)

    def _corner(self, column: int, row: int, last_column: int, last_row: int) -> None:
        """Down, across in the row above the lower point, and down again."""
        bend = max(row, last_row - 1)
        for between in range(row + 1, bend):
            self._stroke(column, between, "|")
        for between in _between(column, last_column):
            self._stroke(between, bend, "-")
        self._stroke(column, bend, "+")
        self._stroke(last_column, bend, "+")

    def _stroke(self, column: int, row: int, character: str) -> None:
        """Where two lines meet there is a `+`."""
        old = self._characters.get((column, row), character)
        self._characters[column, row] = character if old == character else "+"

    def text(self, row_labels: Mapping[int, str]) -> str:
        """The lines, each with its label at the left."""
        width = max((len(label) for label in row_labels.values()), default=0)
        columns = [column for column, _ in self._characters]
        lines = []
        for row in range(max((row for _, row in self._characters), default=0) + 1):
            label = f"{row_labels.get(row, ''):>{width}}  " if width else ""
            characters = (
                self._characters.get((column, row), " ")
                for column in range(min(columns, default=0), max(columns, default=0) + 1)
            )
            lines.append(f"{label}{''.join(characters)}".rstrip())
        return "\n".join(lines)


def _between(first: int, last: int) -> range:
    return range(min(first, last) + 1, max(first, last))
