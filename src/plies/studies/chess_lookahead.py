"""Chess, part 2: what looking ahead gains a branch-limited search, and what it costs.

The published program looks ahead only near the horizon (`rule=report`); its text says no more than
that the look-ahead cannot exceed L, which we read as a look-ahead at every node (`rule=plain`).
Both play the same games; without look-ahead they are the same search.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import mean
from typing import Any

from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.match import Rules
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.matches import by_situation, timed
from plies.studies.searches import decisions
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, points, ratio, results, share

PUBLISHED = (5.03, 31.77, 55.20, 65.85)  # seconds for a match, by look-ahead
TEXT = '"the actual lookahead depth, which cannot exceed L"'
PUBLISHED_IN_ALL = ("8:23", "52:56", "1:32:00", "1:49:45")  # for the 100 of them
LOOKS = range(len(PUBLISHED))
# By rule the look-aheads that are played: without one the rules are the same.
RULES = {"report": LOOKS, "plain": LOOKS[1:]}
PAIRS = {"quick": 4, "full": 50}  # 100 games, as published
OPPONENT = Entry("soft L=2", "alphabeta:depth=2,cut=equal,eval=material,choice=random")
# After 1. e4 e5 2. Nf3 Nc6 3. Bc4: what one search of it takes, by rule, look-ahead and width.
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
WIDTHS = (2, 5, 100)  # the last one covers every move
WHOLE = {"minimax": "minimax:depth=4", "alpha-beta": "alphabeta:depth=4"}
Rows = Mapping[tuple[str, int], Mapping[str, Any]]


def tournament(rule: str, look: int, seed: int, scale: Scale) -> Tournament:
    """The games of a look-ahead; positions and seeds are those of every other one."""
    spec = f"branch:depth=4,look={look},width=5,rule={rule},eval=material,table=1,choice=random"
    return Tournament(
        games=("chess",),
        agents=(Entry(f"branch l={look}", spec), OPPONENT),
        name=f"look-ahead {look}, {rule} rule",
        kind="match",
        pairs=PAIRS[scale],
        seed=seed,
        openings=Openings(plies=10),
        rules=Rules(cycles=True),
    )


def play(work: Work, rule: str, look: int, scale: Scale) -> dict[str, Any]:
    name = f"{rule}-{look}"
    found = work.match(name, tournament(rule, look, work.seed, scale))
    return {**found, "by": by_situation(work.folder / f"{name}.db")}


def measure(work: Work, rule: str, look: int, scale: Scale) -> list[dict[str, float]]:
    return timed(work, f"look-ahead {look}, {rule}", tournament(rule, look, work.seed, scale))


def search_one(work: Work) -> list[dict[str, Any]]:
    """Value, move and nodes of searches of one position, each by itself and without a table."""
    game = find_game("chess")
    state = game.parse_position(ITALIAN)
    searches = [{"search": name, "spec": spec} for name, spec in WHOLE.items()]
    searches += [
        {
            "search": f"branch, {rule} rule, l={look}, BF={width}",
            "spec": f"branch:depth=4,look={look},width={width},rule={rule}",
        }
        for rule, looks in RULES.items()
        for look in looks
        for width in WIDTHS
    ]
    for number, row in enumerate(searches):
        work.tell("one position", number, len(searches))
        (found,) = decisions(game, f"{row['spec']},eval=material", [state])
        row |= {"value": found.value, "move": game.move_text(state, found.move)}
        row |= {"nodes": found.nodes}
    return searches


def plan(scale: Scale) -> list[Step]:
    """What a game takes is measured apart, when nothing else of the study runs."""
    every = [(rule, look) for rule, looks in RULES.items() for look in looks]
    games = [
        Step(f"{name}{rule}-{look}", partial(step, rule=rule, look=look, scale=scale))
        for name, step in (("", play), ("time-", measure))
        for rule, look in every
    ]
    return [Step("one-position", search_one), *games]


def rows_of(found: Mapping[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    """By rule and look-ahead: the match, and the mean cost of its games."""
    rows = {}
    for rule, looks in RULES.items():
        for look in looks:
            played, games = found[f"{rule}-{look}"], found[f"time-{rule}-{look}"]
            agent = played["agents"][f"branch l={look}"]
            rows[rule, look] = {
                **played["meetings"][0],
                **{key: mean(game[key] for game in games) for key in games[0]},
                "look": look,
                "nodes": agent["nodes"] / agent["moves"],
            }
    return rows


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    rows = rows_of(found)
    compared = [time_compared(rows["report", look]) for look in LOOKS]
    compared += [best_compared(rows), *(rules_compared(rows, look) for look in RULES["plain"])]
    return Findings(lead(rows), compared, shown(found, rows))


def time_compared(row: Mapping[str, Any]) -> Compared:
    look = row["look"]
    return Compared(
        f"l={look}: seconds for a match",
        f"{PUBLISHED[look]:.2f} ({PUBLISHED_IN_ALL[look]} for 100)",
        f"{row['cpu_seconds']:.3f} of CPU time, {row['seconds']:.3f} by the clock",
        f"{ratio(faster(row))} as fast: the same rule, compiled, on another machine",
    )


def faster(row: Mapping[str, Any]) -> float:
    return PUBLISHED[row["look"]] / row["cpu_seconds"]


def best_compared(rows: Rows) -> Compared:
    own = [rows["report", look] for look in LOOKS]
    best, one = max(own, key=points), own[1]
    ours = f"l=1, {share(one)} of the points"
    if best is not one:
        dearer = best["cpu_seconds"] / one["cpu_seconds"]
        ours = (
            f"l={best['look']} takes {share(best)} of the points, l=1 {share(one)};"
            f" a match costs {ratio(dearer)} as much"
        )
    return Compared(
        "the best look-ahead",
        "l=1, weighing time against win rate",
        ours,
        "the study weighed strength against time; the table has both",
    )


def rules_compared(rows: Rows, look: int) -> Compared:
    """What the rule of the text does, beside that of the program."""
    report, plain = rows["report", look], rows["plain", look]
    return Compared(
        f"l={look}: look-ahead at every node",
        TEXT,
        f"{share(plain)} of the points (the program's rule: {share(report)}),"
        f" {_beside(plain, report, 'nodes')} the nodes a move,"
        f" {_beside(plain, report, 'cpu_seconds')} the CPU time of a match",
        "the program ranks by max(0, l - (L - 1)) plies: statically at the root, which has L=4,"
        " and with all its look-ahead near the horizon; min(l, L - 1) plies at every node is our"
        " reading of its text",
    )


def _beside(row: Mapping[str, Any], other: Mapping[str, Any], what: str) -> str:
    return ratio(row[what] / other[what])


def lead(rows: Rows) -> str:
    own = [rows["report", look] for look in LOOKS]
    slowest = min(own, key=faster)
    scores = ", ".join(f"{share(row)} (l={row['look']})" for row in own)
    plain = ", ".join(f"{share(rows['plain', look])} (l={look})" for look in RULES["plain"])
    return (
        f"Against soft alpha-beta of depth 2 the branch-limited search of depth 4 takes {scores}"
        f" of the points with the published program's rule: {_gain(own[0], own[1])} from l=0 to"
        f" l=1, {_gain(own[1], own[-1])} from there to l={own[-1]['look']}. Looking ahead at"
        f" every node, as we read its text, takes {plain}. A match is one game, both players and"
        f" the judge; ours are at least {ratio(faster(slowest))} as fast as the published ones"
        f" (l={slowest['look']})."
    )


def _gain(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The change of the share of the points, in points of a hundred."""
    return f"{100 * (points(after) - points(before)):+z.1f}"


def shown(found: Mapping[str, Any], rows: Rows) -> list[Shown]:
    from plies.studies.report import charts

    named = [{**row, "agent": f"l={look}, {rule}"} for (rule, look), row in rows.items()]
    times = [
        {"look": look, "who": f"ours, {rule} rule, CPU", "seconds": row["cpu_seconds"]}
        for (rule, look), row in rows.items()
    ]
    times += [{"look": look, "who": "published", "seconds": PUBLISHED[look]} for look in LOOKS]
    drawn = [
        Shown(
            "Results by look-ahead",
            "Branch-limited, L=4, BF=5, material, against soft alpha-beta, L=2; with the"
            " program's rule (report) and with our reading of its text (plain).",
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
    ]
    for rule, looks in RULES.items():
        by = {
            what: [
                row
                for look in looks
                for row in found[f"{rule}-{look}"]["by"][what]
                if row["agent"] != OPPONENT.name
            ]
            for what in charts.SITUATIONS
        }
        drawn += charts.situations(by, f"MA, {rule} rule", "Games after 10 random plies.")
    return [*drawn, table(rows), one_position(found["one-position"])]


def one_position(searches: Sequence[Mapping[str, Any]]) -> Shown:
    cells = [
        (row["search"], f"{row['nodes']:,}", f"{row['value']:+d}", row["move"]) for row in searches
    ]
    (exact,) = [row["value"] for row in searches if row["search"] == "alpha-beta"]
    whole = [row["value"] for row in searches if row["search"].endswith(f"BF={WIDTHS[-1]}")]
    same = sum(value == exact for value in whole)
    return Shown(
        "One position",
        f"Searches of {ITALIAN}, depth 4, material, each without a table. The nodes of a"
        " branch-limited search contain those of its ranking. With BF=100 no move is left out:"
        f" {same} of {len(whole)} such searches have alpha-beta's value.",
        Table(("search", "nodes", "value in pawns", "move"), cells),
    )


def table(rows: Rows) -> Shown:
    costs = ("nodes a move", "plies a game", "s a game", "CPU s a game")
    cells = [
        (
            *(rule, f"l={look}", *results(row), f"{row['nodes']:,.0f}", f"{row['plies']:.0f}"),
            *(f"{row['seconds']:.3f}", f"{row['cpu_seconds']:.3f}"),
        )
        for (rule, look), row in rows.items()
    ]
    return Shown(
        "Every look-ahead",
        "The same positions and seeds for every look-ahead, each position with both colours."
        " Times are those of one process that plays one game after the other.",
        Table(("rule", "look-ahead", *RESULTS, *costs), cells),
    )


STUDY = Study(
    name="chess-lookahead",
    title="Chess, part 2: look-ahead of a branch-limited search",
    about="Branch-limited search, L=4 and l=0 to 3, against soft alpha-beta, L=2: what it wins"
    " and what it costs.",
    plan=plan,
    findings=findings,
)
