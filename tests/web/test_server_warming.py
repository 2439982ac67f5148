"""Compiling beside the server: in which order, for whom, and what happens when nobody waits."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.compiling import progress
from plies.compiling.interrupts import NotCompiled
from plies.compiling.progress import RULES, Activity
from plies.processes import WorkerFailed
from plies.warming import Job, Result
from plies.web import warming
from plies.web.app import Site
from plies.web.catalogue import Catalogue
from plies.web.warming import MOST_FAILURES, NICENESS, Warmer, page_agents
from plies.web.worker_threads import WorkerThreads

GAMES = ("nim", "tictactoe")
NIM, TICTACTOE = (Job(name, name, RULES) for name in GAMES)


class Process:
    """Stands for the process: a job is done when a test says so."""

    made: list["Process"]

    def __init__(self) -> None:
        self.job: Job | None = None
        self.niceness = 0
        self.given: list[tuple[Job, int]] = []
        self.is_done = self.is_dead = self.is_closed = False
        self.connection = self
        Process.made.append(self)

    def give(self, job: Job, niceness: int = 0) -> None:
        self.job, self.is_done, self.niceness = job, False, max(niceness, self.niceness)
        self.given.append((job, niceness))

    def poll(self) -> bool:
        return self.is_done or self.is_dead

    def result(self) -> Result:
        self.job = None
        if self.is_dead:
            raise WorkerFailed("it has died")
        return Result(1, 0.0)

    @property
    def activity(self) -> Activity | None:
        return Activity(self.job.name, self.job.part, 1, 2) if self.job else None

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture(autouse=True)
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    Process.made = []
    monkeypatch.setattr(warming, "Compiler", Process)
    monkeypatch.setattr(warming, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(warming, "REST_SECONDS", 0.0)
    # An earlier test may have left a thread that still compiles.
    monkeypatch.setattr(progress, "current", lambda: None)
    monkeypatch.setattr(warming, "page_agents", lambda game: ["random"])
    return Process.made


class Uncompiled:
    """A call that needs the compiler until it is told otherwise."""

    is_compiled = False

    def __call__(self) -> str:
        if not self.is_compiled:
            raise NotCompiled
        return "answer"


def run(
    test: Callable[[Warmer, WorkerThreads], Coroutine[Any, Any, None]], is_on: bool = True
) -> None:
    async def running() -> None:
        threads = WorkerThreads("test", 2)
        warmer = Warmer(Catalogue(map(plies.game, GAMES)), is_on)
        warmer.start()
        try:
            async with asyncio.timeout(60):
                await test(warmer, threads)
        finally:
            warmer.close()
            threads.close()

    asyncio.run(running())


async def given(processes: list[Process], job: Job) -> Process:
    """The process, once it has this job."""
    while not processes or processes[-1].job != job:
        await asyncio.sleep(0.001)
    return processes[-1]


def test_without_anybody_rules_come_first_and_then_agents_at_low_priority(
    processes: list[Process],
) -> None:
    async def test(warmer: Warmer, threads: WorkerThreads) -> None:
        agents = [rules._replace(part="random", specs=("random",)) for rules in (NIM, TICTACTOE)]
        jobs = [NIM, TICTACTOE, *agents]
        for job in jobs:
            (await given(processes, job)).is_done = True
        while not processes[0].is_closed:  # which frees its memory
            await asyncio.sleep(0.001)
        assert processes[0].given == [(job, NICENESS) for job in jobs]
        assert warmer.activity() is None

    run(test)


def test_what_somebody_waits_for_goes_first_in_a_process_of_full_speed(
    processes: list[Process],
) -> None:
    async def test(warmer: Warmer, threads: WorkerThreads) -> None:
        slow = await given(processes, NIM)
        assert warmer.activity() is None  # nobody waits for it
        call = Uncompiled()
        waiting = asyncio.ensure_future(warmer.run(threads, call, TICTACTOE))
        quick = await given(processes, TICTACTOE)
        assert slow.is_closed
        assert quick.given == [(TICTACTOE, 0)]
        assert warmer.activity() == Activity("tictactoe", RULES, 1, 2)
        call.is_compiled = quick.is_done = True
        assert await waiting == "answer"
        await given(processes, NIM)  # it was given up, and is not forgotten
        assert await warmer.run(threads, call, TICTACTOE) == "answer"

    run(test)


def test_a_board_is_opened_before_an_agent_that_others_wait_for(processes: list[Process]) -> None:
    async def test(warmer: Warmer, threads: WorkerThreads) -> None:
        engine = NIM._replace(part="engine", specs=("engine",))
        call = Uncompiled()
        first = asyncio.ensure_future(warmer.run(threads, call, engine))
        await given(processes, engine)
        second = asyncio.ensure_future(warmer.run(threads, call, TICTACTOE))
        quick = await given(processes, TICTACTOE)
        quick.is_done = call.is_compiled = True
        assert await second == "answer"
        (await given(processes, engine)).is_done = True
        assert await first == "answer"

    run(test)


def test_when_nobody_waits_any_more_it_is_left_for_later(processes: list[Process]) -> None:
    async def test(warmer: Warmer, threads: WorkerThreads) -> None:
        engine = NIM._replace(part="engine", specs=("engine",))
        waiting = asyncio.ensure_future(warmer.run(threads, Uncompiled(), engine))
        await given(processes, engine)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert warmer.activity() is None
        processes[-1].is_done = True
        for job in (NIM, TICTACTOE):
            (await given(processes, job)).is_done = True

    run(test)


def test_what_is_compiled_needs_no_process(processes: list[Process]) -> None:
    async def test(warmer: Warmer, threads: WorkerThreads) -> None:
        await given(processes, NIM)
        assert await warmer.run(threads, lambda: "at once", TICTACTOE) == "at once"
        assert [job for job, _ in processes[-1].given] == [NIM]

    run(test)


def test_where_processes_die_the_server_compiles_by_itself(processes: list[Process]) -> None:
    async def test(warmer: Warmer, threads: WorkerThreads) -> None:
        call = Uncompiled()
        waiting = asyncio.ensure_future(warmer.run(threads, call, TICTACTOE))
        await given(processes, TICTACTOE)
        call.is_compiled = True  # from now on this process compiles what it needs
        while warmer.is_on:
            processes[-1].is_dead = True
            await asyncio.sleep(0.001)
        assert await waiting == "answer"
        assert len([process for process in processes if process.is_dead]) == MOST_FAILURES

    run(test)


def test_switched_off_it_starts_nothing(processes: list[Process]) -> None:
    async def test(warmer: Warmer, threads: WorkerThreads) -> None:
        assert await warmer.run(threads, lambda: "here", NIM) == "here"
        assert processes == []

    run(test, is_on=False)


def test_an_agent_of_the_users_own_is_left_to_the_server(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(game, state):\n    return game.moves(state)[0]\n")
    site = Site([plies.game("nim")], tmp_path)
    nim = site.catalogue.find("nim:rows=2-3")
    assert site.warmer.agent(plies.agent(str(file), nim)) is None
    job = site.warmer.agent(plies.agent("mcts:simulations=5", nim))
    assert job == Job("nim:rows=2-3", "nim", "mcts", ("mcts:simulations=5",))
    assert site.warmer.rules("nim:rows=2-3") == NIM
    assert site.warmer.rules("zebra") is None
    site.close()


def test_the_page_offers_agents_that_can_be_compiled_ahead() -> None:
    game = plies.game("tictactoe")
    for spec in page_agents(game):
        assert plies.agent(spec, game).spec == spec
