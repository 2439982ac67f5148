"""Morris: what alpha-beta saves, and what a better estimate of positions is worth."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.core.scores import value_text
from plies.errors import PliesError
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.searches import cost, decisions, random_states
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, agreement, counts, percent, ratio, results, share

# Program, board, depth, and what an independent program answers: positions and estimate.
CHECKED = (
    ("MiniMaxOpening", "WWxxxxxWWWWBBBBxxBWBxB", 2, 444, 0),
    ("ABOpening", "WWxxxxxWWWWBBBBxxBWBxB", 2, 80, 0),
    ("MiniMaxGame", "WWxxxxxWWWWBBBBxxBWBxB", 2, 410, 981),
    ("ABGame", "WWxxxxxWWWWBBBBxxBWBxB", 2, 355, 981),
    ("MiniMaxOpeningBlack", "WWxxxxxWWWWBBBBxxBWBxB", 2, 408, 1),
    ("MiniMaxOpening", "WWxxxxxWWWBBBxBxxBWBBB", 3, 637, -1),
    ("ABOpening", "WWxxxxxWWWBBBxBxxBWBBB", 3, 67, -1),
    ("MiniMaxGame", "WWxxxxxWWWBBBxBxxBWBBB", 3, 755, -1009),
    ("ABGame", "WWxxxxxWWWBBBxBxxBWBBB", 3, 343, -1009),
    ("MiniMaxOpening", "BWBWWWBBxWxxxBWxWxxBBW", 4, 5046, 2),
)
# The outputs that the hand-out shows: positions and estimate.
ILLUSTRATED = ((9, 9987), (125, 9987))
PIECES, FEWEST = 9, 3  # of a player at most, and where the game goes on
PHASES = {"opening": (4, 8, 12), "midgame": (20, 26, 32)}  # random plies before
POSITIONS = {"quick": 12, "full": 60}
DEEPEST = {"quick": 4, "full": 5}
SEARCHES = {
    "minimax": "minimax:depth={},eval=handout",
    "alpha-beta": "alphabeta:depth={},eval=handout",
    "alpha-beta, sorted": "alphabeta:depth={},eval=handout,order=shallow",
}
DEPTHS = {"quick": (2, 3), "full": (2, 3, 4)}
PAIRS = {"quick": 10, "full": 200}
COMPARED_DEPTH = 3
EXAMPLES = 6


def programs(work: Work) -> list[dict[str, Any]]:
    """What the programs of the course print for the boards whose answers are known."""
    rows = []
    for number, (name, board, depth, _, _) in enumerate(CHECKED):
        work.tell("the programs", number, len(CHECKED))
        given, answer = work.folder / "board1.txt", work.folder / "board2.txt"
        given.write_text(f"{board}\n", encoding="utf-8")
        command = [sys.executable, "-m", "plies.morris_programs", name]
        command += [str(given), str(answer), str(depth), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PliesError(f"{name} failed: {done.stderr.strip()}")
        rows.append(json.loads(done.stdout))
    return rows


def measure(work: Work, phase: str, scale: Scale) -> dict[str, list[dict[str, float]]]:
    """Positions estimated by depth, on average of positions of a phase."""
    game = find_game("morris")
    states = random_states(game, POSITIONS[scale], PHASES[phase], work.seed)
    found = {}
    for name, spec in SEARCHES.items():
        work.tell(f"{phase}, {name}", 0, 0)
        found[name] = [
            {"depth": depth, **cost(decisions(game, spec.format(depth), states))}
            for depth in range(1, DEEPEST[scale] + 1)
        ]
    return found


def evaluations(work: Work, depth: int, scale: Scale) -> dict[str, Any]:
    """The improved estimate against that of the programs, both as deep."""
    specs = {"improved": "improved", "standard": "handout"}
    return work.match(
        f"evaluations-{depth}",
        Tournament(
            games=("morris",),
            agents=tuple(
                Entry(name, f"alphabeta:depth={depth},eval={evaluator}")
                for name, evaluator in specs.items()
            ),
            name=f"morris, improved against standard, depth {depth}",
            kind="match",
            pairs=PAIRS[scale],
            seed=work.seed,
            openings=Openings(plies=8),
        ),
    )


def differing(work: Work, scale: Scale) -> dict[str, Any]:
    """How often the two estimates choose different moves, and examples."""
    game = find_game("morris")
    plies = tuple(number for phase in PHASES.values() for number in phase)
    states = random_states(game, 4 * POSITIONS[scale], plies, work.seed)
    chosen = {
        name: decisions(game, f"alphabeta:depth={COMPARED_DEPTH},eval={name}", states)
        for name in ("improved", "handout")
    }
    examples = [
        {
            "position": game.position_text(state),
            "improved": game.move_notation(state, better.move),
            "standard": game.move_notation(state, plain.move),
            "values": [value_text(better.value or 0), value_text(plain.value or 0)],
        }
        for state, better, plain in zip(states, *chosen.values(), strict=True)
        if better.move != plain.move
    ]
    return {"positions": len(states), "differ": len(examples), "examples": examples[:EXAMPLES]}


def plan(scale: Scale) -> list[Step]:
    return [
        Step("programs", programs),
        *(Step(phase, partial(measure, phase=phase, scale=scale)) for phase in PHASES),
        *(
            Step(f"evaluations-{depth}", partial(evaluations, depth=depth, scale=scale))
            for depth in DEPTHS[scale]
        ),
        Step("differing", partial(differing, scale=scale)),
    ]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    by_depth = {depth: found[f"evaluations-{depth}"]["meetings"][0] for depth in DEPTHS[scale]}
    return Findings(lead(found, by_depth), compared(found, by_depth), shown(found, by_depth))


def saved(found: Mapping[str, Any], phase: str, name: str) -> float:
    """How many times as many positions minimax estimates, at the greatest depth."""
    return found[phase]["minimax"][-1]["leaves"] / found[phase][name][-1]["leaves"]


def lead(found: Mapping[str, Any], by_depth: Mapping[int, Any]) -> str:
    depth = int(found["opening"]["minimax"][-1]["depth"])
    scores = ", ".join(f"{share(row)} at depth {number}" for number, row in by_depth.items())
    return (
        f"At depth {depth} minimax estimates {ratio(saved(found, 'opening', 'alpha-beta'))} as many"
        f" positions as alpha-beta in the opening, and"
        f" {ratio(saved(found, 'midgame', 'alpha-beta'))} as many in the midgame. The improved"
        f" estimate takes {scores} of the points from the standard one."
    )


def compared(found: Mapping[str, Any], by_depth: Mapping[int, Any]) -> list[Compared]:
    return [
        _illustrated(found["programs"]),
        *(
            Compared(
                f"{name}, {board}, depth {depth}",
                "",
                f"{told['positions']} positions, estimate {told['estimate']}",
                agreement((positions, estimate), (told["positions"], told["estimate"])),
                f"{positions} positions, estimate {estimate}: by an independent program",
            )
            for (name, board, depth, positions, estimate), told in zip(
                CHECKED, found["programs"], strict=True
            )
        ),
        *(
            Compared(
                f"improved against standard, depth {depth}",
                "",
                f"{counts(row)} (won / drawn / lost), {share(row)} of the points",
                "openings of eight random plies, each with both seats",
            )
            for depth, row in by_depth.items()
        ),
    ]


def _illustrated(answers: Sequence[Mapping[str, Any]]) -> Compared:
    """The outputs of the hand-out, which no board has to give."""
    published = "; ".join(f"{count} positions, estimate {value}" for count, value in ILLUSTRATED)
    counted = [told["positions"] for told in answers]
    estimates = [told["estimate"] for told in answers]
    # 1000 * (white - black) - Black's moves
    lead = -(-ILLUSTRATED[0][1] // 1000)
    return Compared(
        "the outputs shown in the hand-out",
        f"{published} (marked illustrative)",
        f"{min(counted)} to {max(counted)} positions, estimates {min(estimates)} to"
        f" {max(estimates)}, on the boards below",
        "illustrations of the format, not the answers to a board",
        f"needs {lead} white pieces more than black ones; with {PIECES} each and at least"
        f" {FEWEST} black ones left there are at most {PIECES - FEWEST} more",
    )


def shown(found: Mapping[str, Any], by_depth: Mapping[int, Any]) -> list[Shown]:
    from plies.studies.report import charts

    axes = (
        charts.Axis("depth", "depth in plies", is_whole=True),
        charts.Axis("leaves", "positions estimated", is_log=True),
    )
    drawn = [
        Shown(
            f"Positions estimated, {phase}",
            f"The mean of positions after {', '.join(map(str, PHASES[phase]))} random plies.",
            charts.lines(
                [{**row, "search": name} for name, rows in found[phase].items() for row in rows],
                *axes,
                by="search",
            ),
        )
        for phase in PHASES
    ]
    matches = [{**row, "match": f"depth {depth}"} for depth, row in by_depth.items()]
    drawn.append(
        Shown(
            "Improved against standard estimate",
            "Alpha-beta of the same depth for both.",
            charts.results(matches, "match"),
        )
    )
    return [*drawn, savings(found), strength(by_depth), examples(found["differing"])]


def savings(found: Mapping[str, Any]) -> Shown:
    rows = [
        (
            *(phase, f"{row['depth']:.0f}", f"{row['leaves']:,.0f}"),
            *(f"{found[phase][name][index]['leaves']:,.0f}" for name in list(SEARCHES)[1:]),
            percent(1 - found[phase]["alpha-beta"][index]["leaves"] / row["leaves"]),
        )
        for phase in PHASES
        for index, row in enumerate(found[phase]["minimax"])
    ]
    columns = ("phase", "depth", *SEARCHES, "saved by alpha-beta")
    remark = "Positions estimated, on average; sorting estimates the children as well."
    return Shown("What alpha-beta saves", remark, Table(columns, rows))


def strength(by_depth: Mapping[int, Any]) -> Shown:
    rows = [(f"depth {depth}", *results(row)) for depth, row in by_depth.items()]
    return Shown("Improved against standard", "", Table(("match", *RESULTS), rows))


def examples(told: Mapping[str, Any]) -> Shown:
    rows = [
        (each["position"], each["improved"], each["standard"], " and ".join(each["values"]))
        for each in told["examples"]
    ]
    remark = (
        f"In {told['differ']} of {told['positions']} positions they choose differently at depth"
        f" {COMPARED_DEPTH}. Both values are in thousandths of a piece, in the opening the"
        " standard one in pieces."
    )
    columns = ("position", "improved plays", "standard plays", "values")
    return Shown("Where the estimates choose different moves", remark, Table(columns, rows))


STUDY = Study(
    name="morris",
    title="Morris: alpha-beta and a better estimate",
    about="Minimax against alpha-beta in positions, and the improved against the standard"
    " estimate.",
    plan=plan,
    findings=findings,
)
