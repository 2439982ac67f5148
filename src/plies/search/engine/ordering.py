"""In which order the engine tries moves: the likely refutations first.

Alpha-beta cuts most when the best move comes first (Knuth & Moore 1975).

    the table move
    tactical moves that lose nothing, the greatest gain first
    two killers: quiet moves that cut off a sibling (Akl & Newborn 1977)
    the countermove: the quiet move that last refuted the move before (Uiterwijk 1992)
    quiet moves by how often they cut off anywhere (history heuristic, Schaeffer 1989)
    tactical moves that lose something
    moves that were deferred because another thread was searching them

Moves stay where they are; `work.scores` says which is next.  Whether a tactical move loses
something is expensive to find out, so it is computed only when its turn has come.
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
from plies.search.engine.workspace import MAX_HISTORY, MAX_SCORED, SLOTS, move_slot

TABLE_MOVE = 1 << 50
TACTICAL = 1 << 40
KILLER = 1 << 30
LOSING = -(1 << 40)
TRIED = -(1 << 50)
SKIPPED = TRIED + 1
DEFERRED = -(1 << 45)


@compiled
def score_moves(state, moves, player, table_index, ply, work):
    """Set how early each move is tried; the table move, if any, has been tried."""
    base, own = ply * MAX_SCORED, player * SLOTS
    killer, second_killer = work.killers[ply, 0], work.killers[ply, 1]
    countermove = work.countermoves[own + move_slot(work.played[ply - 1])] if ply > 0 else killer
    for index in range(min(len(moves), MAX_SCORED)):
        move = moves[index]
        if has_tactical_moves(state) and is_tactical(state, move):
            score = TACTICAL + capture_gain(state, move)
        elif move == killer:
            score = KILLER + 2
        elif move == second_killer:
            score = KILLER + 1
        elif move == countermove:
            score = KILLER
        else:
            score = np.int64(work.history[own + move_slot(move)])
        work.scores[base + index] = score
    if table_index >= 0:
        work.scores[base + table_index] = TRIED
    work.cursors[ply] = 0


@compiled
def score_tactical_moves(state, moves, ply, work):
    """The same where all moves are tactical."""
    base = ply * MAX_SCORED
    for index in range(min(len(moves), MAX_SCORED)):
        work.scores[base + index] = TACTICAL + capture_gain(state, moves[index])
    work.cursors[ply] = 0


@inlined
def set_score(index, score, ply, work):
    """Score a move again; one that is TRIED or SKIPPED will not come any more."""
    if index < MAX_SCORED:
        work.scores[ply * MAX_SCORED + index] = score


@inlined
def defer(index, score, rank, ply, work):
    """Let a move come again after all others, with a score lowered by DEFERRED."""
    work.scores[ply * MAX_SCORED + index] = DEFERRED + score
    work.ranks[ply * MAX_SCORED + index] = rank


@inlined
def rank_and_score(index, score, turn, ply, work):
    """A move's rank in the order and its score, as they were before it was deferred."""
    if score < DEFERRED // 2:
        return work.ranks[ply * MAX_SCORED + index], score - DEFERRED
    return turn, score


@compiled
def next_move(state, moves, tried, sorted_count, ply, work):
    """The index and score of the move to try next, after `tried` others; -1: none is left.

    The first `sorted_count` come in order (selection sort).  After them a cut is unlikely, and
    looking for the best of the rest would cost more than it saves.
    """
    base = ply * MAX_SCORED
    count = min(len(moves), MAX_SCORED)
    while tried < count:
        if tried < sorted_count:
            index, score = highest_score(base, count, work)
        else:
            index, score = first_left(base, count, ply, work)
        if score <= SKIPPED:
            return np.int64(-1), score
        if has_tactical_moves(state) and score > TACTICAL // 2:
            exchange = static_exchange(state, moves[index])
            if exchange < 0:
                score = LOSING + exchange
                if tried < sorted_count:
                    work.scores[base + index] = score
                    continue
        work.scores[base + index] = TRIED
        return index, score
    return tried, np.int64(0)


@inlined
def highest_score(base, count, work):
    """The index of the best move that is left, and its score."""
    best, score = np.int64(0), np.int64(SKIPPED)
    for index in range(count):
        if work.scores[base + index] > score:
            best, score = index, work.scores[base + index]
    return best, score


@inlined
def first_left(base, count, ply, work):
    """The index of the first move that is left, and its score; deferred moves come last."""
    index = work.cursors[ply]
    while index < count and work.scores[base + index] < DEFERRED // 2:
        index += 1
    work.cursors[ply] = index
    if index == count:
        return highest_score(base, count, work)
    return index, work.scores[base + index]


@compiled
def skip_quiets(state, moves, ply, work):
    """Skip the quiet moves that are left and make no threat."""
    base = ply * MAX_SCORED
    for index in range(min(len(moves), MAX_SCORED)):
        if abs(work.scores[base + index]) < KILLER // 2 and not threatens(state, moves[index]):
            work.scores[base + index] = SKIPPED


@inlined
def index_of(moves, move):
    """The index of a move among those that have a score, or -1."""
    for index in range(min(len(moves), MAX_SCORED)):
        if moves[index] == move:
            return index
    return -1


@inlined
def add_bonus(work, slot, bonus):
    """Add to a move's history; the nearer it is to its limit, the less (history gravity)."""
    old = np.int64(work.history[slot])
    work.history[slot] = old + bonus - old * abs(bonus) // MAX_HISTORY


@inlined
def is_quiet(state, move):
    return not (has_tactical_moves(state) and is_tactical(state, move))


@compiled
def update_history(state, moves, index, tried, depth, ply, work):
    """Reward the quiet move at `index`, which cut off, and punish those tried before it."""
    move, player = moves[index], mover(state)
    if not is_quiet(state, move):
        return
    if work.killers[ply, 0] != move:
        work.killers[ply, 1] = work.killers[ply, 0]
        work.killers[ply, 0] = move
    if ply > 0:
        work.countermoves[player * SLOTS + move_slot(work.played[ply - 1])] = move
    bonus = min(16 * depth * depth + 32 * depth, 1200)
    add_bonus(work, player * SLOTS + move_slot(move), bonus)
    if tried == 0:
        return
    base = ply * MAX_SCORED
    for other in range(min(len(moves), MAX_SCORED)):
        if work.scores[base + other] == TRIED and other != index and is_quiet(state, moves[other]):
            add_bonus(work, player * SLOTS + move_slot(moves[other]), -bonus)
