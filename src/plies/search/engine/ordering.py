"""In which order the engine tries moves: the likely refutations first.

    the table's move
    noisy moves that lose nothing, the greatest gain first
    the two killers of this ply, and the move that refuted the same move before
    quiet moves by their history
    noisy moves that lose something
    what was put off because another thread was searching it

Moves stay where they are; `work.scores` says which is next.  Whether a noisy move loses
something costs more to find out, and is asked only when its turn has come.
"""

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.verbs import (
    capture_gain,
    has_tactical_moves,
    is_tactical,
    mover,
    static_exchange,
    threatens,
)
from plies.search.engine.work import MOST_HISTORY, MOST_SCORED, SLOTS, slot

FROM_TABLE = 1 << 50
NOISY = 1 << 40
KILLER = 1 << 30
LOSING = -(1 << 40)
TRIED = -(1 << 50)
SKIPPED = TRIED + 1
PUT_OFF = -(1 << 45)


@compiled
def score_moves(state, moves, player, known, ply, work):
    """Set how early each move is tried; the one at `known`, if any, has been."""
    base, own = ply * MOST_SCORED, player * SLOTS
    killer, other = work.killers[ply, 0], work.killers[ply, 1]
    reply = work.replies[own + slot(work.played[ply - 1])] if ply > 0 else killer
    for index in range(min(len(moves), MOST_SCORED)):
        move = moves[index]
        if has_tactical_moves(state) and is_tactical(state, move):
            score = NOISY + capture_gain(state, move)
        elif move == killer:
            score = KILLER + 2
        elif move == other:
            score = KILLER + 1
        elif move == reply:
            score = KILLER
        else:
            score = np.int64(work.history[own + slot(move)])
        work.scores[base + index] = score
    if known >= 0:
        work.scores[base + known] = TRIED
    work.cursors[ply] = 0


@compiled
def score_tactical_moves(state, moves, ply, work):
    """The same where all of them are noisy."""
    base = ply * MOST_SCORED
    for index in range(min(len(moves), MOST_SCORED)):
        work.scores[base + index] = NOISY + capture_gain(state, moves[index])
    work.cursors[ply] = 0


@inlined
def mark(index, ply, score, work):
    """TRIED or SKIPPED: it will not come again."""
    if index < MOST_SCORED:
        work.scores[ply * MOST_SCORED + index] = score


@inlined
def put_off(index, score, rank, ply, work):
    """A move comes again after all others that have a score, with one lower by PUT_OFF."""
    work.scores[ply * MOST_SCORED + index] = PUT_OFF + score
    work.ranks[ply * MOST_SCORED + index] = rank


@inlined
def rank_and_score(index, score, turn, ply, work):
    """A move's place in the order and its score, as they were if it had been put off."""
    if score < PUT_OFF // 2:
        return work.ranks[ply * MOST_SCORED + index], score - PUT_OFF
    return turn, score


@compiled
def next_move(state, moves, tried, sorts, ply, work):
    """The index and score of the move to try next, after `tried` others; -1: none is left.

    The first `sorts` come in order; after them it hardly matters, and looking for the best
    of the rest costs more than it brings.
    """
    base = ply * MOST_SCORED
    count = min(len(moves), MOST_SCORED)
    while tried < count:
        if tried < sorts:
            index, score = best_of(base, count, work)
        else:
            index, score = first_of(base, count, ply, work)
        if score <= SKIPPED:
            return np.int64(-1), score
        if has_tactical_moves(state) and score > NOISY // 2:
            left = static_exchange(state, moves[index])
            if left < 0:
                score = LOSING + left
                if tried < sorts:
                    work.scores[base + index] = score
                    continue
        work.scores[base + index] = TRIED
        return index, score
    return tried, np.int64(0)


@inlined
def best_of(base, count, work):
    """Where the best move is that is left, and its score."""
    best, score = np.int64(0), np.int64(SKIPPED)
    for index in range(count):
        if work.scores[base + index] > score:
            best, score = index, work.scores[base + index]
    return best, score


@inlined
def first_of(base, count, ply, work):
    """Where the first move is that is left, and its score; those put off come last."""
    index = work.cursors[ply]
    while index < count and work.scores[base + index] < PUT_OFF // 2:
        index += 1
    work.cursors[ply] = index
    if index == count:
        return best_of(base, count, work)
    return index, work.scores[base + index]


@compiled
def skip_quiet_moves(state, moves, ply, work):
    """Leave out the quiet moves that are left and make no threat."""
    base = ply * MOST_SCORED
    for index in range(min(len(moves), MOST_SCORED)):
        if abs(work.scores[base + index]) < KILLER // 2 and not threatens(state, moves[index]):
            work.scores[base + index] = SKIPPED


@inlined
def index_of(moves, move):
    """Where a move is among those that have a score, or -1."""
    for index in range(min(len(moves), MOST_SCORED)):
        if moves[index] == move:
            return index
    return -1


@inlined
def adjust(work, place, bonus):
    """Move a history towards its end; the nearer it is, the less."""
    old = np.int64(work.history[place])
    work.history[place] = old + bonus - old * abs(bonus) // MOST_HISTORY


@inlined
def is_quiet(state, move):
    return not (has_tactical_moves(state) and is_tactical(state, move))


@compiled
def learn(state, moves, index, tried, depth, ply, work):
    """The move at `index` has cut the node off; the others that were tried have not."""
    move, player = moves[index], mover(state)
    if not is_quiet(state, move):
        return
    if work.killers[ply, 0] != move:
        work.killers[ply, 1] = work.killers[ply, 0]
        work.killers[ply, 0] = move
    if ply > 0:
        work.replies[player * SLOTS + slot(work.played[ply - 1])] = move
    bonus = min(16 * depth * depth + 32 * depth, 1200)
    adjust(work, player * SLOTS + slot(move), bonus)
    if tried == 0:
        return
    base = ply * MOST_SCORED
    for place in range(min(len(moves), MOST_SCORED)):
        if work.scores[base + place] == TRIED and place != index and is_quiet(state, moves[place]):
            adjust(work, player * SLOTS + slot(moves[place]), -bonus)
