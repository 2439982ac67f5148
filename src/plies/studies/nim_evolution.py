"""Nim: evolution of a table of moves, with and without the theory, and of mixed strategies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from plies.learn.evolution import Evolution, Fitness, Plan
from plies.learn.nim_evolution import (
    OPPONENTS,
    Encoding,
    Positions,
    moves_encoding,
    oracle_fitness,
    positions_of,
    report,
    win_fitness,
)
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies import nim_strategies
from plies.studies.nim_strategies import Mixing, both_seats
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import percent


@dataclass(frozen=True)
class Recipe:
    """What evolves: the game, the fitness, for how long, and how."""

    title: str
    game: str
    generations: int
    is_oracle: bool = True
    plan: Plan = field(default_factory=Plan)


DEFAULT = "nim:k=3"  # N = 4
ISLANDS = Plan(islands=5)
LONG = 1000
# Name of a step -> what evolves in it.
QUICK = {
    "short": Recipe("N = 4, k = 3", DEFAULT, 200),
    "long": Recipe("N = 4, k = 3, longer", DEFAULT, LONG),
    "islands": Recipe("N = 4, k = 3, on five islands", DEFAULT, LONG, plan=ISLANDS),
    "no-oracle": Recipe("N = 4, k = 3, by games won", DEFAULT, LONG, is_oracle=False),
    "small": Recipe("N = 3, k = 2", "nim:rows=1-3-5,k=2", 200),
}
FULL = {
    **QUICK,
    "unbounded": Recipe("N = 4 without bound", "nim", LONG),
    "large": Recipe("N = 5, k = 4", "nim:rows=1-3-5-7-9,k=4", 20_000),
}
CURVE_POINTS = 60
MIXTURES = "strategies"  # the step in which probabilities of strategies evolve
MIXING: dict[Scale, Mixing] = {
    "quick": Mixing(DEFAULT, generations=60, seeds=3),
    "full": Mixing(DEFAULT, generations=100, seeds=10),
}


def recipes(scale: Scale) -> dict[str, Recipe]:
    return QUICK if scale == "quick" else FULL


def evolve(work: Work, recipe: Recipe) -> dict[str, Any]:
    """Let the generations pass, and say what the best genome can do."""
    positions = positions_of(find_game(recipe.game))
    encoding = moves_encoding(positions)
    fitness = _fitness(positions, encoding, recipe)
    evolution = Evolution(encoding.choices, fitness, recipe.plan, work.seed)
    every = max(recipe.generations // CURVE_POINTS, 1)
    curve = [_point(evolution, positions)]
    while evolution.generation < recipe.generations:
        evolution.advance()
        if evolution.generation % every == 0 or evolution.generation == recipe.generations:
            curve.append(_point(evolution, positions))
            work.tell(recipe.title, evolution.generation, recipe.generations)
    is_start_lost = not positions.is_answerable[-1]
    found = encoding.report(evolution.best[0])
    return {"curve": curve, "is_start_lost": bool(is_start_lost), **found}


def _fitness(positions: Positions, encoding: Encoding, recipe: Recipe) -> Fitness:
    if recipe.is_oracle:
        return oracle_fitness(positions)
    return win_fitness(positions, encoding.player, list(OPPONENTS), is_everywhere=True)


def _point(evolution: Evolution, positions: Positions) -> dict[str, float]:
    found = report(positions, evolution.best[0])
    return {"generation": evolution.generation, "share": found.share}


def plan(scale: Scale) -> list[Step]:
    tables = [Step(name, partial(evolve, recipe=each)) for name, each in recipes(scale).items()]
    return [*tables, Step(MIXTURES, partial(nim_strategies.evolve, mixing=MIXING[scale]))]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    known = recipes(scale)
    short, long = found["short"], found["long"]
    lead = (
        f"{known['short'].generations} generations answer {_share(short)} of the answerable"
        f" positions optimally, {known['long'].generations} answer {_share(long)}. Without the"
        f" theory, by games won alone, it is {_share(found['no-oracle'])}."
        f" {nim_strategies.lead(found[MIXTURES])}"
    )
    rows = [*compared(found, known), *nim_strategies.compared(found[MIXTURES])]
    charts = [*shown(found, known), *nim_strategies.shown(found[MIXTURES])]
    return Findings(lead, rows, charts)


def _share(told: Mapping[str, Any]) -> str:
    return percent(told["answered"] / told["answerable"])


def _missing(told: Mapping[str, Any]) -> str:
    """What the best genome lacks of the greatest fitness."""
    wrong = told["answerable"] - told["answered"]
    if wrong:
        return f"{wrong} answers are still wrong: late ones are found by mutation, one by one"
    if told["fitness"] < told["best_fitness"]:
        return "all answers are right; some moves could take more objects"
    return "the same: every gene counts by itself, so that crossover collects the right ones"


def compared(found: Mapping[str, Any], known: Mapping[str, Recipe]) -> list[Compared]:
    reached = [
        Compared(
            f"greatest fitness, {recipe.title}",
            "",
            f"{found[name]['fitness']}, {found[name]['answered']} positions answered optimally,"
            f" after {recipe.generations} generations",
            _missing(found[name]),
            computed=f"{found[name]['best_fitness']}, {found[name]['answerable']} answerable"
            f" positions: the best move of each of {found[name]['positions']} by the rules",
        )
        for name, recipe in known.items()
        if recipe.is_oracle
    ]
    return [*reached, *_played(found["long"])]


def _played(told: Mapping[str, Any]) -> list[Compared]:
    """How the evolved table fares in play."""
    chance, optimal = told["wins"]["random"], told["wins"]["nim-sum"]
    is_always = min(chance.values()) > 1 - 1e-9
    winner = "second" if told["is_start_lost"] else "first"
    return [
        Compared(
            "evolved against random, from the start, as first / second",
            "wins against random",
            both_seats(chance),
            "the same: every game is won"
            if is_always
            else "not every game: after a mistake, and where the start is lost, random may happen"
            " to play well",
        ),
        Compared(
            "evolved against nim-sum, from the start, as first / second",
            "",
            both_seats(optimal),
            "the same: it makes no mistake that nim-sum could use"
            if optimal[winner] > 1 - 1e-9
            else "one wrong answer on the way is never forgiven",
            computed=f"a perfect player wins every game as {winner}, none as the other: the"
            f" nim-sum of the start is {'' if winner == 'second' else 'not '}0",
        ),
        Compared(
            "evolved against nim-sum, from won positions",
            "",
            f"{percent(told['held'])} of games won",
            "the same: all answers are right"
            if told["held"] > 1 - 1e-9
            else "one wrong answer on the way is never forgiven",
            computed="100.0 % for a perfect player, by the theory",
        ),
    ]


def shown(found: Mapping[str, Any], known: Mapping[str, Recipe]) -> list[Shown]:
    from plies.studies.report import charts

    curves = [
        {**point, "recipe": known[name].title}
        for name in ("long", "islands", "no-oracle")
        for point in found[name]["curve"]
    ]
    shares = charts.Axis("share", "answered optimally", format=".0%")
    return [
        Shown(
            "Optimal answers by generation",
            "Share of the answerable positions, of the best genome alive.",
            charts.lines(curves, charts.Axis("generation", "generation"), shares, "recipe"),
        ),
        Shown(
            "Every run",
            "Games won as first / as second from the start, exactly; held: won from positions that"
            " can be won, against nim-sum.",
            _table(found, known),
        ),
    ]


def _table(found: Mapping[str, Any], known: Mapping[str, Recipe]) -> Table:
    rows: Sequence[tuple[str, ...]] = [
        (
            recipe.title,
            str(recipe.generations),
            f"{found[name]['answered']} / {found[name]['answerable']}",
            _share(found[name]),
            *(both_seats(found[name]["wins"][opponent]) for opponent in OPPONENTS),
            percent(found[name]["held"]),
        )
        for name, recipe in known.items()
    ]
    against = (f"beats {name}" for name in OPPONENTS)
    columns = ("recipe", "generations", "optimal", "share", *against, "held")
    return Table(columns, list(rows))


STUDY = Study(
    name="nim-evolution",
    title="Nim: players that evolve",
    about="A genome is one move for every position, or a probability for each of three strategies.",
    plan=plan,
    findings=findings,
)
