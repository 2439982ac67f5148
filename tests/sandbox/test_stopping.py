"""Programs that go on although they were sent the signal to stop."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from plies.sandbox import family, stopping
from plies.sandbox.stopping import NotStopped, Signalled

BUSY = ["sleep", "60"]


@pytest.fixture
def sleepers() -> Iterator[list[int]]:
    """The numbers of three processes that run until the test has ended."""
    running = [subprocess.Popen(BUSY) for _ in range(3)]
    yield [process.pid for process in running]
    for process in running:
        process.kill()
        process.wait()


def test_a_program_that_stands_still_goes_on(sleepers: list[int]):
    program = Signalled(lambda: sleepers, list)
    assert program.stop() == 0
    assert not stopping.are_running(sleepers)
    program.go_on()


def test_a_process_that_was_overlooked_at_first_is_stopped_as_well(sleepers: list[int]):
    looks = iter([sleepers[:1], [], sleepers[:2]])  # in the second one it hides altogether
    program = Signalled(lambda: next(looks, sleepers), list)
    assert program.stop() > 0  # seconds for which it ran on
    assert not stopping.are_running(sleepers)


def test_one_who_appears_after_the_stop_is_at_fault(sleepers: list[int]):
    seen = sleepers[:2]
    program = Signalled(lambda: seen, list)
    program.stop()
    seen.append(sleepers[2])
    with pytest.raises(NotStopped):
        program.go_on()


def test_a_judge_who_was_held_up_does_not_blame_the_program(
    sleepers: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stopping, "STOPPING_SECONDS", 0.0)  # over before the first look
    looks = iter([True, True])  # it has not stopped yet at the first looks
    monkeypatch.setattr(family, "is_running", lambda pid: next(looks, False))
    program = Signalled(lambda: sleepers[:1], list)
    program.stop()
    looks = iter([True, True])
    program.go_on()


def test_a_stop_that_does_not_come_to_an_end_is_a_fault(
    sleepers: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stopping, "STOPPING_SECONDS", 0.05)
    numbers = iter(range(10**8, 10**9))
    program = Signalled(lambda: [next(numbers)], list)  # a new process at every look
    with pytest.raises(NotStopped):
        program.stop()


def test_a_whole_process_group_is_ended_at_once(monkeypatch: pytest.MonkeyPatch):
    """Chains of short-lived processes are never there when a signal for one of them comes."""
    program = "import os, time; os.setsid(); print(flush=True); time.sleep(20)"
    keeper = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {program!r}])\n"
        "print(child.wait(), flush=True)\n"
        "time.sleep(600)\n"
    )
    monkeypatch.setattr(family, "send_signal", lambda *_: None)
    with subprocess.Popen([sys.executable, "-c", keeper], stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        started.stdout.readline()
        family.end_descendants(started.pid)
        assert started.stdout.readline() == b"-9\n"
        started.kill()
