"""What a report consists of, as a page and as files."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from plies.arena.export import game_rows, new_file, write_csv
from plies.arena.report import page
from plies.arena.report.analysis import Sample, faults, kinds_of, meetings, samples
from plies.arena.report.pictures import Pictures
from plies.arena.report.replay import Replay, replays
from plies.arena.report.run import Run
from plies.arena.report.stage import stage
from plies.arena.report.words import (
    endings_table,
    fault_table,
    match_table,
    move_rows,
    payoff_rows,
    settings,
    standing_rows,
    standings_table,
)
from plies.arena.runner import plan_of
from plies.arena.store import Finished
from plies.arena.summary import Summary, summary

Progress = Callable[[list[Finished]], Iterable[Finished]]


@dataclass(frozen=True)
class Report:
    """Everything that is told of a run."""

    run: Run
    summary: Summary
    replays: list[Replay | str]  # of every game, or why it has none
    pictures: Pictures

    @cached_property
    def samples(self) -> list[Sample]:
        return samples(self.run.games, self.replays)

    @property
    def lead(self) -> str:
        """The run in one line."""
        run = self.run
        kinds = ", ".join(kinds_of(run.games))
        return (
            f"{run.tournament.kind}, {len(run.tournament.agents)} agents, {len(run.games)} games"
            f" of {kinds}, {self.summary.distinct_games} of them distinct"
        )

    @property
    def warnings(self) -> list[str]:
        """What a reader must know before believing the numbers."""
        told = list(self.summary.warnings)
        if not self.summary.is_finished:
            told.insert(0, "the run is not finished: these are the games that have ended so far")
        if lost := [each for each in self.replays if isinstance(each, str)]:
            told.append(f"{len(lost)} games cannot be shown on a board, such as: {lost[0]}")
        return told

    def html(self) -> str:
        """The page."""
        from plies.arena.report.charts import inline_svg
        from plies.arena.report.figures import figures

        run = self.run
        cards = "".join(
            page.card(each.title, each.remark, inline_svg(each.chart)) for each in figures(self)
        )
        sections = [
            ("", page.warnings(self.warnings)),
            ("Standings", page.table(standings_table(self.summary.rows, run.games))),
            ("Charts", f'<div class="cards">{cards}</div>'),
            ("Games", stage(run.games, self.replays, self.pictures)),
            ("How games ended", page.table(endings_table(run.games))),
            ("What was played", page.table(settings(run.tournament, run.about))),
        ]
        if self.summary.match is not None:
            sections.insert(2, ("The match", page.table(match_table(self.summary.match))))
        if told := faults(run.games):
            sections.insert(-1, ("Faults", page.table(fault_table(told))))
        return page.page(run.tournament.name, self.lead, sections)

    def write_html(self, path: Path) -> None:
        with new_file(path) as part:
            part.write_bytes(self.html().encode("utf-8", "replace"))

    def write_csv(self, folder: Path) -> list[Path]:
        """`standings.csv`, `payoff.csv`, `games.csv` and `moves.csv`."""
        tables = {
            "standings": standing_rows(self.summary.rows),
            "payoff": payoff_rows(meetings(self.run.games)),
            "games": game_rows(self.run.games),
            "moves": move_rows(self.run.games, self.replays),
        }
        paths = [folder / f"{name}.csv" for name in tables]
        for path, rows in zip(paths, tables.values(), strict=True):
            with new_file(path) as part:
                write_csv(part, rows)
        return paths

    def write_plots(self, folder: Path, kind: Literal["svg", "png"]) -> list[Path]:
        """Every chart as a file."""
        from plies.arena.report.charts import picture
        from plies.arena.report.figures import figures

        shown = figures(self)
        paths = [folder / f"{each.name}.{kind}" for each in shown]
        for path, figure in zip(paths, shown, strict=True):
            with new_file(path) as part:
                part.write_bytes(picture(figure.chart, kind))
        return paths


def make_report(run: Run, progress: Progress = iter) -> Report:
    """Play all games through by the rules; `progress` hands them on and may show it."""
    pictures = Pictures()
    told = summary(plan_of(run.tournament), run.games)
    return Report(run, told, replays(progress(run.games), pictures), pictures)
