"""The workspace of a running search: what it writes down, and how it is stopped.

One record of numbers in memory: kernels count in it, other threads read it and
may stop the search through it.  A kernel enters a node only while
`nodes < budget`, so a node budget and a request to stop are one and the same
test: to stop a search, set its budget to zero.

    nodes         positions entered, the root included
    leaves        positions given a value: decided, or at the horizon
    evaluations   calls of the evaluator
    cutoffs       nodes whose remaining moves were cut off
    hits          positions whose value came from the table
    budget        how many nodes may be entered; 0 means stop
    is_stopped    whether a node was refused: the answer is then incomplete
    no_moves_ply  the ply of a node that is not over and has no moves, which only
                  broken rules make and which stops a search; -1 while there is none
    table         where the transposition table begins in memory, 0 for none; it has
                  `buckets` buckets, and `age` is the number of this search in it
    path          once stopped, the moves from the root to where the search stood
    line          triangular table of best lines: line[ply] holds the best line
                  from that ply on, up to (not including) index length[ply]
"""

from typing import Any

import numpy as np

from plies.compiling.compiler import compiled

MAX_DEPTH = 127
UNLIMITED = 2**62
ROOT = 0  # its ply

FIELDS: list[Any] = [
    ("nodes", np.int64),
    ("leaves", np.int64),
    ("evaluations", np.int64),
    ("cutoffs", np.int64),
    ("hits", np.int64),
    ("budget", np.int64),
    ("is_stopped", np.int64),
    ("no_moves_ply", np.int64),
    ("table", np.int64),
    ("buckets", np.int64),
    ("age", np.int64),
    ("path", np.int64, (MAX_DEPTH + 2,)),
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
def enter(work):
    """Count one more node, if the budget allows it; otherwise the search is stopped."""
    if work.nodes >= work.budget:
        work.is_stopped = 1
        return False
    work.nodes += 1
    return True


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
