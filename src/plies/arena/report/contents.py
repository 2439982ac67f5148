"""What a report consists of, as a page and as files."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from plies.arena.export import game_rows, write_csv
from plies.arena.report.analysis import Sample, faults, kinds_of, meetings, samples
from plies.arena.report.pictures import Pictures
from plies.arena.report.places import places
from plies.arena.report.replay import Replay, replays
from plies.arena.report.run import Run
from plies.arena.report.stage import stage
from plies.arena.report.words import (
    endings_table,
    fault_table,
    match_facts,
    move_rows,
    payoff_rows,
    settings,
    standing_rows,
    standings_table,
)
from plies.arena.resuming import DIGESTS, REPLAYS
from plies.arena.runner import plan_of
from plies.arena.store import Finished
from plies.arena.summary import Summary, games_that_count, summary
from plies.arena.titles import game_titles, public
from plies.files import new_file
from plies.pages import page
from plies.pages.page import Table
from plies.registry import FILE_SPEC

if TYPE_CHECKING:
    from plies.pages.charts import PictureFormat

Progress = Callable[[list[Finished]], Iterable[Finished]]


@dataclass(frozen=True)
class Report:
    """Everything that is told of a run."""

    run: Run
    counted: list[Finished]  # all, but for those after the verdict of a sequential test
    summary: Summary
    places: tuple[str, Table] | None  # of a Swiss tournament or a knock-out
    replays: list[Replay | str]  # of every game, or why it has none
    pictures: Pictures

    def public(self) -> "Report":
        """The report as it is shown: games by their titles, files without their folders."""
        run = self.run
        titles = game_titles(each.planned.game for each in run.games)

        def titled(games: list[Finished]) -> list[Finished]:
            return [
                replace(each, planned=replace(each.planned, game=titles[each.planned.game]))
                for each in games
            ]

        return replace(
            self,
            run=replace(run, tournament=public(run.tournament), games=titled(run.games)),
            counted=titled(self.counted),
            replays=[
                f"{titles[each.planned.game]} cannot be replayed: {_without_file(each, replay)}"
                if isinstance(replay, str)
                else replay
                for each, replay in zip(run.games, self.replays, strict=True)
            ],
        )

    @cached_property
    def samples(self) -> list[Sample]:
        return samples(self.run.games, self.replays)

    @property
    def lead(self) -> str:
        """The run in one line."""
        told, summary = self.run.tournament, self.summary
        return (
            f"{told.kind}, {len(told.agents)} agents, {summary.games} games of"
            f" {', '.join(kinds_of(self.run.games))}, {summary.distinct_games} of them distinct"
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

    @property
    def first_move(self) -> str:
        """What moving first is worth, where that can be told."""
        worth = self.summary.first_advantage
        return "" if worth is None else f"Moving first is worth {worth} Elo (95 %)."

    def html(self) -> str:
        """The page."""
        return self.public()._html()

    def _html(self) -> str:
        from plies.arena.report.figures import figures
        from plies.pages.charts import inline_svg

        run = self.run
        cards = "".join(
            page.card(each.title, each.remark, inline_svg(each.chart)) for each in figures(self)
        )
        summary, standings = self.summary, standings_table(self.summary.rows, self.counted)
        sections = [("", page.warnings(self.warnings))]
        if self.places is not None:
            heading, places = self.places
            sections.append((heading, page.table(places)))
        sections.append(("Standings", page.table(standings) + page.hint(self.first_move)))
        if summary.match is not None:
            sections.append(
                (
                    "The match",
                    page.table(
                        Table(("", summary.match.first), [*match_facts(summary.match).items()])
                    ),
                )
            )
        sections.append(("Charts", f'<div class="cards">{cards}</div>'))
        sections.append(("Games", stage(run.games, self.replays, self.pictures)))
        sections.append(("How games ended", page.table(endings_table(run.games))))
        if told := faults(run.games):
            sections.append(("Faults", page.table(fault_table(told))))
        sections.append(
            ("What was played", page.table(settings(run.tournament, _for_readers(run))))
        )
        script = (files("plies.arena.report") / "static" / "replay.js").read_text("utf-8")
        return page.page(run.tournament.name, self.lead, sections, script)

    def write_html(self, path: Path) -> None:
        with new_file(path) as part:
            part.write_bytes(self.html().encode("utf-8", "replace"))

    def write_csv(self, folder: Path) -> list[Path]:
        """`standings.csv`, `payoff.csv`, `games.csv` and `moves.csv`."""
        shown = self.public()
        tables = {
            "standings": standing_rows(self.summary.rows),
            "payoff": payoff_rows(meetings(self.counted)),
            "games": game_rows(shown.run.games),
            "moves": move_rows(shown.run.games, shown.replays),
        }
        paths = [folder / f"{name}.csv" for name in tables]
        for path, rows in zip(paths, tables.values(), strict=True):
            with new_file(path) as part:
                write_csv(part, rows)
        return paths

    def write_plots(self, folder: Path, kind: "PictureFormat") -> list[Path]:
        """Every chart as a file."""
        from plies.arena.report.figures import figures
        from plies.pages.charts import write_pictures

        return write_pictures(
            folder, {each.name: each.chart for each in figures(self.public())}, kind
        )


def _for_readers(run: Run) -> dict[str, object]:
    """What a run says about itself, without what only a program makes use of."""
    return {name: value for name, value in run.about.items() if name not in (DIGESTS, REPLAYS)}


def _without_file(finished: Finished, problem: str) -> str:
    """Why a game cannot be replayed, without where its file lies."""
    spec = finished.planned.game
    match = FILE_SPEC.fullmatch(spec)
    path = match["path"] if match else spec
    return problem.removeprefix(f"{spec} cannot be replayed: ").replace(path, Path(path).name)


def make_report(run: Run, progress: Progress = iter, *, has_boards: bool = True) -> Report:
    """Play all games through by the rules; `progress` hands them on and may show it.

    Without boards it is made sooner: for its tables and charts, not for its page.
    """
    pictures = Pictures()
    plan = plan_of(run.tournament)
    shown = replays(progress(run.games), pictures if has_boards else None)
    own = games_that_count(plan, run.games)
    told, order = summary(plan, run.games), places(plan, run.games)
    return Report(run, own, told, order, shown, pictures)
