"""What the engine leaves out or searches less deep, and how it is measured.

Every rule here guesses, so none of them is used by a search that is `exact`.  Distances are
measured in the evaluator's `unit` (a small but clear advantage).
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.verbs import threatens
from plies.search.engine.ordering import LOSING, SKIPPED, set_score, skip_quiets
from plies.search.engine.quiescence import evaluate_within
from plies.search.engine.workspace import MAX_HISTORY, MAX_SCORED
from plies.search.table import NO_EVAL

TABLE_SIDE = 64
FAR = 6  # units: an evaluation that far outside the window need not be exact
# Plies by depth and move number.  The product of two logarithms is what most engines use.
REDUCTIONS = np.array(
    [
        0 if 0 in (depth, index) else int(0.7 + np.log(depth) * np.log(index) / 2.3)
        for depth in range(TABLE_SIDE)
        for index in range(TABLE_SIDE)
    ],
    np.int8,
)


class StaticEval(NamedTuple):
    """What a position is worth before its moves are looked at."""

    is_usable: bool  # False in check-like positions, in exact searches, and without a unit
    value: int
    is_exact: bool  # the evaluator's value, not only a bound
    is_improving: Any  # 1 or 0: whether the mover stands better than a turn ago


class LateMove(NamedTuple):
    """Where in the search a late move is tried: the `rank` counts the moves before it."""

    rank: int
    depth: int
    alpha: int
    ply: int


@inlined
def static_eval_of(state, entry, alpha, beta, ply, evaluator, work):
    """The static evaluation, from the table if it is there; far outside the window a bound."""
    value, is_exact, is_improving = entry.static_eval, True, 1
    if entry.bound == 0 or value == NO_EVAL:
        far = FAR * work.unit
        value, is_exact = evaluate_within(state, alpha - far, beta + far, evaluator, work)
    if ply >= 2:
        before = work.static_evals[ply - 2]
        is_improving = np.int64(before == NO_EVAL or value > before)
    return StaticEval(True, value, is_exact, is_improving)


@inlined
def is_reverse_futile(static, depth, beta, work):
    """Reverse futility pruning (static null move): is this so far above beta that, this near
    the horizon, no reply will bring it back?
    """
    margin = work.unit * 3 * (depth - static.is_improving) // 4
    return depth <= 6 and static.value - margin >= beta


@inlined
def null_move_depth(static, depth, beta, work):
    """How deep to search after a null move: the reduction grows with the depth (Heinz 1999,
    adaptive null-move pruning) and with the lead over beta.
    """
    return depth - 4 - depth // 4 - min((static.value - beta) // (2 * work.unit), 3)


@inlined
def is_futile(static, late, work):
    """Whether the quiet moves that are left are given up, near the horizon.

    Late move pruning (LMP): with a good order the best move is among the first ones tried.
    Futility pruning (Heinz 1998): even a quiet gain would not lift the evaluation to alpha.
    """
    depth = late.depth
    if depth > 7:
        return False
    if late.rank > (3 + depth * depth) // (2 - static.is_improving):
        return True
    return static.value + work.unit * (1 + depth) <= late.alpha


@compiled
def is_pruned(state, moves, index, score, late, static, work):
    """Whether a late move is not searched; skips all quiet ones at once where they are futile."""
    if threatens(state, moves[index]):
        is_out = False
    elif score < LOSING // 2:  # it loses material, and more than the depth could make up for
        is_out = late.depth <= 5 and score - LOSING < -work.unit * late.depth
    else:
        is_out = len(moves) <= MAX_SCORED and is_futile(static, late, work)
        if is_out:
            skip_quiets(state, moves, late.ply, work)
    if is_out:
        set_score(index, SKIPPED, late.ply, work)
    return is_out


@inlined
def late_move_reduction(static, depth, rank, score, exempt):
    """How many plies less deep a late move is searched, `exempt` plies fewer where it matters.

    With good ordering late moves rarely turn out best; the history says which ones might
    (LMR; Romstad, "An Introduction to Late Move Reductions").
    """
    row = min(depth, TABLE_SIDE - 1) * TABLE_SIDE
    reduction = np.int64(REDUCTIONS[row + min(rank, TABLE_SIDE - 1)])
    reduction += 1 - static.is_improving - exempt
    if abs(score) <= MAX_HISTORY:
        reduction -= score // (MAX_HISTORY // 2)
    return max(0, min(reduction, depth - 2))
