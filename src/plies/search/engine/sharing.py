"""How threads keep out of each other's way: who is searching what at the moment.

All threads search the same depths.  Before a thread searches a move other than the first,
it looks whether another one is at it; if so it puts the move off until it has done the
others, and by then the table mostly knows the answer.

What is being searched stands in a small table of marks, which the threads read and write
without locks: a mark that is lost costs some work done twice, and one that is not taken
away a move searched later than it might be; neither makes an exact answer wrong.
"""

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.memory import load, store

SHARED_DEPTH = 3  # nearer to the horizon it costs more to look than to search twice
BUCKETS, BUCKET = 4096, 4  # and the marks in each
NOTHING = 0


def new_marks() -> np.ndarray:
    return np.zeros(BUCKETS * BUCKET, np.int64)


@inlined
def mark_of(place, move):
    """A number for a move in a position, never NOTHING."""
    return place ^ move << 1 | 1


@inlined
def bucket_of(mark):
    """Where the marks begin among which a mark would be."""
    return ((mark >> 1 ^ mark >> 33) & BUCKETS - 1) * BUCKET


@compiled
def is_busy(work, place, move):
    """Whether a thread is searching a move in a position."""
    mark = mark_of(place, move)
    start = bucket_of(mark)
    found = False
    for index in range(start, start + BUCKET):
        found |= load(work.marks, index) == mark
    return found


@compiled
def begin(work, place, move):
    """This thread does so from now on."""
    mark = mark_of(place, move)
    start = bucket_of(mark)
    for index in range(start, start + BUCKET):
        if load(work.marks, index) == NOTHING:
            store(work.marks, index, mark)
            return
    store(work.marks, start, mark)


@compiled
def end(work, place, move):
    """And no longer."""
    mark = mark_of(place, move)
    start = bucket_of(mark)
    for index in range(start, start + BUCKET):
        if load(work.marks, index) == mark:
            store(work.marks, index, np.int64(NOTHING))
