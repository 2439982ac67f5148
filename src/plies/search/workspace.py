"""The workspace of a running search: what it writes down, and how it is stopped.

One record of numbers in memory: kernels count in it, other threads read it and
may stop the search through it.  A kernel enters a node only while
`nodes < budget`, so a node budget and a request to stop are one and the same
test: to stop a search, set its budget to zero.
"""

from typing import Any

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.verbs import legal_moves

MAX_DEPTH = 127
UNLIMITED = 2**62
ROOT = 0  # its ply

FIELDS: list[Any] = [
    ("nodes", np.int64),  # positions entered, the root included
    ("leaves", np.int64),  # positions given a value: decided, or at the horizon
    ("evaluations", np.int64),  # calls of the evaluator
    ("cutoffs", np.int64),  # nodes whose remaining moves were cut off
    ("hits", np.int64),  # positions whose value came from the table
    ("budget", np.int64),  # how many nodes may be entered; 0 means stop
    ("is_stopped", np.int64),  # whether a node was refused: the answer is then incomplete
    # The ply of a node that is not over and has no moves, -1 while there is none: only broken
    # rules make one, and it stops the search.
    ("no_moves_ply", np.int64),
    ("table", np.int64),  # where the transposition table begins in memory, 0 for none
    ("buckets", np.int64),  # of the table
    ("age", np.int64),  # the number of this search in the table
    # Once stopped, the moves from the root to where the search stood.
    ("path", np.int64, (MAX_DEPTH + 2,)),
    # Triangular table of best lines: line[ply] holds the best line from that ply on, up to (not
    # including) index length[ply].
    ("length", np.int64, (MAX_DEPTH + 2,)),
    ("line", np.int64, (MAX_DEPTH + 2, MAX_DEPTH + 2)),
]
WORKSPACE = np.dtype(FIELDS, align=True)


def extended(fields: list[Any]) -> np.dtype:
    """A workspace with fields of its own.

    They come first: a record that only adds to the end of another is taken for that one by
    the compiler, with a warning.
    """
    return np.dtype([*fields, *FIELDS], align=True)


def new_workspace(budget: int = UNLIMITED, dtype: np.dtype = WORKSPACE) -> np.record:
    """A fresh record; kernels change it in place.

    A search that writes down more has a `dtype` of its own, made by `extended`.
    """
    work = np.zeros(1, dtype).view(np.recarray)[0]
    work.budget = budget
    work.no_moves_ply = -1
    return work


def best_line(work: np.record) -> tuple[int, ...]:
    """The best line from the root."""
    return tuple(int(move) for move in work.line[0, : work.length[0]])


@compiled
def count_node(work):
    """Count one more node, if the budget allows it; otherwise the search is stopped."""
    if work.nodes >= work.budget:
        work.is_stopped = 1
        return False
    work.nodes += 1
    return True


@compiled
def enter(work, ply):
    """Count a node, whose best line is empty as yet; False where the search must stop.

    It also stops beyond MAX_DEPTH, where the record has no room: kernels evaluate there.
    """
    if ply > MAX_DEPTH:
        work.is_stopped = 1
        return False
    if not count_node(work):
        return False
    work.length[ply] = ply
    return True


@inlined
def moves_at(state, ply, work):
    """The legal moves of a state that is not over; without any the rules are broken: stop."""
    moves = legal_moves(state)
    if len(moves) == 0:
        report_no_moves(work, ply)
    return moves


@compiled
def report_no_moves(work, ply):
    """Stop at a node that is not over and has no moves: the rules are broken."""
    work.is_stopped = 1
    work.no_moves_ply = ply


@compiled
def save_line(work, ply, move):
    """Save a move and then the child's best line as the best line from `ply` on."""
    # Row `ply` of the triangle: the move, then a copy of the child's row.
    work.line[ply, ply] = move
    end = work.length[ply + 1]
    for later in range(ply + 1, end):
        work.line[ply, later] = work.line[ply + 1, later]
    work.length[ply] = end
