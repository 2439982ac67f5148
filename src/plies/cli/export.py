"""`plies export`: the games of a run for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from plies.cli.report import RunFile, refuse_same


def command(
    run: RunFile,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Ends in .jsonl, .parquet (a game a line or row, with its moves),"
            " .csv (without them) or .pgn (chess).",
            show_default=False,
        ),
    ],
    times: Annotated[
        bool,
        typer.Option(help="Without seconds and dates the same run gives the same bytes."),
    ] = True,
) -> None:
    """Write all games of a run in a format that its name says.

    \b
    Example:  plies export tournament.db games.jsonl
    """
    from plies.arena.export import export
    from plies.arena.report import read_run

    refuse_same(file, run)
    found = read_run(run)
    export(found.tournament, found.games, file, has_times=times)
    print(f"{file}: {len(found.games)} games")
