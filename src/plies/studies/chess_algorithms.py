"""Chess, part 1: four searches against one branch-limited player, with two evaluations."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from plies.arena.config import Gauntlet, Openings, Tournament
from plies.arena.plan import Entry
from plies.match import Rules
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.search.alphabeta import SOFT_AND_EQUAL
from plies.studies import chess_claims
from plies.studies.bounds import SOFT_AND_BEYOND, play_instead, worse_choices
from plies.studies.matches import by_situation, each_game
from plies.studies.searches import cost, decisions, random_states
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, counts, decided_share, results, share

CONFIGURATIONS = (10, 20)  # random plies before a game
POSITIONS = {"quick": 20, "full": 200}  # whose values the searches of all moves must agree on
PAIRS = {"quick": 4, "full": 50}  # of every meeting from every kind of configuration
DEPTH = 2
REFERENCE = Entry(
    "reference", "branch:depth=2,look=0,width=5,rule=report,eval=material,choice=random"
)
EVALUATIONS = {"MA": "material", "SEF": "sef"}
# The study's "hard" cuts beyond equality only, its "soft" on equality as well.
ALGORITHMS = {
    "minimax": "minimax:depth=2,eval={},choice=random",
    "hard": "alphabeta:depth=2,cut=beyond,eval={},choice=random",
    "soft": "alphabeta:depth=2,cut=equal,eval={},choice=random",
    "branch l=0": "branch:depth=2,look=0,width=5,rule=report,eval={},choice=random",
}
KINDS = {"soft": SOFT_AND_EQUAL, "hard": SOFT_AND_BEYOND}  # whose answers may look like ties


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
    """The figures of the games, their points by agent, and times by what the mover faced."""
    name = f"after-{plies}-plies"
    found = work.match(name, tournament(plies, work.seed, scale))
    path = work.folder / f"{name}.db"
    points: dict[str, list[float]] = {}
    for game in each_game(path):
        for seat, agent in enumerate(game["seats"]):
            points.setdefault(agent, []).append(game["points"][seat])
    work.tell("replaying the games", 0, 0)
    return {**found, "points": points, "by": by_situation(path)}


def agree(work: Work, scale: Scale) -> dict[str, int]:
    """In how many positions the searches of all moves find the same value and choose alike."""
    game = find_game("chess")
    states = random_states(game, POSITIONS[scale], CONFIGURATIONS, work.seed)
    values = moves = 0
    for name in EVALUATIONS.values():
        specs = [ALGORITHMS[algorithm].format(name) for algorithm in chess_claims.EVERY_MOVE]
        for found in zip(*(decisions(game, spec, states) for spec in specs), strict=True):
            values += len({each.value for each in found}) == 1
            moves += len({each.move for each in found}) == 1
    return {"searched": len(states) * len(EVALUATIONS), "same": values, "same_move": moves}


def take_bounds_for_ties(work: Work, scale: Scale) -> dict[str, Any]:
    """A soft search that chooses among answers which are only bounds: what it plays and gets."""
    game = find_game("chess")
    states = random_states(game, POSITIONS[scale], CONFIGURATIONS, work.seed)
    games = tournament(CONFIGURATIONS[0], work.seed, scale)
    found: dict[str, Any] = {}
    for evaluation, name in EVALUATIONS.items():
        evaluator = game.evaluator(name)
        found[evaluation] = {
            "points": play_instead(work, games, f"soft {evaluation}", DEPTH),
            **{
                kind: worse_choices(game, states, DEPTH, how, evaluator)
                for kind, how in KINDS.items()
            },
        }
    return found


def weigh(work: Work) -> dict[str, Any]:
    """What chance alone would do, by evaluation."""
    played = [work.found[f"after-{plies}-plies"]["points"] for plies in CONFIGURATIONS]
    return {
        evaluation: chess_claims.weigh(
            played, work.found["bounds"][evaluation]["points"], evaluation, work.seed
        )
        for evaluation in EVALUATIONS
    }


def costs(work: Work, scale: Scale) -> dict[str, dict[str, float]]:
    """What a search costs, by agent, in the same positions and without a choice among ties."""
    game = find_game("chess")
    states = random_states(game, POSITIONS[scale], CONFIGURATIONS, work.seed)
    found = {}
    for evaluation, name in EVALUATIONS.items():
        for algorithm, spec in ALGORITHMS.items():
            work.tell(f"what {algorithm} {evaluation} costs", 0, 0)
            one = spec.format(name).replace("choice=random", "choice=first")
            found[f"{algorithm} {evaluation}"] = cost(decisions(game, one, states))
    return found


def plan(scale: Scale) -> list[Step]:
    return [
        *(
            Step(f"after-{plies}-plies", partial(play, plies=plies, scale=scale))
            for plies in CONFIGURATIONS
        ),
        Step("costs", partial(costs, scale=scale)),
        Step("values", partial(agree, scale=scale)),
        Step("bounds", partial(take_bounds_for_ties, scale=scale)),
        Step("chance", weigh),
    ]


def meetings(found: Mapping[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    """By agent and configuration, with the nodes that a move took."""
    rows = {}
    for plies in CONFIGURATIONS:
        told = found[f"after-{plies}-plies"]
        for meeting in told["meetings"]:
            agent = told["agents"][meeting["a"]]
            rows[meeting["a"], plies] = {**meeting, "nodes": agent["nodes"] / agent["moves"]}
    return rows


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    rows = meetings(found)
    names = {name for name, _ in rows}
    sums = {name: pooled(rows, name) for name in names}
    claims = [
        *chess_claims.compared(sums, found, list(EVALUATIONS)),
        *compared(sums, found["values"]),
    ]
    return Findings(lead(sums, found["values"]), claims, shown(found, rows))


def pooled(rows: Mapping[tuple[str, int], dict[str, Any]], agent: str) -> dict[str, Any]:
    """The counts of an agent from all configurations, and its nodes a move."""
    own = [row for (name, _), row in rows.items() if name == agent]
    sums = {key: sum(row[key] for row in own) for key in ("wins", "draws", "losses")}
    return sums | {"nodes": sum(row["nodes"] for row in own) / len(own)}


def agreed(values: Mapping[str, int]) -> str:
    return (
        f"the same value in {values['same']} of {values['searched']} searches and, with the same"
        f" seed, choose the same move in {values['same_move']}"
    )


def lead(sums: Mapping[str, dict[str, Any]], values: Mapping[str, int]) -> str:
    """The best and the cheapest."""
    full, limited = sums["soft MA"], sums["branch l=0 MA"]
    is_alike = values["same"] == values["same_move"] == values["searched"]
    alike = ": they are one player at three prices" if is_alike else ""
    return (
        f"At depth 2 a search of all moves takes {share(full)} of the points from"
        " one that explores the five moves that look best at once. Minimax, hard and soft"
        f" find {agreed(values)}{alike}. Soft looks at"
        f" {full['nodes']:,.0f} positions a move, the branch-limited player at"
        f" {limited['nodes']:,.0f}."
    )


def compared(sums: Mapping[str, dict[str, Any]], values: Mapping[str, int]) -> list[Compared]:
    """Of part 1 claims were published, but no figure of any algorithm."""
    told = []
    for evaluation in EVALUATIONS:
        for algorithm in ALGORITHMS:
            row = sums[f"{algorithm} {evaluation}"]
            ours = f"{counts(row)}; {decided_share(row)} of the decided games"
            why = f"minimax, hard and soft find {agreed(values)}"
            if algorithm == "branch l=0":
                why = "the reference itself" if evaluation == "MA" else "only the evaluation"
                why += ": what differs from even is chance" if evaluation == "MA" else " differs"
            told.append(Compared(f"{algorithm}, {evaluation}: won / drawn / lost", "", ours, why))
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
    for plies in CONFIGURATIONS:
        by = found[f"after-{plies}-plies"]["by"]
        for evaluation in EVALUATIONS:
            own = {
                what: [row for row in told if row["agent"].endswith(f" {evaluation}")]
                for what, told in by.items()
            }
            whose = f"{evaluation}, {plies} random plies"
            drawn += charts.situations(own, whose, "Medians by the clock.")
    columns = ("algorithm", "random plies", *RESULTS, "nodes a move")
    table = [
        (name, str(plies), *results(row), f"{row['nodes']:,.0f}")
        for (name, plies), row in rows.items()
    ]
    remark = "To prove which moves are equally good takes nodes, too."
    return [
        *drawn,
        Shown("Every match", remark, Table(columns, table)),
        chess_claims.costs_table(found["costs"]),
        chess_claims.table(found["chance"]),
    ]


STUDY = Study(
    name="chess-algorithms",
    title="Chess, part 1: six MinMax algorithms, the searches",
    about="Minimax, hard, soft and branch-limited search against one branch-limited player.",
    plan=plan,
    findings=findings,
)
