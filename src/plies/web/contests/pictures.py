"""The charts of a run, and its report as one page: the same as `plies report` writes."""

import re
from collections.abc import Sequence
from dataclasses import replace

from plies.arena.report import Report, make_report
from plies.arena.store import Finished
from plies.web.contests import limits
from plies.web.contests.messages import Charts, ChartView
from plies.web.contests.runs import TOLD, Opened
from plies.web.problems import Refused

NAMESPACE = '<svg xmlns="http://www.w3.org/2000/svg"'
POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
# The report runs its own script, apart from everything of this server.
APART = "; frame-ancestors 'none'; sandbox allow-scripts"


def charts(opened: Opened) -> Charts:
    """Every chart about which the games say something."""
    from plies.arena.report.figures import figures
    from plies.pages.charts import inline_svg

    games = opened.run.games
    if not games:
        return Charts(games=0, charts=[])
    _refuse_more_moves(opened, limits.CHARTED_MOVES)
    shown = figures(_told(make_report(opened.run, has_boards=False), opened))
    found = [
        ChartView(
            name=figure.name,
            title=figure.title,
            remark=figure.remark,
            svg=inline_svg(figure.chart).replace("<svg", NAMESPACE, 1),
        )
        for figure in shown
    ]
    return Charts(games=len(games), charts=found)


def report(opened: Opened) -> tuple[str, str]:
    """The page, and the policy under which a browser is to show it."""
    if not opened.run.games:
        raise Refused("no game has ended yet: there is nothing to report")
    _refuse_more_moves(opened, limits.REPORTED_MOVES)
    page = _told(make_report(opened.run), opened).html()
    found = POLICY.search(page)
    return page, (found[1] if found else "default-src 'none'") + APART


def _refuse_more_moves(opened: Opened, most: int) -> None:
    moves = sum(len(each.record.moves) for each in opened.run.games)
    if moves > most:
        raise Refused(
            f"it has {moves:,} moves, more than the {most:,} that are drawn here; plies report"
            " makes a page of it"
        )


def _told(report: Report, opened: Opened) -> Report:
    """The report without what is not told outside: paths, and the machine."""
    run, names = report.run, opened.names
    about = {key: value for key, value in run.about.items() if key in TOLD}

    def renamed(games: Sequence[Finished]) -> list[Finished]:
        return [
            replace(each, planned=replace(each.planned, game=names[each.planned.game]))
            for each in games
        ]

    return replace(
        report,
        run=replace(run, tournament=opened.told, about=about, games=renamed(run.games)),
        counted=renamed(report.counted),
        replays=[
            f"game {each.planned.number} cannot be replayed" if isinstance(replay, str) else replay
            for each, replay in zip(run.games, report.replays, strict=True)
        ],
    )
