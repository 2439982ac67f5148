"""Running a kernel so that it can be stopped.

Compiled code hears neither Ctrl-C nor a clock.  So it runs in a thread of its
own, which releases the interpreter lock, while the caller waits and passes a
request to stop on to the workspace.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from plies.core import verbs
from plies.core.errors import BadSpec
from plies.core.scores import INFINITY
from plies.search.decision import Decision
from plies.search.workspace import MAX_DEPTH, UNLIMITED, best_line, new_workspace

POLL_SECONDS = 0.05


class StopFlag:
    """Lets another thread stop a search: hand it to the search, then call `stop`."""

    def __init__(self) -> None:
        self._works: list[np.record] = []
        self.is_set = False

    def watch(self, work: np.record) -> None:
        """Stop this search too when `stop` is called (at once if it already was)."""
        self._works.append(work)
        if self.is_set:
            work.budget = 0

    def stop(self) -> None:
        self.is_set = True
        for work in self._works:
            work.budget = 0


def run(kernel: Callable[..., Any], *arguments: Any, work: np.record) -> Any:
    """`kernel(*arguments, work)`; Ctrl-C stops the kernel and is raised again."""
    if threading.current_thread() is not threading.main_thread():
        return kernel(*arguments, work)  # only the main thread hears Ctrl-C
    answer: list[Any] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            answer.append(kernel(*arguments, work))
        except BaseException as error:  # carried over to the caller's thread
            failure.append(error)

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(POLL_SECONDS)
    except KeyboardInterrupt:
        work.budget = 0
        thread.join(1.0)
        raise
    if failure:
        raise failure[0]
    return answer[0]


def decide(
    kernel: Callable[..., Any],
    *arguments: Any,
    state: Any,
    depth: int,
    nodes: int = 0,
    stop: StopFlag | None = None,
) -> Decision:
    """Run a fixed-depth kernel on `state` and tell what it found.

    `nodes` limits the positions entered, 0 means no limit.  A search that is
    stopped before it has finished a single move answers with the first legal one.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise BadSpec(f"depth is 1 to {MAX_DEPTH}, not {depth}")
    if nodes < 0:
        raise BadSpec(f"nodes is 0 (no limit) or more, not {nodes}")
    work = new_workspace(nodes or UNLIMITED)
    if stop is not None:
        stop.watch(work)
    wall, cpu = time.perf_counter(), time.process_time()
    value = int(run(kernel, state, depth, *arguments, work=work))
    line = best_line(work) or (int(verbs.legal_moves(state)[0]),)
    return Decision(
        move=line[0],
        value=value if abs(value) < INFINITY else None,
        depth=depth,
        nodes=int(work.nodes),
        seconds=time.perf_counter() - wall,
        line=line,
        leaves=int(work.leaves),
        cutoffs=int(work.cutoffs),
        cpu_seconds=time.process_time() - cpu,
        is_complete=not work.is_stopped,
    )
