"""The pieces of two sides as the inputs of what learns from them."""

import numpy as np

from plies.core.bits import lowest_bit, popcount
from plies.core.compiler import compiled


@compiled
def side_inputs(mine, theirs, points):
    """The number p for the mover's piece on point p, `points` + p for the opponent's."""
    found = np.empty(popcount(mine) + popcount(theirs), np.int64)
    count = 0
    while mine:
        found[count] = lowest_bit(mine)
        mine &= mine - 1
        count += 1
    while theirs:
        found[count] = points + lowest_bit(theirs)
        theirs &= theirs - 1
        count += 1
    return found
