"""Ctrl-C while something is compiled: it waits for a safe place, and is never lost."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from plies.compiling.compiler import compiled
from plies.compiling.interrupts import (
    SIGNALS,
    CompilationCancelled,
    NotCompiled,
    cancel,
    refusing_to_compile,
)

PATIENCE_SECONDS = 30

SMALL = """
from plies.compiling.compiler import compiled

@compiled
def successor(number):
    return number + 1
"""

# Ctrl-C whenever LLVM calls Python back about code to keep or choices code, as long as
# `is_pressing`.  Prints how often that was, whether a call of a compiled function was
# interrupted, and what it answers when nobody presses any more.
PRESSING = """
import signal, sys
import small

pressed, is_pressing, was_interrupted = 0, True, False

def press(frame, what, argument):
    global pressed
    if is_pressing and what == "call" and frame.f_code.co_name.startswith("_raw_object_cache"):
        pressed += 1
        signal.raise_signal(signal.SIGINT)

sys.setprofile(press)
try:
    small.successor(41)
except KeyboardInterrupt:
    was_interrupted = True
is_pressing = False
print(pressed > 0, was_interrupted, small.successor(41))
"""


@pytest.fixture(autouse=True)
def handler() -> Iterator[object]:
    """The signals raise, whoever runs the tests."""
    raising = signal.default_int_handler
    before = {number: signal.signal(number, raising) for number in SIGNALS}
    yield raising
    for number, previous in before.items():
        signal.signal(number, previous)


def run(folder: Path) -> tuple[str, str, int]:
    environment = {
        **os.environ,
        "PLIES_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
    }
    command = [sys.executable, "-c", PRESSING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return done.stdout, done.stderr, done.returncode


def test_ctrl_c_in_a_callback_of_llvm_is_neither_lost_nor_a_crash(tmp_path: Path):
    """Once while the function is compiled, once while it is read from the disk."""
    (tmp_path / "small.py").write_text(SMALL)
    assert [run(tmp_path) for _ in range(2)] == [("True True 42\n", "", 0)] * 2


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_waits_for_the_next_pass_of_the_compiler(number: signal.Signals, handler: object):
    with global_compiler_lock:
        signal.raise_signal(number)
        with global_compiler_lock:
            pass  # another part of the same pass
        with pytest.raises(KeyboardInterrupt), event.trigger_event("numba:run_pass"):
            pass
        assert signal.getsignal(number) != handler  # the compiler is not done
    assert signal.getsignal(number) == handler


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_waits_for_the_compiler_to_be_done(number: signal.Signals, handler: object):
    for _ in range(2):
        global_compiler_lock.acquire()
    signal.raise_signal(number)
    global_compiler_lock.release()
    with pytest.raises(KeyboardInterrupt):
        global_compiler_lock.release()
    assert signal.getsignal(number) == handler
    with global_compiler_lock:
        pass  # it was answered once


def test_ctrl_c_ends_a_wait_for_a_compiler_in_another_thread(handler: object):
    is_taken, is_answered, given_up = threading.Event(), threading.Event(), []
    main = threading.get_ident()

    def compile_elsewhere() -> None:
        with global_compiler_lock:
            is_taken.set()
            while signal.getsignal(signal.SIGINT) == handler:
                time.sleep(0.01)  # the main thread does not wait yet
            signal.pthread_kill(main, signal.SIGINT)
            if not is_answered.wait(PATIENCE_SECONDS):
                given_up.append(True)

    thread = threading.Thread(target=compile_elsewhere)
    thread.start()
    is_taken.wait()
    with pytest.raises(KeyboardInterrupt):
        global_compiler_lock.acquire()
    is_answered.set()
    thread.join()
    assert not given_up
    with global_compiler_lock:
        pass
    assert signal.getsignal(signal.SIGINT) == handler


def test_a_compiler_in_another_thread_holds_no_signal_back(handler: object):
    seen = []

    def compile_elsewhere() -> None:
        with global_compiler_lock:
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=compile_elsewhere)
    thread.start()
    thread.join()
    assert seen == [handler]


def test_signals_that_nobody_hears_are_left_alone():
    """In worker processes Ctrl-C is ignored, and a request to end is not Python's business."""
    choices = [signal.SIG_IGN, signal.SIG_DFL]
    for number, choice in zip(SIGNALS, choices, strict=True):
        signal.signal(number, choice)
    with global_compiler_lock:
        assert [signal.getsignal(number) for number in SIGNALS] == choices


def test_a_handler_that_was_changed_meanwhile_stays():
    with global_compiler_lock:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def answers_in_a_thread(call: Callable[[], int], *, is_cancelled: bool) -> list[object]:
    """What a thread answers or raises, which was asked to stop before it began."""
    answers: list[object] = []

    def work() -> None:
        try:
            answers.append(call())
        except CompilationCancelled as error:
            answers.append(type(error))

    thread = threading.Thread(target=work)
    if is_cancelled:
        cancel(thread)
    thread.start()
    thread.join(PATIENCE_SECONDS)
    return answers


def test_a_thread_that_is_cancelled_stops_compiling_and_the_next_call_is_right() -> None:
    @compiled
    def double(number):
        return 2 * number

    @compiled
    def quadruple(number):
        return double(double(number))

    assert answers_in_a_thread(lambda: quadruple(3), is_cancelled=True) == [CompilationCancelled]
    assert not quadruple.overloads  # type: ignore[attr-defined]
    assert answers_in_a_thread(lambda: quadruple(3), is_cancelled=False) == [12]
    # What is compiled runs, whoever is asked to stop.
    assert answers_in_a_thread(lambda: quadruple(3), is_cancelled=True) == [12]


def test_a_thread_may_run_only_what_is_compiled_already() -> None:
    @compiled
    def triple(number):
        return 3 * number

    with refusing_to_compile(), pytest.raises(NotCompiled):
        triple(2)
    assert triple(2) == 6
    with refusing_to_compile():
        assert triple(2) == 6


def test_another_thread_compiles_while_one_refuses_to() -> None:
    @compiled
    def ninefold(number):
        return 9 * number

    with refusing_to_compile():
        assert answers_in_a_thread(lambda: ninefold(2), is_cancelled=False) == [18]


CANCELLED = """
import os, signal, threading, time
import plies
from plies.compiling.progress import watch

def press():
    while watch.functions < 20:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

game = plies.game("nim")
agent = plies.agent("engine", game)
threading.Thread(target=press, daemon=True).start()
try:
    agent.prepare(game.initial())
    print("not interrupted")
except KeyboardInterrupt:
    time.sleep(0.1)
    print("interrupted", watch.current(), threading.active_count() <= 2)
print(plies.search(game, game.initial(), "engine:depth=3").is_complete)
"""


def test_ctrl_c_stops_a_search_that_compiles_in_a_thread_and_the_next_one_is_right(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, "PLIES_CACHE_DIR": str(tmp_path), "PLIES_QUIET": "1"}
    command = [sys.executable, "-c", CANCELLED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("interrupted None True\nTrue\n", "")
