"""How a program under measurement is asked: one process, one JSON document a line.

The process first says its version.  Then every request names a task with its arguments
and the CPU seconds to spend on it; the answer is the best of the runs that fit in, at least
one, or an `error`.  Standard library only: some programs need a Python of their own.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What one run did: units counted, CPU time, and for a search the value it found."""

    count: int
    cpu_seconds: float
    value: int | None = None


Run = Callable[[], Answer]
Task = Callable[..., Run]  # prepares, which is not measured, and answers with what is


def timed(work: Callable[[], tuple[int, int | None]]) -> Run:
    """Measure a function that answers with its count and value."""

    def run() -> Answer:
        began = time.process_time()
        count, value = work()
        return Answer(count, time.process_time() - began, value)

    return run


def best_of(run: Run, seconds: float) -> Answer:
    """The quickest run; all of them do the same."""
    first = best = run()
    spent = first.cpu_seconds
    while spent < seconds:
        answer = run()
        spent += answer.cpu_seconds
        if (answer.count, answer.value) != (first.count, first.value):
            raise ValueError(f"two runs differ: {first} and {answer}")
        best = min(best, answer, key=lambda answer: answer.cpu_seconds)
    return best


def serve(version: str, tasks: Mapping[str, Task]) -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer

    def say(message: dict[str, Any]) -> None:
        print(json.dumps(message), file=answers, flush=True)

    say({"version": version})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            run = tasks[request["task"]](**request["arguments"])
            say(asdict(best_of(run, request["seconds"])))
        except Exception as error:  # told to whoever asks, in the row of the table
            say({"error": f"{type(error).__name__}: {error}".partition("\n")[0]})
