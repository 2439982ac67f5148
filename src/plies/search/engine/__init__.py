"""The engine: everything general that makes a search strong, for any game.

driver      windows around the expected value (aspiration, MTD(f))
pvs         principal variation search of one position, step by step
ordering    table move, captures, killers, history
pruning     futility, null move, late moves
quiescence  captures and the like beyond the horizon
sharing     which moves other threads are searching (ABDADA)
workspace   what all of this writes down

Iterative deepening is that of `plies.search.deepening`.  All threads search the same depths
and read each other's results in the table; the first one's answer counts.  With one thread
and a limit of nodes the same question has the same answer and the same count every time.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from plies.core.verbs import evaluators_of, key, mover
from plies.search.decision import Decision
from plies.search.deepening import deepen, limits_of
from plies.search.engine.driver import Driver
from plies.search.engine.pvs import pvs
from plies.search.engine.sharing import new_marks
from plies.search.engine.workspace import new_engine_workspace
from plies.search.limits import check_limits, checked_budget, checked_whole, share_of
from plies.search.search import Search
from plies.search.table import table_in
from plies.search.task import Task
from plies.search.workspace import ROOT

MAX_CONTEMPT = 1_000_000
SYMMETRY_DEPTH = 4  # nearer to the horizon finding an image costs more than searching it


@dataclass(frozen=True)
class Engine(Search):
    """Strongest search (alpha-beta with pruning); limited by `seconds`, `nodes`, `depth` or
    the clock, and by one second without any of them.

    With `exact` it does not prune by guessing: the value is that of minimax to the same depth.
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
        check_limits(self)
        checked_whole("contempt", self.contempt, -MAX_CONTEMPT, MAX_CONTEMPT)

    def decide(self, task: Task) -> Decision:
        table = table_in(task.memory, self.table)
        marks = new_marks()
        workspaces = [self._workspace(task, index) for index in range(self.threads)]
        for work in workspaces:
            table.connect(work)
            work.marks = marks.ctypes.data if self.threads > 1 else 0
        drivers = [self._driver(task, work, (table, marks)) for work in workspaces]
        helpers = [driver.deepen for driver in drivers[1:]]
        limits = limits_of(task, self.depth, self.seconds, self.nodes)
        return deepen(task, drivers[0].search, workspaces, limits, helpers, table)

    def _workspace(self, task: Task, index: int) -> np.record:
        """The workspace of one thread, with its share of the budget."""
        share = share_of(checked_budget(self.nodes), index, self.threads)
        work = new_engine_workspace(share, task.past)
        evaluator = evaluators_of[type(task.evaluator)]
        work.unit = evaluator.unit
        work.margin = evaluator.margin if evaluator.rough is not None else 0
        work.is_exact = int(self.exact)
        work.has_draws = int(not self.exact)
        work.root_player = int(mover(task.state))
        work.contempt = self.contempt
        work.symmetry_depth = SYMMETRY_DEPTH if self.symmetry else 0
        return work

    def _driver(self, task: Task, work: np.record, buffers: Any) -> Driver:
        root_key = int(key(task.state))

        def root_search(depth: int, alpha: int, beta: int) -> Any:
            return pvs(task.state, root_key, depth, alpha, beta, ROOT, task.evaluator, work)

        return Driver(root_search, work, self.root == "mtdf", buffers)
