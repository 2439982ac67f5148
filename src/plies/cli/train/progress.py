"""What a person sees of long work: a bar on a terminal, else a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from plies.cli.errors import INTERRUPTED, complain
from plies.cli.running import LOG_SECONDS, ending_heard

Tell = Callable[[int, int], None]  # so much is done, of so much


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """Meanwhile the answer may be told how far the work is; `what` is being counted."""
    if sys.stderr.isatty():
        with _bar(what) as shown:
            yield shown
        return
    told = began = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= LOG_SECONDS:
            told = now
            print(f"{done}/{total} {what}, {now - began:.0f} s", file=sys.stderr, flush=True)

    yield tell


@contextmanager
def _bar(what: str) -> Iterator[Tell]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from plies.cli.compiling import bar_on_stderr

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with bar_on_stderr(*columns, *times) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def kept_when_stopped(out: Path) -> Iterator[None]:
    """Ctrl-C, or a request to end, ends the command; what is done is in `OUT.parts`."""
    from plies.learn.parts import folder_of, has_parts, remove_empty

    try:
        with ending_heard():
            yield
    except KeyboardInterrupt as error:
        kept = f"what is done is kept in {folder_of(out)}, the same command goes on"
        complain(f"interrupted; {kept if has_parts(out) else 'nothing was done yet'}")
        raise typer.Exit(INTERRUPTED) from error
    finally:
        remove_empty(out)
