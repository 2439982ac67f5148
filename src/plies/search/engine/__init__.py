"""The engine: everything general that makes a search strong, for any game.

Iterative deepening (`plies.search.deepening`) of a principal variation search (`node`)
with windows around the expected value (`driver`), a table, moves in a good order
(`ordering`), noisy moves played out (`quiescence`), and threads that share the work.

The threads search the same depths, each keeps away from what another is searching
(`sharing`), and what one finds the others read; the first one's answer counts.  With one
thread and a budget of nodes the same question has the same answer and the same count
every time.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from plies.core.verbs import evaluators_of, key, mover
from plies.search.decision import Decision
from plies.search.deepening import deepen, limits_of
from plies.search.engine.driver import Driver
from plies.search.engine.node import node
from plies.search.engine.sharing import new_marks
from plies.search.engine.work import new_engine_work
from plies.search.limits import (
    checked_budget,
    checked_depth,
    checked_seconds,
    checked_table,
    checked_threads,
    checked_whole,
    share_of,
)
from plies.search.search import Search
from plies.search.table import table_in
from plies.search.task import Task
from plies.search.workspace import MAX_DEPTH, ROOT

MAX_CONTEMPT = 1_000_000
SYMMETRY_DEPTH = 4  # nearer to the horizon it costs more to see an image than to search it


@dataclass(frozen=True)
class Engine(Search):
    """The strongest search: as deep as `seconds`, `nodes`, `depth` or the clock allow.

    With `exact` nothing is guessed: its value is that of minimax to the same depth.
    `contempt` is how much worse than a draw a repeated position is to it, as evaluators count.
    """

    seconds: float = 0.0
    depth: int = 0
    nodes: int = 0
    eval: str = ""
    table: int = 64
    threads: int = 1
    root: Literal["aspiration", "mtdf"] = "aspiration"
    exact: bool = False
    symmetry: bool = True
    contempt: int = 0

    def __post_init__(self) -> None:
        checked_seconds(self.seconds)
        checked_depth(self.depth, least=0)
        checked_budget(self.nodes)
        checked_table(self.table)
        checked_threads(self.threads)
        checked_whole("contempt", self.contempt, -MAX_CONTEMPT, MAX_CONTEMPT)

    def decide(self, task: Task) -> Decision:
        table = table_in(task.memory, self.table)
        marks = new_marks()
        works = [self._work(task, index) for index in range(self.threads)]
        for work in works:
            table.connect(work)
            work.marks = marks.ctypes.data if self.threads > 1 else 0
        drivers = [self._driver(task, work, (table, marks)) for work in works]
        helpers = [_helper(driver) for driver in drivers[1:]]
        limits = limits_of(task, self.depth, self.seconds, self.nodes)
        return deepen(task, drivers[0].search, works, limits, helpers, table)

    def _work(self, task: Task, index: int) -> np.record:
        """For one of the threads, which share the budget."""
        share = share_of(checked_budget(self.nodes), index, self.threads)
        work = new_engine_work(share, task.past)
        opinion = evaluators_of[type(task.evaluator)]
        work.unit = opinion.unit
        work.margin = opinion.margin if opinion.rough is not None else 0
        work.is_exact = int(self.exact)
        work.has_draws = int(not self.exact)
        work.player = int(mover(task.state))
        work.contempt = self.contempt
        work.symmetry = SYMMETRY_DEPTH if self.symmetry else 0
        return work

    def _driver(self, task: Task, work: np.record, kept: Any) -> Driver:
        place = int(key(task.state))

        def ask(depth: int, alpha: int, beta: int) -> Any:
            return node(task.state, place, depth, alpha, beta, ROOT, task.evaluator, work)

        return Driver(ask, work, self.root == "mtdf", kept)


def _helper(driver: Driver) -> Any:
    """Deepens until it is stopped."""

    def run() -> None:
        for depth in range(1, MAX_DEPTH + 1):
            driver.search(depth)
            if driver.work.is_stopped:
                return

    return run
