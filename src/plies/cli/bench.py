"""`plies bench`: node signatures and rates of every method on every game."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.parameters import Json

if TYPE_CHECKING:
    from plies.bench import Measured, Signature, Work

COLUMNS = ("game", "work", "nodes", "CPU ms", "M nodes/s", "signature")
REMARKS = {True: "as kept", False: "DIFFERS", None: "new"}


def command(
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME", help="Only this game; repeat it for more.", show_default=False
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Only this method; repeat it for more.", show_default=False
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Keep the signatures found, in the package.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Search fixed positions of every game by every method; show nodes and rates.

    How many nodes a method takes is its signature, which changes only on purpose; the exit
    status is 1 if one differs from what is kept.  The first run compiles for minutes.

    \b
    Example:  plies bench --game quixo
    """
    from plies.bench import kept_signatures, write_signatures
    from plies.cli.output import print_json, print_table

    todo = list(chosen(game or [], method or []))
    found = list(measured(todo, is_live=not as_json))
    kept = kept_signatures()
    rows = [as_data(result, kept.get((result.game, result.spec))) for result in found]
    if as_json:
        print_json(rows)
    else:
        print_table(COLUMNS, map(as_row, rows))
    if write:
        write_signatures(kept | {(result.game, result.spec): result.found for result in found})
    elif any(row["is_expected"] is False for row in rows):
        raise typer.Exit(1)


def chosen(games: list[str], methods: list[str]) -> Iterator["Work"]:
    """What is asked for, checked before anything is measured."""
    from plies.bench import SPECS, works
    from plies.core.spec import suggestion
    from plies.errors import BadSpec
    from plies.registry import game_names

    for name in methods:
        if name not in SPECS:
            raise BadSpec(f"there is no method {name}{suggestion(name, SPECS)}")
    for game in games or game_names():
        yield from works(game, tuple(methods))


def measured(todo: Iterable["Work"], is_live: bool) -> Iterator["Measured"]:
    """One after the other, with a sign of life on a terminal."""
    from plies.bench import measure

    with waiting(is_live) as status:
        for work in todo:
            if status is not None:
                status.update(f"{work.game.spec} {work.spec}")
            yield measure(work)


def waiting(is_live: bool) -> AbstractContextManager[Any]:
    if not (is_live and sys.stdout.isatty()):
        return nullcontext()
    from rich.console import Console

    return Console().status("")


def as_data(found: "Measured", kept: "Signature | None") -> dict[str, Any]:
    """One result as a program reads it; `is_expected` is None where no signature is kept."""
    return {
        "game": found.game,
        "work": found.spec,
        "nodes": found.nodes,
        "cpu_seconds": found.cpu_seconds,
        "rate": found.rate,
        "positions": {name: each._asdict() for name, each in found.found.items()},
        "is_expected": None if kept is None else kept == found.found,
    }


def as_row(row: dict[str, Any]) -> list[str]:
    rate = "" if row["rate"] is None else f"{row['rate'] / 1e6:.3g}"
    return [
        row["game"],
        row["work"],
        f"{row['nodes']:,}",
        f"{row['cpu_seconds'] * 1e3:.2f}",
        rate,
        REMARKS[row["is_expected"]],
    ]
