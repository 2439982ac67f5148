"""Seega: two evaluations, the beam, and how to divide a credit over the moves of a game."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

from plies.agents import Agent
from plies.arena.config import Openings, Tournament
from plies.arena.openings import random_openings
from plies.arena.plan import Entry, points_of
from plies.arena.statistics import Counts, elo_estimate
from plies.arena.tally import Score, pair_classes
from plies.core.contract import Game
from plies.match import play_game
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.search.decision import Decision
from plies.search.deepening import Deepening
from plies.search.task import Task
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, counts, percent, results, share, step_of

PLIES = 8  # random placements before a game
PAIRS = {"quick": 6, "full": 200}
DEPTHS = {"quick": (2, 3, 4), "full": (2, 3, 4, 5)}
BEAMS = {"depth 6, beam v all": (6, 6), "beam of depth 8 v all of depth 6": (8, 6)}
# Per cent of what is left, for a placement and for a step.
SHARES = {"1 / 2.5 %": (1.0, 2.5), "1.5 / 3 %": (1.5, 3.0), "4 / 4 %": (4.0, 4.0)}
CREDIT = {"quick": 100_000, "full": 2_000_000}  # nodes, of each player for a game
SHARED_PAIRS = {"quick": 3, "full": 30}
DEEPEST = (12, 10)  # while placing, and afterwards


def evaluators(work: Work, depth: int, scale: Scale) -> dict[str, Any]:
    """Improved against basic, both as deep."""
    specs = {name: f"alphabeta:depth={depth},eval={name}" for name in ("improved", "basic")}
    return work.match(f"evaluators-{depth}", tournament(specs, work.seed, scale))


def beam(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    """The better half of more than six moves against all of them."""
    narrow, wide = BEAMS[name]
    specs = {
        "beam": f"beam:depth={narrow},eval=improved,share=0.5,above=6",
        "all moves": f"alphabeta:depth={wide},eval=improved,order=shallow",
    }
    return work.match(step_of(name), tournament(specs, work.seed, scale))


def tournament(specs: Mapping[str, str], seed: int, scale: Scale) -> Tournament:
    return Tournament(
        games=("seega",),
        agents=tuple(Entry(name, spec) for name, spec in specs.items()),
        name=" - ".join(specs),
        kind="match",
        pairs=PAIRS[scale],
        seed=seed,
        openings=Openings(plies=PLIES),
    )


@dataclass(frozen=True)
class Sharing:
    """Deepens within a share of what is left of a credit for the whole game.

    The credit is counted in nodes, so that games are the same on every machine.
    """

    credit: int
    placing: float  # per cent of what is left
    moving: float

    for_any_game: ClassVar[bool] = False

    def begin(self, task: Task, seconds: float) -> None:
        task.memory["left"] = self.credit

    def decide(self, task: Task) -> Decision:
        is_placing = task.state.left > 0
        percent_ = self.placing if is_placing else self.moving
        left = task.memory.get("left", self.credit)
        nodes = max(1, int(left * percent_ / 100))
        depth = DEEPEST[0] if is_placing else DEEPEST[1]
        found = Deepening(depth=depth, nodes=nodes, order="shallow").decide(task)
        task.memory["left"] = left - found.nodes
        return found


def shares(work: Work, scale: Scale) -> list[dict[str, Any]]:
    """Every way to divide the credit against every other one."""
    game = find_game("seega")
    pairs = SHARED_PAIRS[scale]
    openings = random_openings(game, pairs, PLIES, random.Random(f"shares/{work.seed}"))
    players = {name: _player(game, *SHARES[name], CREDIT[scale]) for name in SHARES}
    rows = []
    for number, (a, b) in enumerate(combinations(SHARES, 2)):
        points = []
        for opening in openings:
            work.tell(f"{a} against {b}", len(points), pairs)
            pair = [(players[a], players[b]), (players[b], players[a])]
            records = [play_game(game, *seats, seed=number, start=opening) for seats in pair]
            points.append(tuple(points_of(r.payoffs)[i] for i, r in enumerate(records)))
        rows.append({"a": a, "b": b, **_meeting(points)})
    return rows


def _player(game: Game, placing: float, moving: float, credit: int) -> Agent:
    method = Sharing(credit, placing, moving)
    return Agent(f"{placing} / {moving} %", game, method, game.evaluator("improved"))


def _meeting(pairs: list[tuple[float, ...]]) -> dict[str, Any]:
    """As `matches.figures` tells it."""
    score = Score()
    for points in (each for pair in pairs for each in pair):
        score = score.plus(points)
    elo = elo_estimate(Counts(pair_classes(pairs)))
    assert elo is not None
    return {
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "elo": elo.value,
        "elo_low": elo.low,
        "elo_high": elo.high,
    }


def plan(scale: Scale) -> list[Step]:
    return [
        *(
            Step(f"evaluators-{depth}", partial(evaluators, depth=depth, scale=scale))
            for depth in DEPTHS[scale]
        ),
        *(Step(step_of(name), partial(beam, name=name, scale=scale)) for name in BEAMS),
        Step("shares", partial(shares, scale=scale)),
    ]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    by_depth = {depth: found[f"evaluators-{depth}"]["meetings"][0] for depth in DEPTHS[scale]}
    beams = {name: found[step_of(name)] for name in BEAMS}
    return Findings(
        lead(by_depth, beams),
        compared(by_depth, beams, found["shares"]),
        shown(by_depth, beams, found["shares"]),
    )


def nodes_of(told: Mapping[str, Any], name: str) -> float:
    """Per move."""
    return told["agents"][name]["nodes"] / told["agents"][name]["moves"]


def lead(by_depth: Mapping[int, Any], beams: Mapping[str, Any]) -> str:
    scores = ", ".join(f"{share(row)} at depth {depth}" for depth, row in by_depth.items())
    same, deeper = beams.values()
    saved = 1 - nodes_of(same, "beam") / nodes_of(same, "all moves")
    return (
        f"The improved evaluation takes {scores} of the points from the basic one. The beam saves"
        f" {percent(saved)} of the positions and takes {share(same['meetings'][0])} at the same"
        f" depth; two plies deeper it takes {share(deeper['meetings'][0])}."
    )


def compared(
    by_depth: Mapping[int, Any], beams: Mapping[str, Any], shared: list[dict[str, Any]]
) -> list[Compared]:
    rows = [
        Compared(
            f"improved against basic, depth {depth}",
            "basic is the weak one, no figure",
            f"{counts(row)} (won / drawn / lost)",
            "evaluation terms and weights are those of the study",
        )
        for depth, row in by_depth.items()
    ]
    for name, told in beams.items():
        rows.append(
            Compared(
                name,
                "used, no figure",
                f"{counts(told['meetings'][0])}; {nodes_of(told, 'beam'):,.0f} positions a move"
                f" against {nodes_of(told, 'all moves'):,.0f}",
                "the full search sorts its moves as well, so that only the beam differs; what the"
                " study did about a blocked opponent is a rule of the game here",
            )
        )
    rows += [
        Compared(
            f"shares of the credit: {row['a']} against {row['b']}",
            "both tried, no figure" if "4" not in row["b"] else "not tried",
            f"{counts(row)} (won / drawn / lost)",
            "the original ignored the depth in its deepening; ours finishes every depth. The"
            " credit is in nodes, not seconds, so that the games can be repeated",
        )
        for row in shared
    ]
    return rows


def shown(
    by_depth: Mapping[int, Any], beams: Mapping[str, Any], shared: list[dict[str, Any]]
) -> list[Shown]:
    from plies.studies.report import charts

    rows = [{**row, "match": f"depth {depth}"} for depth, row in by_depth.items()]
    narrow = [{**told["meetings"][0], "match": name} for name, told in beams.items()]
    divided = [{**row, "match": f"{row['a']} v {row['b']}"} for row in shared]
    every = [
        *((f"improved v basic, depth {depth}", *results(row)) for depth, row in by_depth.items()),
        *((name, *results(told["meetings"][0])) for name, told in beams.items()),
        *((row["match"], *results(row)) for row in divided),
    ]
    return [
        Shown(
            "Improved against basic",
            "Alpha-beta of the same depth for both.",
            charts.results(rows, "match"),
        ),
        Shown(
            "The beam against the full search",
            "Of more than six moves the better half; improved evaluation.",
            charts.results(narrow, "match"),
        ),
        Shown(
            "Shares of the credit",
            "Per cent of what is left, for a placement / for a step.",
            charts.results(divided, "match"),
        ),
        Shown(
            "Every match",
            f"From positions after {PLIES} random placements, each with both seats.",
            Table(("match", *RESULTS), every),
        ),
    ]


STUDY = Study(
    name="seega",
    title="Seega: evaluations, beam and time",
    about="Improved against basic evaluation, a beam against the full search, and shares of a"
    " credit.",
    plan=plan,
    findings=findings,
)
