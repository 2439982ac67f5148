"""`plies report`: a run as one page, as tables and as plots."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plies.cli.errors import UsageError
from plies.files import check_writable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plies.arena.report import Report, Run
    from plies.arena.store import Finished

RunFile = Annotated[
    Path,
    typer.Argument(
        metavar="RUN", help="What plies tournament or match kept by --out.", show_default=False
    ),
]


def command(
    run: RunFile,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Where the page goes; by default beside the run, as .html.",
            show_default=False,
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Also write standings, pay-offs, games and moves as CSV.",
            show_default=False,
        ),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Also write every chart as a picture.", show_default=False
        ),
    ] = None,
    kind: Annotated[
        Literal["svg", "png"], typer.Option("--format", help="Of these pictures.")
    ] = "svg",
    browser: Annotated[bool, typer.Option("--open", help="Show the page in a browser.")] = False,
) -> None:
    """Write a run as one HTML file: standings, charts, and every game to step through.

    The file needs no network and nothing beside it.  A run that is still going on is told
    as far as it has come.

    \b
    Example:  plies report tournament.db --csv tables
    """
    from plies.arena.report import read_run

    page = out or run.with_suffix(".html")
    refuse_same(page, run)
    report = _made(read_run(run))
    report.write_html(page)
    written = [page]
    if csv is not None:
        written += report.write_csv(make_folder(csv))
    if plots is not None:
        written += report.write_plots(make_folder(plots), kind)
    for warning in report.public().warnings:
        print(f"note: {warning}")
    for path in written:
        print(path)
    if browser:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())


def _made(run: "Run") -> "Report":
    """The report; on a terminal a bar shows how many games have been played through."""
    from rich.console import Console
    from rich.progress import track

    from plies.arena.report import make_report

    console = Console(stderr=True)

    def progress(games: "list[Finished]") -> "Iterable[Finished]":
        return track(games, "replaying", console=console, transient=True)

    return make_report(run, progress) if console.is_terminal else make_report(run)


def refuse_same(file: Path, run: Path) -> None:
    """What is written must not take the place of the run."""
    if file.resolve() == run.resolve():
        raise UsageError(f"{file} is the run itself; write to another file")


def make_folder(path: Path) -> Path:
    """The folder, made where it is not there; refused before the work if it cannot be used."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be made a folder: {error.strerror}") from error
    check_writable(path / "file")
    return path
