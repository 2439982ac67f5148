"""A line on the terminal that says what is being compiled, and how far along it is.

It is on stderr, appears after a moment and vanishes at the end.  Where stderr is no terminal one
plain line says that something is compiled, and nothing moves.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from plies.compiling import progress
from plies.compiling.progress import Activity

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.text import Text

DELAY_SECONDS = 0.4  # what is compiled faster is not worth a line
FRAME_SECONDS = 0.1
BAR_CELLS = 20
ERASE_LINE = "\r\x1b[2K"


class CompilingLine:
    """The line.  Whoever prints while something may be compiled calls `clear` first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_running = threading.Event()  # a compilation
        self._thread: threading.Thread | None = None
        self._hidden = 0  # by displays that show the same themselves
        self._is_drawn = False

    def begin(self, activity: Activity) -> None:
        """The compiler has begun with something that nothing else calls."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._draw_all, daemon=True)
            self._thread.start()
        self._is_running.set()

    def end(self) -> None:
        """It has finished; what is printed next stands on an empty line."""
        self._is_running.clear()
        self.clear()

    def clear(self) -> None:
        with self._lock:
            if self._is_drawn:
                self._is_drawn = False
                _write(ERASE_LINE)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Meanwhile another display has the terminal."""
        self._hidden += 1
        self.clear()
        try:
            yield
        finally:
            self._hidden -= 1

    def _draw_all(self) -> None:
        while self._is_running.wait():
            time.sleep(FRAME_SECONDS)
            activity = progress.current()
            if activity is None or activity.seconds < DELAY_SECONDS or self._hidden:
                continue
            with self._lock:
                if self._is_running.is_set():  # else it has been cleared for good
                    self._is_drawn = True
                    _write(f"{ERASE_LINE}{line_of(activity, _columns())}")


def line_of(activity: Activity, columns: int) -> str:
    """`compiling chess: engine, 57 of about 120 functions, 6 s (Ctrl-C cancels)`, if it fits."""
    done = int(BAR_CELLS * activity.share)
    text = f"{activity.text}, {activity.seconds:.0f} s"
    bar = f"[{'=' * done}{' ' * (BAR_CELLS - done)}] "
    shown = f"{bar}{text} (Ctrl-C cancels)"
    fitting = next((each for each in (shown, bar + text, text) if len(each) < columns), text)
    printable = "".join(each if each.isprintable() else "?" for each in fitting)
    return printable[: max(columns - 1, 0)]


def _columns() -> int:
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stderr.fileno()).columns
    return 80


def _write(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


compiling_line = CompilingLine()


def show_progress() -> None:
    """Show what is compiled from now on, if somebody can see it."""
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not _is_quiet():
        progress.watch.on_begin, progress.watch.on_end = compiling_line.begin, compiling_line.end


def _is_quiet() -> bool:
    return bool(os.environ.get("PLIES_QUIET"))


# Other displays


class Saying:
    """A text of a display, and instead of it what is being compiled."""

    def __init__(self, text: str = ""):
        self.text = text

    def __rich__(self) -> "Text":
        from rich.text import Text

        activity = progress.current()
        return Text(activity.text if activity else self.text)


@contextmanager
def sign_of_life(text: str = "") -> Iterator[Callable[[str], None]]:
    """A spinner on stdout with a text, which can be changed."""
    from rich.console import Console

    with compiling_line.hidden(), Console().status(Saying(text)) as status:
        yield lambda other: status.update(Saying(other))


@contextmanager
def bar_on_stderr(*columns: Any) -> "Iterator[Progress]":
    """A bar with these columns, and what is being compiled."""
    from rich.console import Console
    from rich.progress import Progress, RenderableColumn

    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    shown = Progress(*columns, RenderableColumn(Saying()), console=console, transient=True)
    with compiling_line.hidden(), shown:
        yield shown
