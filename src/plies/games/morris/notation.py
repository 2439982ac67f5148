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
    """The names of origin, target and removed point, where the move has them."""
    return tuple(board.points[point] for point in parts(move) if point != NOWHERE)


def marked_text(move: int, board: MorrisBoard) -> str:
    """A move with an x before the point that it removes."""
    points, removed = points_touched(move, board), parts(move)[2]
    if removed == NOWHERE:
        return steps_text(points)
    return f"{steps_text(points[:-1])}x{points[-1]}"


def read_move(text: str, board: MorrisBoard, moves: Iterable[int]) -> int | None:
    """The move that a text means, None where the text is not made of points."""
    tidy = _tidy(text)
    if not tidy:
        return None
    for point in POINT.findall(tidy):
        if point not in board.points:
            raise UnreadableMove(f"board {board.name} has no point {point}")
    texts = {move: _both_notations(move, board) for move in moves}
    for move, both in texts.items():
        if tidy in both:
            return move
    longer = [both for both in texts.values() if any(each.startswith(tidy) for each in both)]
    if longer:
        message = f"{text.strip()} is not a whole move; it could be {_listed(longer)}"
        raise AmbiguousMove(message, [steps for steps, _ in longer])
    nearest = sorted(texts.values(), key=lambda both: both[0][:2] != tidy[:2])
    message = f"{text.strip()} is not legal here; legal are {_listed(nearest)}"
    raise IllegalMove(message, [steps for steps, _ in nearest])


def _both_notations(move: int, board: MorrisBoard) -> tuple[str, str]:
    """A move in both notations: its points alone, and with an x."""
    return steps_text(points_touched(move, board)), marked_text(move, board)


def _tidy(text: str) -> str:
    """`A0 d0 X g6` -> `a0-d0xg6`; empty if there is anything but points and an x."""
    path, cross, removed = SEPARATORS.sub("", text.lower()).partition("x")
    halves = [POINT.findall(half) for half in (path, removed)]
    if not halves[0] or ["".join(half) for half in halves] != [path, removed]:
        return ""
    return f"{steps_text(halves[0])}{cross}{steps_text(halves[1])}"


def _listed(texts: Iterable[tuple[str, str]]) -> str:
    return shorten([marked for _, marked in texts])
