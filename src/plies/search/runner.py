"""Running a kernel so that it can be stopped.

Compiled code hears neither Ctrl-C nor a clock.  So it runs in a thread of its
own, which releases the interpreter lock, while the caller waits and passes a
request to stop on to the workspace.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from plies.core import verbs
from plies.core.errors import BadGame
from plies.search.decision import Decision
from plies.search.limits import checked_budget, checked_depth
from plies.search.workspace import best_line, new_workspace

POLL_SECONDS = 0.05


class NoLegalMove(BadGame):
    """The rules of a game are broken: `state` is not over and has no legal move."""

    def __init__(self, state: Any):
        super().__init__(f"{state!r} has no legal move although the game goes on")
        self.state = state


class StopFlag:
    """Lets another thread stop a search: hand it to the search, then call `stop`."""

    def __init__(self) -> None:
        self._works: dict[int, np.record] = {}  # of the searches that run now, by id
        self.is_set = False

    @contextmanager
    def watching(self, work: np.record) -> Iterator[None]:
        """Meanwhile `stop` stops this search too (at once if it was called before)."""
        self._works[id(work)] = work
        if self.is_set:
            work.budget = 0
        try:
            yield
        finally:
            del self._works[id(work)]

    def stop(self) -> None:
        self.is_set = True
        for work in list(self._works.values()):
            work.budget = 0


def run(
    kernel: Callable[..., Any], *arguments: Any, work: np.record, stop: StopFlag | None = None
) -> Any:
    """`kernel(*arguments, work)`; Ctrl-C stops the kernel and is raised again."""
    call = partial(kernel, *arguments, work)
    with (stop or StopFlag()).watching(work):
        if threading.current_thread() is threading.main_thread():
            return _run_in_thread(call, work)
        return call()  # only the main thread hears Ctrl-C


def _run_in_thread(call: Callable[[], Any], work: np.record) -> Any:
    answer: list[Any] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            answer.append(call())
        except BaseException as error:  # carried over to the caller's thread
            failure.append(error)

    thread = threading.Thread(target=target, daemon=True)
    try:
        thread.start()
        while thread.is_alive():
            thread.join(POLL_SECONDS)
    except KeyboardInterrupt:
        work.budget = 0
        if thread.is_alive():
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
    stopped before it has finished a single move answers with the first legal one
    and no value.
    """
    depth = checked_depth(depth)
    work = new_workspace(checked_budget(nodes))
    wall, cpu = time.perf_counter(), time.process_time()
    value = int(run(kernel, state, depth, *arguments, work=work, stop=stop))
    if work.stuck >= 0:
        raise NoLegalMove(_state_after(state, work.path[: work.stuck]))
    finished = best_line(work)
    line = finished or _first_move(state)
    return Decision(
        move=line[0],
        value=value if finished else None,
        depth=depth,
        nodes=int(work.nodes),
        seconds=time.perf_counter() - wall,
        line=line,
        leaves=int(work.leaves),
        cutoffs=int(work.cutoffs),
        cpu_seconds=time.process_time() - cpu,
        is_complete=not work.is_stopped,
    )


def _state_after(state: Any, moves: np.ndarray) -> Any:
    for move in moves:
        state = verbs.play(state, int(move))
    return state


def _first_move(state: Any) -> tuple[int]:
    """What a search that has finished nothing plays."""
    moves = verbs.legal_moves(state)
    if len(moves) == 0:
        raise NoLegalMove(state)
    return (int(moves[0]),)
