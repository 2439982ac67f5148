"""What the engine writes down while it searches, besides what every search does."""

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
        ("marks", np.int64),  # where the marks of `sharing` begin in memory, 0: one thread
        ("past_count", np.int64),  # how many positions of the game came before the root
        ("unit", np.int64),  # of the evaluator, 0 where nothing is to be measured by it
        ("margin", np.int64),  # how far its quick estimate may be wrong, 0 if there is none
        ("root_depth", np.int64),  # the depth that is being searched
        ("first_move", np.int64),  # to try first at the root, NO_MOVE while none is known
        ("is_exact", np.int64),  # 1: nothing is guessed, the value is that of minimax
        ("has_draws", np.int64),  # 1: a repeated position is a draw
        ("symmetry_depth", np.int64),  # from here on images count as one position; 0: never
        ("root_player", np.int64),  # who moves at the root
        ("contempt", np.int64),  # how much worse than a draw a repetition is to that player
        # The keys of the positions of the game, the oldest first, then on the way from the root.
        ("keys", np.int64, (MAX_PAST + MAX_DEPTH + 2,)),
        # How many of these keys have the lowest bits that are the index; where it is 0 a position
        # cannot be a repetition (a Bloom filter with one hash).
        ("key_counts", np.int64, (FILTER,)),
        # By ply, on the way from the root: the moves, NO_MOVE for a null move; static evaluations.
        ("played", np.int64, (MAX_DEPTH + 2,)),
        ("static_evals", np.int64, (MAX_DEPTH + 2,)),
        # By ply and index of a move: how early it is tried, and the rank of a deferred move.
        ("scores", np.int64, ((MAX_DEPTH + 2) * MAX_SCORED,)),
        ("ranks", np.int64, ((MAX_DEPTH + 2) * MAX_SCORED,)),
        ("cursors", np.int64, (MAX_DEPTH + 2,)),  # by ply, before which index no move is left
        ("killers", np.int64, (MAX_DEPTH + 2, 2)),  # by ply, the last two quiet moves to cut off
        # By player and the move before, the quiet move that last refuted it.
        ("countermoves", np.int64, (2 * SLOTS,)),
        # By player and move, how often a quiet move cut off rather than not.
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
