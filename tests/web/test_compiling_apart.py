"""What another process has compiled the server only loads; and that process does not grow."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.compiling.compiler import compiled
from plies.compiling.interrupts import NotCompiled, refusing_to_compile
from plies.search.runner import StopFlag, run_all
from plies.search.workspace import new_workspace
from plies.warming import Job, Result
from plies.web import warming
from plies.web.catalogue import Catalogue
from plies.web.warming import Warmer
from plies.web.worker_threads import WorkerThreads
from web_samples import wait_until

# Prints which functions a server has compiled that has let somebody play against an agent.
SERVING = """
import sys
from pathlib import Path

from numba.core import event
from starlette.testclient import TestClient

import plies
from plies.web.app import Site, make_app
from web_samples import ADDRESS, begin

compiled = []

class Compiled(event.Listener):
    def on_start(self, event):
        pass

    def on_end(self, event):
        dispatcher = event.data["dispatcher"]
        if tuple(event.data["args"]) in dispatcher.overloads:
            compiled.append(dispatcher.py_func.__name__)

if __name__ == "__main__":
    event.register("numba:compile", Compiled())
    site = Site([plies.game("nim")], Path(sys.argv[1]), compiles_apart=True)
    with TestClient(make_app(site), base_url=ADDRESS) as client:
        player = begin(client, "", "alphabeta:depth=2", game="nim")
        session = player.ask("GET")
        session = player.move(session["position"]["moves"][0]["text"])
    print(session["ply"], compiled)
"""


class FakeCompiler:
    """A process that has compiled so many functions at once."""

    made: list["FakeCompiler"]
    functions = warming.MOST_FUNCTIONS // 2
    niceness = 0
    activity = None

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.is_closed = False
        self.connection, self._other = Pipe()
        self.made.append(self)

    def give(self, job: Job, niceness: int) -> None:
        self.jobs.append(job)
        self._other.send(Result(self.functions, 0.1))

    def result(self) -> Result:
        return self.connection.recv()

    def close(self) -> None:
        self.is_closed = True


def unstored() -> Any:
    """A function that no process finds on the disk, because others may have its name."""

    @compiled
    def successor(number: int) -> int:
        return number + 1

    return successor


@contextmanager
def helping() -> Iterator[WorkerThreads]:
    threads = WorkerThreads("helper", 1)
    try:
        yield threads
    finally:
        threads.close()


def ask(warmer: Warmer, calls: list[Callable[[], int]]) -> list[int]:
    """The answers of calls that need the rules of a game, each of another one."""

    async def answers(threads: WorkerThreads) -> list[int]:
        warmer.start()
        try:
            jobs = [Job("nim", f"nim {number}", "rules") for number in range(len(calls))]
            return [
                await warmer.run(threads, call, job) for call, job in zip(calls, jobs, strict=True)
            ]
        finally:
            warmer.close()

    with helping() as threads:
        return asyncio.run(answers(threads))


@pytest.fixture(autouse=True)
def rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "REST_SECONDS", 60.0)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[FakeCompiler]:
    monkeypatch.setattr(warming, "Compiler", FakeCompiler)
    monkeypatch.setattr(FakeCompiler, "made", [], raising=False)
    return FakeCompiler.made


def new_warmer() -> Warmer:
    return Warmer(Catalogue([plies.game("nim")]), is_on=True, is_ahead=False)


def test_a_server_compiles_nothing_itself(tmp_path: Path) -> None:
    path, cache = tmp_path / "serving.py", tmp_path / "cache"
    path.write_text(SERVING)
    cache.mkdir(mode=0o700)
    more = {"PLIES_CACHE_DIR": str(cache), "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, path, tmp_path],
        env={**os.environ, "PLIES_QUIET": "1", **more},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "2 []\n"
    assert len(list(cache.rglob("*.b*"))) > 10


def test_what_cannot_be_stored_the_server_compiles(processes: list[FakeCompiler]) -> None:
    assert ask(new_warmer(), [lambda: unstored()(41)]) == [42]
    assert len(processes) == 1


def test_a_process_that_has_compiled_much_ends(processes: list[FakeCompiler]) -> None:
    assert ask(new_warmer(), [lambda: unstored()(41)] * 5) == [42] * 5
    assert [len(process.jobs) for process in processes] == [2, 2, 1]
    assert all(process.is_closed for process in processes)


def test_a_process_with_nothing_to_do_ends(
    processes: list[FakeCompiler], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "REST_SECONDS", 0.0)

    def call_later() -> int:
        wait_until(lambda: processes[0].is_closed)
        return 42

    assert ask(new_warmer(), [lambda: unstored()(41), call_later]) == [42, 42]


def test_without_a_folder_for_compiled_code_the_server_compiles(
    processes: list[FakeCompiler], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "own_folder", lambda: None)
    assert ask(new_warmer(), [lambda: unstored()(41)]) == [42]
    assert not processes


def test_the_threads_of_a_search_refuse_to_compile_as_its_caller_does() -> None:
    calls, works = [lambda: unstored()(41)] * 2, [new_workspace(), new_workspace()]
    with refusing_to_compile(), pytest.raises(NotCompiled):
        run_all(calls, works, StopFlag())
    assert run_all(calls, works, StopFlag()) == [42, 42]
