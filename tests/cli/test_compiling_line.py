"""The line on the terminal that says what is being compiled."""

import io
import os
import threading
from contextlib import redirect_stderr

import pytest

from plies.cli import compiling
from plies.cli.compiling import ERASE_LINE, CompilingLine, compiling_line, line_of, show_progress
from plies.cli.errors import complain
from plies.compiling import progress
from plies.compiling.progress import Activity

PATIENCE_SECONDS = 30
HALF = Activity("nim", "engine", 50, 100, 6.4)


class Screen(io.StringIO):
    """A terminal that remembers everything, and tells when it shows a text."""

    def __init__(self) -> None:
        super().__init__()
        self.is_drawn = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        count = super().write(text)
        if "nim" in text:
            self.is_drawn.set()
        return count

    @property
    def row(self) -> str:
        """What stands on the row of the cursor."""
        return self.getvalue().split(ERASE_LINE)[-1]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    made = Screen()
    monkeypatch.setattr(compiling, "_write", made.write)
    monkeypatch.setattr(progress, "current", lambda: HALF)
    monkeypatch.setattr(compiling, "FRAME_SECONDS", 0.001)
    return made


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("on_begin", "on_end"):
        monkeypatch.setattr(progress.watch, name, getattr(progress.watch, name))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("PLIES_QUIET", raising=False)


def test_it_says_what_is_compiled_and_how_far_it_is() -> None:
    told = "compiling nim: engine, 50 of about 100 functions, 6 s"
    assert line_of(HALF, 200) == f"[{10 * '='}{10 * ' '}] {told} (Ctrl-C cancels)"
    assert line_of(HALF, 80) == f"[{10 * '='}{10 * ' '}] {told}"
    assert line_of(HALF, 60) == told
    assert line_of(HALF, 20) == told[:19]


def test_a_name_cannot_move_the_cursor() -> None:
    assert "\x1b" not in line_of(Activity("nim\x1b[2J", "engine", 1, 2), 200)


def test_it_is_gone_when_the_compiler_is_done(screen: Screen) -> None:
    line = CompilingLine()
    line.begin(HALF)
    assert screen.is_drawn.wait(PATIENCE_SECONDS)
    line.end()
    assert screen.row == ""


def test_another_display_has_the_terminal_alone(screen: Screen) -> None:
    line = CompilingLine()
    with line.hidden():
        line.begin(HALF)
        assert not screen.is_drawn.wait(0.1)
    assert screen.is_drawn.wait(PATIENCE_SECONDS)
    with line.hidden():
        assert screen.row == ""
    line.end()


def test_a_complaint_stands_on_a_line_of_its_own(screen: Screen) -> None:
    compiling_line.begin(HALF)
    assert screen.is_drawn.wait(PATIENCE_SECONDS)
    try:
        with compiling_line.hidden(), redirect_stderr(screen):
            complain("nothing works")
            assert screen.row == "plies: nothing works\n"
    finally:
        compiling_line.end()


def test_on_a_terminal_the_line_is_shown_instead_of_the_notice(screen: Screen, hooks: None) -> None:
    with redirect_stderr(screen):
        show_progress()
    assert progress.watch.on_begin == compiling_line.begin
    assert progress.watch.on_end == compiling_line.end


@pytest.mark.parametrize("variable", [{"PLIES_QUIET": "1"}, {"TERM": "dumb"}])
def test_elsewhere_the_notice_stays(
    screen: Screen, hooks: None, variable: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = progress.watch.on_begin
    monkeypatch.setattr(os, "environ", {**os.environ, **variable})
    with redirect_stderr(screen):
        show_progress()
    assert progress.watch.on_begin == before
