"""Boards as SVG: one self-contained picture that reads well on light and dark pages.

Players differ in colour and in shape, for the colour-blind: `X` is a cross and `O` a ring;
other symbols stand on a disc (first player), a square (second) or a diamond (third and later).
The players `W` and `B` have white and black stones.  A neutral piece is a plain token, or its
text if that is a number or a word.
"""

from collections.abc import Collection, Iterator, Mapping
from html import escape

from plies.drawing.board import Board
from plies.drawing.scene import Scene, scene

NAMESPACE = "http://www.w3.org/2000/svg"
UNIT = 48  # pixels between neighbouring points
MARGIN = 12
AXIS = 20  # room for coordinates

PANEL = "#e8e4db"
CELL = "#f7f5f0"
HIGHLIGHT = "#f3d98b"
LINE = "#8f8778"
INK = "#4a453c"
NEUTRAL = "#9b9384"
COLOURS = ("#24578c", "#bf5420", "#4d7a2c", "#7b4a8c")
STONES = {"W": "#fdfcf9", "B": "#2f2b25"}
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONOSPACED = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def draw_board(
    board: Board, pieces: Mapping[str, str], marks: Collection[str], highlight: Collection[str] = ()
) -> str:
    """The position as a picture; points in `highlight` and marked points stand out."""
    its_scene = scene(board, pieces)
    layout = _Layout(board, pieces, its_scene)
    standing_out = {*board.marked, *highlight}
    elements = [
        *_surface(board, pieces, its_scene, layout, standing_out),
        *_coordinates(its_scene, layout),
    ]
    for name, symbol in pieces.items():
        x, y = layout.pixels(board.points[name])
        if name in its_scene.labels:
            elements.append(_words(x, y, symbol, 16))
        else:
            elements.append(_piece(x, y, symbol, marks, is_on_lines=not board.has_cells))
    own = {name: symbol for name, symbol in pieces.items() if name not in its_scene.labels}
    return _picture(layout.width, layout.height, description(own), elements)


def draw_text(text: str) -> str:
    """Lines of text as a picture, for games without a board."""
    lines = text.splitlines() or [""]
    letter, line_height = 9, 20
    elements = []
    for index, line in enumerate(lines, start=1):
        y = MARGIN + index * line_height - 5
        elements.append(
            f'<text x="{MARGIN}" y="{y}" font-family="{MONOSPACED}" font-size="15" fill="{INK}"'
            f' textLength="{letter * len(line)}" xml:space="preserve">{_escaped(line)}</text>'
        )
    width = 2 * MARGIN + letter * max(len(line) for line in lines)
    return _picture(width, 2 * MARGIN + line_height * len(lines), text, elements)


class _Layout:
    """The board's coordinates in pixels, y downwards, with room for long texts at the sides."""

    def __init__(self, board: Board, pieces: Mapping[str, str], its_scene: Scene):
        points = list(board.points.items()) or [("", (0, 0))]
        texts = [
            (pieces.get(name, name if its_scene.shows_names else ""), x) for name, (x, _) in points
        ]
        left = min(x * UNIT - _half_width(text) for text, x in texts)
        right = max(x * UNIT + _half_width(text) for text, x in texts)
        ys = [y for _, (_, y) in points]
        axis = AXIS if its_scene.columns else 0
        self._left = MARGIN + axis - left
        self._top = MARGIN + UNIT / 2 + max(ys) * UNIT
        self.width = 2 * MARGIN + axis + right - left
        self.height = 2 * MARGIN + axis + (max(ys) - min(ys) + 1) * UNIT

    def pixels(self, point: tuple[float, float]) -> tuple[float, float]:
        return self.x(point[0]), self.y(point[1])

    def x(self, x: float) -> float:
        return self._left + x * UNIT

    def y(self, y: float) -> float:
        return self._top - y * UNIT


def _surface(
    board: Board,
    pieces: Mapping[str, str],
    its_scene: Scene,
    layout: _Layout,
    highlight: Collection[str],
) -> Iterator[str]:
    """The board without pieces: cells, or lines and points; names, where it has no coordinates."""
    for first, second in board.lines:
        (x, y), (to_x, to_y) = (layout.pixels(board.points[end]) for end in (first, second))
        yield (
            f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}"'
            f' stroke="{LINE}" stroke-width="2"/>'
        )
    for name, point in board.points.items():
        x, y = layout.pixels(point)
        if name in its_scene.labels:
            continue
        if not board.has_cells:
            if name in highlight:
                yield _glow(x, y, pieces.get(name, ""))
            yield _circle(x, y, 5, f'fill="{LINE}"')
        else:
            fill = HIGHLIGHT if name in highlight else CELL
            style = f'fill="{fill}" stroke="{LINE}" shape-rendering="crispEdges"'
            yield _rectangle(x, y, UNIT / 2, UNIT / 2, style)
        if its_scene.shows_names and name not in pieces:
            yield _words(x, y if board.has_cells else y + 14, name, 11)


def _coordinates(its_scene: Scene, layout: _Layout) -> Iterator[str]:
    for x, label in its_scene.columns.items():
        yield _words(layout.x(x), layout.height - MARGIN - 6, label, 14)
    for y, label in its_scene.rows.items():
        yield _words(MARGIN + 6, layout.y(y), label, 14)


def _piece(x: float, y: float, symbol: str, marks: Collection[str], is_on_lines: bool) -> str:
    owner = next((seat for seat, own in enumerate(marks) if len(symbol) == 1 and symbol in own), -1)
    if owner < 0:
        return _neutral(x, y, symbol, is_on_lines)
    if set(marks) == STONES.keys():
        return _circle(x, y, 17, f'fill="{STONES[symbol]}" stroke="{INK}" stroke-width="2"')
    colour = COLOURS[owner % len(COLOURS)]
    ground = _circle(x, y, 20, f'fill="{CELL}" stroke="{LINE}"') if is_on_lines else ""
    if symbol in "Xx":
        return (
            f'{ground}<path d="M{x - 12:g} {y - 12:g}l24 24m0 -24l-24 24" fill="none"'
            f' stroke="{colour}" stroke-width="6" stroke-linecap="round"/>'
        )
    if symbol in "Oo":
        return ground + _circle(x, y, 13, f'fill="none" stroke="{colour}" stroke-width="6"')
    return _shape(x, y, owner, colour) + _words(x, y, symbol, 20, CELL)


def _shape(x: float, y: float, owner: int, colour: str) -> str:
    if owner == 0:
        return _circle(x, y, 18, f'fill="{colour}"')
    turn = f' transform="rotate(45 {x:g} {y:g})"' if owner > 1 else ""
    half = 14 if owner > 1 else 16
    return _rectangle(x, y, half, half, f'rx="4" fill="{colour}"{turn}')


def _neutral(x: float, y: float, symbol: str, is_on_lines: bool) -> str:
    if len(symbol) == 1 and not symbol.isdigit():
        return _circle(x, y, 14, f'fill="{NEUTRAL}"')
    if not is_on_lines:
        return _words(x, y, symbol, 18)
    style = f'rx="8" fill="{CELL}" stroke="{LINE}"'
    ground = _rectangle(x, y, _half_width(symbol, least=15), 14, style)
    return ground + _words(x, y, symbol, 16)


def _glow(x: float, y: float, symbol: str) -> str:
    """A glow around the piece on a highlighted point, as wide as its text."""
    half = max(24, _half_width(symbol, least=15) + 8)
    return _rectangle(x, y, half, 24, f'rx="24" fill="{HIGHLIGHT}"')


def _half_width(text: str, least: float = UNIT / 2) -> float:
    """The room of a centred text to either side of its point."""
    return max(least, 5 * len(text) + 4)


def _rectangle(x: float, y: float, half_width: float, half_height: float, style: str) -> str:
    corner = f'x="{x - half_width:g}" y="{y - half_height:g}"'
    size = f'width="{2 * half_width:g}" height="{2 * half_height:g}"'
    return f"<rect {corner} {size} {style}/>"


def _circle(x: float, y: float, radius: int, style: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" {style}/>'


def _words(x: float, y: float, words: str, size: int, colour: str = INK) -> str:
    """Text centred on a point."""
    return (
        f'<text x="{x:g}" y="{y + 0.36 * size:g}" font-size="{size}"'
        f' text-anchor="middle" fill="{colour}">{_escaped(words)}</text>'
    )


def description(pieces: Mapping[str, str]) -> str:
    """`X on a1, b2; O on c3`."""
    places: dict[str, list[str]] = {}
    for name, symbol in pieces.items():
        places.setdefault(symbol, []).append(name)
    groups = (f"{symbol} on {', '.join(names)}" for symbol, names in places.items())
    return "; ".join(groups) or "an empty board"


def _escaped(text: str) -> str:
    """Text that any XML reader accepts, whatever symbols a game uses."""
    return escape(
        "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
    )


def _picture(width: float, height: float, title: str, elements: Collection[str]) -> str:
    size = f'width="{width:g}" height="{height:g}"'
    view = f'viewBox="0 0 {width:g} {height:g}"'
    parts = (
        f'<svg xmlns="{NAMESPACE}" {view} {size} role="img" font-family="{FONT}">',
        f"<title>{_escaped(title)}</title>",
        f'<rect {size} rx="8" fill="{PANEL}"/>',
        *elements,
        "</svg>\n",
    )
    return "\n".join(parts)
