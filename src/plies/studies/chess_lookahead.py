"""Chess, part 2: how much look-ahead a branch-limited search should rank its moves with."""

from collections.abc import Mapping
from functools import partial
from statistics import mean
from typing import Any

from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.match import Rules
from plies.pages.page import Table
from plies.studies.matches import timed
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, points, ratio, results, share

PUBLISHED = (5.03, 31.77, 55.20, 65.85)  # seconds for a match, by look-ahead
LOOKS = range(len(PUBLISHED))
PAIRS = {"quick": 4, "full": 50}  # 100 games, as published
AIM = 50  # times as fast
OPPONENT = Entry("soft L=2", "alphabeta:depth=2,cut=equal,eval=material,choice=random")


def tournament(look: int, seed: int, scale: Scale) -> Tournament:
    """The games of a look-ahead; positions and seeds are those of every other one."""
    spec = f"branch:depth=4,look={look},width=5,eval=material,table=1,choice=random"
    return Tournament(
        games=("chess",),
        agents=(Entry(f"branch l={look}", spec), OPPONENT),
        name=f"look-ahead {look}",
        kind="match",
        pairs=PAIRS[scale],
        seed=seed,
        openings=Openings(plies=10),
        rules=Rules(cycles=True),
    )


def play(work: Work, look: int, scale: Scale) -> dict[str, Any]:
    return work.match(f"look-{look}", tournament(look, work.seed, scale))


def measure(work: Work, look: int, scale: Scale) -> list[dict[str, float]]:
    return timed(work, f"look-ahead {look}", tournament(look, work.seed, scale))


def plan(scale: Scale) -> list[Step]:
    """What a game takes is measured apart, when nothing else of the study runs."""
    games = [Step(f"look-{look}", partial(play, look=look, scale=scale)) for look in LOOKS]
    times = [Step(f"time-{look}", partial(measure, look=look, scale=scale)) for look in LOOKS]
    return games + times


def rows_of(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """By look-ahead: the match, and the mean cost of its games."""
    rows = []
    for look in LOOKS:
        played, games = found[f"look-{look}"], found[f"time-{look}"]
        times = {key: mean(game[key] for game in games) for key in games[0]}
        agent = played["agents"][f"branch l={look}"]
        rows.append(
            {
                **played["meetings"][0],
                **times,
                "look": look,
                "published": PUBLISHED[look],
                "faster": PUBLISHED[look] / times["cpu_seconds"],
                "nodes": agent["nodes"] / agent["moves"],
            }
        )
    return rows


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    rows = rows_of(found)
    compared = [
        Compared(
            f"l={row['look']}: seconds for a match",
            f"{row['published']:.2f}",
            f"{row['cpu_seconds']:.3f} of CPU time, {row['seconds']:.3f} by the clock",
            f"{ratio(row['faster'])} as fast ({AIM} asked for): the same search, compiled",
        )
        for row in rows
    ]
    best = max(rows, key=points)
    compared.append(
        Compared(
            "the best look-ahead",
            "l=1",
            verdict(rows, best),
            "the study weighed strength against time; so does the last column of the table",
        )
    )
    return Findings(lead(rows), compared, shown(rows))


def verdict(rows: list[dict[str, Any]], best: dict[str, Any]) -> str:
    one = rows[1]
    if best["look"] == 1:
        return f"l=1, {share(one)} of the points"
    dearer = best["cpu_seconds"] / one["cpu_seconds"]
    return (
        f"l={best['look']} takes {share(best)} of the points, l=1 {share(one)};"
        f" a match costs {ratio(dearer)} as much"
    )


def lead(rows: list[dict[str, Any]]) -> str:
    slowest = min(rows, key=lambda row: row["faster"])
    scores = ", ".join(f"{share(row)} (l={row['look']})" for row in rows)
    return (
        f"Against soft alpha-beta of depth 2 the branch-limited search of depth 4 takes {scores}"
        f" of the points: {_gain(rows[0], rows[1])} from l=0 to l=1,"
        f" {_gain(rows[1], rows[-1])} from there to l={rows[-1]['look']}. A match is one game,"
        f" both players and the judge; ours are at least {ratio(slowest['faster'])} as fast as"
        f" the published ones (l={slowest['look']})."
    )


def _gain(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The change of the share of the points, in points of a hundred."""
    return f"{100 * (points(after) - points(before)):+z.1f}"


def shown(rows: list[dict[str, Any]]) -> list[Shown]:
    from plies.studies.report import charts

    named = [{**row, "agent": f"l={row['look']}"} for row in rows]
    times = [
        {"look": row["look"], "who": who, "seconds": row[key]}
        for row in rows
        for who, key in (("published", "published"), ("ours, CPU", "cpu_seconds"))
    ]
    columns = ("look-ahead", *RESULTS, "nodes a move", "plies a game", "s a game", "CPU s a game")
    table = [
        (
            *(f"l={row['look']}", *results(row), f"{row['nodes']:,.0f}", f"{row['plies']:.0f}"),
            *(f"{row['seconds']:.3f}", f"{row['cpu_seconds']:.3f}"),
        )
        for row in rows
    ]
    return [
        Shown(
            "Results by look-ahead",
            "Branch-limited, L=4, BF=5, material, against soft alpha-beta, L=2.",
            charts.results(named, "agent"),
        ),
        Shown(
            "Seconds for a match",
            "One game with both players and the judge.",
            charts.lines(
                times,
                charts.Axis("look", "look-ahead l", is_whole=True),
                charts.Axis("seconds", "seconds", "s", is_log=True),
                by="who",
            ),
        ),
        Shown(
            "Every look-ahead",
            "The same positions and seeds for every look-ahead, each position with both colours."
            " Times are those of one process that plays one game after the other.",
            Table(columns, table),
        ),
    ]


STUDY = Study(
    name="chess-lookahead",
    title="Chess, part 2: look-ahead of a branch-limited search",
    about="Branch-limited search, L=4 and l=0 to 3, against soft alpha-beta, L=2: what it wins"
    " and what it costs.",
    plan=plan,
    findings=findings,
)
