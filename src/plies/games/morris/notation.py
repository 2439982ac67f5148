"""Morris moves as text: the points they touch, `a0-d0-g6`, or with an x, `a0-d0xg6`.

Reading takes either, in any case and with any separators or none.
"""

import re
from collections.abc import Iterable

from plies.drawing.notation import SEPARATORS, steps_text
from plies.errors import AmbiguousMove, IllegalMove, UnreadableMove, shorten
from plies.games.morris.boards import NOWHERE, MorrisBoard
from plies.games.morris.moves import parts

POINT = re.compile("[a-z][0-9]+")


def points_touched(move: int, board: MorrisBoard) -> tuple[str, ...]:
    """The names of origin, target and removed point, as far as there are."""
    return tuple(board.points[point] for point in parts(move) if point != NOWHERE)


def written(move: int, board: MorrisBoard) -> str:
    """A move with an x before the point that it removes."""
    points, removed = points_touched(move, board), parts(move)[2]
    if removed == NOWHERE:
        return steps_text(points)
    return f"{steps_text(points[:-1])}x{points[-1]}"


def read_move(text: str, board: MorrisBoard, moves: Iterable[int]) -> int | None:
    """The one of these moves that a text means, None for a text that is not made of points."""
    tidy = _tidied(text)
    if not tidy:
        return None
    for point in POINT.findall(tidy):
        if point not in board.points:
            raise UnreadableMove(f"board {board.name} has no point {point}")
    texts = {move: _both(move, board) for move in moves}
    for move, both in texts.items():
        if tidy in both:
            return move
    longer = [both for both in texts.values() if any(each.startswith(tidy) for each in both)]
    if longer:
        said = f"{text.strip()} is not a whole move; it could be {_shown(longer)}"
        raise AmbiguousMove(said, [steps for steps, _ in longer])
    nearest = sorted(texts.values(), key=lambda both: both[0][:2] != tidy[:2])
    said = f"{text.strip()} is not legal here; legal are {_shown(nearest)}"
    raise IllegalMove(said, [steps for steps, _ in nearest])


def _both(move: int, board: MorrisBoard) -> tuple[str, str]:
    """A move in both notations: its points alone, and with an x."""
    return steps_text(points_touched(move, board)), written(move, board)


def _tidied(text: str) -> str:
    """`A0 d0 X g6` -> `a0-d0xg6`; empty if there is anything but points and an x."""
    walk, cross, removed = SEPARATORS.sub("", text.lower()).partition("x")
    halves = [POINT.findall(half) for half in (walk, removed)]
    if not halves[0] or ["".join(half) for half in halves] != [walk, removed]:
        return ""
    return f"{steps_text(halves[0])}{cross}{steps_text(halves[1])}"


def _shown(texts: Iterable[tuple[str, str]]) -> str:
    return shorten([said for _, said in texts])
