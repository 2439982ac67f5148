"""Running a search for a proof: only a proof or a limit ends it."""

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from plies.search.decision import Depth
from plies.search.deepening import limits_of
from plies.search.runner import Stopwatch, compile_first, run_all
from plies.search.task import Task, progress_report
from plies.search.workspace import MAX_DEPTH


def run_proof(
    task: Task, search: Callable[[], Any], work: np.record, seconds: float, history: list[Depth]
) -> Stopwatch:
    """Let `search`, which counts in `work`, run for at most n seconds (0: no limit).

    The time begins when the compiler has finished; `history` goes into progress reports.
    """
    compile_first(search, work, task.stop)
    history.clear()
    watch = Stopwatch()
    hard = limits_of(task, depth=MAX_DEPTH, seconds=seconds).hard
    deadline = watch.wall + hard if hard < inf else None
    run_all([search], [work], task.stop, deadline, progress_report(task, watch, [work], history))
    return watch
