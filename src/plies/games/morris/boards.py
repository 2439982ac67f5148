"""The boards of the morris family: a short text each, and the tables built from it.

The text says how many pieces a side has, whether a closed mill removes a piece when all
enemy pieces are in mills, the mills, and the lines that are no part of a mill.  Points and
neighbours follow: every point is in a mill, and neighbours are next to each other on a
mill or a plain line.  Points are numbered from the bottom row up, from left to right.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

NOWHERE = 31  # in a move: no point; as a bit: outside every board


@dataclass(frozen=True)
class MorrisBoard:
    """One board; points are their index in `points`."""

    name: str
    pieces: int  # of each side
    takes: bool  # whether a piece may be removed when all enemy pieces are in mills
    points: tuple[str, ...]
    mills: tuple[tuple[int, ...], ...]  # in ascending order
    adjacency: tuple[tuple[int, ...], ...]  # by point, neighbours in ascending order

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """Every pair of neighbours, by name."""
        return tuple(
            (self.points[point], self.points[other])
            for point, others in enumerate(self.adjacency)
            for other in others
            if point < other
        )


def morris_board(
    name: str, pieces: int, mills: str, plain: str = "", takes: bool = False
) -> MorrisBoard:
    """A board from its mills (`a0-d0-g0 ...`) and plain lines (`a0-a6 ...`)."""
    named = [mill.split("-") for mill in mills.split()]
    lines = named + [line.split("-") for line in plain.split()]
    points = sorted({point for mill in named for point in mill}, key=lambda point: point[::-1])
    index = {point: number for number, point in enumerate(points)}
    pairs = {(index[a], index[b]) for line in lines for a, b in pairwise(line)}
    adjacency = tuple(
        tuple(sorted({b for a, b in pairs if a == point} | {a for a, b in pairs if b == point}))
        for point in range(len(points))
    )
    numbered = sorted(tuple(sorted(index[point] for point in mill)) for mill in named)
    return MorrisBoard(name, pieces, takes, tuple(points), tuple(numbered), adjacency)


_ALL = (
    morris_board(
        "22",
        pieces=9,
        mills="a0-d0-g0 a0-b1-c2 g0-f1-e2 g0-g3-g6 b1-d1-f1 b1-b3-b5 f1-f3-f5 c2-c3-c4 e2-e3-e4 "
        "e3-f3-g3 c4-d4-e4 c4-b5-a6 d4-d5-d6 e4-f5-g6 b5-d5-f5 a6-d6-g6",
        plain="a0-a6 d0-d1 c2-e2 b3-c3",
    ),
    morris_board(
        "23",
        pieces=9,
        mills="a0-d0-g0 a0-b1-c2 a0-a3-a6 g0-f1-e2 g0-g3-g6 b1-d1-f1 b1-b3-b5 f1-f3-f5 c2-c3-c4 "
        "e2-e3-e4 a3-b3-c3 e3-f3-g3 c4-d4-e4 c4-b5-a6 d4-d5-d6 e4-f5-g6 b5-d5-f5 a6-d6-g6",
        plain="d0-d1 c2-e2",
    ),
    morris_board(
        "21b",
        pieces=9,
        mills="a0-b1-c2 a0-a3-a6 g0-g3-g6 b1-b3-b5 f1-f3-f5 c2-c3-c4 e2-e3-e4 a3-b3-c3 e3-f3-g3 "
        "c4-d4-e4 d4-d5-d6 b5-d5-f5 a6-d6-g6",
        plain="a0-g0 b1-f1 c2-e2",
    ),
    morris_board(
        "21n",
        pieces=8,
        mills="a0-a3-a6 g0-g3-g6 b1-b3-b5 f1-f3-f5 c2-c3-c4 e2-e3-e4 a3-b3-c3 e3-f3-g3 c4-d4-e4 "
        "d4-d5-d6 b5-d5-f5 a6-d6-g6",
        plain="a0-g0 b1-f1 c2-e2",
    ),
    morris_board(
        "21x",
        pieces=8,
        mills="a0-b1-c2 a0-a3-a6 g0-f1-e2 g0-g3-g6 b1-b3-b5 f1-f3-f5 c2-c3-c4 e2-e3-e4 a3-b3-c3 "
        "e3-f3-g3 c4-d4-e4 c4-b5-a6 d4-d5-d6 e4-f5-g6 b5-d5-f5 a6-d6-g6",
        plain="a0-g0 b1-f1 c2-e2",
    ),
    morris_board(
        "18",
        pieces=8,
        mills="a0-b1-c2 g0-f1-e2 g0-g3-g6 f1-f3-f5 e2-e3-e4 e3-f3-g3 c4-d4-e4 c4-b5-a6 d4-d5-d6 "
        "e4-f5-g6 b5-d5-f5 a6-d6-g6",
        plain="a0-g0 a0-a6 b1-f1 b1-b5 c2-e2 c2-c4",
    ),
    morris_board(
        "24",
        pieces=9,
        mills="a0-d0-g0 a0-a3-a6 d0-d1-d2 g0-g3-g6 b1-d1-f1 b1-b3-b5 f1-f3-f5 c2-d2-e2 c2-c3-c4 "
        "e2-e3-e4 a3-b3-c3 e3-f3-g3 c4-d4-e4 d4-d5-d6 b5-d5-f5 a6-d6-g6",
        takes=True,
    ),
)
BOARDS = {board.name: board for board in _ALL}
NAMES = tuple(BOARDS)  # a state names its board by the index in this tuple


def automorphisms(board: MorrisBoard) -> Iterator[tuple[int, ...]]:
    """All renamings of points that preserve neighbours and mills, the identity first.

    Backtracking over the points in order: a partial renaming is extended only while it
    preserves adjacency, and degree and number of mills of every point.
    """
    mills = set(board.mills)
    adjacent = [_bits(others) for others in board.adjacency]
    kinds = [
        (len(others), sum(point in mill for mill in mills))
        for point, others in enumerate(board.adjacency)
    ]

    def extended(images: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        point = len(images)
        if point == len(board.points):
            if all(tuple(sorted(images[corner] for corner in mill)) in mills for mill in mills):
                yield images
            return
        earlier = _bits(images[other] for other in board.adjacency[point] if other < point)
        for image, kind in enumerate(kinds):
            is_free = not used >> image & 1
            if is_free and kind == kinds[point] and adjacent[image] & used == earlier:
                yield from extended((*images, image), used | 1 << image)

    return extended((), 0)


def _bits(points: Iterable[int]) -> int:
    return sum(1 << point for point in points)


def _table(*shape: int) -> np.ndarray:
    """A table by board, filled with a bit that no piece can occupy."""
    return np.full((len(BOARDS), *shape), 1 << NOWHERE, np.int64)


MOST_POINTS = max(len(board.points) for board in BOARDS.values())
MOST_MILLS = max(len(board.mills) for board in BOARDS.values())
MOST_NEIGHBOURS = 4  # of one point
MOST_THROUGH = 3  # mills through one point
MOST_IMAGES = 16

# Compiled code reads the boards from these arrays of bits.
POINTS = np.array([(1 << len(board.points)) - 1 for board in BOARDS.values()], np.int64)
ADJACENT = _table(MOST_POINTS)  # [board, point] -> its neighbours
MILLS = _table(MOST_MILLS)  # [board, mill] -> its three points
PARTNERS = _table(MOST_POINTS, MOST_THROUGH)  # [board, point, mill] -> the other two points
# [board, image, point] -> the image of the point; small groups are repeated.
IMAGES = np.zeros((len(BOARDS), MOST_IMAGES, MOST_POINTS), np.int64)

for _index, _board in enumerate(BOARDS.values()):
    MILLS[_index, : len(_board.mills)] = [_bits(mill) for mill in _board.mills]
    _group = list(automorphisms(_board))
    for _image in range(MOST_IMAGES):
        IMAGES[_index, _image, : len(_board.points)] = _group[_image % len(_group)]
    for _point, _others in enumerate(_board.adjacency):
        ADJACENT[_index, _point] = _bits(_others)
        _through = [mill for mill in _board.mills if _point in mill]
        PARTNERS[_index, _point, : len(_through)] = [
            _bits(mill) & ~(1 << _point) for mill in _through
        ]
