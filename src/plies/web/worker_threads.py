"""Threads for what takes long, so that the server itself never waits for it."""

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from plies.errors import PliesError
from plies.web import limits
from plies.web.problems import Closing, NotNow, TooMany

T = TypeVar("T")
IsGone = Callable[[], Awaitable[bool]]  # whether somebody who waits has hung up


class Unanswered(PliesError):
    """A call took longer than it may."""


class Job(NamedTuple):
    """A call, who waits for it, and for how many seconds after it has begun (0: for ever)."""

    call: Callable[[], Any]
    future: asyncio.Future[Any]
    seconds: float


class WorkerThreads:
    """A few threads that run calls, first come, first served; more than `most` may not wait.

    The program ends without them: a thread that compiles cannot be stopped.  Nor can one whose
    call never returns: another takes its place, and it ends if the call does.
    """

    def __init__(self, name: str, size: int, most: int = limits.WAITING_SEARCHES):
        self.name = name
        self.size = size
        self.most = most  # that may wait; more are refused
        self.is_closed = False
        self._jobs: deque[Job] = deque()
        self._news = threading.Condition()  # a job is there, or there will be none any more
        self._threads: list[threading.Thread] = []
        self._given_up: list[threading.Thread] = []
        self._timers: dict[threading.Thread, asyncio.TimerHandle] = {}

    @property
    def waiting(self) -> int:
        """How many calls no thread has begun."""
        return len(self._jobs)

    async def run(self, call: Callable[[], T], seconds: float = 0.0) -> T:
        """The result of the call; who is cancelled while waiting leaves the queue.

        `Unanswered` if the call takes longer than these seconds, unless they are 0.
        """
        if self.is_closed:
            raise Closing("the server is closing")
        if self.waiting >= self.most:
            raise TooMany("too much is being asked for at once; try again in a moment")
        self._given_up = [thread for thread in self._given_up if thread.is_alive()]
        if seconds and len(self._given_up) >= limits.GIVEN_UP:
            raise TooMany(f"{limits.GIVEN_UP} agents do not answer; the server must be restarted")
        if len(self._threads) < self.size:
            self._start()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        job = Job(call, future, seconds)
        with self._news:
            self._jobs.append(job)
            self._news.notify()
        try:
            return await future
        except asyncio.CancelledError:
            with self._news, suppress(ValueError):  # somebody has taken it up already
                self._jobs.remove(job)
            raise

    def _start(self) -> None:
        name = f"{self.name} {len(self._threads)}"
        thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        this = threading.current_thread()
        while this in self._threads and (job := self._next()) is not None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                tell = job.future.get_loop().call_soon_threadsafe
                answer, error = None, None
                if job.seconds:
                    tell(self._watch, job, this)
                try:
                    answer = job.call()
                except BaseException as raised:  # carried over to whoever waits
                    error = raised
                tell(self._end, job, this, answer, error)

    def _watch(self, job: Job, thread: threading.Thread) -> None:
        """A call has begun whose time is limited."""
        later = asyncio.get_running_loop().call_later
        self._timers[thread] = later(job.seconds, self._give_up, job, thread)

    def _give_up(self, job: Job, thread: threading.Thread) -> None:
        if thread in self._threads:
            self._threads.remove(thread)
            self._given_up.append(thread)
            self._start()
        settle(job.future, None, Unanswered(f"no answer within {job.seconds:g} seconds"))

    def _end(
        self, job: Job, thread: threading.Thread, answer: Any, error: BaseException | None
    ) -> None:
        if timer := self._timers.pop(thread, None):
            timer.cancel()
        settle(job.future, answer, error)

    def _next(self) -> Job | None:
        """The job that has waited longest; None once they are closed."""
        with self._news:
            self._news.wait_for(lambda: self._jobs or self.is_closed)
            return self._jobs.popleft() if self._jobs else None

    def close(self) -> None:
        """Accept no more calls; each thread ends after the one that it runs."""
        with self._news:
            self.is_closed = True
            self._news.notify_all()


async def waited_for(work: Coroutine[Any, Any, T], is_gone: IsGone) -> T:
    """What the work answers; it is cancelled when whoever waits for it hangs up."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait([task], timeout=limits.GONE_SECONDS))[0]:
            if await is_gone():
                raise NotNow("nobody waits for the answer any more")
        return task.result()
    finally:
        task.cancel()


def settle(future: asyncio.Future[Any], answer: Any, error: BaseException | None) -> None:
    """Let whoever waits go on with an answer or an error, unless they have gone."""
    if future.done():
        return
    if error is None:
        future.set_result(answer)
    else:
        future.set_exception(error)
