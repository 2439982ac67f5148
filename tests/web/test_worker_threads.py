"""Worker threads: what takes long never holds up the server."""

import asyncio
import threading
from contextlib import suppress

import pytest

from plies.web.problems import Closing, NotNow, TooMany
from plies.web.worker_threads import Unanswered, WorkerThreads, waited_for
from web_samples import wait_until


def test_more_than_may_wait_are_refused_and_who_gives_up_leaves_the_queue() -> None:
    async def serve() -> None:
        threads, go, has_begun = (
            WorkerThreads("test", size=1, most=1),
            threading.Event(),
            threading.Event(),
        )
        done: list[str] = []

        def first() -> str:
            has_begun.set()
            go.wait()
            return "first"

        busy = asyncio.ensure_future(threads.run(first))
        await asyncio.to_thread(has_begun.wait)
        waiting = asyncio.ensure_future(threads.run(lambda: done.append("second")))
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await threads.run(int)
        waiting.cancel()
        with suppress(asyncio.CancelledError):
            await waiting
        third = asyncio.ensure_future(threads.run(lambda: "third"))  # the thread is still busy
        await asyncio.sleep(0)
        assert threads.waiting == 1
        go.set()
        assert (await busy, await third) == ("first", "third")
        assert done == []
        threads.close()
        with pytest.raises(Closing):
            await threads.run(int)

    asyncio.run(serve())


def test_work_that_takes_long_does_not_keep_a_server_from_ending() -> None:
    workers: list[threading.Thread] = []
    go = threading.Event()

    def work() -> None:
        workers.append(threading.current_thread())
        go.wait()

    async def serve() -> None:
        threads = WorkerThreads("test", size=1)
        waiting = asyncio.ensure_future(threads.run(work))
        await asyncio.sleep(0)
        await asyncio.to_thread(wait_until, lambda: workers)
        waiting.cancel()
        threads.close()

    asyncio.run(serve())
    assert workers[0].is_alive()
    assert workers[0].daemon
    go.set()


def test_who_hangs_up_while_waiting_leaves_the_queue() -> None:
    async def serve() -> None:
        threads, go, has_begun = WorkerThreads("test", size=1), threading.Event(), threading.Event()

        def first() -> None:
            has_begun.set()
            go.wait()

        async def is_gone() -> bool:
            assert threads.waiting == 1
            return True

        async def is_there() -> bool:
            return False

        busy = asyncio.ensure_future(threads.run(first))
        await asyncio.to_thread(has_begun.wait)
        with pytest.raises(NotNow, match="nobody waits"):
            await waited_for(threads.run(int), is_gone)
        await asyncio.sleep(0)
        assert threads.waiting == 0
        go.set()
        await busy
        assert await waited_for(threads.run(lambda: "answer"), is_there) == "answer"
        threads.close()

    asyncio.run(serve())


def test_a_call_that_never_returns_is_given_up_and_its_thread_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plies.web.limits.GIVEN_UP", 2)
    go, ran_in = threading.Event(), list[threading.Thread]()

    def hang() -> None:
        ran_in.append(threading.current_thread())
        go.wait()

    async def serve() -> None:
        threads = WorkerThreads("test", size=1)
        for _ in range(2):
            with pytest.raises(Unanswered, match=r"no answer within 0\.01 seconds"):
                await threads.run(hang, seconds=0.01)
            assert await threads.run(lambda: "answer") == "answer"
        with pytest.raises(TooMany, match="2 agents do not answer"):
            await threads.run(hang, seconds=0.01)
        assert await threads.run(lambda: "answer") == "answer"  # without a limit all goes on
        go.set()
        for thread in ran_in:
            await asyncio.to_thread(thread.join)
        assert await threads.run(lambda: "answer", seconds=60) == "answer"
        threads.close()

    asyncio.run(serve())
    assert len(ran_in) == 2
