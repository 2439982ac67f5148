"""Solving a position: alpha-beta, deeper and deeper, until going deeper can change nothing.

The horizon counts as 0, and a node's value is *final* when it does not rest on the horizon, so
that a search of any depth would have the same value.

* A leaf of the game is final, the horizon is not.
* Where a child makes a cut, it is enough that this child is final.
* Otherwise all children must be final.
* A win or a loss no farther away than the depth is final: a nearer one would have been seen,
  and the horizon never counts as won or lost.

Final values serve searches of every depth through the table.  When the root is final the game
is solved from there: the value is exact, a win is the fastest against the longest resistance,
and a loss the slowest.

Only the state counts, no rule of matches such as a draw by repetition.  Wins and losses are
proven in games whose play can go round in circles as well, but not that such a game goes on
for ever: the search then gets deeper until a limit ends it, and decides nothing.  Positions
are told apart by their `canonical_key` (one for all symmetric images); two with the same key
would be mistaken for each other.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.scores import INFINITY, ONGOING, WIN, is_decided
from plies.core.verbs import canonical_key, mover, outcome, play
from plies.search.decision import Decision, Depth
from plies.search.deepening import limits_of
from plies.search.leaf import final_value
from plies.search.limits import check_limits, checked_budget
from plies.search.ordering import put_first
from plies.search.runner import Stopwatch, make_decision, run_timed
from plies.search.search import Search
from plies.search.table import NO_EVAL, NO_MOVE, Entry, bound_of, is_cutoff, probe, store, table_in
from plies.search.task import Task
from plies.search.workspace import (
    MAX_DEPTH,
    ROOT,
    best_line,
    enter,
    extended,
    moves_at,
    new_workspace,
    save_line,
)

FINAL = 255  # as the depth of an entry: more than any search has
# is_final: by ply, whether the value that was returned last is final
SOLVING = extended([("is_final", np.int64, (MAX_DEPTH + 2,))])


@compiled
def solve(state, depth, alpha, beta, ply, work):
    """The value of `state` for its mover, exact inside (alpha, beta), else a bound.

    `work.is_final[ply]` says whether a search of any depth would have this value.
    """
    if not enter(work, ply):
        return 0
    result = outcome(state)
    # The end of the game is final, the horizon is not.
    if result != ONGOING or depth == 0:
        work.leaves += 1
        work.is_final[ply] = result != ONGOING
        return final_value(state, result, ply) if result != ONGOING else 0
    table_key = canonical_key(state)
    entry = probe(work, table_key, ply)
    if entry.depth >= depth and ply != ROOT and is_cutoff(entry, alpha, beta):
        work.hits += 1
        work.is_final[ply] = entry.depth == FINAL
        return entry.value
    moves = moves_at(state, ply, work).copy()  # the game may need its own array
    put_first(moves, entry.move)
    low, best, best_move = alpha, -INFINITY, NO_MOVE
    player = mover(state)
    is_final = 1
    for move in moves:
        child = play(state, move)
        if mover(child) == player:
            value = solve(child, depth - 1, alpha, beta, ply + 1, work)
        else:
            value = -solve(child, depth - 1, -beta, -alpha, ply + 1, work)
        if work.is_stopped:
            work.path[ply] = move
            return best
        is_final &= work.is_final[ply + 1]
        if value > best:
            best, best_move = value, move
            save_line(work, ply, move)
            alpha = max(alpha, value)
            if alpha >= beta:
                work.cutoffs += 1
                is_final = work.is_final[ply + 1]  # a cut rests on this child alone
                break
    # A win or loss within the depth: a nearer one would have been found.
    if is_decided(best) and WIN - abs(best) - ply <= depth:
        is_final = 1
    work.is_final[ply] = is_final
    table_depth = FINAL if is_final else depth
    bound = bound_of(best, low, beta)
    store(work, table_key, ply, Entry(bound, table_depth, best, best_move, NO_EVAL))
    return best


@dataclass
class Solving:
    """A search for a solution; `history` holds the finished depths.

    `line` is played out to the end once the position is solved.
    """

    state: Any
    max_depth: int
    work: np.record
    history: list[Depth]
    watch: Stopwatch = field(default_factory=Stopwatch)
    is_solved: bool = False
    line: tuple[int, ...] = ()

    def run(self) -> None:
        self.watch = Stopwatch()
        self.is_solved = self._deepen(self.state, self.history)
        self.line = self.history[-1].line if self.history else ()
        if self.is_solved:
            self._play_out()

    def _deepen(self, state: Any, history: list[Depth]) -> bool:
        """Search deeper until the position is solved, if it can be."""
        for depth in range(1, self.max_depth + 1):
            value = int(solve(state, depth, -INFINITY, INFINITY, ROOT, self.work))
            if self.work.is_stopped:
                return False
            line, nodes = best_line(self.work), int(self.work.nodes)
            history.append(Depth(depth, line[0], value, line, nodes, self.watch.seconds))
            if self.work.is_final[ROOT]:
                return True
        return False

    def _play_out(self) -> None:
        """Complete the line, which the table cuts short, by solving the positions after it.

        Best play for a draw may go round in a circle, so that the line has a longest length.
        """
        state, line = self.state, self.line
        self.line = ()
        while line and len(self.line) < MAX_DEPTH:
            self.line += line
            for move in line:
                state = verbs.play(state, move)
            history: list[Depth] = []
            is_over = verbs.outcome(state) != ONGOING
            line = history[-1].line if not is_over and self._deepen(state, history) else ()


@dataclass(frozen=True)
class Solve(Search):
    """Alpha-beta with iterative deepening until the position is solved (table size in MB);
    `is_complete` says whether it is.
    """

    table: int = 64
    depth: int = MAX_DEPTH
    seconds: float = 0.0
    nodes: int = 0

    def __post_init__(self) -> None:
        check_limits(self)

    def decide(self, task: Task) -> Decision:
        work = new_workspace(checked_budget(self.nodes), SOLVING)
        table = table_in(task.memory, self.table)
        table.connect(work)
        history: list[Depth] = []
        search = Solving(task.state, self.depth, work, history)
        seconds = limits_of(task, self.depth, self.seconds).hard
        watch = run_timed(task, [search.run], [work], seconds, history)
        if not history:
            return make_decision(task.state, 0, 0, [work], watch)
        last = history[-1]
        decision = make_decision(task.state, last.value, last.depth, [work], watch)
        return replace(
            decision,
            move=last.move,
            value=last.value,
            line=search.line,
            is_complete=search.is_solved,
            history=tuple(history),
        )
