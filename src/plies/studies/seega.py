"""Seega: two evaluations, the beam, the contest agent with its clock, and how many successors."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import mean
from typing import Any

from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.core.contract import Game
from plies.core.hints import least_key, phase
from plies.match import Clocks
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.clock_use import clock_use, positions
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, counts, percent, results, share, step_of

PLIES = 8  # random placements before a game
PAIRS = {"quick": 6, "full": 200}
DEPTHS = {"quick": (2, 3, 4), "full": (2, 3, 4, 5)}
BEAMS = {"depth 6, beam v all": (6, 6), "beam of depth 8 v all of depth 6": (8, 6)}
CONTEST = "contest:depth=12-10,credit={},eval=improved,share=0.5,above=6"
# Of the time that is left, for a placement and for a step.
SHARES = {"1 / 2.5 %": "0.01-0.025", "1.5 / 3 %": "0.015-0.03", "4 / 4 %": "0.04"}
CONTESTS = {"credit": ("1 / 2.5 %", "1.5 / 3 %"), "shares": ("1 / 2.5 %", "4 / 4 %")}
# Pairs of games, and seconds of each player for a game.
CREDITS: dict[str, dict[str, tuple[int, float]]] = {
    "credit": {"quick": (2, 2.0), "full": (20, 30.0)},
    "shares": {"quick": (2, 1.0), "full": (20, 10.0)},
}
RANDOM_GAMES = {"quick": 10, "full": 200}
PHASES = ("placing", "moving")
NO_RESULTS = "no match results were published"
PUBLISHED_MOVING = (8, 12)  # successors on average, about


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


def contest(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    """The contest agent with two ways to divide its credit, and what it did with its clock.

    The judge forgives nothing: who overdraws the credit has lost on time.
    """
    pairs, credit = CREDITS[name][scale]
    specs = {shares: CONTEST.format(SHARES[shares]) for shares in CONTESTS[name]}
    clocks = Clocks(credit=credit, margin=0.0)
    met = replace(tournament(specs, work.seed, scale), pairs=pairs, clocks=clocks)
    told = work.match(name, met)
    return {**told, "credit": credit, **clock_use(work.folder / f"{name}.db", credit)}


def successors(work: Work, scale: Scale) -> dict[str, list[dict[str, Any]]]:
    """How many successors positions have, in random games and in those of the contest agent."""
    games = RANDOM_GAMES[scale]
    chance = random.Random(f"successors/{work.seed}")
    game = find_game("seega")
    wandered = []
    for number in range(games):
        work.tell("successors", number, games)
        state = game.initial()
        while not game.is_over(state):
            wandered.append(state)
            state = game.play(state, chance.choice(game.moves(state)))
    contests = [state for _, state, _ in positions(work.folder / "credit.db")]
    return {"random": branching(game, wandered), "contest": branching(game, contests)}


def branching(game: Game, states: Sequence[Any]) -> list[dict[str, Any]]:
    """By phase: the number of positions, and the mean and the most of their successors.

    `by_player` is the mean for each player, `distinct` that of successors that differ, and
    `images` where mirrored and turned ones count as one.
    """
    counts: dict[int, list[tuple[int, int, int, int]]] = {}
    for state in states:
        children = [game.play(state, move) for move in game.moves(state)]
        distinct, images = set(map(game.key, children)), set(map(least_key, children))
        row = (game.mover(state), len(children), len(distinct), len(images))
        counts.setdefault(phase(state), []).append(row)
    return [
        {
            "phase": number,
            "positions": len(rows),
            "mean": mean(row[1] for row in rows),
            "most": max(row[1] for row in rows),
            "by_player": [mean(row[1] for row in rows if row[0] == player) for player in (0, 1)],
            "distinct": mean(row[2] for row in rows),
            "images": mean(row[3] for row in rows),
        }
        for number, rows in sorted(counts.items())
    ]


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
    return Findings(lead(by_depth, beams, contests["credit"]), rows, shown_)


def nodes_of(told: Mapping[str, Any], name: str) -> float:
    """Per move."""
    return told["agents"][name]["nodes"] / told["agents"][name]["moves"]


def lead(by_depth: Mapping[int, Any], beams: Mapping[str, Any], credit: Mapping[str, Any]) -> str:
    scores = ", ".join(f"{share(row)} at depth {depth}" for depth, row in by_depth.items())
    same, deeper = beams.values()
    saved = 1 - nodes_of(same, "beam") / nodes_of(same, "all moves")
    return (
        f"The improved evaluation takes {scores} of the points from the basic one. The beam saves"
        f" {percent(saved)} of the positions and takes {share(same['meetings'][0])} at the same"
        f" depth; two plies deeper it takes {share(deeper['meetings'][0])}. In {credit['games']}"
        f" games with {credit['credit']:g} s for each player the contest agent lost"
        f" {credit['time_losses']} on time."
    )


def match_rows(by_depth: Mapping[int, Any], beams: Mapping[str, Any]) -> list[Compared]:
    return [
        *(
            Compared(
                f"improved against basic, depth {depth}",
                NO_RESULTS,
                f"{counts(row)} (won / drawn / lost)",
                "evaluation terms and weights are those of the report",
            )
            for depth, row in by_depth.items()
        ),
        *(
            Compared(
                name,
                "the better half of more than 6 successors; no match results",
                f"{counts(told['meetings'][0])}; {nodes_of(told, 'beam'):,.0f} positions a move"
                f" against {nodes_of(told, 'all moves'):,.0f}",
                "the full search sorts its moves as well, so that only the beam differs; what the"
                " report did about a blocked opponent is a rule of the game here",
            )
            for name, told in beams.items()
        ),
    ]


def contest_rows(contests: Mapping[str, Any]) -> list[Compared]:
    credit = contests["credit"]
    own, other = CONTESTS["credit"]
    whole = Compared(
        "the contest agent",
        "deepening to depth 12 and 10 at most, 1 % and 2.5 % of the time left for a move, the"
        " better half of more than 6 successors, none twice",
        f"one agent: {CONTEST.format(SHARES[own])}",
        "the same parts; the original ignored the depth in its deepening, ours finishes every"
        " depth and answers with the last one finished",
    )
    kept = Compared(
        f"{credit['games']} games with {credit['credit']:g} s for each player",
        NO_RESULTS,
        f"{credit['time_losses']} lost on time; {credit['overdrawn']:.1f} s overdrawn at most;"
        f" {credit['most_used']:.1f} s used at most",
        "a share of what is left never uses up all of it; the judge forgave nothing",
    )
    published = {own: "1 % / 2.5 %, the contest agent", other: "1.5 % / 3 %, the cut-off"}
    shares = [
        Compared(
            f"time of {name}, placing / moving",
            f"{text}; no times",
            " / ".join(_phase_text(row) for row in credit["phases"] if row["agent"] == name),
            "the report describes both; the games begin after"
            f" {PLIES} placements, and another machine looks less or more deep",
        )
        for name, text in published.items()
    ]
    matches = [
        Compared(
            f"{' against '.join(CONTESTS[name])}, {told['credit']:g} s for each player",
            NO_RESULTS if name == "credit" else "",
            f"{counts(told['meetings'][0])} (won / drawn / lost)",
            "the clock is that of the wall, so that the games differ from run to run",
        )
        for name, told in contests.items()
    ]
    return [whole, kept, *shares, *matches]


def _phase_text(row: Mapping[str, Any]) -> str:
    return f"{row['seconds_per_game']:.1f} s a game, depth {row['depth']:.1f}"


def successor_rows(found: Mapping[str, Any]) -> list[Compared]:
    """The games of the contest agent begin when some pieces are placed, random ones do not."""
    placing, moving = found["random"]
    played = found["contest"][-1]
    return [
        Compared(
            "successors while placing",
            "25, one less each move",
            f"{placing['most']} at first, {placing['mean']:.1f} on average",
            "the centre is excluded by the rules used here; a move is one placement, and a turn is"
            " two of them",
            "24, one less each move: 12.5 on average, by the rules",
        ),
        Compared(
            "successors while moving, on average",
            "about 8 to 12",
            f"{moving['mean']:.1f} in random games, {played['mean']:.1f} in those of the contest"
            " agent",
            _moving_why(moving, played),
            "at most 38, by the pairs of neighbouring cells",
        ),
        Compared(
            "successors that are dropped because they were met before",
            "dropped, no figure",
            f"{placing['mean'] - placing['distinct']:.1f} of {placing['mean']:.1f} while placing,"
            f" {moving['mean'] - moving['distinct']:.1f} of {moving['mean']:.1f} while moving;"
            f" {placing['mean'] - placing['images']:.1f} and"
            f" {moving['mean'] - moving['images']:.1f} if mirrored and turned ones count as one",
            "among the successors of one position; that two placements of a turn lead to the same"
            " board in either order is not one of these",
            "none: two moves of a position never lead to the same one",
        ),
    ]


def _moving_why(wandered: Mapping[str, Any], played: Mapping[str, Any]) -> str:
    low, high = PUBLISHED_MOVING
    places = {"random games": wandered["mean"], "those of the contest agent": played["mean"]}
    inside = [name for name, number in places.items() if low <= number <= high]
    told = f"within the published range: {' and '.join(inside)}" if inside else "both outside"
    first, second = played["by_player"]
    return (
        f"{told}; positions of both players are counted (contest agent: X {first:.1f}, O"
        f" {second:.1f}), and the report does not say which games it counted"
    )


def match_charts(
    by_depth: Mapping[int, Any], beams: Mapping[str, Any], contests: Mapping[str, Any]
) -> list[Shown]:
    from plies.studies.report import charts

    rows = [{**row, "match": f"depth {depth}"} for depth, row in by_depth.items()]
    narrow = [{**told["meetings"][0], "match": name} for name, told in beams.items()]
    divided = [{**told["meetings"][0], "match": _title(told)} for told in contests.values()]
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


def _title(told: Mapping[str, Any]) -> str:
    meeting = told["meetings"][0]
    return f"{meeting['a']} v {meeting['b']}, {told['credit']:g} s"


def tables(contests: Mapping[str, Any], found: Mapping[str, Any]) -> list[Shown]:
    clocks = [
        (
            *(_title(told), row["agent"], PHASES[row["phase"]], f"{row['moves']:,}"),
            *(f"{row['seconds_per_game']:.2f}", f"{row['depth']:.1f}"),
        )
        for told in contests.values()
        for row in told["phases"]
    ]
    branches = [
        (
            *(f"{games} games", PHASES[row["phase"]], f"{row['positions']:,}"),
            *(f"{row['mean']:.2f}", f"{row['most']}"),
            *(f"{number:.2f}" for number in (*row["by_player"], row["distinct"], row["images"])),
        )
        for games, rows in found.items()
        for row in rows
    ]
    return [
        Shown(
            "Time by phase",
            "Means of a game and of a move.",
            Table(("match", "agent", "phase", "moves", "seconds a game", "depth"), clocks),
        ),
        Shown(
            "Successors of a position",
            "Means, and the most; `images` counts mirrored and turned ones as one.",
            Table(
                ("games", "phase", "positions", "mean", "most", "X", "O", "distinct", "images"),
                branches,
            ),
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
