"""`plies bench`: node signatures and rates of every method on every game."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.parameters import Json

if TYPE_CHECKING:
    from plies.bench import Measurement, Signature, Workload

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
    from plies.bench import read_signatures, write_signatures
    from plies.cli.output import print_json, print_table

    todo = list(chosen(game or [], method or []))
    results = list(measured(todo, is_live=not as_json))
    stored = read_signatures()
    rows = [as_data(result, stored.get((result.game, result.spec))) for result in results]
    if as_json:
        print_json(rows)
    else:
        print_table(COLUMNS, map(as_row, rows))
    if write:
        write_signatures(
            stored | {(result.game, result.spec): result.results for result in results}
        )
    elif any(row["is_expected"] is False for row in rows):
        raise typer.Exit(1)


def chosen(games: list[str], methods: list[str]) -> Iterator["Workload"]:
    """What is asked for, checked before anything is measured."""
    from plies.bench import SPECS, workloads
    from plies.core.spec import suggestion
    from plies.errors import BadSpec
    from plies.registry import game_names

    for name in methods:
        if name not in SPECS:
            raise BadSpec(f"there is no method {name}{suggestion(name, SPECS)}")
    for game in games or game_names():
        yield from workloads(game, tuple(methods))


def measured(todo: Iterable["Workload"], is_live: bool) -> Iterator["Measurement"]:
    """One after the other, with a sign of life on a terminal."""
    from plies.bench import measure

    with waiting(is_live) as tell:
        for workload in todo:
            if tell is not None:
                tell(f"{workload.game.spec} {workload.spec}")
            yield measure(workload)


def waiting(is_live: bool) -> AbstractContextManager[Any]:
    if not (is_live and sys.stdout.isatty()):
        return nullcontext()
    from plies.cli.compiling import sign_of_life

    return sign_of_life()


def as_data(result: "Measurement", stored: "Signature | None") -> dict[str, Any]:
    """One result as a program reads it; `is_expected` is None where no signature is stored."""
    return {
        "game": result.game,
        "work": result.spec,
        "nodes": result.nodes,
        "cpu_seconds": result.cpu_seconds,
        "rate": result.rate,
        "positions": {name: each._asdict() for name, each in result.results.items()},
        "is_expected": None if stored is None else stored == result.results,
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
