"""Better moves first.

Which move is looked at first decides how much alpha-beta may leave out, and which moves
a search with forward pruning looks at.
"""

from typing import Any, Literal

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY
from plies.core.verbs import legal_moves
from plies.errors import BadSpec
from plies.search.limits import checked_whole
from plies.search.workspace import MAX_DEPTH, report_no_moves

Order = Literal["none", "shallow"]
UNSORTED = -1  # as the depth of a sorting search
# The ends of the window of a sorting search: a number in the code would compile a kernel twice.
OPEN = np.int64(INFINITY)


def checked_look(look: Any, order: Order = "shallow") -> int:
    """How deep a sorting search looks beyond each child; 0: only at what the child is worth."""
    if look and order == "none":
        raise BadSpec(f"look={look} needs sorted moves; write order=shallow,look={look}")
    return checked_whole("look", look, 0, MAX_DEPTH)


@compiled
def sortable_moves(state, ply, work):
    """The legal moves of a state that is not over, to be sorted; a game may keep its own array."""
    moves = legal_moves(state).copy()
    if len(moves) == 0:
        report_no_moves(work, ply)
    return moves


@compiled
def put_first(moves, move):
    """Move one of the moves, if it is there, to the front; the others keep their order."""
    for index in range(len(moves)):
        if moves[index] == move:
            for place in range(index, 0, -1):
                moves[place] = moves[place - 1]
            moves[0] = move
            return


@compiled
def sort_by_value(moves, values):
    """Sort moves and their values, the highest first; equal ones keep their order."""
    for end in range(1, len(moves)):
        move, value = moves[end], values[end]
        place = end
        while place > 0 and values[place - 1] < value:
            moves[place], values[place] = moves[place - 1], values[place - 1]
            place -= 1
        moves[place], values[place] = move, value
