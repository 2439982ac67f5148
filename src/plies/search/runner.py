"""Running searches so that they can be stopped.

Compiled code hears neither Ctrl-C nor a clock.  So it runs in threads of its own, which
release the interpreter lock, while the caller waits and passes a request to stop on to the
workspaces.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from plies.compiling import compile_time
from plies.compiling.interrupts import cancel
from plies.core import verbs
from plies.errors import BadGame
from plies.search.decision import Decision, Depth
from plies.search.workspace import best_line

if TYPE_CHECKING:
    from plies.search.task import Task

POLL_SECONDS = 0.01  # Ctrl-C just before a wait begins is heard only after it
REPORT_SECONDS = 0.05
PATIENCE_SECONDS = 1.0  # with a thread that is to stop; longer parts of the compiler are left


class NoLegalMove(BadGame):
    """The rules of a game are broken: `state` is not over and has no legal move."""

    def __init__(self, state: Any):
        super().__init__(f"{state!r} has no legal move although the game goes on")
        self.state = state


class Interrupted(KeyboardInterrupt):
    """Ctrl-C came while an agent was thinking; `decision` is what it had by then."""

    def __init__(self, decision: Decision):
        super().__init__()
        self.decision = decision


class StopFlag:
    """Lets another thread stop a search: hand it to the search, then call `stop`."""

    def __init__(self) -> None:
        self._workspaces: dict[int, np.record] = {}  # of the searches that run now, by id
        self.is_set = False
        self.was_interrupted = False  # by Ctrl-C

    @contextmanager
    def watching(self, *workspaces: np.record) -> Iterator[None]:
        """Within this context `stop` stops these searches (at once if it was called before)."""
        self._workspaces.update({id(work): work for work in workspaces})
        if self.is_set:
            self.stop()
        try:
            yield
        finally:
            for work in workspaces:
                del self._workspaces[id(work)]

    def stop(self) -> None:
        self.is_set = True
        for work in list(self._workspaces.values()):
            work.budget = 0


def run(
    kernel: Callable[..., Any], *arguments: Any, work: np.record, stop: StopFlag | None = None
) -> Any:
    """`kernel(*arguments, work)`; Ctrl-C stops it and is raised again."""
    stop = stop or StopFlag()
    (answer,) = run_all([partial(kernel, *arguments, work)], [work], stop)
    if stop.was_interrupted:
        raise KeyboardInterrupt
    return answer


def run_all(
    calls: Sequence[Callable[[], Any]],
    workspaces: Sequence[np.record],
    stop: StopFlag,
    deadline: float | None = None,
    on_poll: Callable[[], None] | None = None,
) -> list[Any]:
    """The answers of calls that run side by side and count in `workspaces`.

    When the first has answered the others are stopped.  All are stopped at `deadline` (by
    `time.perf_counter`; later by what the compiler takes), by `stop`, and by Ctrl-C, which is
    noted in `stop`; each then answers with what it has.  `on_poll` is called now and then while
    they run.
    """
    # One call without a deadline needs no thread, where no Ctrl-C can come.
    is_alone = len(calls) == 1 and deadline is None and on_poll is None
    watch = Stopwatch()
    seconds = inf if deadline is None else deadline - watch.wall
    with stop.watching(*workspaces):
        if is_alone and threading.current_thread() is not threading.main_thread():
            return [calls[0]()]  # only the main thread hears Ctrl-C
        threads = [_Call(call) for call in calls]
        try:
            for thread in threads:
                thread.start()
            _wait(threads, workspaces, watch, seconds, on_poll)
        except KeyboardInterrupt:
            stop.was_interrupted = True
            stop.stop()
            ended = [thread.is_done_soon() for thread in threads]
            if not all(ended):
                raise
        except BaseException:
            _stop(workspaces)
            for thread in threads:
                thread.is_done_soon()
            raise
    return [thread.answer() for thread in threads]


class _Call(threading.Thread):
    """A call in a thread of its own, in its caller's context, with its answer or its error.

    When it waits for the compiler, so does the thread that began it.
    """

    def __init__(self, call: Callable[[], Any]):
        super().__init__(daemon=True)
        self.call = partial(copy_context().run, call)
        self.compile_time = compile_time.of_this_thread()
        self.result: Any = None
        self.error: BaseException | None = None
        # Waited for instead of `join`, which takes a thread for finished when Ctrl-C comes.
        self.done = threading.Event()

    def run(self) -> None:
        try:
            with compile_time.counting_into(self.compile_time):
                self.result = self.call()
        except BaseException as error:  # carried over to the caller's thread
            self.error = error
        finally:
            self.done.set()

    def is_done_soon(self) -> bool:
        """Whether it ends now that it is to stop; False if it never began.

        One that compiles ends before the compiler's next pass.
        """
        cancel(self)
        return self.ident is not None and self.done.wait(PATIENCE_SECONDS)

    def answer(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.result


def _wait(
    threads: Sequence[_Call],
    workspaces: Sequence[np.record],
    watch: "Stopwatch",
    seconds: float,
    on_poll: Callable[[], None] | None,
) -> None:
    reported = time.perf_counter()
    while not threads[0].done.is_set():
        threads[0].done.wait(min(POLL_SECONDS, max(seconds - watch.seconds, 0.0)))
        if watch.seconds >= seconds:
            _stop(workspaces)
            threads[0].done.wait(POLL_SECONDS)
        if on_poll is not None and time.perf_counter() >= reported + REPORT_SECONDS:
            on_poll()
            reported = time.perf_counter()
    _stop(workspaces[1:])
    for thread in threads[1:]:
        thread.done.wait()


def _stop(workspaces: Sequence[np.record]) -> None:
    for work in workspaces:
        work.budget = 0


def decide_at_depth(
    task: "Task", search_depth: Callable[[int], Any], depth: int, *workspaces: np.record
) -> Decision:
    """Search the root to one depth, and decide; `search_depth` counts in the workspaces."""
    watch = Stopwatch()
    on_poll = task.progress_report(watch, workspaces)
    call = partial(search_depth, depth)
    (value,) = run_all([call], workspaces, task.stop, on_poll=on_poll)
    return make_decision(task.state, int(value), depth, workspaces, watch)


def run_timed(
    task: "Task",
    calls: Sequence[Callable[[], Any]],
    workspaces: Sequence[np.record],
    seconds: float = inf,
    history: Sequence[Depth] = (),
) -> "Stopwatch":
    """Run searches for at most n seconds, which begin when the compiler has finished.

    `history`, which the first one fills, goes into progress reports.
    """
    compile_first(calls[0], workspaces[0], task.stop)
    watch = Stopwatch()
    deadline = watch.wall + seconds if seconds < inf else None
    on_poll = task.progress_report(watch, workspaces, history)
    run_all(calls, workspaces, task.stop, deadline, on_poll)
    return watch


def compile_first(search: Callable[[], Any], work: np.record, stop: StopFlag) -> None:
    """Compile before a clock starts: run the search with a budget of 0, which ends at once."""
    budget, flag = int(work.budget), StopFlag()
    flag.stop()
    run_all([search], [work], flag)
    work.budget, work.is_stopped = budget, 0
    if flag.was_interrupted:
        stop.was_interrupted = True
        stop.stop()


class Stopwatch:
    """Wall and CPU time since it was created; the wall time stands still for the compiler."""

    def __init__(self) -> None:
        self._compile_time = compile_time.of_this_thread()
        self.wall, self.cpu = time.perf_counter(), time.process_time()
        self._compiled = self._compile_time.seconds

    @property
    def seconds(self) -> float:
        compiled = self._compile_time.seconds - self._compiled
        return max(time.perf_counter() - self.wall - compiled, 0.0)  # never below 0 by rounding

    @property
    def cpu_seconds(self) -> float:
        return time.process_time() - self.cpu


def make_decision(
    state: Any, value: int, depth: int, workspaces: Sequence[np.record], watch: Stopwatch
) -> Decision:
    """The decision of searches of `state`: the line of the first workspace, the counts of all.

    A search that was stopped before it had finished a single move answers with the first
    legal one and no value.
    """
    check_has_moves(state, workspaces)
    finished = best_line(workspaces[0])
    line = finished or first_move(state)
    return Decision(
        move=line[0],
        value=value if finished else None,
        depth=depth,
        seconds=watch.seconds,
        line=line,
        cpu_seconds=watch.cpu_seconds,
        is_complete=not workspaces[0].is_stopped,
        **counts(workspaces),
    )


def counts(workspaces: Sequence[np.record]) -> dict[str, Any]:
    """The counts of all of them added up, by the names of the fields of a decision."""
    return {
        "nodes": sum(int(work.nodes) for work in workspaces),
        "leaves": sum(int(work.leaves) for work in workspaces),
        "evaluations": sum(int(work.evaluations) for work in workspaces),
        "cutoffs": sum(int(work.cutoffs) for work in workspaces),
        "table_hits": sum(int(work.hits) for work in workspaces),
    }


def check_has_moves(state: Any, workspaces: Sequence[np.record]) -> None:
    """Raise `NoLegalMove` if a search came to a position that is not over and has no moves."""
    for work in workspaces:
        if work.no_moves_ply >= 0:
            for move in work.path[: work.no_moves_ply]:
                state = verbs.play(state, int(move))
            raise NoLegalMove(state)


def first_move(state: Any) -> tuple[int]:
    """The first legal move: what a search plays that has finished nothing."""
    moves = verbs.legal_moves(state)
    if len(moves) == 0:
        raise NoLegalMove(state)
    return (int(moves[0]),)
