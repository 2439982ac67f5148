"""Quiescence search: captures and the like are played out before a position is evaluated.

The mover may stand pat (take the static evaluation) or go on with a tactical move; one who
must respond looks at all moves.  Two things are left out: moves that lose material by
themselves (static exchange), and those that cannot bring the value up to alpha (delta pruning).
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
from plies.search.engine.ordering import TACTICAL, next_move, score_moves, score_tactical_moves
from plies.search.leaf import evaluate_leaf
from plies.search.table import NO_EVAL, Entry, bound_of, is_cutoff, prefetch_entry, probe, store
from plies.search.workspace import MAX_DEPTH, enter, save_line

NO_DEPTH = 0  # of what is stored
ALL = 2**62  # moves are tried in order
NO_INDEX = -1  # no move has been tried yet


@inlined
def evaluate_within(state, alpha, beta, evaluator, work):
    """The static evaluation and whether it is exact: lazy evaluation takes a quick estimate
    where even `margin` more or less stays outside the window.
    """
    if work.margin > 0:
        estimate = quick_eval(evaluator, state)
        if estimate - work.margin >= beta:
            return estimate - work.margin, False
        if estimate + work.margin <= alpha:
            return estimate + work.margin, False
    work.evaluations += 1
    return evaluate(evaluator, state), True


@compiled
def quiescence(state, alpha, beta, ply, evaluator, work):  # noqa: C901
    """The value of a position that goes on and was entered, once nothing tactical is left."""
    # Step 1. The table; every entry is deep enough here.
    work.leaves += 1
    next_ply = ply + 1
    is_in_check = must_respond(state)
    if ply >= MAX_DEPTH:
        return evaluate(evaluator, state)
    own_key = key(state)
    entry = probe(work, own_key, ply)
    if is_cutoff(entry, alpha, beta):
        work.hits += 1
        return entry.value

    # Step 2. Stand pat: nobody is forced to capture, so the evaluation is a lower bound.
    best, static_eval, old_alpha = -INFINITY, NO_EVAL, alpha
    if not is_in_check:
        best, is_exact = entry.static_eval, True
        if entry.bound == 0 or entry.static_eval == NO_EVAL:
            best, is_exact = evaluate_within(state, alpha, beta, evaluator, work)
        else:
            work.hits += 1
        static_eval = best if is_exact else NO_EVAL
        if best >= beta:
            return best
    alpha = max(alpha, best)

    # Step 3. Tactical moves, the greatest gain first; in check all moves.
    player = mover(state)
    if is_in_check:
        moves = legal_moves(state)
        score_moves(state, moves, player, NO_INDEX, ply, work)
    else:
        moves = tactical_moves(state)
        score_tactical_moves(state, moves, ply, work)
    best_move = entry.move
    for tried in range(len(moves)):
        index, score = next_move(state, moves, tried, ALL, ply, work)
        move = moves[index]
        if not is_in_check:
            # Step 4. Losing exchanges come last: the rest is left out.  Delta pruning: so is
            # what stays below alpha even with the gain and two units more.
            if score < 0:
                break
            hope = static_eval + score - TACTICAL + 2 * work.unit
            if work.unit > 0 and static_eval != NO_EVAL and hope <= alpha:
                best = max(best, hope)
                break

        # Step 5. The child, by this search again.
        if not enter(work, next_ply):
            return best
        child = play(state, move)
        prefetch_entry(work, key(child))
        sign = 1 if mover(child) == player else -1
        low, high = (alpha, beta) if sign == 1 else (-beta, -alpha)
        result = outcome(child)
        if result == ONGOING:
            value = sign * quiescence(child, low, high, next_ply, evaluator, work)
        else:
            value = sign * evaluate_leaf(child, result, next_ply, evaluator, work)
        if work.is_stopped:
            return best
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                save_line(work, ply, move)
                alpha = value
                if alpha >= beta:
                    work.cutoffs += 1
                    break

    # Step 6. Store the result with the least depth.
    bound = bound_of(best, old_alpha, beta)
    store(work, own_key, ply, Entry(bound, NO_DEPTH, best, best_move, static_eval))
    return best
