"""Positions and moves of Seega as numbers; steps and captures as bit operations."""

from typing import NamedTuple

import numpy as np

from plies.core import cell_name, compiled, lowest_bit, popcount

SIZES = (3, 5, 7)
STOP = 0  # no step ends where it began


class State(NamedTuple):
    """Cell (x, y) is bit y * (size + 1) + x; one spare column keeps steps from wrapping.

    A move places a piece (the index of the cell's bit), or steps (64 * index of the origin
    + index of the target), or is STOP.
    """

    mine: int  # the pieces of the player to move
    theirs: int
    turn: int
    to_place: int  # pieces still to be placed, of both players
    chaining: int  # the bit of the piece that may go on capturing, or 0
    quiet: int  # steps since the last capture
    size: int
    chain: int  # whether a piece that has captured may go on
    limit: int


def _cells(size: int) -> int:
    """Every cell of the board, as bits."""
    return sum((1 << size) - 1 << y * (size + 1) for y in range(size))


# By size, as bits.
CELLS = np.array([_cells(size) for size in range(SIZES[-1] + 1)], np.int64)
CENTRE = np.array([1 << size // 2 * (size + 2) for size in range(SIZES[-1] + 1)], np.int64)


def name_of(number: int, size: int) -> str:
    """The name of a cell by the number of its bit."""
    y, x = divmod(number, size + 1)
    return cell_name(x, y)


def numbers(size: int) -> dict[str, int]:
    """Name of a cell -> number of its bit."""
    return {cell_name(x, y): y * (size + 1) + x for y in range(size) for x in range(size)}


@compiled
def neighbours(cells, up):
    """The cells next to these, perhaps with bits outside the board."""
    return cells << 1 | cells >> 1 | cells << up | cells >> up


@compiled
def has_step(pieces, others, size):
    """Whether one of these pieces has an empty cell next to it."""
    empty = CELLS[size] & ~(pieces | others)
    return pieces & neighbours(empty, size + 1) != 0


@compiled
def captured(to, mine, theirs, size):
    """The enemy pieces that steps to the cells `to`, one or several, capture.

    The origin of the step does not matter: a piece there could not help to capture.
    """
    # An enemy between the target and another own piece, in all four directions at once.
    up = size + 1
    across = to << 1 & mine >> 1 | to >> 1 & mine << 1
    along = to << up & mine >> up | to >> up & mine << up
    return (across | along) & theirs & ~CENTRE[size]


@compiled
def capturing_steps(piece, mine, theirs, size):
    """The cells to which this piece of `mine` can step with a capture."""
    steps = 0
    rest = neighbours(piece, size + 1) & CELLS[size] & ~(mine | theirs)
    while rest:
        to = rest & -rest
        if captured(to, mine, theirs, size):
            steps |= to
        rest ^= to
    return steps


@compiled
def step_moves(pieces, empty, up):
    """The moves of these pieces to empty cells: right, left, up, down."""
    right, left = pieces << 1 & empty, pieces >> 1 & empty
    upward, down = pieces << up & empty, pieces >> up & empty
    count = popcount(right) + popcount(left) + popcount(upward) + popcount(down)
    moves = np.empty(count, np.int64)
    count = 0
    for targets, direction in ((right, 1), (left, -1), (upward, up), (down, -up)):
        rest = targets
        while rest:
            to = lowest_bit(rest)
            moves[count] = 64 * (to - direction) + to
            count += 1
            rest &= rest - 1
    return moves
