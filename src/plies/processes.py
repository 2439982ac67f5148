"""Worker processes: how they are started, and many jobs done by some.

A job depends on nothing but itself, so that what comes out is the same with any number of
workers.
"""

import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from plies.errors import BadSpec, PliesError

J = TypeVar("J")
A = TypeVar("A")


class WorkerFailed(PliesError):
    """A worker process has died, or could not do its job."""


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
    staff = [Worker(function) for _ in range(count)]
    try:
        waiting = list(reversed(jobs))
        for worker in staff:
            worker.give(waiting.pop())
        while busy := {worker.connection: worker for worker in staff if worker.is_busy}:
            for connection in wait(list(busy)):
                worker = busy[connection]  # type: ignore[index]
                job, answer = worker.job, worker.answer()
                if waiting:
                    worker.give(waiting.pop())
                yield job, answer
    finally:
        for worker in staff:
            worker.close()


def checked_workers(workers: int) -> int:
    """How many there shall be; 0 means one on every core that may be used."""
    if workers < 0:
        raise BadSpec(f"workers is at least 1, or 0 for one on every core, not {workers}")
    return workers or cores()


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class Worker:
    """A process, our end of its pipe, and the job it has."""

    def __init__(self, function: Callable[[Any], Any]):
        context = get_context("spawn")
        self.job: Any = None
        self.is_busy = False
        self.connection: Connection
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, function), daemon=True)
        with postponing_interrupts():
            self.process.start()
        other.close()

    def give(self, job: Any) -> None:
        self.job, self.is_busy = job, True
        try:
            self.connection.send(job)
        except OSError:
            return  # it has died, which is noticed when its answer is waited for

    def answer(self) -> Any:
        try:
            is_done, answer = self.connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerFailed("a worker process has died; is there enough memory?") from error
        if not is_done:
            raise WorkerFailed(answer)
        self.is_busy = False
        return answer

    def close(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()
        self.process.close()


def _work(connection: Connection, function: Callable[[Any], Any]) -> None:
    """What runs in a worker.

    The jobs are done in a thread that is not the main one: searches there need none of
    their own.
    """
    os.environ["PLIES_QUIET"] = "1"  # that something is compiled is told once, by the parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    thread = threading.Thread(target=_do_all, args=(connection, function), daemon=True)
    thread.start()
    thread.join()


def _do_all(connection: Connection, function: Callable[[Any], Any]) -> None:
    try:
        while True:
            job = connection.recv()
            try:
                answer = (True, function(job))
            except PliesError as error:
                answer = (False, str(error))
            except Exception:
                last = traceback.format_exc().strip().splitlines()
                answer = (False, f"a worker failed: {last[-1]}")
            connection.send(answer)
    except (EOFError, OSError):
        return  # the parent has gone


@contextmanager
def postponing_interrupts() -> Iterator[None]:
    """What is started here cannot be interrupted before it has said what it does about that."""
    if not hasattr(signal, "pthread_sigmask"):  # not on every system
        yield
        return
    resource_tracker.ensure_running()  # later it would let them through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
