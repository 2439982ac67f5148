"""`plies study`: the experiments that can be repeated, and what came out."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plies.cli.errors import FAILED, INTERRUPTED, UsageError, complain, line_of
from plies.cli.parameters import Json, Workers
from plies.cli.running import LOG_SECONDS

if TYPE_CHECKING:
    from plies.studies.running import Outcome, Setting
    from plies.studies.study import Study, Tell

FOLDER = Path("build/studies")

Full = Annotated[
    bool,
    typer.Option("--full/--quick", help="Published size, or a small version."),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Of everything random.", min=0)]
Markdown = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Also write the results there as NAME.md.", show_default=False
    ),
]
Charts = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Also write every chart there as a picture, NAME-TITLE.svg.",
        show_default=False,
    ),
]
PictureFormat = Literal["svg", "png"]
ChartFormat = Annotated[PictureFormat, typer.Option(help="Of these pictures.")]

study = typer.Typer(add_completion=False)


@study.callback()
def about() -> None:
    """Repeat an experiment, and see the published figures beside those of this machine.

    \b
    Example:  plies study run quixo --quick
    """


@study.command("list")
def list_studies(as_json: Json = False) -> None:
    """Which studies there are.

    \b
    Example:  plies study list
    """
    from plies.cli.output import print_json, print_table
    from plies.studies.finding import studies

    known = studies().values()
    if as_json:
        rows = [{"name": each.name, "title": each.title, "about": each.about} for each in known]
        print_json(rows)
    else:
        print_table(("study", "about"), [(each.name, each.about) for each in known])


@study.command()
def run(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="See plies study list.", show_default=False)
    ],
    full: Full = False,
    workers: Workers = 0,
    seed: Seed = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help=f"Where everything is kept; by default {FOLDER}/NAME-quick or -full.",
            show_default=False,
        ),
    ] = None,
    markdown: Markdown = None,
    charts: Charts = None,
    chart_format: ChartFormat = "svg",
    as_json: Json = False,
) -> None:
    """Run a study, or what is left of it, and write its report.

    What is computed is kept at once; after an interruption the same command goes on.  Once
    all of it is there, nothing is computed again: charts can be exported at any time.

    \b
    Example:  plies study run quixo --full
    """
    from plies.cli.output import print_json
    from plies.studies.finding import study as find_study

    found = find_study(name)
    setting = setting_of(full, seed, workers)
    exports = checked_exports(markdown, charts, chart_format)
    told = run_one(found, out or FOLDER / f"{name}-{setting.scale}", setting, exports)
    if as_json:
        print_json(told)


@study.command("all")
def run_all(
    full: Full = False,
    workers: Workers = 0,
    seed: Seed = 1,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Every study has a folder in this one.")
    ] = FOLDER,
    markdown: Markdown = None,
    charts: Charts = None,
    chart_format: ChartFormat = "svg",
    as_json: Json = False,
) -> None:
    """Run every study, or what is left of it, one after the other.

    A study that fails is told about, and the others are run.

    \b
    Example:  plies study all --quick
    """
    from plies.cli.output import print_json
    from plies.errors import PliesError
    from plies.studies.finding import studies

    setting = setting_of(full, seed, workers)
    exports = checked_exports(markdown, charts, chart_format)
    told, failed = [], False
    for found in studies().values():
        try:
            told.append(run_one(found, out / f"{found.name}-{setting.scale}", setting, exports))
        except PliesError as error:
            failed = True
            complain(f"{found.name}: {line_of(error)}")
    if as_json:
        print_json(told)
    raise typer.Exit(FAILED if failed else 0)


def setting_of(full: bool, seed: int, workers: int) -> "Setting":
    from plies.processes import cores
    from plies.studies.running import Setting

    return Setting("full" if full else "quick", seed, workers or cores())


@dataclass(frozen=True)
class Exports:
    """What is written besides the study's own folder: a page, and charts as pictures."""

    markdown: Path | None
    charts: Path | None
    chart_format: PictureFormat

    def write(self, outcome: "Outcome", told: dict[str, Any]) -> None:
        from plies.files import new_file
        from plies.studies.report.contents import write_charts
        from plies.studies.report.markdown import markdown

        if self.markdown is not None:
            with new_file(self.markdown / f"{outcome.study.name}.md") as part:
                part.write_text(markdown(told), encoding="utf-8")
        if self.charts is not None:
            for path in write_charts(outcome, self.charts, self.chart_format):
                print(path, file=sys.stderr)


def checked_exports(
    markdown: Path | None, charts: Path | None, chart_format: PictureFormat
) -> Exports:
    """Refuse, before the work, folders that cannot be written to."""
    from plies.cli.report import make_folder

    if markdown is not None and not markdown.is_dir():
        raise UsageError(f"there is no folder {markdown} for --markdown")
    return Exports(markdown, None if charts is None else make_folder(charts), chart_format)


def run_one(study: "Study", folder: Path, setting: "Setting", exports: Exports) -> dict[str, Any]:
    """Run a study, write what came out, and say where; answers what `results.json` holds."""
    from plies.cli.running import command_line, ending_heard
    from plies.studies.report.contents import write
    from plies.studies.running import run

    try:
        with ending_heard(), progress(study.name) as tell:
            outcome = run(study, folder, setting, tell)
    except KeyboardInterrupt:
        complain(f"what is done is kept in {folder}; to go on: {command_line()}")
        raise typer.Exit(INTERRUPTED) from None
    told = write(outcome, folder)
    exports.write(outcome, told)
    show(told, folder)
    return told


def show(told: dict[str, Any], folder: Path) -> None:
    """What came out, on stderr: stdout is for what programs read."""
    print(f"{told['study']}: {told['lead']}", file=sys.stderr)
    print(f"{told['seconds']:.0f} s of computing; {folder / 'report.html'}", file=sys.stderr)


# Progress


@contextmanager
def progress(name: str) -> "Iterator[Tell]":
    """What steps tell: a bar on a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        yield Lines(name).hear
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

    from plies.cli.compiling import bar_on_stderr

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with bar_on_stderr(*columns, TimeElapsedColumn()) as bar:
        task = bar.add_task(name, total=None)

        def hear(text: str, done: int, total: int) -> None:
            bar.update(task, description=f"{name}: {text}", completed=done, total=total or None)

        yield hear


class Lines:
    """Progress for a log: when something begins, and now and then how far it has come."""

    def __init__(self, name: str):
        self.name = name
        self.text = ""
        self.told = 0.0

    def hear(self, text: str, done: int, total: int) -> None:
        now = time.monotonic()
        if text != self.text or now - self.told >= LOG_SECONDS:
            self.text, self.told = text, now
            count = f" {done}/{total}" if total else ""
            print(f"{self.name}: {text}{count}", file=sys.stderr, flush=True)
