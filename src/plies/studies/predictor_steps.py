"""The steps of the study of predictors: datasets, models, games, times, and the defect."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, Literal

from plies.agents import Agent, agent
from plies.arena.config import Gauntlet, Openings, Tournament
from plies.arena.openings import random_openings
from plies.arena.plan import Entry
from plies.arena.store import Store
from plies.core import verbs
from plies.core.contract import Game
from plies.learn.csv_files import multi_input, single_input, write_csv
from plies.learn.dataset_files import joined, read_dataset
from plies.learn.datasets import DataPlan, data_plan, make_dataset
from plies.learn.predictors import answers_laid_aside, fit
from plies.learn.regressors import GridName, Kind, combinations
from plies.learn.splits import fit_plan
from plies.match import Rules, play_game
from plies.models.kinds import find_evaluator
from plies.registry import game as find_game
from plies.search.decision import Decision
from plies.search.search import Search
from plies.search.task import Task
from plies.studies.matches import by_situation
from plies.studies.searches import cost, decisions, random_states
from plies.studies.study import Scale, Step, Work
from plies.studies.telling import step_of

PAWN = 100  # points of the evaluation
SEARCH = "branch:depth=4,look=1,width=2,rule=report"
Source = Literal["random", "games"]
SOURCES: tuple[Source, ...] = ("random", "games")
ROWS = {"quick": 1000, "full": 5000}  # from each source
GRID: dict[str, GridName] = {"quick": "none", "full": "study"}
MODELS: dict[str, tuple[Kind, str]] = {
    "pred forest": ("forest", "value"),
    "pred mlp": ("mlp", "value"),
    "mi_pred forest": ("forest", "all"),
    "mi_pred mlp": ("mlp", "all"),
}
DRAWN = "mi_pred mlp"  # whose learning curve and predictions are shown
PAIRS = {"quick": 4, "full": 50}  # of every meeting
PLIES = 10  # random ones before a game
REFERENCE = Entry(
    "reference", "branch:depth=2,look=0,width=5,rule=report,eval=material,choice=random"
)
CHANCE = Entry("random", "random")
SEARCHER = Entry("branch-limited", f"{SEARCH},eval=sef,choice=random")
STATIC = Entry("static value", "greedy:eval=sef")
STATES = 50  # in which moves are timed and ranked
DEFECT_OPENINGS = {"quick": 5, "full": 50}
FIRST, AT_RANDOM = "the first move", "a random move"  # where all predictions are equal
CYCLES = ("cycle", "repetition")  # draws by moves or positions that come again
MOST_POINTS = 400  # of predictions that are drawn


# Datasets


def dataset(work: Work, source: Source, scale: Scale) -> dict[str, Any]:
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


def csv(work: Work) -> list[dict[str, Any]]:
    """Both datasets as one, with the columns of the report: its two files."""
    paths = [data_file(work, source) for source in SOURCES]
    whole = joined({path: read_dataset(path) for path in paths})
    layouts = {"multi-input.csv": multi_input, "single-input.csv": single_input}
    for name, columns in layouts.items():
        write_csv(work.folder / name, whole, is_single=columns is single_input)
    return [
        {"file": name, "rows": whole.rows, "columns": list(columns(whole.card).values())}
        for name, columns in layouts.items()
    ]


# Models


def model_file(work: Work, name: str) -> Path:
    return work.folder / f"{step_of(name)}.npz"


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


# Games


def players(work: Work) -> list[Entry]:
    return [
        Entry(name, f"{name.partition(' ')[0]}:{model_file(work, name)},choice=random")
        for name in MODELS
    ]


def tournament(work: Work, scale: Scale, name: str) -> Tournament:
    """`games`: everybody meets the reference and the random player from the same positions.

    `direct`: the predictors meet the search that they learned from.
    """
    if name == "direct":
        challengers, others = [STATIC, *players(work)], [SEARCHER]
    else:
        challengers, others = [SEARCHER, STATIC, *players(work)], [REFERENCE, CHANCE]
    return Tournament(
        games=("chess",),
        agents=(*challengers, *others),
        name=f"chess-predictors {name}",
        kind="gauntlet",
        gauntlet=Gauntlet(len(challengers)),
        pairs=PAIRS[scale],
        seed=work.seed,
        openings=Openings(plies=PLIES),
        rules=Rules(cycles=True),
    )


def play(work: Work, scale: Scale, name: str) -> dict[str, Any]:
    """The figures of a tournament, and how long moves took by what the mover faced.

    Its meetings also say by what their games were `drawn_by`.
    """
    found = work.match(name, tournament(work, scale, name))
    path = work.folder / f"{name}.db"
    work.tell("replaying the games", 0, 0)
    reasons = draw_reasons(path)
    for meeting in found["meetings"]:
        meeting["drawn_by"] = reasons.get(frozenset((meeting["a"], meeting["b"])), {})
    return {**found, "by": by_situation(path)}


def draw_reasons(path: Path) -> Mapping[frozenset[str], Mapping[str, int]]:
    """Of each two that met: how many of their games were drawn for which reason."""
    reasons: dict[frozenset[str], Counter[str]] = {}
    with Store.open(path) as store:
        for finished in store.games():
            if not any(finished.record.payoffs):
                counted = reasons.setdefault(frozenset(finished.planned.seats), Counter())
                counted[finished.record.reason] += 1
    return reasons


def speed(work: Work, scale: Scale) -> dict[str, float]:
    """Milliseconds of CPU time that every agent takes for a move, in the same positions."""
    game = find_game("chess")
    states = random_states(game, STATES, (10, 20, 40), work.seed)
    entries = tournament(work, scale, "games").agents
    found = {}
    for number, entry in enumerate(entries):
        work.tell("timing", number, len(entries))
        found[entry.name] = 1000 * cost(decisions(game, entry.spec, states))["cpu_seconds"]
    return found


# What the predictors see of the children


def ranking(work: Work) -> dict[str, dict[str, float]]:
    """How the models rank moves, on average over positions.

    moves    there are
    tied     for the best: the model cannot tell these from each other
    static   the share of the tied ones that the static value likes best, too
    """
    game = find_game("chess")
    static = game.evaluator("sef")
    states = random_states(game, STATES, (10, 20, 40), work.seed)
    children = [
        [child for child in (game.play(state, move) for move in game.moves(state))
         if not game.is_over(child)]
        for state in states
    ]  # fmt: skip
    found = {}
    for name in MODELS:
        model = find_evaluator(game, str(model_file(work, name)))
        rows = [ranked(model, static, each) for each in children if each]
        columns = zip(*rows, strict=True)
        found[name] = dict(zip(("moves", "tied", "static"), map(mean, columns), strict=True))
    return found


def ranked(model: Any, static: Any, children: list[Any]) -> tuple[int, int, float]:
    """Moves, those that tie for the best, and which share of these the static value prefers."""
    # The opponent is to move in a child: the least opinion is the best.
    answers = [int(verbs.evaluate(model, child)) for child in children]
    values = [int(verbs.evaluate(static, child)) for child in children]
    tied = [value for answer, value in zip(answers, values, strict=True) if answer == min(answers)]
    return len(children), len(tied), tied.count(min(values)) / len(tied)


@dataclass(frozen=True)
class SameForAll(Search):
    """`mi_pred` with the study's defect: every child gets the features of the position before.

    All predictions are then the same, and the first move is as good as any.
    """

    def decide(self, task: Task) -> Decision:
        value = int(verbs.evaluate(task.evaluator, task.state))
        move = int(verbs.legal_moves(task.state)[0])
        return Decision(move, value=value, depth=1, line=(move,))


def defect(work: Work, scale: Scale) -> list[dict[str, Any]]:
    """Meetings of `mi_pred` with that defect, which takes the first of its equal moves or any."""
    game = find_game("chess")
    model = find_evaluator(game, str(model_file(work, DRAWN)))
    chance = random.Random(f"defect/{work.seed}")
    openings = random_openings(game, DEFECT_OPENINGS[scale], PLIES, chance)
    defective = {
        FIRST: Agent("same features", {}, game, SameForAll(), model),
        AT_RANDOM: agent(CHANCE.spec, game),
    }
    found = []
    for takes, player in defective.items():
        for opponent in (SEARCHER, REFERENCE):
            work.tell(f"{takes} v {opponent.name}", 0, 0)
            met = meeting(game, (player, agent(opponent.spec, game)), openings, work.seed)
            found.append({"takes": takes, "b": opponent.name, **met})
    return found


def meeting(
    game: Game, agents: tuple[Agent, Agent], openings: list[str], seed: int
) -> dict[str, Any]:
    """Both colours from every opening: what the first agent gets, and by what games are drawn."""
    ends: Counter[str] = Counter(wins=0, draws=0, losses=0)
    drawn_by: Counter[str] = Counter()
    for number, start in enumerate(openings):
        for seat, seats in enumerate((agents, agents[::-1])):
            record = play_game(
                game, *seats, seed=seed + 2 * number + seat, start=start, rules=Rules(cycles=True)
            )
            got = record.payoffs[seat]
            ends["wins" if got > 0 else "losses" if got < 0 else "draws"] += 1
            if got == 0:
                drawn_by[record.reason] += 1
    return {**ends, "drawn_by": drawn_by}


def plan(scale: Scale) -> list[Step]:
    return [
        *(
            Step(f"rows-{source}", partial(dataset, source=source, scale=scale))
            for source in SOURCES
        ),
        Step("csv", csv),
        *(Step(step_of(name), partial(learned, name=name, scale=scale)) for name in MODELS),
        *(Step(name, partial(play, scale=scale, name=name)) for name in ("games", "direct")),
        Step("speed", partial(speed, scale=scale)),
        Step("ranking", ranking),
        Step("defect", partial(defect, scale=scale)),
    ]
