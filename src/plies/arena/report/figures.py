"""Which charts a report has, and charts as files."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from plies.arena.report import analysis, charts

if TYPE_CHECKING:
    from plies.arena.report.contents import Report
    from plies.pages.charts import Drawn

SPREAD = "The line holds 90 % of the moves, the bar the middle half, the white tick the median."
PER_MOVE: dict[Literal["seconds", "nodes"], str] = {
    "seconds": "Time for a move",
    "nodes": "Nodes for a move",
}
BY_SITUATION: dict[Literal["pieces", "moves"], str] = {
    "pieces": "Time by own pieces",
    "moves": "Time by legal moves",
}


@dataclass(frozen=True)
class Figure:
    """A chart, what it is called as a file, and what it shows."""

    name: str
    title: str
    remark: str
    chart: "Drawn"


def figures(report: "Report") -> list[Figure]:
    """All charts about which the games say something."""
    games, rows = report.run.games, report.summary.rows
    order = [row.standing.name for row in rows]
    found = []
    if chart := charts.ratings(rows):
        remark = "Bradley-Terry ratings with 95 % intervals."
        found.append(Figure("ratings", "Ratings", remark, chart))
    remark = "Per cent of the points that the agent of the row got against that of the column."
    chart = charts.payoff(analysis.meetings(report.counted), order)
    found.append(Figure("payoff", "Pay-off", remark, chart))
    seats = {
        (row.standing.name, seat): score
        for row in rows
        for seat, score in row.standing.by_seat.items()
    }
    found.append(Figure("seats", "Results by seat", "", charts.results(seats, order)))
    kinds = analysis.kinds_of(games)
    chart = charts.results(analysis.seats_of_games(report.counted), kinds)
    found.append(Figure("games", "What a seat is worth", "Whoever sat there, by game.", chart))
    for kind in kinds:
        chart = charts.lengths([each for each in games if each.planned.game == kind])
        found.append(Figure(_named("lengths", kind, kinds), f"Length of games: {kind}", "", chart))
    return found + _thinking(report, order, kinds)


def _thinking(report: "Report", order: list[str], kinds: list[str]) -> list[Figure]:
    """Time and nodes of moves, and time by what the mover faced in each game."""
    found = []
    for what, title in PER_MOVE.items():
        if chart := charts.per_move(report.samples, what, order):
            found.append(Figure(what, title, SPREAD, chart))
    for kind in kinds:
        own = [sample for sample in report.samples if sample.game == kind]
        for what, title in BY_SITUATION.items():
            if chart := charts.by_situation(own, what, order):
                name = _named(f"seconds_by_{what}", kind, kinds)
                found.append(Figure(name, f"{title}: {kind}", "Mean seconds for a move.", chart))
    return found


def _named(name: str, kind: str, kinds: list[str]) -> str:
    """The name of a file; where several games were played, theirs is a part of it."""
    plain = "".join(c if c.isalnum() else "_" for c in kind)
    return f"{name}_{plain}" if len(kinds) > 1 else name
