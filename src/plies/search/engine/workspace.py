"""What the engine writes down while it searches, besides what every search does.

marks           where the marks of what threads are searching begin in memory, 0: one thread
past_count      how many positions of the game came before the root
keys            their keys, the oldest first, and then those on the way from the root
key_counts      how many of these keys have the lowest bits that are the index; where it
                is 0 a position cannot be a repetition (a Bloom filter with one hash)
played          the moves on the way from the root, NO_MOVE for a null move
static_evals    the static evaluations on the way from the root, or NO_EVAL
scores          by ply and index of a move, how early it is tried
ranks           by ply and index of a deferred move, the rank it had in the order
cursors         by ply, before which index nothing is left to try
killers         by ply, the last two quiet moves that cut off
countermoves    by player and the move before, the quiet move that last refuted it
history         by player and move, how often a quiet move cut off rather than not
unit            of the evaluator, 0 where nothing is to be measured by it
margin          how far the evaluator's quick estimate may be wrong, 0 if there is none
root_depth      the depth that is being searched
first_move      the move to try first at the root, NO_MOVE while none is known
is_exact        1: nothing is guessed, the value is that of minimax to the same depth
has_draws       1: a repeated position is a draw
symmetry_depth  from which depth on images of a position count as one; 0: never
root_player     who moves at the root
contempt        how much worse than a draw a repeated position is to that player
"""

from collections.abc import Sequence

import numpy as np

from plies.compiling.compiler import inlined
from plies.search.table import NO_MOVE
from plies.search.workspace import MAX_DEPTH, extended, new_workspace

MAX_PAST = 1024  # earlier positions of the game
FILTER = 4096
SLOTS = 16384  # of a table by moves
MAX_HISTORY = 8192
MAX_SCORED = 512  # moves of a position; any more are tried last, in the game's own order

ENGINE = extended(
    [
        ("marks", np.int64),
        ("past_count", np.int64),
        ("unit", np.int64),
        ("margin", np.int64),
        ("root_depth", np.int64),
        ("first_move", np.int64),
        ("is_exact", np.int64),
        ("has_draws", np.int64),
        ("symmetry_depth", np.int64),
        ("root_player", np.int64),
        ("contempt", np.int64),
        ("keys", np.int64, (MAX_PAST + MAX_DEPTH + 2,)),
        ("key_counts", np.int64, (FILTER,)),
        ("played", np.int64, (MAX_DEPTH + 2,)),
        ("static_evals", np.int64, (MAX_DEPTH + 2,)),
        ("scores", np.int64, ((MAX_DEPTH + 2) * MAX_SCORED,)),
        ("ranks", np.int64, ((MAX_DEPTH + 2) * MAX_SCORED,)),
        ("cursors", np.int64, (MAX_DEPTH + 2,)),
        ("killers", np.int64, (MAX_DEPTH + 2, 2)),
        ("countermoves", np.int64, (2 * SLOTS,)),
        ("history", np.int32, (2 * SLOTS,)),
    ]
)


def new_engine_workspace(budget: int, past: Sequence[int]) -> np.record:
    """A fresh record for a game whose earlier positions had these keys."""
    work = new_workspace(budget, ENGINE)
    recent = past[-MAX_PAST:]
    work.past_count = len(recent)
    work.first_move = NO_MOVE
    work.keys[: len(recent)] = recent
    for key in recent:
        work.key_counts[key % FILTER] += 1
    return work


@inlined
def move_slot(move):
    """A small number for a move, mostly another one for another move."""
    return (move ^ (move >> 14) * 2531) & SLOTS - 1


@inlined
def push_key(work, key, ply):
    """Enter a position: the way from the root now leads through it."""
    work.keys[work.past_count + ply] = key
    work.key_counts[key & FILTER - 1] += 1


@inlined
def pop_key(work, key):
    """Leave a position."""
    work.key_counts[key & FILTER - 1] -= 1


@inlined
def is_repetition(work, key, ply):
    """Whether a position was on the way from the root, or twice in the game before it.

    Once is enough within the search: who can repeat once can repeat again.
    """
    if work.key_counts[key & FILTER - 1] == 0:
        return False
    times = 0
    for index in range(work.past_count + ply - 1, -1, -1):
        if work.keys[index] == key:
            times += 2 if index >= work.past_count else 1
            if times >= 2:
                return True
    return False
