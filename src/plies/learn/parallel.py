"""The same function for many jobs, in worker processes.

A job depends on nothing but itself, so that what comes out is the same with any number of
workers.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from plies.core.errors import BadSpec, PliesError

J = TypeVar("J")
A = TypeVar("A")
AHEAD = 2  # jobs that are handed out for each worker


class WorkerDied(PliesError):
    """A worker process ended before its job did."""


def answers(
    function: Callable[[J], A], jobs: Sequence[J], workers: int = 1
) -> Iterator[tuple[J, A]]:
    """Each job with its answer as it is there, in whatever order that is.

    One worker is this process.  When the caller stops asking, or Ctrl-C comes, what the
    workers have begun is given up.
    """
    count = min(checked_workers(workers), len(jobs))
    if count <= 1:
        for job in jobs:
            yield job, function(job)
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, context, initializer=_begin)
    try:
        yield from _handed_out(pool, function, jobs, count)
    except BrokenProcessPool as error:
        raise WorkerDied("a worker process has died; is there enough memory?") from error
    finally:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _handed_out(
    pool: ProcessPoolExecutor, function: Callable[[J], A], jobs: Sequence[J], count: int
) -> Iterator[tuple[J, A]]:
    waiting = iter(jobs)
    running: dict[Future[A], J] = {}
    while True:
        while len(running) < AHEAD * count and (job := next(waiting, None)) is not None:
            running[pool.submit(_in_thread, function, job)] = job
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()


def checked_workers(workers: int) -> int:
    """How many there shall be; 0 means one on every core that may be used."""
    if workers < 0:
        raise BadSpec(f"workers is at least 1, or 0 for one on every core, not {workers}")
    if workers:
        return workers
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _begin() -> None:
    """What a worker does first."""
    os.environ["PLIES_QUIET"] = "1"  # that something is compiled is told once, by the parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business


def _in_thread(function: Callable[[Any], Any], job: Any) -> Any:
    """Searches that run in a thread which is not the main one need none of their own."""
    found: list[Any] = []
    errors: list[BaseException] = []

    def call() -> None:
        try:
            found.append(function(job))
        except BaseException as error:  # carried over to the thread that answers
            errors.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return found[0]
