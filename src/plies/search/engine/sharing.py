"""How threads keep out of each other's way: which moves are being searched at the moment.

A simplified ABDADA (Weill 1996; this form is Tom Kerrigan's).  All threads search the same
depths.  Before a thread searches a move other than the first, it looks whether another one is
at it; if so it defers the move until it has done the others, and by then the table mostly
knows the answer.

What is being searched stands in a small table of marks, which the threads read and write
without locks: a mark that is lost costs some work done twice, and one that is not taken
away a move searched later than it might be; neither makes an exact answer wrong.
"""

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.memory import load, store

SHARED_DEPTH = 3  # nearer to the horizon looking costs more than searching twice
BUCKETS, BUCKET = 4096, 4  # and the marks in each
NOTHING = np.int64(0)


def new_marks() -> np.ndarray:
    return np.zeros(BUCKETS * BUCKET, np.int64)


@inlined
def mark_of(key, move):
    """A number for a move in a position, never NOTHING."""
    return key ^ move << 1 | 1


@inlined
def bucket_of(mark):
    """The index of the first mark of the bucket that a mark belongs to."""
    return ((mark >> 1 ^ mark >> 33) & BUCKETS - 1) * BUCKET


@compiled
def is_busy(work, key, move):
    """Whether a thread is searching a move in a position."""
    mark = mark_of(key, move)
    start = bucket_of(mark)
    is_there = False
    for index in range(start, start + BUCKET):
        is_there |= load(work.marks, index) == mark
    return is_there


@compiled
def mark_busy(work, key, move):
    """Mark a move as being searched."""
    mark = mark_of(key, move)
    start = bucket_of(mark)
    for index in range(start, start + BUCKET):
        if load(work.marks, index) == NOTHING:
            store(work.marks, index, mark)
            return
    store(work.marks, start, mark)


@compiled
def unmark_busy(work, key, move):
    """Unmark a move as being searched."""
    mark = mark_of(key, move)
    start = bucket_of(mark)
    for index in range(start, start + BUCKET):
        if load(work.marks, index) == mark:
            store(work.marks, index, NOTHING)
