"""Chess, parts 3 and 4: agents that predict what a search would say, against the search."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from plies.agents import Agent, agent
from plies.arena.config import Gauntlet, Openings, Tournament
from plies.arena.openings import random_openings
from plies.arena.plan import Entry
from plies.core import verbs
from plies.learn.datasets import DataPlan, data_plan, make_dataset
from plies.learn.predictors import answers_laid_aside, fit
from plies.learn.regressors import GridName, Kind, combination_text, combinations
from plies.learn.splits import fit_plan
from plies.match import Rules, play_game
from plies.models.kinds import find_evaluator
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.search.decision import Decision
from plies.search.task import Task
from plies.studies.searches import cost, decisions, random_states
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, counts, percent, results, share

PAWN = 100  # points of the evaluation
SEARCH = "branch:depth=4,look=1,width=2"
SOURCES: tuple[Literal["random", "games"], ...] = ("random", "games")
ROWS = {"quick": 1000, "full": 5000}  # from each source
GRID: dict[str, GridName] = {"quick": "none", "full": "study"}
MODELS: dict[str, tuple[Kind, str]] = {
    "pred forest": ("forest", "value"),
    "pred mlp": ("mlp", "value"),
    "mi_pred forest": ("forest", "all"),
    "mi_pred mlp": ("mlp", "all"),
}
DRAWN = "mi_pred forest"  # whose learning curve and predictions are shown
PAIRS = {"quick": 4, "full": 50}  # of every meeting
PLIES = 10  # random ones before a game
REFERENCE = Entry("reference", "branch:depth=2,look=0,width=5,eval=material,choice=random")
CHANCE = Entry("random", "random")
SEARCHER = Entry("branch-limited", f"{SEARCH},eval=sef,choice=random")
STATIC = Entry("static value", "greedy:eval=sef")
STATES = 50  # in which moves are timed
DEFECT_OPENINGS = {"quick": 5, "full": 50}
MOST_POINTS = 400  # of predictions that are drawn
# Published for the best forest and the best perceptron: MSE, MAE, R2, in pawns.
PUBLISHED = {"forest": (84.17, 7.66, 0.693), "mlp": (85.66, 7.16, 0.697)}
PUBLISHED_BEST = {
    "forest": "100 trees, depth 5, split 10, leaf 4",
    "mlp": "four layers of 100, relu, alpha 0.0001",
}


# Steps


def dataset(work: Work, source: Literal["random", "games"], scale: Scale) -> dict[str, Any]:
    """Positions after random plies, or of games that the search plays from there."""
    rows = ROWS[scale]
    asked = DataPlan("chess", "sef", SEARCH, rows, seed=work.seed, positions=source)
    made = make_dataset(
        data_plan(asked),
        data_file(work, source),
        workers=work.workers,
        on_rows=lambda count: work.tell(f"rows of {source}", count, rows),
    )
    return made.card


def data_file(work: Work, source: str) -> Path:
    return work.folder / f"{source}.parquet"


def model_file(work: Work, name: str) -> Path:
    return work.folder / f"{name.replace(' ', '-')}.npz"


def learned(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    """Fit one model; what is on its card, and some of its predictions."""
    kind, inputs = MODELS[name]
    plan = fit_plan([data_file(work, source) for source in SOURCES], kind, inputs, seed=work.seed)
    model = fit(
        plan,
        combinations(kind, GRID[scale]),
        model_file(work, name),
        workers=work.workers,
        has_curve=name == DRAWN,
        on_trial=partial(work.tell, f"trials of {name}"),
    )
    targets, predicted = answers_laid_aside(plan, model)
    step = -(-len(targets) // MOST_POINTS)
    kept = ("figures", "best", "curve", "rows", "test_rows", "warning")
    return {
        **{key: model.card[key] for key in kept},
        "tried": len(model.card["trials"]),
        "spread": float(targets.std()) / PAWN,
        "targets": targets[::step],
        "predicted": predicted[::step],
    }


def tournament(work: Work, scale: Scale) -> Tournament:
    """Everybody meets the reference and the random player from the same positions."""
    players = [
        Entry(name, f"{name.partition(' ')[0]}:{model_file(work, name)},choice=random")
        for name in MODELS
    ]
    challengers = (SEARCHER, STATIC, *players)
    return Tournament(
        games=("chess",),
        agents=(*challengers, REFERENCE, CHANCE),
        name="chess-predictors",
        kind="gauntlet",
        gauntlet=Gauntlet(len(challengers)),
        pairs=PAIRS[scale],
        seed=work.seed,
        openings=Openings(plies=PLIES),
        rules=Rules(cycles=True),
    )


def play(work: Work, scale: Scale) -> dict[str, Any]:
    return work.match("games", tournament(work, scale))


def speed(work: Work, scale: Scale) -> dict[str, float]:
    """Milliseconds of CPU time that every agent takes for a move, in the same positions."""
    game = find_game("chess")
    states = random_states(game, STATES, (10, 20, 40), work.seed)
    found = {}
    for number, entry in enumerate(tournament(work, scale).agents):
        work.tell("timing", number, len(MODELS) + 4)
        found[entry.name] = 1000 * cost(decisions(game, entry.spec, states))["cpu_seconds"]
    return found


@dataclass(frozen=True)
class SameForAll:
    """`mi_pred` with the study's defect: every child gets the features of the position before.

    All predictions are then the same, and the first move is as good as any.
    """

    for_any_game: ClassVar[bool] = False

    def decide(self, task: Task) -> Decision:
        value = int(verbs.evaluate(task.evaluator, task.state))
        move = int(verbs.legal_moves(task.state)[0])
        return Decision(move, value=value, depth=1, line=(move,))


def defect(work: Work, scale: Scale) -> dict[str, dict[str, int]]:
    """The same games with the features of the position, and with those of every child."""
    game = find_game("chess")
    path = str(model_file(work, DRAWN))
    players = {
        "features of the position": Agent(
            "same features", game, SameForAll(), find_evaluator(game, path)
        ),
        "features of every child": agent(f"mi_pred:{path}", game),
    }
    opponent = agent(REFERENCE.spec, game)
    chance = random.Random(f"defect/{work.seed}")
    openings = random_openings(game, DEFECT_OPENINGS[scale], PLIES, chance)
    games = [(start, seat) for start in openings for seat in (0, 1)]
    found = {}
    for name, player in players.items():
        ends: Counter[str] = Counter(wins=0, draws=0, losses=0)
        for number, (start, seat) in enumerate(games):
            work.tell(name, number, len(games))
            seats = [player, opponent] if seat == 0 else [opponent, player]
            rules = Rules(cycles=True)
            record = play_game(game, *seats, seed=work.seed + number, start=start, rules=rules)
            got = record.payoffs[seat]
            ends["wins" if got > 0 else "losses" if got < 0 else "draws"] += 1
        found[name] = dict(ends)
    return found


def plan(scale: Scale) -> list[Step]:
    return [
        *(
            Step(f"rows-{source}", partial(dataset, source=source, scale=scale))
            for source in SOURCES
        ),
        *(
            Step(name.replace(" ", "-"), partial(learned, name=name, scale=scale))
            for name in MODELS
        ),
        Step("games", partial(play, scale=scale)),
        Step("speed", partial(speed, scale=scale)),
        Step("defect", partial(defect, scale=scale)),
    ]


# Findings


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    met = {(row["a"], row["b"]): row for row in found["games"]["meetings"]}
    return Findings(lead(found, met), compared(found, met), shown(found, met))


def model_answer(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return found[name.replace(" ", "-")]


def lead(found: Mapping[str, Any], met: Mapping[tuple[str, str], Any]) -> str:
    best = max(MODELS, key=lambda name: model_answer(found, name)["figures"]["r2"])
    told = model_answer(found, best)
    static = 1 - told["figures"]["static_mse"] / (PAWN * told["spread"]) ** 2
    searcher, learner = met[SEARCHER.name, REFERENCE.name], met[best, REFERENCE.name]
    same = found["defect"]["features of the position"]
    every = found["defect"]["features of every child"]
    return (
        f"What the search says four plies later is predicted at once with R2"
        f" {told['figures']['r2']:.3f} ({best}); the static value taken for it has"
        f" {static:.3f}. From the reference the search takes {share(searcher)} of the points, the"
        f" predictor {share(learner)}. With the features of the position for every child mi_pred"
        f" has {counts(same)} (won / drawn / lost), with those of every child {counts(every)}."
    )


def compared(found: Mapping[str, Any], met: Mapping[tuple[str, str], Any]) -> list[Compared]:
    rows = []
    for name, (kind, _) in MODELS.items():
        told = model_answer(found, name)
        mse, mae, r2 = PUBLISHED[kind]
        seen = told["figures"]
        implied = (mse / (1 - r2)) ** 0.5
        rows.append(
            Compared(
                f"{name}: test MSE, MAE, R2 (pawns)",
                f"{mse}, {mae}, {r2}",
                f"{seen['mse'] / PAWN**2:.2f}, {seen['mae'] / PAWN:.2f}, {seen['r2']:.3f}",
                f"other positions: ours spread by {told['spread']:.1f} pawns, those of the study,"
                f" by its MSE and R2, by {implied:.1f}; of the two figures only R2 compares",
            )
        )
    rows += [best_combination(found, name) for name in ("pred forest", "pred mlp")]
    for name in ("mi_pred forest", "mi_pred mlp"):
        row = met[name, REFERENCE.name]
        rows.append(
            Compared(
                f"{name} against the branch-limited player: won / drawn / lost",
                "many draws, no wins",
                counts(row),
                "the study gave every child the features of the position before the move",
            )
        )
    rows.append(
        Compared(
            "mi_pred with that defect: won / drawn / lost",
            "many draws, no wins",
            counts(found["defect"]["features of the position"]),
            "all predictions are equal, so it plays the first move of the list",
        )
    )
    return rows


def best_combination(found: Mapping[str, Any], name: str) -> Compared:
    """What cross-validation chose, where there was something to choose."""
    told = model_answer(found, name)
    why = "the study's own choice is fitted here, nothing else is tried"
    if told["tried"] > 1:
        why = f"the least cross-validated error of {told['tried']} on {told['rows']:,} other rows"
    ours = spaced(told["best"])
    return Compared(f"{name}: best combination", PUBLISHED_BEST[MODELS[name][0]], ours, why)


def spaced(combination: Mapping[str, Any]) -> str:
    """A combination as a text that a table can break into lines."""
    return combination_text(combination).replace(",", ", ")


def shown(found: Mapping[str, Any], met: Mapping[tuple[str, str], Any]) -> list[Shown]:
    import numpy as np

    from plies.learn.predictor_charts import learning_curve, predicted_against_true
    from plies.studies.report import charts

    drawn = model_answer(found, DRAWN)
    targets, predicted = np.array(drawn["targets"]), np.array(drawn["predicted"])
    against = [{**row, "agent": a} for (a, b), row in met.items() if b == REFERENCE.name]
    curve = learning_curve(drawn["curve"], PAWN)
    predictions = predicted_against_true(targets, predicted, PAWN)
    bars = charts.results(against, "agent")
    return [
        Shown("Against the branch-limited player", "MA, L=2, BF=5, l=0.", bars),
        Shown("Predicted against true", f"{DRAWN}, rows laid aside, in pawns.", predictions),
        Shown("Learning curve", f"{DRAWN}, cross-validated, in pawns squared.", curve),
        Shown("Every match", "Milliseconds are CPU time.", matches(found, met)),
        Shown("Every model", "On the rows laid aside, in pawns.", models(found)),
    ]


def matches(found: Mapping[str, Any], met: Mapping[tuple[str, str], Any]) -> Table:
    rows = [(a, b, *results(row), f"{found['speed'][a]:.2f}") for (a, b), row in met.items()]
    return Table(("agent", "against", *RESULTS, "ms a move"), rows)


def models(found: Mapping[str, Any]) -> Table:
    rows = []
    for name in MODELS:
        told = model_answer(found, name)
        seen = told["figures"]
        rows.append(
            (
                name,
                f"{seen['mse'] / PAWN**2:.2f}",
                f"{seen['mae'] / PAWN:.2f}",
                f"{seen['r2']:.3f}",
                f"{seen['static_mse'] / PAWN**2:.2f}",
                percent(1 - seen["mse"] / seen["static_mse"]),
                f"{spaced(told['best'])} (of {told['tried']})",
            )
        )
    columns = ("model", "MSE", "MAE", "R2", "MSE of the static value", "better by", "best")
    return Table(columns, rows)


STUDY = Study(
    name="chess-predictors",
    title="Chess, parts 3 and 4: predicting what a search would say",
    about="pred and mi_pred, by forest and perceptron, against the branch-limited search.",
    plan=plan,
    findings=findings,
)
