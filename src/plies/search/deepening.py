"""Iterative deepening (Slate & Atkin 1977): one ply deeper again and again, until time is up.

`deepen` is the loop, for any search that goes to a given depth; the `deepening` agent is
alpha-beta in it, or minimax.  Each depth tries the best move of the one before first, so
that it cuts early, and there is an answer at any time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from plies.core.scores import INFINITY, WIN
from plies.errors import BadSpec
from plies.search.alphabeta import SOFT_AND_EQUAL, Prune, TablePruning, alphabeta_tt
from plies.search.clock import time_budget
from plies.search.decision import Decision, Depth
from plies.search.limits import check_limits, checked_budget
from plies.search.minimax import minimax_root
from plies.search.ordering import UNSORTED, Order, checked_look
from plies.search.runner import Stopwatch, make_decision, run_timed
from plies.search.search import Search
from plies.search.table import NO_MOVE, Table, table_in
from plies.search.task import Task
from plies.search.ties import Choice, TiedMoves
from plies.search.workspace import MAX_DEPTH, ROOT, best_line, new_workspace

MAX_SILENT = 3  # depths in a row without an evaluation: the game ends before the horizon
DEFAULT_SECONDS = 1.0  # of a search that nothing else would end
DEFAULT_TABLE = 16  # megabytes


@dataclass(frozen=True)
class Limits:
    """When a deepening search ends: no depth beyond `depth`, none begun after `soft` seconds,
    and everything stopped at `hard` seconds.
    """

    depth: int = MAX_DEPTH
    soft: float = inf
    hard: float = inf


def limits_of(task: Task, depth: int = 0, seconds: float = 0.0, nodes: int = 0) -> Limits:
    """What the options of a search and the player's clock allow together; 0 means no limit.

    Without any limit a search takes a second.
    """
    if not (depth or seconds or nodes or task.clock):
        seconds = DEFAULT_SECONDS
    soft = hard = seconds or inf
    if task.clock is not None:
        budget = time_budget(task.clock)
        soft, hard = min(soft, budget.soft), min(hard, budget.hard)
    return Limits(depth or MAX_DEPTH, soft, hard)


@dataclass
class Deepener:
    """The loop over the depths; `history` has one entry for every depth finished.

    `search_depth(depth)` searches the root that deep, the best move of the depth before
    first, counts in `work` and answers the value for the mover; its line is in `work`.

    `is_complete` is False while something remains to be searched within `limits.depth`.  A
    depth without a single evaluation shows that the game ends before the horizon, but not
    within the first `known` depths, whose values may come from the table of an earlier
    search.  `helpers` are the workspaces of further threads, which may evaluate instead.
    """

    search_depth: Callable[[int], Any]
    work: np.record
    limits: Limits
    known: int = 0
    helpers: Sequence[np.record] = ()
    watch: Stopwatch = field(default_factory=Stopwatch)
    history: list[Depth] = field(default_factory=list)
    value: int = 0  # of the depth that was begun last
    is_complete: bool = False

    def run(self) -> None:
        """Go deeper until a limit is reached or going deeper can change nothing."""
        self.watch = Stopwatch()
        silent = 0  # depths in a row without an evaluation
        for depth in range(1, self.limits.depth + 1):
            horizon_count, evaluations = self._horizon_count(), self._evaluations()
            self.value = int(self.search_depth(depth))
            if self.work.is_stopped:
                return
            line, seconds = best_line(self.work), self.watch.seconds
            nodes = int(self.work.nodes)
            self.history.append(Depth(depth, line[0], self.value, line, nodes, seconds))
            # Nothing evaluated, nothing from another search: all lines have come to an end.
            is_silent = self._evaluations() == evaluations and depth > self.known
            silent = silent + 1 if is_silent else 0
            is_exhausted = self._horizon_count() == horizon_count or silent == MAX_SILENT
            # Deeper searches cannot find a nearer win, nor a later loss.
            is_decided = WIN - abs(self.value) <= depth
            if is_decided or depth == self.limits.depth or is_exhausted:
                self.is_complete = True
                return
            if seconds >= self.limits.soft:
                return

    def _evaluations(self) -> int:
        return sum(int(work.evaluations) for work in (self.work, *self.helpers))

    def _horizon_count(self) -> int:
        """A number that grows when a search meets its horizon, or values of another search."""
        return int(self.work.evaluations) + int(self.work.hits)


def deepen(
    task: Task,
    search_depth: Callable[[int], Any],
    workspaces: Sequence[np.record],
    limits: Limits,
    helpers: Sequence[Callable[[], Any]] = (),
    table: Table | None = None,
) -> Decision:
    """Search deeper and deeper within limits, and decide.

    `search_depth` (see `Deepener`) counts in the first of `workspaces`; `helpers` run beside
    it, count in the others, and are stopped when it has finished; `table` is what they share.

    The answer is that of the last depth finished.  If the next one was stopped after another
    move had turned out better, that move is the answer: the old best move was searched
    first, so the new one is better by the deeper search.
    """
    known = 2 * table.deepest if table else 0
    loop = Deepener(search_depth, workspaces[0], limits, known, workspaces[1:])
    watch = run_timed(task, [loop.run, *helpers], workspaces, limits.hard, loop.history)
    decision = make_decision(task.state, loop.value, len(loop.history), workspaces, watch)
    if not loop.history:
        return decision
    last = loop.history[-1]
    if table is not None:
        table.deepest = max(table.deepest, last.depth)
    is_better = workspaces[0].is_stopped and decision.value is not None
    if not (is_better and decision.move != last.move):
        decision = replace(decision, move=last.move, value=last.value, line=last.line)
    return replace(decision, history=tuple(loop.history), is_complete=loop.is_complete)


@dataclass(frozen=True)
class Deepening(Search):
    """Alpha-beta with iterative deepening; limited by `depth`, `seconds`, `nodes` or the clock.

    With `prune=none` it is minimax, which visits every line of every depth: the counts are
    those of a textbook, so there is neither a table nor a sorting search.
    """

    depth: int = 0
    seconds: float = 0.0
    eval: str = ""
    nodes: int = 0
    table: int = DEFAULT_TABLE
    order: Order = "none"
    look: int = 0
    choice: Choice = "first"
    prune: Prune = "alphabeta"

    def __post_init__(self) -> None:
        check_limits(self)
        checked_look(self.look, "shallow" if self.prune == "none" else self.order)
        has_help = self.table not in (0, DEFAULT_TABLE) or self.order != "none" or self.look
        if self.prune == "none" and has_help:
            raise BadSpec(
                "deepening: prune=none searches every line, so that table, order and look"
                " have no use; leave them out"
            )

    def decide(self, task: Task) -> Decision:
        limits = limits_of(task, self.depth, self.seconds, self.nodes)
        if self.prune == "none":
            root = minimax_root(task, self.nodes, self.choice)
            return root.choose(deepen(task, root.search, [root.work], limits), task)
        work, table = new_workspace(checked_budget(self.nodes)), table_in(task.memory, self.table)
        table.connect(work)
        look = UNSORTED if self.order == "none" else self.look

        def search_child(child: Any, depth: int, alpha: int, beta: int) -> Any:
            pruning = TablePruning(*SOFT_AND_EQUAL, look, NO_MOVE)
            return alphabeta_tt(child, depth, alpha, beta, ROOT + 1, pruning, task.evaluator, work)

        def search_depth(depth: int) -> Any:
            (first_move,) = best_line(work)[:1] or (NO_MOVE,)
            pruning = TablePruning(*SOFT_AND_EQUAL, look, first_move)
            window = (-INFINITY, INFINITY)
            return alphabeta_tt(task.state, depth, *window, ROOT, pruning, task.evaluator, work)

        if self.choice == "first":
            return deepen(task, search_depth, [work], limits, table=table)
        root = TiedMoves(task.state, search_child, work)
        return root.choose(deepen(task, root.search, [work], limits, table=table), task)
