"""How answers are printed: JSON, tables, aligned facts, and names of players."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.table import Table


PIPE_WIDTH = 200  # a table that a program reads is not folded
_stdout: TextIO | None = None  # while a command prints nothing but one document


@contextmanager
def only_json() -> Iterator[None]:
    """What a user's file prints goes to stderr, so that a program can read the document."""
    global _stdout
    _stdout = sys.stdout
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _stdout = None


def print_json(document: Any) -> None:
    """The one thing on stdout."""
    print(json.dumps(document, indent=2), file=_stdout or sys.stdout)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table as wide as the terminal."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    Console(highlight=False, markup=False, emoji=False, width=width).print(table_of(columns, rows))


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> "Table":
    """A table, not yet shown."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def print_counts(counts: Mapping[str, int]) -> None:
    """One `name  count` line each, the counts aligned right."""
    texts = {name: f"{count:,}" for name, count in counts.items()}
    width, digits = max(map(len, texts), default=0), max(map(len, texts.values()), default=0)
    for name, text in texts.items():
        print(f"{name:<{width}}  {text:>{digits}}")


def print_facts(facts: Mapping[str, str]) -> None:
    """One `name  text` line each, the texts below one another."""
    width = max(map(len, facts))
    for name, text in facts.items():
        print(f"{name:<{width}}  {text}")


def work_text(nodes: int, cpu_seconds: float) -> str:
    """`1,234 nodes in 0.012 s of CPU time, 0.103 M nodes/s`; without a time just the nodes."""
    if not cpu_seconds:  # nobody has measured it
        return f"{nodes:,} nodes"
    speed = f", {nodes / cpu_seconds / 1e6:.3g} M nodes/s" if nodes else ""
    return f"{nodes:,} nodes in {cpu_seconds:.3g} s of CPU time{speed}"


def value_words(value: int) -> str:
    """`win in 3 plies`, `loss in 1 ply`, or the number that an opinion is."""
    from plies.core.scores import WIN, is_decided, value_text

    if not is_decided(value):
        return value_text(value)
    return f"{value_text(value)} {'ply' if WIN - abs(value) == 1 else 'plies'}"


def rate_of(nodes: int, cpu_seconds: float) -> float | None:
    """Nodes per CPU second, None when too little happened to tell."""
    return nodes / cpu_seconds if nodes and cpu_seconds else None
