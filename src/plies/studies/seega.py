"""Seega: two evaluations, the beam, the contest agent with its clock, and how many successors."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from plies.pages.page import Table
from plies.studies.seega_contest import (
    CONTESTS,
    PLIES,
    contest,
    contest_rows,
    successor_rows,
    successors,
    tables,
    tournament,
)
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, counts, percent, results, share, step_of

PAIRS = {"quick": 6, "full": 200}
DEPTHS = {"quick": (2, 3, 4), "full": (2, 3, 4, 5)}
BEAMS = {"depth 6, beam v all": (6, 6), "beam of depth 8 v all of depth 6": (8, 6)}


def evaluators(work: Work, depth: int, scale: Scale) -> dict[str, Any]:
    """Improved against basic, both as deep."""
    specs = {name: f"alphabeta:depth={depth},eval={name}" for name in ("improved", "basic")}
    return work.match(f"evaluators-{depth}", tournament(specs, work.seed, PAIRS[scale]))


def beam(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    """The better half of more than six moves against all of them."""
    narrow, wide = BEAMS[name]
    specs = {
        "beam": f"beam:depth={narrow},eval=improved,share=0.5,above=6",
        "all moves": f"alphabeta:depth={wide},eval=improved,order=shallow",
    }
    return work.match(step_of(name), tournament(specs, work.seed, PAIRS[scale]))


def plan(scale: Scale) -> list[Step]:
    return [
        *(
            Step(f"evaluators-{depth}", partial(evaluators, depth=depth, scale=scale))
            for depth in DEPTHS[scale]
        ),
        *(Step(step_of(name), partial(beam, name=name, scale=scale)) for name in BEAMS),
        *(Step(name, partial(contest, name=name, scale=scale)) for name in CONTESTS),
        Step("successors", partial(successors, scale=scale)),
    ]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    by_depth = {depth: found[f"evaluators-{depth}"]["meetings"][0] for depth in DEPTHS[scale]}
    beams = {name: found[step_of(name)] for name in BEAMS}
    contests = {name: found[name] for name in CONTESTS}
    rows = [
        *match_rows(by_depth, beams),
        *contest_rows(contests),
        *successor_rows(found["successors"]),
    ]
    shown_ = [*match_charts(by_depth, beams, contests), *tables(contests, found["successors"])]
    return Findings(lead(by_depth, beams, list(contests.values())), rows, shown_)


def nodes_of(answer: Mapping[str, Any], name: str) -> float:
    """Per move."""
    return answer["agents"][name]["nodes"] / answer["agents"][name]["moves"]


def lead(by_depth: Mapping[int, Any], beams: Mapping[str, Any], contests: Sequence[Any]) -> str:
    scores = ", ".join(f"{share(row)} at depth {depth}" for depth, row in by_depth.items())
    same, deeper = beams.values()
    games, losses = (sum(answer[key] for answer in contests) for key in ("games", "time_losses"))
    saved = 1 - nodes_of(same, "beam") / nodes_of(same, "all moves")
    return (
        f"The improved evaluation takes {scores} of the points from the basic one. The beam saves"
        f" {percent(saved)} of the positions and takes {share(same['meetings'][0])} at the same"
        f" depth; two plies deeper it takes {share(deeper['meetings'][0])}. The contest"
        f" agent lost {losses} of {games} games on time, and overdrew its clock by"
        f" {max(answer['overdrawn'] for answer in contests):.1f} s at most."
    )


def match_rows(by_depth: Mapping[int, Any], beams: Mapping[str, Any]) -> list[Compared]:
    return [
        *(
            Compared(
                f"improved against basic, depth {depth}",
                "",
                f"{counts(row)} (won / drawn / lost)",
                "evaluation terms and weights are those of the report, which has no results of"
                " games",
            )
            for depth, row in by_depth.items()
        ),
        *(
            Compared(
                name,
                "the better half of more than 6 successors is kept",
                f"{counts(answer['meetings'][0])}; {nodes_of(answer, 'beam'):,.0f} positions a move"
                f" against {nodes_of(answer, 'all moves'):,.0f}",
                "the full search sorts its moves as well, so that only the beam differs; what the"
                " report did about a blocked opponent is a rule of the game here",
            )
            for name, answer in beams.items()
        ),
    ]


def match_charts(
    by_depth: Mapping[int, Any], beams: Mapping[str, Any], contests: Mapping[str, Any]
) -> list[Shown]:
    from plies.studies.report import charts

    rows = [{**row, "match": f"depth {depth}"} for depth, row in by_depth.items()]
    narrow = [{**answer["meetings"][0], "match": name} for name, answer in beams.items()]
    divided = [{**answer["meetings"][0], "match": answer["title"]} for answer in contests.values()]
    every = [
        *((f"improved v basic, depth {depth}", *results(row)) for depth, row in by_depth.items()),
        *((name, *results(answer["meetings"][0])) for name, answer in beams.items()),
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
            "Shares of the clock",
            "The contest agent: per cent of the time left, for a placement / for a step.",
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
    about="Improved against basic evaluation, a beam against the full search, and the contest"
    " agent within its clock.",
    plan=plan,
    findings=findings,
)
