"""Compiling for the page, in one process beside the server, which goes on answering.

It compiles ahead at low priority; what somebody waits for goes first and at full speed, then the
rest of that game.  The server loads what the process has written; it compiles by itself only what
that process cannot, such as an agent of the user's own.

The compiler gives little of its memory back: a search takes about a hundred megabytes to compile,
and ten to load.  So a process that has compiled much ends, and so does one with nothing to do.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from plies.agents import Agent
from plies.compiling import progress
from plies.compiling.cache import own_folder
from plies.compiling.compiler import is_interpreting
from plies.compiling.interrupts import NotCompiled, refusing_to_compile
from plies.compiling.progress import RULES, Activity
from plies.core.contract import Game
from plies.errors import PliesError
from plies.processes import WorkerFailed
from plies.warming import Compiler, Job, jobs_of
from plies.web.catalogue import Catalogue
from plies.web.opponents import opponents
from plies.web.sessions.inside import searchers_of
from plies.web.view import Viewer
from plies.web.worker_threads import WorkerThreads

T = TypeVar("T")

NICENESS = 15
LOOK_SECONDS = 0.1  # from one look at the process to the next
MOST_FUNCTIONS = 100  # that a process compiles, about a megabyte each, before it takes another job
REST_SECONDS = 10.0  # who has opened a board will soon need an agent
MOST_FAILURES = 3  # of processes in a row; then the server compiles by itself
MOST_DONE = 1000  # jobs that are known to be done
NOT_COMPILED: Any = object()


def current_task() -> Any:
    """The task that is running; None outside an event loop."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


@dataclass
class Wanted:
    """A job that somebody waits for."""

    is_done: asyncio.Event
    waiting: int = 0  # how many


class Warmer:
    """Compiles one job after the other, those that somebody waits for first."""

    def __init__(self, catalogue: Catalogue, is_on: bool = False, is_ahead: bool = True):
        self.is_on = is_on and not is_interpreting() and can_store()
        self._is_ahead = is_ahead
        self._catalogue = catalogue
        self._wanted: dict[Job, Wanted] = {}  # in the order of asking
        self._ahead: list[Job] = []
        self._done: set[Job] = set()
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._compiler: Compiler | None = None
        self._compiled = 0  # functions, by this process

    def start(self) -> None:
        """Begin to compile: ahead what the page offers, or only what somebody waits for."""
        if self.is_on:
            self._task = asyncio.ensure_future(self._work())

    def close(self) -> None:
        """Give up what is being compiled; what is in the cache stays."""
        self.is_on = False
        if self._task is not None and self._task is not current_task():
            self._task.cancel()
        self._stop()
        for wanted in self._wanted.values():
            wanted.is_done.set()

    def activity(self) -> Activity | None:
        """What keeps those who wait: the process, or the server itself while it compiles."""
        if self._wanted and self._compiler:
            return self._compiler.activity
        return progress.current()

    async def run(
        self, threads: WorkerThreads, call: Callable[[], T], job: Job | None, seconds: float = 0.0
    ) -> T:
        """`call()` in one of these threads; what it needs is compiled in the process first.

        So the call may be made twice.  Without a job the thread compiles by itself.
        """
        if self.is_on and job is not None and job not in self._done:
            answer = await threads.run(lambda: unless_compiling(call), seconds)
            if answer is not NOT_COMPILED:
                return answer
            await self._ready(job)
        return await threads.run(call, seconds)

    async def _ready(self, job: Job) -> None:
        """Wait until the process has compiled something; if all give up it is left for later."""
        wanted = self._wanted.setdefault(job, Wanted(asyncio.Event()))
        wanted.waiting += 1
        self._ahead.sort(key=lambda other: other.game != job.game)
        self._news.set()
        try:
            await wanted.is_done.wait()
        finally:
            wanted.waiting -= 1
            if not wanted.waiting and self._wanted.get(job) is wanted:
                del self._wanted[job]
                self._ahead.insert(0, job)

    # Jobs

    def rules(self, spec: str) -> Job | None:
        """What a board needs; None for a game that is not here."""
        game = self._catalogue.games.get(spec.partition(":")[0].strip())
        return None if game is None else self._rules(game)

    def _rules(self, game: Game) -> Job:
        return Job(self._catalogue.original(game).spec, game.name, RULES)

    def agent(self, agent: Agent) -> Job | None:
        """What an agent needs; None for one of the user's own."""
        if agent.foreign:
            return None
        spec = self._catalogue.models.inner(agent.spec, agent.game)
        return self._rules(agent.game)._replace(part=agent.name, specs=(spec,))

    async def _plan_agents(self, job: Job) -> None:
        """The rules of a game are compiled: the agents that the page offers can be, too."""
        found = [game for game in self._catalogue.games.values() if self._rules(game) == job]
        for game in found:
            with suppress(PliesError):  # the page says what is wrong with it
                agents = await asyncio.to_thread(page_agents, game)
                self._ahead += jobs_of(game, job.game, agents)[1:]

    # The process

    async def _work(self) -> None:
        if self._is_ahead:
            self._ahead = [self._rules(game) for game in self._catalogue.games.values()]
        failures = 0
        try:
            while failures < MOST_FAILURES:
                self._news.clear()
                job = self._next()
                if job is None:
                    await self._rest()
                    continue
                try:
                    is_done = await self._compile(job)
                    failures = 0
                except (WorkerFailed, OSError):
                    is_done = True  # not here: it is not tried again
                    failures += 1
                    self._stop()
                if is_done:
                    self._finish(job)
                    if job.part == RULES and self._is_ahead:
                        await self._plan_agents(job)
        finally:
            self.close()

    async def _rest(self) -> None:
        """Wait for more to do; the process ends in a moment, which frees its memory."""
        try:
            async with asyncio.timeout(REST_SECONDS if self._compiler else None):
                await self._news.wait()
        except TimeoutError:
            self._stop()

    async def _compile(self, job: Job) -> bool:
        """Whether the job is done; it gives way to what somebody waits for."""
        is_wanted = job in self._wanted
        if is_wanted and self._compiler and self._compiler.niceness:
            self._stop()  # a process that gives way cannot be hurried
        compiler = self._compiler = self._compiler or Compiler()
        compiler.give(job, 0 if is_wanted else NICENESS)
        while not compiler.connection.poll():
            await asyncio.sleep(LOOK_SECONDS)
            if self._gives_way(job):
                self._stop()
                return False
        self._compiled += compiler.result().functions
        if self._compiled >= MOST_FUNCTIONS:
            self._stop()
        return True

    def _next(self) -> Job | None:
        """What is most urgent: a board is opened at once, an agent is waited for in turn."""
        if self._wanted:
            return min(self._wanted, key=lambda job: job.part != RULES)
        return self._ahead[0] if self._ahead else None

    def _gives_way(self, job: Job) -> bool:
        """Whether somebody waits for something more urgent, or for this, which was not urgent."""
        is_slow = self._compiler is not None and self._compiler.niceness > 0
        return bool(self._wanted) and (is_slow or job != self._next())

    def _finish(self, job: Job) -> None:
        if len(self._done) >= MOST_DONE:
            self._done.clear()
        self._done.add(job)
        if job in self._ahead:
            self._ahead.remove(job)
        if wanted := self._wanted.pop(job, None):
            wanted.is_done.set()

    def _stop(self) -> None:
        compiler, self._compiler, self._compiled = self._compiler, None, 0
        if compiler is not None:
            compiler.close()


def can_store() -> bool:
    """Whether one process finds what another has compiled."""
    folder = own_folder()
    return folder is not None and os.access(folder, os.W_OK)


def unless_compiling(call: Callable[[], Any]) -> Any:
    """What the call answers, or `NOT_COMPILED` where the compiler would have to work for it."""
    try:
        with refusing_to_compile():
            return call()
    except NotCompiled:
        return NOT_COMPILED


def page_agents(game: Game) -> list[str]:
    """The agents that the page offers at once, and those that look inside positions."""
    levels = [each.agent for each in opponents(game).levels]
    viewer = Viewer(game)
    return [*levels, *(each.spec for each in searchers_of(viewer).all(viewer))]
