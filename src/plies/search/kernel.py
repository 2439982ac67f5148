"""What a search of your own is written with.

A kernel is a compiled function `kernel(state, depth, alpha, beta, ply, evaluator, work)` that
answers the value of `state` for its mover: exact inside the window (alpha, beta), a bound
outside.  It is written with the verbs of `plies.core`, so the compiler specialises it to every
game, and calls itself one ply further; `task.best_by(kernel, depth)` calls it for every move of
the root.  `docs/write-your-own-search.md` has a whole one.

    enter(work, ply)        count a node; False once the search must stop: answer anything
    evaluate_leaf(state, result, ply, evaluator, work)
                            the value of a node without children: the game is over with this
                            `outcome`, or ONGOING at the horizon, where the evaluator decides
    save_line(work, ply, move)
                            the best line from here is this move and the child's best line
    work.cutoffs += 1       count a node whose remaining moves need no search
    work.is_stopped         whether a child was stopped: its value means nothing, leave at once

A search that writes down more extends the workspace and runs its kernel itself:

    extended, new_workspace   a record with fields of your own besides
    deepen, limits_of         iterative deepening within the limits of a task
    check_limits              check the options depth, nodes, seconds and table
    UNLIMITED, MAX_DEPTH      a budget without an end; the last ply that the record has room for

The searches of the package are written with the same functions: read `plies.search.minimax`.
"""

from plies.search.deepening import deepen, limits_of
from plies.search.leaf import evaluate_leaf
from plies.search.limits import check_limits
from plies.search.ordering import OPEN as INFINITY
from plies.search.workspace import (
    MAX_DEPTH,
    UNLIMITED,
    enter,
    extended,
    new_workspace,
    save_line,
)

__all__ = [
    "INFINITY",
    "MAX_DEPTH",
    "UNLIMITED",
    "check_limits",
    "deepen",
    "enter",
    "evaluate_leaf",
    "extended",
    "limits_of",
    "new_workspace",
    "save_line",
]
