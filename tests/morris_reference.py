"""The morris programs once more, slowly: strings, lists and the rules as they are told.

Nothing of the package is used here, so that the compiled programs can be compared with it.
A board is a string of `W`, `B` and `x`; its points are in the order of their rows from the
bottom, each row from the left.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

# Every line of a board that is a mill, then every line that is only a way, by its points.
DRAWINGS = {
    "22": (
        (
            "a0d0g0 a0b1c2 g0f1e2 g0g3g6 b1d1f1 b1b3b5 f1f3f5 c2c3c4"
            " e2e3e4 e3f3g3 c4d4e4 c4b5a6 d4d5d6 e4f5g6 b5d5f5 a6d6g6"
        ),
        "a0a6 d0d1 c2e2 b3c3",
    ),
    "23": (
        (
            "a0d0g0 a0b1c2 a0a3a6 g0f1e2 g0g3g6 b1d1f1 b1b3b5 f1f3f5 c2c3c4"
            " e2e3e4 a3b3c3 e3f3g3 c4d4e4 c4b5a6 d4d5d6 e4f5g6 b5d5f5 a6d6g6"
        ),
        "d0d1 c2e2",
    ),
    "21b": (
        (
            "a0b1c2 a0a3a6 g0g3g6 b1b3b5 f1f3f5 c2c3c4 e2e3e4"
            " a3b3c3 e3f3g3 c4d4e4 d4d5d6 b5d5f5 a6d6g6"
        ),
        "a0g0 b1f1 c2e2",
    ),
    "21n": (
        "a0a3a6 g0g3g6 b1b3b5 f1f3f5 c2c3c4 e2e3e4 a3b3c3 e3f3g3 c4d4e4 d4d5d6 b5d5f5 a6d6g6",
        "a0g0 b1f1 c2e2",
    ),
    "21x": (
        (
            "a0b1c2 a0a3a6 g0f1e2 g0g3g6 b1b3b5 f1f3f5 c2c3c4 e2e3e4"
            " a3b3c3 e3f3g3 c4d4e4 c4b5a6 d4d5d6 e4f5g6 b5d5f5 a6d6g6"
        ),
        "a0g0 b1f1 c2e2",
    ),
    "18": (
        "a0b1c2 g0f1e2 g0g3g6 f1f3f5 e2e3e4 e3f3g3 c4d4e4 c4b5a6 d4d5d6 e4f5g6 b5d5f5 a6d6g6",
        "a0g0 a0a6 b1f1 b1b5 c2e2 c2c4",
    ),
    "24": (
        (
            "a0d0g0 a0a3a6 d0d1d2 g0g3g6 b1d1f1 b1b3b5 f1f3f5 c2d2e2"
            " c2c3c4 e2e3e4 a3b3c3 e3f3g3 c4d4e4 d4d5d6 b5d5f5 a6d6g6"
        ),
        "",
    ),
}
# Where a closed mill removes any piece when all of the opponent's stand in mills.
TAKES_FROM_MILLS = {"24"}

WHITE, BLACK, EMPTY = "WBx"
SWAPPED = str.maketrans("WB", "BW")


class Layout(NamedTuple):
    """One board of the family."""

    points: list[str]
    neighbours: list[list[int]]  # of every point, ascending
    mills: list[list[int]]
    takes_from_mills: bool


class Answer(NamedTuple):
    """What a program finds."""

    board: str
    positions: int
    estimate: int


def layout(name: str) -> Layout:
    mills, ways = (
        [[line[at : at + 2] for at in range(0, len(line), 2)] for line in lines.split()]
        for lines in DRAWINGS[name]
    )
    names = {point for line in mills + ways for point in line}
    points = sorted(names, key=lambda point: (point[1], point[0]))
    linked = {pair for line in mills + ways for pair in pairwise(line)}
    neighbours = [
        [
            index
            for index, other in enumerate(points)
            if (point, other) in linked or (other, point) in linked
        ]
        for point in points
    ]
    return Layout(
        points,
        neighbours,
        [[points.index(point) for point in line] for line in mills],
        name in TAKES_FROM_MILLS,
    )


LAYOUTS = {name: layout(name) for name in DRAWINGS}


def swap(board: str) -> str:
    return board.translate(SWAPPED)


def put(board: str, point: int, letter: str) -> str:
    return board[:point] + letter + board[point + 1 :]


def is_in_mill(layout: Layout, board: str, point: int) -> bool:
    """Whether the piece on a point stands in a mill of its colour."""
    return any(
        point in mill and all(board[other] == board[point] for other in mill)
        for mill in layout.mills
    )


def removals(layout: Layout, board: str) -> list[str]:
    """The boards after White has closed a mill."""
    black = [point for point, letter in enumerate(board) if letter == BLACK]
    free = [point for point in black if not is_in_mill(layout, board, point)]
    if not free and layout.takes_from_mills:
        free = black
    return [put(board, point, EMPTY) for point in free] or [board]


def after_arrival(layout: Layout, board: str, point: int) -> list[str]:
    """The boards after a white piece has come to a point."""
    return removals(layout, board) if is_in_mill(layout, board, point) else [board]


def additions(layout: Layout, board: str) -> list[str]:
    return [
        child
        for point, letter in enumerate(board)
        if letter == EMPTY
        for child in after_arrival(layout, put(board, point, WHITE), point)
    ]


def movements(layout: Layout, board: str) -> list[str]:
    hops = board.count(WHITE) == 3
    children = []
    for origin, letter in enumerate(board):
        if letter == WHITE:
            for target in range(len(board)) if hops else layout.neighbours[origin]:
                if board[target] == EMPTY:
                    moved = put(put(board, origin, EMPTY), target, WHITE)
                    children += after_arrival(layout, moved, target)
    return children


def children_of(layout: Layout, board: str, *, is_opening: bool, is_white: bool) -> list[str]:
    generate = additions if is_opening else movements
    if is_white:
        return generate(layout, board)
    return [swap(child) for child in generate(layout, swap(board))]


def opening_estimate(layout: Layout, board: str, is_white: bool) -> int:
    return board.count(WHITE) - board.count(BLACK)


def game_estimate(layout: Layout, board: str, is_white: bool) -> int:
    if board.count(BLACK) <= 2:
        return 10000
    if board.count(WHITE) <= 2:
        return -10000
    black_moves = len(movements(layout, swap(board)))
    if black_moves == 0:
        return 10000
    return 1000 * (board.count(WHITE) - board.count(BLACK)) - black_moves


# Of a board and whether White moves next, which the two estimates above do not look at.
Estimate = Callable[[Layout, str, bool], int]


class Search:
    """White and Black by turns, White first, to a fixed depth."""

    def __init__(
        self, layout: Layout, *, is_opening: bool, has_cuts: bool, estimate: Estimate | None = None
    ):
        self.layout = layout
        self.is_opening = is_opening
        self.has_cuts = has_cuts
        self.estimate = estimate or (opening_estimate if is_opening else game_estimate)
        self.positions = 0

    def answer(self, board: str, depth: int) -> Answer:
        """The first of White's best boards."""
        value, best = self.maximum(board, depth, float("-inf"), float("inf"))
        return Answer(best, self.positions, int(value))

    def leaf(self, board: str, *, is_white: bool) -> tuple[float, str]:
        self.positions += 1
        return self.estimate(self.layout, board, is_white), board

    def children(self, board: str, depth: int, *, is_white: bool) -> list[str]:
        if depth == 0:
            return []
        return children_of(self.layout, board, is_opening=self.is_opening, is_white=is_white)

    def maximum(self, board: str, depth: int, alpha: float, beta: float) -> tuple[float, str]:
        children = self.children(board, depth, is_white=True)
        if not children:
            return self.leaf(board, is_white=True)
        best, choice = float("-inf"), board
        for child in children:
            value, _ = self.minimum(child, depth - 1, alpha, beta)
            if value > best:
                best, choice = value, child
            if self.has_cuts and best >= beta:
                break
            alpha = max(alpha, best)
        return best, choice

    def minimum(self, board: str, depth: int, alpha: float, beta: float) -> tuple[float, str]:
        children = self.children(board, depth, is_white=False)
        if not children:
            return self.leaf(board, is_white=False)
        best, choice = float("inf"), board
        for child in children:
            value, _ = self.maximum(child, depth - 1, alpha, beta)
            if value < best:
                best, choice = value, child
            if self.has_cuts and best <= alpha:
                break
            beta = min(beta, best)
        return best, choice


def answer_of(
    name: str, board: str, depth: int, layout: Layout, estimate: Estimate | None = None
) -> Answer:
    """What the program of that name finds; `estimate` stands in for an improved one."""
    is_black = name.endswith("Black")
    search = Search(
        layout, is_opening="Opening" in name, has_cuts=name.startswith("AB"), estimate=estimate
    )
    found = search.answer(swap(board) if is_black else board, depth)
    return found._replace(board=swap(found.board)) if is_black else found
