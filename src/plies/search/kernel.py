"""What a search of your own is written with.

A kernel is a compiled function `kernel(state, depth, alpha, beta, ply, evaluator, work)` that
answers the value of `state` for its mover: exact inside the window (alpha, beta), a bound
outside.  It is written with the verbs of `plies.core`, so the compiler specialises it to every
game, and calls itself one ply further; `task.best_by(kernel, depth)` calls it for every move of
the root.  `docs/write-your-own-search.md` has a whole one.

    enter(work, ply)        count a node; False once the search must stop: answer anything
    leaf_value(state, result, ply, evaluator, work)
                            the value of a node without children: the game is over with this
                            `outcome`, or ONGOING at the horizon, where the evaluator is asked
    save_line(work, ply, move)
                            the best line from here is this move and the child's best line
    cut_off(work)           count a node whose remaining moves need no search
    work.is_stopped         whether a child was stopped: its value means nothing, leave at once
    INFINITY                beyond every value
"""

from collections.abc import Callable
from typing import Any

from plies.compiling.compiler import compiled
from plies.errors import BadSpec
from plies.search.decision import Decision
from plies.search.deepening import deepen, limits_of
from plies.search.leaf import evaluate_leaf as leaf_value
from plies.search.limits import checked_budget, checked_depth, checked_seconds
from plies.search.ordering import OPEN as INFINITY
from plies.search.task import Task, decide_at_depth
from plies.search.ties import TiedMoves
from plies.search.workspace import ROOT, new_workspace, save_line
from plies.search.workspace import enter as enter_node

__all__ = ["INFINITY", "best_in_time", "best_move", "cut_off", "enter", "leaf_value", "save_line"]

Kernel = Callable[..., Any]


@compiled
def enter(work, ply):
    """Count one more node, with no line yet; False where the search must stop."""
    work.length[ply] = ply
    return enter_node(work)


@compiled
def cut_off(work):
    """Count a node whose remaining moves need no search."""
    work.cutoffs += 1


def best_move(task: Task, kernel: Kernel, depth: int, nodes: int = 0) -> Decision:
    """What `Task.best_by` answers."""
    root = _root(task, kernel, nodes)
    return decide_at_depth(
        lambda state, depth, work: root.search(depth),
        task=task,
        depth=checked_depth(depth),
        work=root.work,
    )


def best_in_time(
    task: Task, kernel: Kernel, seconds: float = 0.0, depth: int = 0, nodes: int = 0
) -> Decision:
    """What `Task.best_in_time` answers."""
    root = _root(task, kernel, nodes)
    limits = limits_of(task, checked_depth(depth, least=0), checked_seconds(seconds), nodes)
    return deepen(task, root.search, [root.work], limits)


def _root(task: Task, kernel: Kernel, nodes: int) -> TiedMoves:
    """The search of the root, which calls the kernel for every child.

    Each move is searched with a window that ends at the best value so far, and the value of a
    child counts the other way round only if the mover has changed.
    """
    work = new_workspace(checked_budget(nodes))

    def value_of(child: Any, depth: int, alpha: int, beta: int) -> Any:
        work.length[ROOT + 1] = ROOT + 1  # a kernel that saves no lines still answers a move
        value = kernel(child, depth, alpha, beta, ROOT + 1, task.evaluator, work)
        if not hasattr(value, "__index__"):
            raise BadSpec(f"the kernel answers {value!r}, not a whole number")
        return value

    return TiedMoves(task.state, value_of, work, slack=0)
