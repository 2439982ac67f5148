"""Better moves first.

With the best move first alpha-beta needs little more than the square root of the nodes of
minimax (Knuth & Moore 1975); with forward pruning the order decides what is searched at all.
"""

from typing import Any, Literal

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY
from plies.errors import BadSpec
from plies.search.limits import checked_whole
from plies.search.workspace import MAX_DEPTH

Order = Literal["none", "shallow"]
UNSORTED = -1  # as the depth of a sorting search
# The ends of the window of a sorting search; a plain number would compile a kernel twice.
OPEN = np.int64(INFINITY)


def checked_look(look: Any, order: Order = "shallow") -> int:
    """The depth of a sorting search below each child; 0: the child's static evaluation."""
    if look and order == "none":
        raise BadSpec(f"look={look} needs sorted moves; write order=shallow,look={look}")
    return checked_whole("look", look, 0, MAX_DEPTH)


@compiled
def put_first(moves, move):
    """Move one of the moves, if it is there, to the front; the others keep their order."""
    for index in range(len(moves)):
        if moves[index] == move:
            for other in range(index, 0, -1):
                moves[other] = moves[other - 1]
            moves[0] = move
            return


@compiled
def sort_by_value(moves, values):
    """Sort moves and their values, the highest first (insertion sort: equal ones stay in order)."""
    for end in range(1, len(moves)):
        move, value = moves[end], values[end]
        index = end
        while index > 0 and values[index - 1] < value:
            moves[index], values[index] = moves[index - 1], values[index - 1]
            index -= 1
        moves[index], values[index] = move, value
