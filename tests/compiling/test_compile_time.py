"""How long the compiler takes, and who waited for it."""

import threading
from collections.abc import Callable
from functools import partial

import pytest
from numba.core import event

from fake_time import FakeTime, When, new_function
from plies.compiling.compile_time import CompileTime, counting_into, of_this_thread
from plies.compiling.interrupts import LOCK
from plies.search.runner import StopFlag, Stopwatch, run_all
from plies.search.workspace import new_workspace

COMPILING = 1000.0  # seconds, for a function
PATIENCE_SECONDS = 60


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    fake.rule(monkeypatch)
    return fake


def compile_something(clock: FakeTime) -> None:
    with clock.slow_compiler(COMPILING):
        assert new_function()(1) == 2


def in_a_thread(call: Callable[[], None]) -> None:
    thread = threading.Thread(target=call)
    thread.start()
    thread.join(PATIENCE_SECONDS)
    assert not thread.is_alive()


def test_a_stopwatch_stands_still_while_the_compiler_works(clock: FakeTime) -> None:
    watch, before = Stopwatch(), of_this_thread().seconds
    clock.now += 1
    compile_something(clock)
    clock.now += 2
    assert (watch.seconds, of_this_thread().seconds - before) == (3, COMPILING)


def test_a_function_that_is_compiled_already_takes_time_like_any_other(clock: FakeTime) -> None:
    function = new_function()
    function(1)
    before = of_this_thread().seconds
    with clock.slow_compiler(COMPILING):
        function(2)
    assert of_this_thread().seconds == before


def test_it_stands_still_before_the_compiler_has_finished(clock: FakeTime) -> None:
    watch, seen = Stopwatch(), list[float]()
    look = When(lambda: seen.append(watch.seconds))
    with clock.slow_compiler(COMPILING), event.install_listener("numba:compile", look):
        new_function()(1)
    assert seen == [0]


def test_who_waits_for_a_search_in_another_thread_waits_for_its_compiler(clock: FakeTime) -> None:
    watch, work = Stopwatch(), new_workspace()
    run_all([partial(compile_something, clock)], [work], StopFlag(), deadline=clock.now + 1)
    assert (watch.seconds, int(work.budget) > 0) == (0, True)  # its time is not up


def test_a_search_is_stopped_when_its_own_time_is_up(clock: FakeTime) -> None:
    work = new_workspace()

    def search() -> None:
        compile_something(clock)
        clock.now += 2
        while work.budget > 0:
            pass

    run_all([search], [work], StopFlag(), deadline=clock.now + 1)
    assert work.budget == 0


def test_threads_that_compile_at_the_same_time_count_once(clock: FakeTime) -> None:
    together, begun, go_on = CompileTime(), threading.Event(), threading.Event()

    def hold() -> None:
        """Keep the first who compiles until the other one waits for the lock."""
        begun.set()
        assert go_on.wait(PATIENCE_SECONDS)

    def wait() -> None:
        if threading.current_thread() is second and not go_on.is_set():
            clock.now += COMPILING
            go_on.set()

    def work() -> None:
        with counting_into(together):
            new_function()(1)

    first, second = threading.Thread(target=work), threading.Thread(target=work)
    holding = event.install_listener("numba:compile", When(hold))
    with holding, event.install_listener(LOCK, When(wait)):
        first.start()
        assert begun.wait(PATIENCE_SECONDS)
        second.start()
        for thread in (first, second):
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()
    assert together.seconds == COMPILING


def test_a_thread_does_not_wait_for_the_compiler_of_strangers(clock: FakeTime) -> None:
    watch = Stopwatch()
    in_a_thread(partial(compile_something, clock))
    assert watch.seconds == COMPILING


def test_time_goes_on_after_ctrl_c_has_ended_a_wait_for_the_lock(clock: FakeTime) -> None:
    event.start_event(LOCK)  # no end is reported then
    clock.now += 5
    watch = Stopwatch()
    clock.now += 1
    assert watch.seconds == 1
