"""Quiescence: no position is valued in the midst of noisy moves.

The mover may take the evaluator's word or go on with a noisy move; under a threat all
moves are looked at.  Moves that lose something by themselves, or that cannot bring the
value up to alpha, are left out.
"""

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import (
    evaluate,
    key,
    legal_moves,
    mover,
    must_respond,
    outcome,
    play,
    quick_eval,
    tactical_moves,
)
from plies.search.engine.ordering import NOISY, next_move, score_moves, score_tactical_moves
from plies.search.leaf import counted_leaf
from plies.search.table import (
    NO_OPINION,
    Entry,
    bound_of,
    expect,
    find,
    from_here,
    from_root,
    keep,
    settles,
)
from plies.search.workspace import MAX_DEPTH, enter, remember

NOTHING = 0  # the depth of what is kept
ALL = 2**62  # moves are tried in order
UNKNOWN = -1  # no move has been tried yet


@inlined
def opinion_within(state, alpha, beta, evaluator, work):
    """The evaluator's opinion, or a bound where that is enough, and whether it is exact."""
    if work.margin > 0:
        rough = quick_eval(evaluator, state)
        if rough - work.margin >= beta:
            return rough - work.margin, False
        if rough + work.margin <= alpha:
            return rough + work.margin, False
    work.evaluations += 1
    return evaluate(evaluator, state), True


@compiled
def settle(state, alpha, beta, ply, evaluator, work):  # noqa: C901
    """The value of a position that goes on and was entered, once nothing noisy is left."""
    work.leaves += 1
    later = ply + 1
    is_driven = must_respond(state)
    if ply >= MAX_DEPTH:
        return evaluate(evaluator, state)
    here = key(state)
    entry = find(work, here)
    if entry.bound != 0:
        value = from_root(entry.value, ply)
        if settles(entry, value, alpha, beta):
            work.hits += 1
            return value
    best, opinion, lowest = -INFINITY, NO_OPINION, alpha
    if not is_driven:
        best, is_exact = entry.opinion, True
        if entry.bound == 0 or entry.opinion == NO_OPINION:
            best, is_exact = opinion_within(state, alpha, beta, evaluator, work)
        else:
            work.hits += 1
        opinion = best if is_exact else NO_OPINION
        if best >= beta:
            return best
    alpha = max(alpha, best)
    player = mover(state)
    if is_driven:
        moves = legal_moves(state)
        score_moves(state, moves, player, UNKNOWN, ply, work)
    else:
        moves = tactical_moves(state)
        score_tactical_moves(state, moves, ply, work)
    chosen = entry.move
    for tried in range(len(moves)):
        index, score = next_move(state, moves, tried, ALL, ply, work)
        move = moves[index]
        if not is_driven:
            if score < 0:
                break
            hope = opinion + score - NOISY + 2 * work.unit
            if work.unit > 0 and opinion != NO_OPINION and hope <= alpha:
                best = max(best, hope)
                break
        if not enter(work):
            return best
        child = play(state, move)
        expect(work, key(child))
        sign = 1 if mover(child) == player else -1
        low, high = (alpha, beta) if sign == 1 else (-beta, -alpha)
        work.length[later] = later
        result = outcome(child)
        if result == ONGOING:
            value = sign * settle(child, low, high, later, evaluator, work)
        else:
            value = sign * counted_leaf(child, result, later, evaluator, work)
        if work.is_stopped:
            return best
        if value > best:
            best = value
            if value > alpha:
                chosen = move
                remember(work, ply, move)
                alpha = value
                if alpha >= beta:
                    work.cutoffs += 1
                    break
    bound = bound_of(best, lowest, beta)
    keep(work, here, Entry(bound, NOTHING, from_here(best, ply), chosen, opinion))
    return best
