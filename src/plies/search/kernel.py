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

The searches of the package are written with the same functions: read `plies.search.minimax`.
"""

from plies.search.leaf import evaluate_leaf
from plies.search.ordering import OPEN as INFINITY
from plies.search.workspace import enter, save_line

__all__ = ["INFINITY", "enter", "evaluate_leaf", "save_line"]
