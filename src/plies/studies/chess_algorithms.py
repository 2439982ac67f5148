"""Chess, part 1: four searches against one branch-limited player, with two evaluations."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from plies.arena.config import Gauntlet, Openings, Tournament
from plies.arena.plan import Entry
from plies.match import Rules
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.matches import by_situation
from plies.studies.searches import decisions, random_states
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, counts, decided_share, results, share

CONFIGURATIONS = (10, 20)  # random plies before a game
POSITIONS = {"quick": 20, "full": 200}  # whose values the searches of all moves must agree on
FEW = 5  # moves, of which a median says little
PAIRS = {"quick": 4, "full": 50}  # of every meeting from every kind of configuration
REFERENCE = Entry("reference", "branch:depth=2,look=0,width=5,eval=material,choice=random")
EVALUATIONS = {"MA": "material", "SEF": "sef"}
# The study's "hard" cuts beyond equality only, its "soft" on equality as well.
ALGORITHMS = {
    "minimax": "minimax:depth=2,eval={},choice=random",
    "hard": "alphabeta:depth=2,cut=beyond,eval={},choice=random",
    "soft": "alphabeta:depth=2,cut=equal,eval={},choice=random",
    "branch l=0": "branch:depth=2,look=0,width=5,eval={},choice=random",
}
EVERY_MOVE = ("minimax", "hard", "soft")  # searches that leave no move out


def tournament(plies: int, seed: int, scale: Scale) -> Tournament:
    """Every algorithm with every evaluation meets the reference from the same positions."""
    agents = [
        Entry(f"{algorithm} {evaluation}", spec.format(name))
        for evaluation, name in EVALUATIONS.items()
        for algorithm, spec in ALGORITHMS.items()
    ]
    return Tournament(
        games=("chess",),
        agents=(*agents, REFERENCE),
        name=f"chess-algorithms-{plies}",
        kind="gauntlet",
        gauntlet=Gauntlet(len(agents)),
        pairs=PAIRS[scale],
        seed=seed,
        openings=Openings(plies=plies),
        rules=Rules(cycles=True),
    )


def play(work: Work, plies: int, scale: Scale) -> dict[str, Any]:
    name = f"after-{plies}-plies"
    found = work.match(name, tournament(plies, work.seed, scale))
    work.tell("replaying the games", 0, 0)
    return {**found, "by": by_situation(work.folder / f"{name}.db")}


def agree(work: Work, scale: Scale) -> dict[str, int]:
    """In how many positions the searches of all moves find the same value."""
    game = find_game("chess")
    states = random_states(game, POSITIONS[scale], CONFIGURATIONS, work.seed)
    same = 0
    for name in EVALUATIONS.values():
        specs = [ALGORITHMS[algorithm].format(name) for algorithm in EVERY_MOVE]
        values = [[each.value for each in decisions(game, spec, states)] for spec in specs]
        same += sum(len(set(found)) == 1 for found in zip(*values, strict=True))
    return {"searched": len(states) * len(EVALUATIONS), "same": same}


def plan(scale: Scale) -> list[Step]:
    return [
        *(
            Step(f"after-{plies}-plies", partial(play, plies=plies, scale=scale))
            for plies in CONFIGURATIONS
        ),
        Step("values", partial(agree, scale=scale)),
    ]


def meetings(found: Mapping[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    """By agent and configuration, with what a move cost it."""
    rows = {}
    for plies in CONFIGURATIONS:
        told = found[f"after-{plies}-plies"]
        for meeting in told["meetings"]:
            agent = told["agents"][meeting["a"]]
            per_move = {
                "milliseconds": 1000 * agent["seconds"] / agent["moves"],
                "nodes": agent["nodes"] / agent["moves"],
            }
            rows[meeting["a"], plies] = {**meeting, **per_move}
    return rows


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    rows = meetings(found)
    values = found["values"]
    return Findings(lead(rows, values), compared(rows, values), shown(found, rows))


def pooled(rows: Mapping[tuple[str, int], dict[str, Any]], agent: str) -> dict[str, Any]:
    """The counts of an agent from all configurations, and its mean cost of a move."""
    own = [row for (name, _), row in rows.items() if name == agent]
    sums = {key: sum(row[key] for row in own) for key in ("wins", "draws", "losses")}
    means = {key: sum(row[key] for row in own) / len(own) for key in ("milliseconds", "nodes")}
    return sums | means


def agreed(values: Mapping[str, int]) -> str:
    return f"the same value in {values['same']} of {values['searched']} searches"


def lead(rows: Mapping[tuple[str, int], dict[str, Any]], values: Mapping[str, int]) -> str:
    """The best and the cheapest."""
    full = pooled(rows, "soft MA")
    limited = pooled(rows, "branch l=0 MA")
    return (
        f"At depth 2 a search of all moves takes {share(full)} of the points from"
        " one that explores the five moves that look best at once. Minimax, hard and soft"
        f" find {agreed(values)}; soft looks at {full['nodes']:,.0f} positions a move, the"
        f" branch-limited player at {limited['nodes']:,.0f}."
    )


def compared(
    rows: Mapping[tuple[str, int], dict[str, Any]], values: Mapping[str, int]
) -> list[Compared]:
    """Of part 1 the protocol was published, and what it looks at; no figure of it."""
    told = []
    for evaluation in EVALUATIONS:
        for algorithm in ALGORITHMS:
            row = pooled(rows, f"{algorithm} {evaluation}")
            ours = f"{counts(row)}; {decided_share(row)} of the decided games"
            why = f"minimax, hard and soft find {agreed(values)}; chance picks among equal moves"
            if algorithm == "branch l=0":
                why = "the reference itself" if evaluation == "MA" else "only the evaluation"
                why += ": what differs from even is chance" if evaluation == "MA" else " differs"
            told.append(
                Compared(f"{algorithm}, {evaluation}: won / drawn / lost", "no figure", ours, why)
            )
    return told


def shown(found: Mapping[str, Any], rows: Mapping[tuple[str, int], dict[str, Any]]) -> list[Shown]:
    from plies.studies.report import charts

    every = [{**row, "agent": f"{name}, {plies}"} for (name, plies), row in rows.items()]
    drawn = [
        Shown(
            "Against the branch-limited player",
            "MA, L=2, BF=5, l=0; the number is that of random plies before the game.",
            charts.results(every, "agent"),
        )
    ]
    for what, title in {"pieces": "own pieces", "moves": "legal moves"}.items():
        every = found[f"after-{CONFIGURATIONS[0]}-plies"]["by"][what]
        own = [row for row in every if row["agent"].endswith(" MA") and row["count"] >= FEW]
        drawn.append(
            Shown(
                f"Time for a move by {title}",
                f"Material evaluation, games after {CONFIGURATIONS[0]} random plies.",
                charts.lines(
                    own,
                    charts.Axis("number", title),
                    charts.Axis("seconds", "median for a move", "s", is_log=True),
                    by="agent",
                ),
            )
        )
    columns = ("algorithm", "random plies", *RESULTS, "nodes a move", "ms a move")
    table = [
        (name, str(plies), *results(row), f"{row['nodes']:,.0f}", f"{row['milliseconds']:.2f}")
        for (name, plies), row in rows.items()
    ]
    remark = (
        "Seconds are wall-clock time; each move begins in Python, which takes about half of it."
    )
    return [*drawn, Shown("Every match", remark, Table(columns, table))]


STUDY = Study(
    name="chess-algorithms",
    title="Chess, part 1: six MinMax algorithms, the searches",
    about="Minimax, hard, soft and branch-limited search against one branch-limited player.",
    plan=plan,
    findings=findings,
)
