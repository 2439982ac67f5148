"""Paranoid search (Sturtevant & Korf 2000) to a fixed depth: all players against one.

The player to move at the root, the hero, maximises their own value; everybody else minimises
it.  That makes two sides of any number of players, so that deep alpha-beta cuts are valid
again.  With two players and values that sum to zero it is minimax.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import evaluate, mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import evaluation_for, result_for
from plies.search.limits import check_limits, checked_budget
from plies.search.runner import decide_at_depth
from plies.search.search import Search
from plies.search.task import Task
from plies.search.workspace import ROOT, enter, moves_at, new_workspace, save_line


class Sides(NamedTuple):
    """Who plays against all others, and how many players there are."""

    hero: int
    players: int


@compiled
def paranoid(state, depth, alpha, beta, ply, sides, evaluator, work):
    """The value of `state` for the hero, exact inside (alpha, beta), else a bound."""
    if not enter(work, ply):
        return 0
    hero, players = sides
    result = outcome(state)
    if result != ONGOING:
        work.leaves += 1
        return result_for(hero, state, result, ply)
    if depth == 0:
        work.leaves += 1
        work.evaluations += 1
        return evaluation_for(hero, state, evaluate(evaluator, state), players)
    side = 1 if mover(state) == hero else -1
    best = -INFINITY  # as the side to move sees it
    for move in moves_at(state, ply, work):
        child = play(state, move)
        value = side * paranoid(child, depth - 1, alpha, beta, ply + 1, sides, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best = value
            save_line(work, ply, move)
            if side == 1:
                alpha = max(alpha, best)
            else:
                beta = min(beta, -best)
            if alpha >= beta:
                work.cutoffs += 1
                break
    return side * best


@dataclass(frozen=True)
class Paranoid(Search):
    """Alpha-beta that expects all others to play against the mover, `depth` plies deep."""

    depth: int = 4
    eval: str = ""
    nodes: int = 0

    for_any_game: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_limits(self)

    def decide(self, task: Task) -> Decision:
        work = new_workspace(checked_budget(self.nodes))
        sides = Sides(int(mover(task.state)), task.players)

        def search_depth(depth: int) -> Any:
            window = (-INFINITY, INFINITY)
            return paranoid(task.state, depth, *window, ROOT, sides, task.evaluator, work)

        return decide_at_depth(task, search_depth, self.depth, work)
