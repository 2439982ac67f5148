"""Tic-tac-toe: tabular Q-learning against chance, and what is possible against chance."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from math import sqrt
from statistics import mean
from typing import Any

from plies.learn.against_chance import chance, exactly, graph_of, optimum
from plies.learn.qlearning.grid import jobs_of, search
from plies.learn.qlearning.settings import Settings
from plies.learn.qlearning.training import Plan, Training
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import agreement, percent, step_of

GAME = "tictactoe"
SEATS = (0, 1)
SEEDS = {"quick": 2, "full": 5}
SAMPLE = 1000  # games a seat, as many as were published
PUBLISHED_RATES = (0.98, 0.96)  # by seats; which of the two ways to learn gave them is not said
# What follows from the rules against random moves: the best player by seats, and random ones.
COMPUTED_BEST = ("99.48 %", "93.86 %")
COMPUTED_CHANCE = "58.49 / 12.70 / 28.81 %"
HOW = "every position looked at"
# The report's rate, discount and exploration, with its rewards.
CHOSEN = Settings(rate=0.5, fade=0, discount=0.7, exploration=0.1, rewards="ramp")
# Name -> what is learned from.
RECIPES = {
    "report, against chance": Plan(GAME, 100_000, CHOSEN, "random"),
    "report, self-play": Plan(GAME, 300_000, CHOSEN),
    "ours, against chance": Plan(GAME, 100_000, Settings(), "random"),
    "ours, self-play": Plan(GAME, 300_000, Settings()),
}
OURS = "ours, self-play"
CURVE_POINTS = 15
GRIDS = {
    "quick": {"rate": ["0.1", "0.5"], "discount": ["0.7", "1"], "exploration": ["0.1", "0.9"]},
    "full": {
        "rate": ["0.1", "0.3", "0.5", "0.7", "0.9"],
        "discount": ["0.5", "0.7", "0.9", "1"],
        "exploration": ["0.1", "0.3", "0.5", "0.9"],
    },
}
GRID_GAMES = 100_000
DIGITS = 2  # of per cents
SHOWN_ROWS = 8  # of a search, the best and the worst


def measure_ceilings(work: Work) -> dict[str, Any]:
    """What the best player, and another player of chance, get against chance."""
    graph = graph_of(find_game(GAME))
    policy = chance(graph)
    return {
        "best": [asdict(optimum(graph, seat)) for seat in SEATS],
        "chance": [asdict(exactly(graph, policy, seat)) for seat in SEATS],
    }


def learn(work: Work, name: str, scale: Scale) -> list[dict[str, Any]]:
    """Train with several seeds; exact win rates, and those of as many games as published."""
    rows = []
    for number in range(SEEDS[scale]):
        work.tell(name, number, SEEDS[scale])
        plan = _seeded(RECIPES[name], work.seed + number)
        training = Training(plan)
        training.run()
        found = training.figures(SAMPLE)
        rows.append(
            {
                "seed": plan.seed,
                "exact": [fare.wins for fare in found.exact],
                "sample": [trial.wins / trial.games for trial in found.trials],
                "known": [trial.known_share for trial in found.trials],
                "curve": training.curve,
            }
        )
    return rows


def _seeded(plan: Plan, seed: int) -> Plan:
    every = plan.games // CURVE_POINTS
    return Plan(plan.game, plan.games, plan.settings, plan.against, seed, every)


def try_combinations(work: Work, scale: Scale) -> list[dict[str, Any]]:
    """The published search: every combination of the three numbers, with the published rewards."""
    plan = Plan(GAME, GRID_GAMES, CHOSEN, seed=work.seed)
    jobs = jobs_of(plan, GRIDS[scale], repeats=1)
    out = work.folder / "combinations.npz"
    rows = search(jobs, out, work.workers, partial(work.tell, "combinations"))
    return [row.as_data() for row in rows]


def plan(scale: Scale) -> list[Step]:
    recipes = (Step(step_of(name), partial(learn, name=name, scale=scale)) for name in RECIPES)
    combinations = Step("combinations", partial(try_combinations, scale=scale))
    return [Step("ceilings", measure_ceilings), *recipes, combinations]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    ceilings = [fare["wins"] for fare in found["ceilings"]["best"]]
    ours = found[step_of(OURS)]
    gaps = [max(0.0, 100 * (ceilings[seat] - mean(_exact(ours, seat)))) for seat in SEATS]
    lead = (
        f"Self-play with one-step updates comes within {gaps[0]:.2f} points of the best possible"
        f" as first and within {gaps[1]:.2f} as second, on the average of {len(ours)} seeds. As"
        f" second, the published {_verdict(PUBLISHED_RATES[1], ceilings[1])}."
    )
    return Findings(lead, compared(found), shown(found))


def _exact(rows: Sequence[Mapping[str, Any]], seat: int) -> list[float]:
    return [row["exact"][seat] for row in rows]


def _rates(rows: Sequence[Mapping[str, Any]], seat: int) -> str:
    """The mean of the seeds, exact, and the least and greatest sample of games."""
    samples = [row["sample"][seat] for row in rows]
    low, high = percent(min(samples), DIGITS), percent(max(samples), DIGITS)
    return f"{percent(mean(_exact(rows, seat)), DIGITS)} exact; {SAMPLE} games gave {low} to {high}"


def _known(rows: Sequence[Mapping[str, Any]], seat: int) -> str:
    """At how many of its decisions in the games a table knew a position to choose from."""
    least = min(row["known"][seat] for row in rows)
    share = "all" if least == 1 else f"at least {percent(least)}"
    return f"the tables knew something of {share} of their decisions"


def _verdict(published: float, ceiling: float) -> str:
    """Of a rate that was published, beside what is possible."""
    rate = percent(published, 0)
    if published > ceiling:
        return f"{rate} is more than any player has on average: a lucky sample, or seats mistaken"
    return f"{rate} is possible"


def compared(found: Mapping[str, Any]) -> list[Compared]:
    ceilings = [fare["wins"] for fare in found["ceilings"]["best"]]
    ours = found[step_of(OURS)]
    return [
        *_computed(found["ceilings"]),
        *_learned("300 000 games of self-play", found[step_of("report, self-play")], ceilings),
        *_learned(
            "100 000 games against chance", found[step_of("report, against chance")], ceilings
        ),
        Compared(
            "our recipe, 300 000 games of self-play, as first",
            "",
            _rates(ours, 0),
            "one reward at the end, updates move by move, exploration"
            f" {RECIPES[OURS].settings.exploration}; {_known(ours, 0)}",
            _at_most(ceilings[0]),
        ),
        Compared(
            "the same, as second", "", _rates(ours, 1), _known(ours, 1), _at_most(ceilings[1])
        ),
        _best_combination(found["combinations"]),
    ]


def _computed(told: Mapping[str, Any]) -> list[Compared]:
    """What no learning is needed for."""
    shares = [100 * told["chance"][0][name] for name in ("wins", "draws", "losses")]
    even = " / ".join(f"{share:.2f}" for share in shares) + " %"
    best = [percent(fare["wins"], DIGITS) for fare in told["best"]]
    figures = {
        "best possible as first": (COMPUTED_BEST[0], best[0]),
        "best possible as second": (COMPUTED_BEST[1], best[1]),
        "chance against chance, first / drawn / second": (COMPUTED_CHANCE, even),
    }
    return [
        Compared(what, "", here, agreement(there, here), f"{there}: {HOW}")
        for what, (there, here) in figures.items()
    ]


def _at_most(ceiling: float) -> str:
    return f"at most {percent(ceiling, DIGITS)} on the average: {HOW}"


def _beside(published: float, rows: Sequence[Mapping[str, Any]]) -> str:
    """Whether the published share of wins as first could have come from such a table."""
    exact = mean(_exact(rows, 0))
    error = 1.96 * sqrt(exact * (1 - exact) / SAMPLE)
    within = "within" if abs(published - exact) <= error else "beyond"
    return f"{within} what chance does to {SAMPLE} games ({percent(error, 1)} to either side)"


def _learned(
    how: str, rows: Sequence[Mapping[str, Any]], ceilings: Sequence[float]
) -> list[Compared]:
    """The report's recipe, by seats."""
    second = _verdict(PUBLISHED_RATES[1], ceilings[1])
    fading = "the rate of this recipe never fades, so that the last games decide"
    reasons = (_beside(PUBLISHED_RATES[0], rows), f"{second}; ours: {fading}")
    return [
        Compared(
            f"the report's recipe, {how}, as {side}",
            f"{percent(PUBLISHED_RATES[seat], 0)} of {SAMPLE} games",
            _rates(rows, seat),
            reasons[seat],
            _at_most(ceilings[seat]),
        )
        for seat, side in enumerate(("first", "second"))
    ]


def _best_combination(rows: Sequence[Mapping[str, Any]]) -> Compared:
    """The best of the search, and where the report's stands in it."""
    best = rows[0]
    chosen = {name: str(getattr(CHOSEN, name)) for name in best["settings"]}
    places = [place for place, row in enumerate(rows, 1) if row["settings"] == chosen]
    report = "".join(f"; the report's {', '.join(chosen.values())} is number {n}" for n in places)
    return Compared(
        "best combination of rate, discount, exploration",
        "",
        f"{', '.join(best['settings'].values())} (mean win rate {percent(best['score'], DIGITS)})",
        f"of {len(rows)}, {GRID_GAMES:,} games each, compared exactly{report}",
    )


def shown(found: Mapping[str, Any]) -> list[Shown]:
    from plies.studies.report import charts

    curve = [
        {"games": point["games"], "rate": point[side], "side": f"as {side}"}
        for point in found[step_of(OURS)][0]["curve"]
        for side in ("first", "second")
    ]
    recipes = [
        {"recipe": f"{name}, as {side}", "rate": mean(_exact(found[step_of(name)], seat))}
        for name in RECIPES
        for seat, side in enumerate(("first", "second"))
    ]
    games = charts.Axis("games", "games learned from", format="~s")
    rate = charts.Axis("rate", "games won", format=".0%")
    return [
        Shown(
            "Learning curve",
            f"Exact win rates against chance, {OURS}, the first seed.",
            charts.lines(curve, games, rate, "side"),
        ),
        Shown(
            "Recipes",
            "Exact win rates against chance, the mean of the seeds.",
            charts.bars(recipes, "recipe", rate),
        ),
        _seed_table(found),
        _combinations(found["combinations"]),
    ]


def _seed_table(found: Mapping[str, Any]) -> Shown:
    rows = [
        (
            name,
            str(row["seed"]),
            *(percent(rate, DIGITS) for rate in (*row["exact"], *row["sample"])),
        )
        for name in RECIPES
        for row in found[step_of(name)]
    ]
    games = f"{SAMPLE} games"
    columns = ("recipe", "seed", "first", "second", f"first, {games}", f"second, {games}")
    return Shown("Every seed", "Games won against chance.", Table(columns, rows))


def _combinations(rows: Sequence[Mapping[str, Any]]) -> Shown:
    best, worst = rows[:SHOWN_ROWS], rows[SHOWN_ROWS:][-SHOWN_ROWS:]
    cells = [
        (
            *row["settings"].values(),
            percent(row["first"][0], DIGITS),
            percent(row["second"][0], DIGITS),
        )
        for row in (*best, *worst)
    ]
    left_out = len(rows) - len(cells)
    remark = f"The best and the worst; {left_out} between them are left out." if left_out else ""
    table = Table((*rows[0]["settings"], "as first", "as second"), cells)
    return Shown("Combinations", remark, table)


STUDY = Study(
    name="tictactoe-q",
    title="Tic-tac-toe: Q-learning against chance",
    about="A table learned by self-play or against chance, measured exactly, and its parameters.",
    plan=plan,
    findings=findings,
)
