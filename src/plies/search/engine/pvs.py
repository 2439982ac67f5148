"""The engine's search of one position, step by step.

Principal variation search: the first move is searched with the whole window, the others with
a zero window that asks only whether they are better, and those that are, again with the whole.
With `work.is_exact` that is all, and the value is that of minimax.  Otherwise it also extends,
reduces and prunes (`pruning`), and plays captures and the like out at the horizon
(`quiescence`).
"""

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import INFINITY, MAX_EVALUATION, ONGOING
from plies.core.verbs import (
    canonical_key,
    has_null_move,
    has_symmetries,
    has_tactical_moves,
    key,
    mover,
    must_respond,
    null_move,
    outcome,
    play,
    threatens,
)
from plies.search.engine.ordering import (
    TABLE_MOVE,
    TACTICAL,
    defer,
    index_of,
    next_move,
    rank_and_score,
    score_moves,
    update_history,
)
from plies.search.engine.pruning import (
    LateMove,
    StaticEval,
    is_pruned,
    is_reverse_futile,
    late_move_reduction,
    null_move_depth,
    static_eval_of,
)
from plies.search.engine.quiescence import quiescence
from plies.search.engine.sharing import SHARED_DEPTH, is_busy, mark_busy, unmark_busy
from plies.search.engine.workspace import MAX_SCORED, is_repetition, pop_key, push_key
from plies.search.leaf import evaluate_leaf
from plies.search.table import (
    NO_EVAL,
    NO_MOVE,
    Entry,
    bound_of,
    is_cutoff,
    prefetch_entry,
    probe,
    store,
)
from plies.search.workspace import MAX_DEPTH, enter, moves_at, save_line

SORTED, SORTED_LAST = 16, 3  # how many moves come in order; just before the horizon
NO_KEY = 0  # where none is needed, at the horizon


@inlined
def table_key_of(state, depth, work):
    """The key of a position in the table; where it pays, one for all its symmetric images."""
    if has_symmetries(state) and 0 < work.symmetry_depth <= depth:
        return canonical_key(state)
    return key(state)


@inlined
def is_usable(entry, depth, alpha, beta, work):
    """Whether an entry is from a search as deep as this one would be, and answers it."""
    is_deep = entry.depth == depth if work.is_exact else entry.depth >= depth
    return is_deep and is_cutoff(entry, alpha, beta)


@inlined
def is_among(keys, count, key):
    """Whether a position is a symmetric image of one that an earlier move led to."""
    is_there = False
    for index in range(count):
        is_there |= keys[index] == key
    return is_there


@compiled
def pvs(state, table_key, depth, alpha, beta, ply, evaluator, work):  # noqa: C901
    """Principal variation search (Marsland & Campbell 1982): the value of `state`, for its mover.

    Exact inside (alpha, beta), otherwise a bound.  What a game does not declare (captures,
    null move, symmetries) compiles to nothing.  `table_key` may be NO_KEY at the horizon.
    """
    # Step 1. Stopped, or the game is over.
    if not enter(work, ply):
        return 0
    next_ply = ply + 1
    result = outcome(state)
    if result != ONGOING:
        return evaluate_leaf(state, result, ply, evaluator, work)

    # Step 2. Check extension: a mover who must respond is searched one ply deeper, so that
    # forced replies do not push the point of a line beyond the horizon.
    may_guess = work.is_exact == 0
    is_in_check = may_guess and must_respond(state)
    if is_in_check and ply < 2 * work.root_depth:
        depth += 1

    # Step 3. The horizon: quiescence search, or the evaluation.
    if depth <= 0 or ply >= MAX_DEPTH:
        if may_guess and has_tactical_moves(state):
            return quiescence(state, alpha, beta, ply, evaluator, work)
        return evaluate_leaf(state, result, ply, evaluator, work)

    # Step 4. Draw by repetition, shifted by contempt.
    own_key = key(state)
    if table_key == NO_KEY:
        table_key = own_key
    player = mover(state)
    if ply > 0 and work.has_draws and is_repetition(work, own_key, ply):
        return -work.contempt if player == work.root_player else work.contempt

    # Step 5. Transposition table: a deep enough bound answers at once.  Not in the principal
    # variation, whose line would end here.
    is_pv = beta - alpha > 1
    entry = probe(work, table_key, ply)
    if ply > 0 and not is_pv and is_usable(entry, depth, alpha, beta, work):
        work.hits += 1
        return entry.value

    # Step 6. Static evaluation, and whether it has improved since the mover's last turn.
    static = StaticEval(False, NO_EVAL, False, 1)
    if may_guess and work.unit > 0 and not is_in_check:
        static = static_eval_of(state, entry, alpha, beta, ply, evaluator, work)
    work.static_evals[ply] = static.value
    push_key(work, own_key, ply)

    if static.is_usable and ply > 0 and not is_pv and abs(beta) < MAX_EVALUATION:
        # Step 7. Reverse futility pruning: so far above beta that no reply will bring it back.
        if is_reverse_futile(static, depth, beta, work):
            pop_key(work, own_key)
            return static.value

        # Step 8. Null move pruning (Beal 1989; Donninger 1993): if passing beats beta, a move
        # would, too.  Never twice in a row, and not where a game says that passing may be best.
        may_pass = has_null_move(state) and depth >= 3 and work.played[ply - 1] != NO_MOVE
        if may_pass and static.value >= beta:
            child = null_move(state)
            if mover(child) != player:
                work.played[ply] = NO_MOVE
                child_key = key(child)
                rest = null_move_depth(static, depth, beta, work)
                value = -pvs(child, child_key, rest, -beta, 1 - beta, next_ply, evaluator, work)
                if work.is_stopped or value >= beta:
                    pop_key(work, own_key)
                    return min(value, MAX_EVALUATION)

    # Step 9. Internal iterative reduction (Schröder 2020): without a table move the order is
    # poor, so search one ply less deep; the table will know a move the next time.
    table_move = entry.move if ply > 0 or work.first_move == NO_MOVE else work.first_move
    if may_guess and work.table != 0 and table_move == NO_MOVE and depth >= 4:
        depth -= 1

    # Step 10. Moves in order: table move, winning captures, killers, history, losing captures.
    # They are scored only when the table move has not cut off.
    moves = moves_at(state, ply, work)
    keys, key_count = (np.empty(len(moves), np.int64) if has_symmetries(state) else moves), 0
    table_index = index_of(moves, table_move)
    sorted_count = SORTED if depth > 1 else SORTED_LAST
    best, best_move, old_alpha = -INFINITY, NO_MOVE, alpha
    is_shared = work.marks != 0 and depth >= SHARED_DEPTH
    deferred = 0
    for turn in range(2 * len(moves)):
        tried = turn - deferred
        if tried == len(moves):
            break
        index, score = table_index, TABLE_MOVE
        if turn > 0 or table_index < 0:
            if turn == 0 or (turn == 1 and table_index >= 0):
                score_moves(state, moves, player, table_index, ply, work)
            index, score = next_move(state, moves, tried, sorted_count, ply, work)
        if index < 0:
            break
        move = moves[index]
        rank = turn
        # With several threads: what another one is searching comes later (ABDADA, Weill 1996).
        if is_shared and turn > 0 and index < MAX_SCORED:
            rank, score = rank_and_score(index, score, turn, ply, work)
            if rank == turn and is_busy(work, table_key, move):
                defer(index, score, rank, ply, work)
                deferred += 1
                continue

        # Step 11. Shallow pruning of late moves: futility, move count, losing exchanges.
        is_late = may_guess and score < TACTICAL // 2 and rank > 0 and not is_in_check
        may_prune = is_late and static.is_usable and ply > 0 and best > -MAX_EVALUATION
        late = LateMove(rank, depth, alpha, ply)
        if may_prune and is_pruned(state, moves, index, score, late, static, work):
            continue
        child = play(state, move)
        child_key = table_key_of(child, depth - 1, work) if depth > 1 else NO_KEY
        if has_symmetries(state) and 0 < work.symmetry_depth < depth:
            if is_among(keys, key_count, child_key):
                continue
            keys[key_count] = child_key
            key_count += 1
        if depth > 1:
            prefetch_entry(work, child_key)

        # Step 12. Late move reduction, a zero window, and again with full depth and window for
        # what turns out better.
        sign = 1 if mover(child) == player else -1
        reduction = 0
        if is_late and depth >= 3 and rank >= 2 + is_pv:
            exempt = is_pv + threatens(state, move)
            reduction = late_move_reduction(static, depth, rank, score, exempt)
        work.played[ply] = move
        is_full = tried == 0
        if is_shared:
            mark_busy(work, table_key, move)
        while True:
            top = beta if is_full else alpha + 1
            low, high = (alpha, top) if sign == 1 else (-top, -alpha)
            rest = depth - 1 - reduction
            value = sign * pvs(child, child_key, rest, low, high, next_ply, evaluator, work)
            is_done = value <= alpha or (reduction == 0 and (is_full or value >= beta))
            if work.is_stopped or is_done:
                break
            is_full = reduction == 0
            reduction = 0
        if is_shared:
            unmark_busy(work, table_key, move)
        if work.is_stopped:
            work.path[ply] = move
            break

        # Step 13. A new best move raises alpha, or cuts off and is remembered by the history.
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                save_line(work, ply, move)
                alpha = value
                if alpha >= beta:
                    work.cutoffs += 1
                    update_history(state, moves, index, tried, depth, ply, work)
                    break

    # Step 14. Store the result in the table.
    pop_key(work, own_key)
    if not work.is_stopped:
        own_eval = static.value if static.is_exact else NO_EVAL
        bound = bound_of(best, old_alpha, beta)
        store(work, table_key, ply, Entry(bound, depth, best, best_move, own_eval))
    return best
