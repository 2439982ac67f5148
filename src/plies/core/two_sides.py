"""The pieces of two sides as the inputs of what learns from them."""

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.bits import lowest_bit, popcount

NO_SPARE = 0  # in place of the bits of a row, on boards without a spare column


@inlined
def point_of(bit, row_bits):
    """The number of a point; the last bit of every row is spare."""
    return bit if row_bits == NO_SPARE else bit - bit // row_bits


@compiled
def side_inputs(mine, theirs, points, row_bits, more):
    """The mover's piece on point p as the number p, the opponent's as `points` + p.

    Pieces are bits of an int or np.uint64, row after row of `row_bits`, the last of which is
    no point; NO_SPARE where all are.  The array has room for `more` numbers of the game's own.
    """
    numbers = np.empty(popcount(mine) + popcount(theirs) + more, np.int64)
    count = 0
    for _ in range(popcount(mine)):
        numbers[count] = point_of(lowest_bit(mine), row_bits)
        mine &= mine - 1
        count += 1
    for _ in range(popcount(theirs)):
        numbers[count] = points + point_of(lowest_bit(theirs), row_bits)
        theirs &= theirs - 1
        count += 1
    return numbers
