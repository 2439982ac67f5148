"""Tic-tac-toe, and m,n,k-games in general.

The players take turns to put their mark on an empty cell of a board of
`width` x `height` cells.  Whoever first has `k` marks in an unbroken row,
column or diagonal wins; a full board without such a line is a draw.

    3  . . .
    2  . . .
    1  . . .
       a b c        width=3, height=3, k=3 is the children's game

A line longer than `k` also wins (free-style rule).  At most 62 bits hold a
board, one spare column included: (width + 1) * height <= 62.
"""

from typing import NamedTuple

import numpy as np

from plies.core import DRAW, ONGOING, Board, Game, cell_name, compiled, grid, popcount, lowest_bit, rows_text


class State(NamedTuple):
    """Cell (x, y) is bit y * up + x; one spare column keeps lines from wrapping."""

    mine: int  # the marks of the player to move
    theirs: int
    turn: int
    cells: int  # every cell of the board
    up: int  # from a cell to the one above: width + 1
    k: int


def initial(width: int = 3, height: int = 3, k: int = 3) -> State:
    if min(width, height, k) < 1 or (width + 1) * height > 62:
        raise ValueError("width, height and k are at least 1, and (width + 1) * height at most 62")
    if k > max(width, height):
        raise ValueError(f"no line of {k} fits on {width} x {height} cells")
    row = (1 << width) - 1
    cells = sum(row << y * (width + 1) for y in range(height))
    return State(0, 0, 0, cells, width + 1, k)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    empty = state.cells & ~(state.mine | state.theirs)
    moves = np.empty(popcount(empty), np.int64)
    for index in range(len(moves)):
        moves[index] = lowest_bit(empty)
        empty &= empty - 1
    return moves


@compiled
def play(state, move):
    mine = state.mine | 1 << move
    return State(state.theirs, mine, state.turn ^ 1, state.cells, state.up, state.k)


@compiled
def has_line(marks, up, k):
    across = upward = rising = falling = marks
    for _ in range(k - 1):
        across &= across >> 1
        upward &= upward >> up
        rising &= rising >> up + 1
        falling &= falling >> up - 1
    return (across | upward | rising | falling) != 0


@compiled
def outcome(state):
    """Only the player who has just moved can have made a line."""
    if has_line(state.theirs, state.up, state.k):
        return state.turn ^ 1
    return DRAW if state.mine | state.theirs == state.cells else ONGOING


def board(state: State) -> Board:
    return grid(state.up - 1, 3)


def pieces(state: State) -> dict[str, str]:
    sides = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
    cells = [(x, y) for y in range(state.height) for x in range(state.width)]
    return {
        cell_name(x, y): mark
        for marks, mark in zip(sides, "XO", strict=True)
        for x, y in cells
        if marks >> (y * (state.width + 1) + x) & 1
    }


def steps(state: State, move: int) -> tuple[str, ...]:
    y, x = divmod(move, state.width + 1)
    return (cell_name(x, y),)


GAME = Game(__name__, title="Tic-tac-toe")
