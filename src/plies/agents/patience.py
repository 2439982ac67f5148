"""A line for whoever waits for a user's agent that does not answer.

Nothing can stop Python code in a thread, or compiled code that never returns.  So a thread
watches the calls, and says once of each that takes long which agent is busy with what.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from plies.search.runner import Stopwatch

PATIENCE_SECONDS = 30.0
GLANCE_SECONDS = 1.0


class Call(NamedTuple):
    """A call of an agent: where, for people, and since when, while the compiler does not work."""

    agent: str
    position: Callable[[], str]
    watch: Stopwatch


_calls: dict[int, Call] = {}  # those that nothing has been said about, by their ids
_begin_watching = threading.Lock()
_watcher: threading.Thread | None = None


@contextmanager
def watched(agent: str, position: Callable[[], str]) -> Iterator[None]:
    """While this lasts, an agent is busy with a position."""
    call = Call(agent, position, Stopwatch())
    _calls[id(call)] = call
    if _watcher is None or not _watcher.is_alive():  # it is not there after a fork
        _start_watching()
    try:
        yield
    finally:
        _calls.pop(id(call), None)


def _start_watching() -> None:
    global _watcher
    with _begin_watching:
        if _watcher is None or not _watcher.is_alive():
            _watcher = threading.Thread(target=_watch, name="patience", daemon=True)
            _watcher.start()


def _watch() -> None:
    while True:
        time.sleep(GLANCE_SECONDS)
        for key, call in list(_calls.items()):
            if call.watch.seconds > PATIENCE_SECONDS and _calls.pop(key, None):
                print(_text(call), file=sys.stderr, flush=True)


def _text(call: Call) -> str:
    try:
        where = " ".join(call.position().split())
    except Exception:  # the rules are a user's, too
        where = "its move"
    busy = f"{call.agent} is still busy with {where} after {PATIENCE_SECONDS:g} s"
    return f"plies: {busy}; Ctrl-C ends the run"
