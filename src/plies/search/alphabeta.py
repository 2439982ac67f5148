"""Alpha-beta to a fixed depth, in the four kinds that textbooks mix up.

Two independent choices:

fail   what a node answers when its value lies outside the window (alpha, beta):
       `soft` the bound it has proven, which may lie outside the window;
       `hard` the nearer end of the window.
cut    when a node stops looking: `equal` as soon as alpha >= beta, `beyond` only
       when alpha > beta.  `beyond` proves more equal moves and costs more nodes.

Whatever the choice, the value at the root is the minimax value and the move is
the first of the best moves.  With `hard` and `beyond` together a child's answer
never exceeds beta, so that only leaves cut.
"""

from typing import Any, Literal

from plies.core.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import legal_moves, mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import leaf_value
from plies.search.runner import StopFlag, decide
from plies.search.workspace import enter, get_stuck, remember

Fail = Literal["soft", "hard"]
Cut = Literal["equal", "beyond"]


@compiled
def alphabeta(state, depth, alpha, beta, ply, kind, evaluator, work):
    """The value of `state` for its mover, exact inside (alpha, beta), else a bound.

    `kind` is (is_hard, margin): a node is cut when alpha >= beta + margin, so
    margin 0 cuts on equality and margin 1 only beyond it.
    """
    if not enter(work):
        return 0
    work.length[ply] = ply
    result = outcome(state)
    if result != ONGOING or depth == 0:
        work.leaves += 1
        return leaf_value(state, result, ply, evaluator)
    is_hard, margin = kind
    best = alpha if is_hard else -INFINITY
    player = mover(state)
    moves = legal_moves(state)
    if len(moves) == 0:
        get_stuck(work, ply)
    for move in moves:
        child = play(state, move)
        if mover(child) == player:
            value = alphabeta(child, depth - 1, alpha, beta, ply + 1, kind, evaluator, work)
        else:
            value = -alphabeta(child, depth - 1, -beta, -alpha, ply + 1, kind, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best = value
            remember(work, ply, move)
            alpha = max(alpha, value)
            if alpha >= beta + margin:
                work.cutoffs += 1
                break
    return min(best, beta) if is_hard else best


def search(
    state: Any,
    depth: int,
    evaluator: Any,
    fail: Fail = "soft",
    cut: Cut = "equal",
    nodes: int = 0,
    stop: StopFlag | None = None,
) -> Decision:
    """The best move by alpha-beta."""
    kind = (int(fail == "hard"), int(cut == "beyond"))
    arguments = (-INFINITY, INFINITY, 0, kind, evaluator)
    return decide(alphabeta, *arguments, state=state, depth=depth, nodes=nodes, stop=stop)
