"""Minimax to a fixed depth (von Neumann 1928; Shannon 1950): every line, nothing is cut."""

from dataclasses import dataclass
from typing import Any

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import evaluate_leaf
from plies.search.limits import check_limits, checked_budget
from plies.search.search import Search
from plies.search.task import Task
from plies.search.ties import Choice, TiedMoves
from plies.search.workspace import ROOT, enter, moves_at, new_workspace, save_line


@compiled
def minimax(state, depth, ply, evaluator, work):
    """The value of `state`, for its mover, when both play best for `depth` plies.

    Of equally good moves the first is taken.  When `work.is_stopped` the value
    covers only the moves that were finished.
    """
    if not enter(work, ply):
        return 0
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    best = -INFINITY
    player = mover(state)
    for move in moves_at(state, ply, work):
        child = play(state, move)
        value = minimax(child, depth - 1, ply + 1, evaluator, work)
        # Turns need not alternate: the sign changes only with the mover.
        if mover(child) != player:
            value = -value
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best = value
            save_line(work, ply, move)
    return best


@dataclass(frozen=True)
class Minimax(Search):
    """Full search of every line, `depth` plies deep; no cuts."""

    depth: int = 3
    eval: str = ""
    nodes: int = 0
    choice: Choice = "first"

    def __post_init__(self) -> None:
        check_limits(self)

    def decide(self, task: Task) -> Decision:
        return minimax_root(task, self.nodes, self.choice).decide(task, self.depth)


def minimax_root(task: Task, nodes: int, choice: Choice) -> TiedMoves:
    """The root of minimax, for `deepening` as well."""
    work = new_workspace(checked_budget(nodes))

    def search_child(child: Any, depth: int, alpha: int, beta: int) -> Any:
        return minimax(child, depth, ROOT + 1, task.evaluator, work)

    return TiedMoves(task.state, search_child, work, choice)
