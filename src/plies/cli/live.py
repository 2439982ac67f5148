"""What a person sees while an agent thinks."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner

from plies.cli.output import line_texts, table_of
from plies.core.contract import Game
from plies.core.scores import value_text
from plies.search.decision import Depth
from plies.search.task import Progress

COLUMNS = ("depth", "move", "value", "nodes", "seconds", "line")
SHOWN = 12  # depths, the last ones, while it goes on
PER_SECOND = 8


def history_rows(game: Game, state: Any, history: Sequence[Depth]) -> list[list[str]]:
    """One row for every depth that was finished."""
    return [
        [
            str(depth.depth),
            game.spoken(state, depth.move),
            value_text(depth.value),
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
        with Live(self, console=console, refresh_per_second=PER_SECOND, transient=True):
            yield

    def __rich__(self) -> Group:
        seconds = time.perf_counter() - self.began
        self.spinner.update(text=self.status(seconds))
        history = self.progress.history[-SHOWN:]
        if not history:
            return Group(self.spinner)
        rows = history_rows(self.game, self.state, history)
        return Group(table_of(COLUMNS, rows), self.spinner)

    def status(self, seconds: float) -> str:
        """`depth 7, 3.1 s, 12,345,678 nodes, 4.2 M nodes/s`."""
        history, nodes = self.progress.history, self.progress.nodes
        parts = [f"depth {history[-1].depth + 1}" if history else "thinking", f"{seconds:.1f} s"]
        if nodes and self.progress.seconds:
            rate = nodes / self.progress.seconds / 1e6
            parts += [f"{nodes:,} nodes", f"{rate:.3g} M nodes/s"]
        return ", ".join(parts)
