"""A time that goes on only when a test says so, and a compiler that takes as long as it says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from numba.core import event

from plies.compiling.compile_time import CompileTime
from plies.compiling.compiler import compiled


@dataclass
class FakeTime:
    """Goes on only when somebody says so, exactly as far."""

    now: float = 100.0

    def perf_counter(self) -> float:
        return self.now

    process_time = monotonic = perf_counter

    def rule(self, patch: pytest.MonkeyPatch) -> None:
        """Be the time of all clocks, and of the compiler, which then takes none."""
        patch.setattr("plies.search.runner.time", self)
        patch.setattr("plies.compiling.compile_time.time", self)
        fresh = CompileTime()  # sums of simple numbers are exact
        patch.setattr("plies.compiling.compile_time._threads.compile_time", fresh, raising=False)

    @contextmanager
    def slow_compiler(self, seconds: float) -> Iterator[None]:
        """While this lasts, every function takes so long to compile."""

        def take_long() -> None:
            self.now += seconds

        with event.install_listener("numba:compile", When(take_long)):
            yield


@dataclass(frozen=True)
class When(event.Listener):
    """Calls a function whenever the compiler begins with something."""

    call: Callable[[], None]

    def on_start(self, event: Any) -> None:
        self.call()

    def on_end(self, event: Any) -> None:
        pass


def new_function() -> Callable[[int], int]:
    """A function that is compiled when it is called: of a local one nothing is on the disk."""

    @compiled
    def successor(number):
        return number + 1

    return successor
