"""What a person sees while an agent thinks."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from plies.cli.compiling import compiling_line
from plies.cli.output import table_of, value_words
from plies.compiling.progress import current
from plies.core.contract import Game
from plies.core.result_text import line_texts
from plies.search.decision import Depth
from plies.search.task import Progress

COLUMNS = ("depth", "move", "value", "nodes", "seconds", "line")
SHOWN = 12  # depths, the last ones, while it goes on
OTHER_LINES = 5  # of the terminal: the heading, its rule, the status and room for it to wrap
PER_SECOND = 8


def history_rows(game: Game, state: Any, history: Sequence[Depth]) -> list[list[str]]:
    """One row for every depth that was finished."""
    return [
        [
            str(depth.depth),
            game.move_notation(state, depth.move),
            value_words(depth.value),
            f"{depth.nodes:,}",
            f"{depth.seconds:.3f}",
            " ".join(line_texts(game, state, depth.line, is_spoken=True)),
        ]
        for depth in history
    ]


class Thinking:
    """The depths finished so far and a line that moves, updated in place."""

    def __init__(self, game: Game, state: Any):
        self.game = game
        self.state = state
        self.progress = Progress(0.0, 0, ())
        self.spinner = Spinner("dots")
        self.began = time.perf_counter()

    def hear(self, progress: Progress) -> None:
        self.progress = progress

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Meanwhile it is on the terminal; afterwards it is gone."""
        console = Console(highlight=False, markup=False)
        with (
            compiling_line.hidden(),
            Live(self, console=console, refresh_per_second=PER_SECOND, transient=True),
        ):
            yield

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = max(1, min(SHOWN, console.height - OTHER_LINES))
        if history := self.progress.history[-room:]:
            yield self._table(history)
        self.spinner.update(text=self.status(time.perf_counter() - self.began))
        yield self.spinner

    def _table(self, history: Sequence[Depth]) -> Table:
        """One line of the terminal for every depth: what does not fit is cut off at the end."""
        table = table_of(COLUMNS, [])
        for column in table.columns[:-1]:
            column.no_wrap = True
        for *cells, line in history_rows(self.game, self.state, history):
            table.add_row(*cells, Text(line, no_wrap=True, overflow="ellipsis"))
        return table

    def status(self, seconds: float) -> str:
        """`depth 7, 3.1 s, 12,345,678 nodes, 4.2 M nodes/s of wall-clock time`."""
        if activity := current():
            return f"{activity.text}, {seconds:.0f} s"
        history, nodes = self.progress.history, self.progress.nodes
        parts = [f"depth {history[-1].depth + 1}" if history else "thinking", f"{seconds:.1f} s"]
        if nodes and self.progress.seconds:
            rate = nodes / self.progress.seconds / 1e6
            parts += [f"{nodes:,} nodes", f"{rate:.3g} M nodes/s of wall-clock time"]
        return ", ".join(parts)
