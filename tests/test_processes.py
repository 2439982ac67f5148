"""Jobs in worker processes: all are done, failures are one line, nothing stays behind."""

import multiprocessing
import os

import pytest

from plies.errors import BadSpec
from plies.processes import WorkerFailed, answers, checked_workers, cores


def doubled(number: int) -> int:
    return 2 * number


def failing(number: int) -> int:
    if number == 2:
        raise BadSpec("two is no good")
    if number == 3:
        raise ZeroDivisionError("three is worse")
    if number == 4:
        os._exit(1)
    return number


@pytest.mark.parametrize("workers", [1, 2])
def test_every_job_is_answered_once(workers: int):
    assert sorted(answers(doubled, range(7), workers)) == [(n, 2 * n) for n in range(7)]
    assert multiprocessing.active_children() == []


def test_no_job_needs_no_worker():
    assert list(answers(doubled, [], 2)) == []


@pytest.mark.parametrize(
    ("bad", "message"),
    [(2, "two is no good"), (3, "ZeroDivisionError: three is worse"), (4, "has died")],
)
def test_a_job_that_fails_is_one_line(bad: int, message: str):
    with pytest.raises(WorkerFailed, match=message) as failed:
        list(answers(failing, [0, 1, bad], 2))
    assert "\n" not in str(failed.value)
    assert multiprocessing.active_children() == []


def test_who_stops_asking_leaves_no_process_behind():
    results = answers(doubled, range(100), 2)
    next(results)
    assert len(multiprocessing.active_children()) == 2
    results.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


def test_zero_workers_are_one_on_every_core():
    assert checked_workers(0) == cores()
    assert checked_workers(3) == 3
    with pytest.raises(BadSpec, match="at least 1, or 0"):
        checked_workers(-1)
