"""The engine's search of one position: principal variation search, and what it guesses.

The first move is searched with the whole window, the others with an empty one that asks
only whether they are better; those that are, again with the whole.  With `work.is_exact`
that is all: the value is that of minimax.  Otherwise also:

    a threatened mover is given one ply more;
    a position so good that passing the turn is still good enough is cut off, and so is
    one whose opinion is far above beta, near the horizon;
    moves late in the order are searched less deep, fully only if they turn out well;
    near the horizon, late quiet moves and those that could not make up for what is
    missing are left out, measured by the evaluator's `unit`;
    at the horizon noisy moves are played out (`quiescence`);
    a position that comes again is a draw, or worse with contempt;
    what the table knows from a deeper search is taken.

Where threads share the work, a move that another one is searching is put off (`sharing`).
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import INFINITY, MAX_EVALUATION, ONGOING
from plies.core.verbs import (
    canonical_key,
    has_null_move,
    has_symmetries,
    has_tactical_moves,
    key,
    legal_moves,
    mover,
    must_respond,
    null_move,
    outcome,
    play,
    threatens,
)
from plies.search.engine.ordering import (
    FROM_TABLE,
    LOSING,
    NOISY,
    SKIPPED,
    index_of,
    learn,
    mark,
    next_move,
    put_off,
    rank_and_score,
    score_moves,
    skip_quiet_moves,
)
from plies.search.engine.quiescence import opinion_within, settle
from plies.search.engine.sharing import SHARED_DEPTH, begin, end, is_busy
from plies.search.engine.work import MOST_HISTORY, MOST_SCORED, is_repeated, step_back, step_on
from plies.search.leaf import counted_leaf
from plies.search.table import (
    NO_MOVE,
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
from plies.search.workspace import MAX_DEPTH, enter, get_stuck, remember

SORTED, SORTED_LAST = 16, 3  # how many moves come in order; just before the horizon
NOWHERE = 0  # instead of a key that is not needed at the horizon
TABLE_SIDE = 64
FAR = 6  # units: an opinion that far outside the window need not be exact
REDUCTIONS = np.array(
    [
        0 if 0 in (depth, index) else int(0.7 + np.log(depth) * np.log(index) / 2.3)
        for depth in range(TABLE_SIDE)
        for index in range(TABLE_SIDE)
    ],
    np.int8,
)


class Stand(NamedTuple):
    """What is thought of a position before its moves are looked at."""

    counts: bool  # whether there is an opinion to measure by
    opinion: int
    is_exact: bool  # the evaluator's word, not only a bound
    is_improving: Any  # 1 or 0: whether the mover stands better than at the turn before


@inlined
def place_of(state, depth, work):
    """The key under which the table knows a position; one for all its images where it pays."""
    if has_symmetries(state) and 0 < work.symmetry <= depth:
        return canonical_key(state)
    return key(state)


@inlined
def is_answer(entry, value, depth, alpha, beta, work):
    """Whether what the table knows is of a search as deep as this one would be, and enough."""
    is_deep = entry.depth == depth if work.is_exact else entry.depth >= depth
    return entry.bound != 0 and is_deep and settles(entry, value, alpha, beta)


@inlined
def stand_of(state, entry, alpha, beta, ply, evaluator, work):
    """The opinion, of the table if it has one; far outside the window a bound is enough."""
    opinion, is_exact, is_improving = entry.opinion, True, 1
    if entry.bound == 0 or opinion == NO_OPINION:
        far = FAR * work.unit
        opinion, is_exact = opinion_within(state, alpha - far, beta + far, evaluator, work)
    if ply >= 2:
        before = work.opinions[ply - 2]
        is_improving = np.int64(before == NO_OPINION or opinion > before)
    return Stand(True, opinion, is_exact, is_improving)


@inlined
def is_plenty(stand, depth, beta, work):
    """Whether a position near the horizon is so good that its moves need no look."""
    spare = work.unit * 3 * (depth - stand.is_improving) // 4
    return depth <= 6 and stand.opinion - spare >= beta


@inlined
def null_move_depth(stand, depth, beta, work):
    """How deep to look after the turn was passed."""
    return depth - 4 - depth // 4 - min((stand.opinion - beta) // (2 * work.unit), 3)


@inlined
def are_hopeless(stand, depth, tried, alpha, work):
    """Whether the quiet moves that are left are given up: too many, or too much is missing."""
    if depth > 7:
        return False
    if tried > (3 + depth * depth) // (2 - stand.is_improving):
        return True
    return stand.opinion + work.unit * (1 + depth) <= alpha


@compiled
def is_left_out(state, moves, index, score, seen, stand, work):
    """Whether a late move is not worth a search; may leave out all quiet ones at once."""
    tried, depth, alpha, ply = seen
    if threatens(state, moves[index]):
        is_out = False
    elif score < LOSING // 2:
        is_out = depth <= 5 and score - LOSING < -work.unit * depth
    else:
        is_out = len(moves) <= MOST_SCORED and are_hopeless(stand, depth, tried, alpha, work)
        if is_out:
            skip_quiet_moves(state, moves, ply, work)
    if is_out:
        mark(index, ply, SKIPPED, work)
    return is_out


@inlined
def reduction(stand, depth, tried, score, held):
    """How many plies less deep a late move is searched; `held` of them are not."""
    row = min(depth, TABLE_SIDE - 1) * TABLE_SIDE
    less = np.int64(REDUCTIONS[row + min(tried, TABLE_SIDE - 1)])
    less += 1 - stand.is_improving - held
    if abs(score) <= MOST_HISTORY:
        less -= score // (MOST_HISTORY // 2)
    return max(0, min(less, depth - 2))


@inlined
def is_among(places, count, place):
    """Whether a position is the image of one that was reached by an earlier move."""
    found = False
    for index in range(count):
        found |= places[index] == place
    return found


@compiled
def node(state, place, depth, alpha, beta, ply, evaluator, work):  # noqa: C901
    """The value of `state` for its mover: exact inside (alpha, beta), else a bound.

    `place` is its key in the table, which need not be known at the horizon.
    """
    if not enter(work):
        return 0
    later = ply + 1
    work.length[ply] = ply
    result = outcome(state)
    if result != ONGOING:
        return counted_leaf(state, result, ply, evaluator, work)
    guesses = work.is_exact == 0
    is_driven = guesses and must_respond(state)
    if is_driven and ply < 2 * work.root_depth:
        depth += 1
    if depth <= 0 or ply >= MAX_DEPTH:
        if guesses and has_tactical_moves(state):
            return settle(state, alpha, beta, ply, evaluator, work)
        return counted_leaf(state, result, ply, evaluator, work)
    here = key(state)
    if place == NOWHERE:
        place = here
    player = mover(state)
    if ply > 0 and work.has_draws and is_repeated(work, here, ply):
        return -work.contempt if player == work.player else work.contempt
    is_open = beta - alpha > 1
    entry = find(work, place)
    value = from_root(entry.value, ply)
    if ply > 0 and not is_open and is_answer(entry, value, depth, alpha, beta, work):
        work.hits += 1
        return value
    stand = Stand(False, NO_OPINION, False, 1)
    if guesses and work.unit > 0 and not is_driven:
        stand = stand_of(state, entry, alpha, beta, ply, evaluator, work)
    work.opinions[ply] = stand.opinion
    step_on(work, here, ply)
    if stand.counts and ply > 0 and not is_open and abs(beta) < MAX_EVALUATION:
        if is_plenty(stand, depth, beta, work):
            step_back(work, here)
            return stand.opinion
        may_skip = has_null_move(state) and depth >= 3 and work.played[ply - 1] != NO_MOVE
        if may_skip and stand.opinion >= beta:
            child = null_move(state)
            if mover(child) != player:
                work.played[ply] = NO_MOVE
                target = key(child)
                rest = null_move_depth(stand, depth, beta, work)
                value = -node(child, target, rest, -beta, 1 - beta, later, evaluator, work)
                if work.is_stopped or value >= beta:
                    step_back(work, here)
                    return min(value, MAX_EVALUATION)
    hint = entry.move if ply > 0 or work.first == NO_MOVE else work.first
    if guesses and work.table != 0 and hint == NO_MOVE and depth >= 4:
        depth -= 1
    moves = legal_moves(state)
    if len(moves) == 0:
        get_stuck(work, ply)
    places, kinds = (np.empty(len(moves), np.int64) if has_symmetries(state) else moves), 0
    known = index_of(moves, hint)
    sorts = SORTED if depth > 1 else SORTED_LAST
    best, chosen, lowest = -INFINITY, NO_MOVE, alpha
    shares = work.marks != 0 and depth >= SHARED_DEPTH
    delayed = 0
    for turn in range(2 * len(moves)):
        tried = turn - delayed
        if tried == len(moves):
            break
        index, score = known, FROM_TABLE
        if turn > 0 or known < 0:
            if turn == 0 or (turn == 1 and known >= 0):
                score_moves(state, moves, player, known, ply, work)
            index, score = next_move(state, moves, tried, sorts, ply, work)
        if index < 0:
            break
        move = moves[index]
        rank = turn
        if shares and turn > 0 and index < MOST_SCORED:
            rank, score = rank_and_score(index, score, turn, ply, work)
            if rank == turn and is_busy(work, place, move):
                put_off(index, score, rank, ply, work)
                delayed += 1
                continue
        is_late = guesses and score < NOISY // 2 and rank > 0 and not is_driven
        may_leave = is_late and stand.counts and ply > 0 and best > -MAX_EVALUATION
        seen = (rank, depth, alpha, ply)
        if may_leave and is_left_out(state, moves, index, score, seen, stand, work):
            continue
        child = play(state, move)
        target = place_of(child, depth - 1, work) if depth > 1 else NOWHERE
        if has_symmetries(state) and 0 < work.symmetry < depth:
            if is_among(places, kinds, target):
                continue
            places[kinds] = target
            kinds += 1
        if depth > 1:
            expect(work, target)
        sign = 1 if mover(child) == player else -1
        less = 0
        if is_late and depth >= 3 and rank >= 2 + is_open:
            less = reduction(stand, depth, rank, score, is_open + threatens(state, move))
        work.played[ply] = move
        is_wide = tried == 0
        if shares:
            begin(work, place, move)
        while True:
            top = beta if is_wide else alpha + 1
            low, high = (alpha, top) if sign == 1 else (-top, -alpha)
            value = sign * node(child, target, depth - 1 - less, low, high, later, evaluator, work)
            if work.is_stopped or value <= alpha or (less == 0 and (is_wide or value >= beta)):
                break
            is_wide = less == 0
            less = 0
        if shares:
            end(work, place, move)
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best = value
            if value > alpha:
                chosen = move
                remember(work, ply, move)
                alpha = value
                if alpha >= beta:
                    work.cutoffs += 1
                    learn(state, moves, index, tried, depth, ply, work)
                    break
    step_back(work, here)
    if not work.is_stopped:
        opinion = stand.opinion if stand.is_exact else NO_OPINION
        bound = bound_of(best, lowest, beta)
        keep(work, place, Entry(bound, depth, from_here(best, ply), chosen, opinion))
    return best
