"""What the engine writes down while it searches, besides what every search does.

marks        where the marks of what threads are searching begin in memory, 0 for one thread
past         how many positions of the game came before the root
keys         their keys, the oldest first, and then those on the way from the root
seen         how many of these keys have the lowest bits that are the index; where it
             is 0 a position cannot be a repetition
played       the moves on the way from the root, NO_MOVE for a turn that was passed
opinions     what the evaluator said on the way from the root, or NO_OPINION
scores       by ply and index of a move, how early it is tried
ranks        by ply and index of a move that was put off, the place it had in the order
cursors      by ply, before which index nothing is left to try
killers      by ply, the last two quiet moves that cut a node off
replies      by player and the move before, the quiet move that last refuted it
history      by player and move, how often a quiet move cut rather than not
unit         of the evaluator, 0 where nothing is to be measured by it
margin       how far the evaluator's rough opinion may be wrong, 0 if there is none
root_depth   the depth that is being searched
first        the move to try first at the root, NO_MOVE while none is known
is_exact     1: nothing is guessed, the value is that of minimax to the same depth
has_draws    1: a position that comes again is a draw
symmetry     from which depth on images of a position count as one; 0: never
player       who moves at the root
contempt     how much worse than a draw a position that comes again is to that player
"""

from collections.abc import Sequence

import numpy as np

from plies.compiling.compiler import inlined
from plies.search.table import NO_MOVE
from plies.search.workspace import MAX_DEPTH, extended, new_workspace

MAX_PAST = 1024  # positions of a game that are remembered
FILTER = 4096
SLOTS = 16384  # of a table by moves
MOST_HISTORY = 8192
MOST_SCORED = 512  # moves of a position; any more are tried last, in the game's own order

ENGINE = extended(
    [
        ("marks", np.int64),
        ("past", np.int64),
        ("unit", np.int64),
        ("margin", np.int64),
        ("root_depth", np.int64),
        ("first", np.int64),
        ("is_exact", np.int64),
        ("has_draws", np.int64),
        ("symmetry", np.int64),
        ("player", np.int64),
        ("contempt", np.int64),
        ("keys", np.int64, (MAX_PAST + MAX_DEPTH + 2,)),
        ("seen", np.int64, (FILTER,)),
        ("played", np.int64, (MAX_DEPTH + 2,)),
        ("opinions", np.int64, (MAX_DEPTH + 2,)),
        ("scores", np.int64, ((MAX_DEPTH + 2) * MOST_SCORED,)),
        ("ranks", np.int64, ((MAX_DEPTH + 2) * MOST_SCORED,)),
        ("cursors", np.int64, (MAX_DEPTH + 2,)),
        ("killers", np.int64, (MAX_DEPTH + 2, 2)),
        ("replies", np.int64, (2 * SLOTS,)),
        ("history", np.int32, (2 * SLOTS,)),
    ]
)


def new_engine_work(budget: int, past: Sequence[int]) -> np.record:
    """A fresh record for a game whose earlier positions had these keys."""
    work = new_workspace(budget, ENGINE)
    recent = past[-MAX_PAST:]
    work.past = len(recent)
    work.first = NO_MOVE
    work.keys[: len(recent)] = recent
    for key in recent:
        work.seen[key % FILTER] += 1
    return work


@inlined
def slot(move):
    """A small number for a move, mostly another one for another move."""
    return (move ^ (move >> 14) * 2531) & SLOTS - 1


@inlined
def step_on(work, key, ply):
    """The way from the root now leads through this position."""
    work.keys[work.past + ply] = key
    work.seen[key & FILTER - 1] += 1


@inlined
def step_back(work, key):
    work.seen[key & FILTER - 1] -= 1


@inlined
def is_repeated(work, key, ply):
    """Whether a position was on the way from the root, or twice in the game before it."""
    if work.seen[key & FILTER - 1] == 0:
        return False
    times = 0
    for index in range(work.past + ply - 1, -1, -1):
        if work.keys[index] == key:
            times += 2 if index >= work.past else 1
            if times >= 2:
                return True
    return False
