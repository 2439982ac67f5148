"""The time that the compiler takes, which no clock charges.

Functions are compiled when they are first called, perhaps in the middle of a game.  Numba reports
when a thread asks for its lock and when it gives the lock back.  Between the two a thread
compiles, loads compiled code from disk, or waits for another thread that does.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from plies.compiling.interrupts import LOCK


class CompileTime:
    """How long the compiler has kept some threads busy; at the same moment it counts once."""

    def __init__(self) -> None:
        self._busy: set[int] = set()  # the threads that compile now
        self._since = self._total = 0.0
        self._changing = threading.RLock()

    @property
    def seconds(self) -> float:
        """The sum so far, with the part that still runs."""
        with self._changing:
            if not global_compiler_lock.is_locked():  # by this thread
                self._end()  # Ctrl-C has ended a wait for the lock, which no event reports
            return self._total + (time.perf_counter() - self._since if self._busy else 0.0)

    def _begin(self) -> None:
        with self._changing:
            if not self._busy:
                self._since = time.perf_counter()
            self._busy.add(threading.get_ident())

    def _end(self) -> None:
        with self._changing:
            if threading.get_ident() in self._busy:
                self._busy.remove(threading.get_ident())
                if not self._busy:
                    self._total += time.perf_counter() - self._since


class _Listener(event.Listener):
    """Hears of every thread that takes or leaves the lock, also of parts of a compilation."""

    def on_start(self, event: Any) -> None:
        of_this_thread()._begin()

    def on_end(self, event: Any) -> None:
        if not global_compiler_lock.is_locked():  # else only a part has ended
            of_this_thread()._end()


_threads = threading.local()
event.register(LOCK, _Listener())


def of_this_thread() -> CompileTime:
    """The compile time of this thread and of those that count into the same one."""
    if not hasattr(_threads, "compile_time"):
        _threads.compile_time = CompileTime()
    return _threads.compile_time


@contextmanager
def counting_into(compile_time: CompileTime) -> Iterator[None]:
    """Count what this thread compiles there: another thread waits for the result."""
    before = of_this_thread()
    _threads.compile_time = compile_time
    try:
        yield
    finally:
        _threads.compile_time = before
