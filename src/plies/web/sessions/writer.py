"""The thread through which everything goes into the file of sessions, and out of it.

The server's own thread never waits for the disk.  Changes that wait together are written in one
transaction, the changes of a session in their order, so that the file never has an older state
last.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from plies.web.problems import Closing, log_problem
from plies.web.sessions.database import BadStore, Missing
from plies.web.sessions.store import Change, Store
from plies.web.worker_threads import settle

T = TypeVar("T")
CLOSING_SECONDS = 10.0  # that the end of the program waits for the disk


class Job(NamedTuple):
    """Something to do with the store, and who waits for it, if anybody."""

    task: Change | Callable[[], Any]
    waiting: "asyncio.Future[Any] | None"


Outcome = tuple["asyncio.Future[Any]", Any, BaseException | None]


class StoreWriter:
    """Works on a store in a thread of its own."""

    def __init__(self, store: Store):
        self.store = store
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()  # None: there will be no more
        self._is_closed = False
        self._problem = ""  # that was reported last
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    async def write(self, change: Change) -> None:
        """Returns when the change is stored; `BadStore` where it is not."""
        await self._do(change)

    async def run(self, call: Callable[[], T]) -> T:
        """What a call of the store answers, after all changes before it."""
        return await self._do(call)

    async def _do(self, task: Change | Callable[[], Any]) -> Any:
        if self._is_closed:
            raise Closing("the server is closing")
        waiting = asyncio.get_running_loop().create_future()
        self._jobs.put(Job(task, waiting))
        return await waiting

    def write_unwatched(self, change: Change) -> None:
        """Write a change that nobody is told of, such as what is left on clocks at the end."""
        if not self._is_closed:
            self._jobs.put(Job(change, None))

    def close(self) -> None:
        """Do what there is to do, then close the store."""
        if not self._is_closed:
            self._is_closed = True
            self._jobs.put(None)
        self._thread.join(CLOSING_SECONDS)

    # In the thread

    def _work(self) -> None:
        while True:
            jobs = self._next_jobs()
            writes = [job for job in jobs if job is not None and isinstance(job.task, Change)]
            if writes:
                self._settle(self._write(writes))
            for job in jobs:
                if job is not None and not isinstance(job.task, Change):
                    self._settle([self._run(job)])
            if None in jobs:
                break
        try:
            self.store.close()
        except BadStore as error:
            self._report(error)

    def _next_jobs(self) -> list[Job | None]:
        """All that wait; when there are none, the next one."""
        jobs = [self._jobs.get()]
        with suppress(Empty):
            while True:
                jobs.append(self._jobs.get_nowait())
        return jobs

    def _write(self, jobs: list[Job]) -> list[Outcome]:
        changes = [job.task for job in jobs if isinstance(job.task, Change)]
        error: BaseException | None = None
        missing: list[str] = []
        try:
            missing = self.store.write(changes)
        except BaseException as raised:  # carried over to whoever waits
            error = raised
        self._report(error)
        gone = Missing("this game is not in the file of games any more")
        return [
            (job.waiting, None, gone if change.name in missing else _for_one(error))
            for job, change in zip(jobs, changes, strict=True)
            if job.waiting is not None
        ]

    def _run(self, job: Job) -> Outcome:
        assert job.waiting is not None
        assert not isinstance(job.task, Change)
        try:
            return job.waiting, job.task(), None
        except BaseException as error:
            return job.waiting, None, error

    def _settle(self, outcomes: list[Outcome]) -> None:
        if outcomes:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                outcomes[0][0].get_loop().call_soon_threadsafe(_settle_all, outcomes)

    def _report(self, error: BaseException | None) -> None:
        """One line here when games cannot be stored, one when they can be again."""
        problem = " ".join(str(error).split()) if error else ""
        if problem != self._problem:
            said = problem or "games are stored again"
            log_problem(f"{self.store.path}: {said}")
        self._problem = problem


def _for_one(error: BaseException | None) -> BaseException | None:
    """An error for one of several who wait: each raises it from somewhere else."""
    return BadStore(str(error)) if isinstance(error, BadStore) else error


def _settle_all(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        settle(*outcome)
