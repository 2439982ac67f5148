"""Nim: evolution of a table of moves, with the theory as a judge and without it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from plies.learn.evolution import Evolution, Plan
from plies.learn.nim_evolution import (
    OPPONENTS,
    Positions,
    oracle_fitness,
    positions_of,
    report,
    win_fitness,
)
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import agreement, percent


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
    "published": Recipe("N = 4, k = 3, as published", DEFAULT, 200),
    "long": Recipe("the same, longer", DEFAULT, LONG),
    "islands": Recipe("the same, on five islands", DEFAULT, LONG, plan=ISLANDS),
    "no-oracle": Recipe("games won instead of the theory", DEFAULT, LONG, is_oracle=False),
    "small": Recipe("N = 3, k = 2", "nim:rows=1-3-5,k=2", 200),
}
FULL = {
    **QUICK,
    "unbounded": Recipe("N = 4 without bound", "nim", LONG),
    "large": Recipe("N = 5, k = 4", "nim:rows=1-3-5-7-9,k=4", 20_000),
}
CURVE_POINTS = 60
# Fitness that no genome exceeds, and answerable positions: from the published rules.
CEILINGS = {
    "small": ("N = 3, k = 2", 414, 34),
    "published": ("N = 4, k = 3", 3735, 288),
    "unbounded": ("N = 4 without bound", 4473, 336),
    "large": ("N = 5, k = 4", 42916, 3216),
}


def recipes(scale: Scale) -> dict[str, Recipe]:
    return QUICK if scale == "quick" else FULL


def evolve(work: Work, recipe: Recipe) -> dict[str, Any]:
    """Let the generations pass, and say what the best genome can do."""
    positions = positions_of(find_game(recipe.game))
    evolution = Evolution(positions.counts, _fitness(positions, recipe), recipe.plan, work.seed)
    every = max(recipe.generations // CURVE_POINTS, 1)
    curve = [_point(evolution, positions)]
    while evolution.generation < recipe.generations:
        evolution.advance()
        if evolution.generation % every == 0 or evolution.generation == recipe.generations:
            curve.append(_point(evolution, positions))
            work.tell(recipe.title, evolution.generation, recipe.generations)
    return {"curve": curve, **asdict(report(positions, evolution.best[0]))}


def _fitness(positions: Positions, recipe: Recipe) -> Any:
    if recipe.is_oracle:
        return oracle_fitness(positions)
    return win_fitness(positions, list(OPPONENTS), is_everywhere=True)


def _point(evolution: Evolution, positions: Positions) -> dict[str, float]:
    found = report(positions, evolution.best[0])
    return {"generation": evolution.generation, "share": found.share}


def plan(scale: Scale) -> list[Step]:
    return [Step(name, partial(evolve, recipe=recipe)) for name, recipe in recipes(scale).items()]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    known = recipes(scale)
    short, long = found["published"], found["long"]
    lead = (
        f"{known['published'].generations} generations answer {_share(short)} of the answerable"
        f" positions optimally, {known['long'].generations} answer {_share(long)}. Without the"
        f" theory, by games won alone, it is {_share(found['no-oracle'])}."
    )
    return Findings(lead, compared(found), shown(found, known))


def _share(told: Mapping[str, Any]) -> str:
    return percent(told["answered"] / told["answerable"])


def _wins(told: Mapping[str, Any], opponent: str) -> str:
    seats = told["wins"][opponent]
    return f"{percent(seats['first'])} as first, {percent(seats['second'])} as second"


def _both(seats: Mapping[str, float]) -> str:
    return f"{percent(seats['first'])} / {percent(seats['second'])}"


def compared(found: Mapping[str, Any]) -> list[Compared]:
    ceilings = [
        Compared(
            f"greatest fitness, {title}",
            f"{fitness}, {answerable} answerable positions",
            f"{found[name]['best_fitness']}, {found[name]['answerable']}",
            agreement(
                (fitness, answerable),
                (found[name]["best_fitness"], found[name]["answerable"]),
                "computed from the rules",
            ),
        )
        for name, (title, fitness, answerable) in CEILINGS.items()
        if name in found
    ]
    short, long = found["published"], found["long"]
    return [
        *ceilings,
        Compared(
            "optimal answers after the published 200 generations",
            "not published",
            f"{_share(short)} (fitness {short['fitness']} of {short['best_fitness']})",
            "with the theory as a judge every gene counts by itself, so that crossover collects"
            " right genes quickly",
        ),
        Compared(
            "optimal answers after more generations",
            "not published",
            f"{_share(long)} (fitness {long['fitness']} of {long['best_fitness']})",
            "the same recipe, longer; what 200 generations miss, mutation finds one by one",
        ),
        Compared(
            "against random, from the start",
            "wins",
            _wins(long, "random"),
            "exact, by the chances of every game",
        ),
        Compared(
            "against the optimal player, from the start",
            "not published",
            _wins(long, "optimal"),
            "the start of N = 4, k = 3 is lost for who begins: a perfect table wins as second only",
        ),
        Compared(
            "against the optimal player, from won positions",
            "not published",
            f"{percent(long['held'])} of games won",
            "one wrong answer on the way is never forgiven",
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
            " can be won, against the optimal player.",
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
            *(_both(found[name]["wins"][opponent]) for opponent in OPPONENTS),
            percent(found[name]["held"]),
        )
        for name, recipe in known.items()
    ]
    against = (f"beats {name}" for name in OPPONENTS)
    columns = ("recipe", "generations", "optimal", "share", *against, "held")
    return Table(columns, list(rows))


STUDY = Study(
    name="nim-evolution",
    title="Nim: a table of moves that evolves",
    about="A genome is one move for every position; judged by the theory, or by games won.",
    plan=plan,
    findings=findings,
)
