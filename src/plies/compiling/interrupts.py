"""Ctrl-C and other requests to stop while the compiler works.

LLVM calls Python back for code that goes to disk, and loses an exception raised there: Ctrl-C
has no effect, and the new code crashes when it is called.  Elsewhere an exception may leave the
compiler half prepared.  So a signal that might raise waits while the main thread, the only one
that handles signals, compiles or loads code.  It is handled before the compiler's next pass, or
when the compiler is done.  A thread that is asked to stop (`cancel`) does so in such a place, too.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any

from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from plies.compiling.progress import watch

SIGNALS = (signal.SIGINT, signal.SIGTERM)
LOCK = "numba:compiler_lock"  # taken for a compilation, and again for each part of it
PASS = "numba:run_pass"
COMPILE = "numba:compile"  # one function


class CompilationCancelled(KeyboardInterrupt):
    """A thread stops compiling because another one has asked it to."""


class Postponed(event.Listener):
    """Signals that wait while the main thread has the compiler's lock.

    It changes the handlers before that thread asks for the lock, and restores them afterwards.
    While the thread still waits for the lock, a signal is passed on at once: Ctrl-C may end the
    wait for another thread's compilation, and no event reports that.
    """

    def __init__(self) -> None:
        self._handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._waiting: tuple[int, FrameType | None] | None = None

    def on_start(self, event: Any) -> None:
        """The main thread wants the lock, or begins a pass."""
        if threading.current_thread() is not threading.main_thread():
            return
        if event.kind == PASS:
            self._answer()
            return
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler) and handler != self._hear:
                self._handlers[number] = handler
                signal.signal(number, self._hear)

    def on_end(self, event: Any) -> None:
        """The main thread has given the lock back, perhaps for good, or ends a pass."""
        if threading.current_thread() is not threading.main_thread():
            return
        if global_compiler_lock.is_locked():  # by this thread
            return
        for number, handler in self._handlers.items():
            if signal.getsignal(number) == self._hear:
                signal.signal(number, handler)
        self._answer()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self._waiting = (number, frame)
        if not global_compiler_lock.is_locked():
            self._answer()

    def _answer(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._handlers[waiting[0]](*waiting)


_cancelled: set[threading.Thread] = set()


def cancel(thread: threading.Thread) -> None:
    """Let a thread stop before the compiler's next pass; what it then asks for is compiled anew.

    One that compiles nothing goes on, and stops if it ever does: so this is for threads that end.
    """
    _cancelled.difference_update([each for each in _cancelled if not each.is_alive()])
    _cancelled.add(thread)


class NotCompiled(KeyboardInterrupt):
    """A call would have to compile something first."""


# Whether only what is compiled already may run.
_is_refusing: ContextVar[bool] = ContextVar("refusing to compile", default=False)


@contextmanager
def refusing_to_compile() -> Iterator[None]:
    """Within it, what would have to be compiled raises `NotCompiled` instead.

    That goes for this thread, and for those that a search starts in it.  What is in the cache is
    loaded and runs.
    """
    token = _is_refusing.set(True)
    try:
        yield
    finally:
        _is_refusing.reset(token)


class Cancelling(event.Listener):
    """Stops the threads that are asked to, before a pass of the compiler."""

    def on_start(self, event: Any) -> None:
        if not _cancelled:
            return
        thread = threading.current_thread()
        if thread in _cancelled:
            _cancelled.discard(thread)
            raise CompilationCancelled

    def on_end(self, event: Any) -> None:
        """Between two passes nothing is half done."""


class Counting(event.Listener):
    """Tells `progress` which function is compiled; the lock lets one thread compile at a time."""

    def __init__(self) -> None:
        self._is_refused = False

    def on_start(self, event: Any) -> None:
        if _is_refusing.get():
            self._is_refused = True
            raise NotCompiled
        watch.begin(event.data["dispatcher"].py_func, event.data["args"])

    def on_end(self, event: Any) -> None:
        if self._is_refused:
            self._is_refused = False
            return
        # Numba's own `is_failed` says the opposite.
        compiled = event.data["dispatcher"].overloads
        watch.end(is_done=tuple(event.data["args"]) in compiled)


def postpone_interrupts() -> None:
    """Let signals and requests to stop wait for the compiler from now on, and count functions."""
    postponed = Postponed()
    for kind in (LOCK, PASS):
        event.register(kind, postponed)
    event.register(PASS, Cancelling())
    event.register(COMPILE, Counting())
