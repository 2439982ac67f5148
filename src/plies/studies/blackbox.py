"""Black-box search: how many calls find the one best genome of a thousand loci."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from plies.blackbox import CLASSES, MILESTONES, PUBLISHED_CALLS, STRATEGIES, Plan, carry_on
from plies.blackbox.experiment import median_by, summary
from plies.blackbox.trial import Trial
from plies.pages.page import Table
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work

RUNS = {"quick": 5, "full": 30}
LONG = 100_000
LEARNER = "linkage"
AS_MADE = "recipe"
AS_WRITTEN = "recipe:population=300"
GOING_ON = "recipe:generations=0"
OF_ONE = "recipe:population=1,offspring=2,generations=0"
# Strategies of a small run and of the charts -> their names there.
QUICK = {
    "hill-climbing": "hill-climbing",
    "annealing": "annealing",
    AS_MADE: "recipe",
    AS_WRITTEN: "recipe, 300 parents",
    OF_ONE: "recipe, (1+2)",
    "single-flips": "single-flips",
    LEARNER: LEARNER,
}
LASTING = ("genetic", GOING_ON, OF_ONE, "single-flips", LEARNER)  # worth more calls
# Classes -> what was published of one run: the calls that solved it, or the value when stopped.
PUBLISHED = {1: 1217, 2: 6302, 5: 0.60, 10: 0.38}
STEPS = {classes: f"problem-{classes}" for classes in CLASSES}
UNSOLVED = 5  # classes, and more: nothing published solves them


def strategies(scale: Scale) -> tuple[str, ...]:
    if scale == "quick":
        return tuple(QUICK)
    return (*STRATEGIES, AS_WRITTEN, GOING_ON, OF_ONE)


def search(work: Work, classes: int, scale: Scale) -> dict[str, Any]:
    """Every strategy on one problem; runs are kept as they end."""
    names = strategies(scale)
    plans = [_plan(name, classes, scale, work.seed) for name in names]
    total = sum(plan.runs for plan in plans)
    trials: list[Trial] = []
    for plan in plans:
        for trial in carry_on(plan, work.folder / f"{STEPS[classes]}.jsonl", work.workers):
            trials.append(trial)
            work.tell(f"x = {classes}, {trial.strategy}", len(trials), total)
    return {
        "summaries": [_summary([each for each in trials if each.strategy == n]) for n in names],
        "curves": {name: _curve(trials, name) for name in names},
    }


def _summary(own: Sequence[Trial]) -> dict[str, Any]:
    """The runs of a strategy, and how far they had come when the published ones were stopped."""
    calls = [trial.solved for trial in own if trial.solved is not None]
    stopped = [trial.best_by(PUBLISHED_CALLS) or 0.0 for trial in own]
    return {
        **asdict(summary(own)),
        "least_calls": min(calls, default=None),
        "stopped": median_by(own, PUBLISHED_CALLS),
        "stopped_span": [min(stopped), max(stopped)],
    }


def _plan(name: str, classes: int, scale: Scale, seed: int) -> Plan:
    budget = LONG if scale == "full" and name in LASTING else PUBLISHED_CALLS
    return Plan((classes,), (name,), RUNS[scale], seed, budget)


def _curve(trials: Sequence[Trial], name: str) -> list[tuple[int, float]]:
    """The median of the best values by so many calls, at a few points of every decade."""
    own = [trial for trial in trials if trial.strategy == name]
    calls = sorted({at for trial in own for at, _ in trial.curve if at <= PUBLISHED_CALLS})
    points = []
    for at in calls:
        values = sorted(trial.best_by(at) or 0.0 for trial in own)
        points.append((at, values[len(values) // 2]))
    return points


def plan(scale: Scale) -> list[Step]:
    return [
        Step(name, partial(search, classes=classes, scale=scale)) for classes, name in STEPS.items()
    ]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    told = {classes: _by_strategy(found[STEPS[classes]]) for classes in CLASSES}
    learner = [told[classes][LEARNER] for classes in CLASSES]
    solved, runs = sum(each["solved"] for each in learner), sum(each["runs"] for each in learner)
    medians = ", ".join(_calls(each) for each in learner)
    lead = (
        f"A search that learns from its calls which loci act alike solves {solved} of {runs} runs,"
        f" with {medians} calls in the median for 1, 2, 5 and 10 classes. {_others(told)}"
    )
    rows = [row for classes in CLASSES for row in compared(classes, told[classes])]
    return Findings(lead, rows, shown(found, told, scale))


def _others(told: Mapping[int, Mapping[str, Mapping[str, Any]]]) -> str:
    """What strategies that learn nothing about loci make of the problems nobody had solved."""
    hard = [classes for classes in CLASSES if classes >= UNSOLVED]
    rows = [
        (f"{name} {row['solved']} of {row['runs']} runs of {classes} classes", row["solved"])
        for classes in hard
        for name, row in told[classes].items()
        if row["track"] == "black box"
    ]
    solved = [text for text, count in rows if count]
    if solved:
        return f"Of those that do not learn this, some solve it: {', '.join(solved)}."
    return f"Those that do not learn this solve no run of {' or '.join(map(str, hard))} classes."


def _by_strategy(told: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {summary["strategy"]: summary for summary in told["summaries"]}


def _calls(summary: Mapping[str, Any]) -> str:
    calls = summary["median_calls"]
    return "more than were allowed" if calls is None else f"{calls:,.0f}"


def _told(summary: Mapping[str, Any]) -> str:
    """How often it was solved, and how quickly or how nearly."""
    solved = f"{summary['solved']} of {summary['runs']} solved"
    if summary["median_calls"] is None:
        low, high = summary["stopped_span"]
        value = f"{summary['stopped']:.2f} ({low:.2f} to {high:.2f})"
        return f"{solved}; {value} at {_spaced(PUBLISHED_CALLS)} calls"
    span = f"{summary['least_calls']:,} to {summary['most_calls']:,}"
    return f"{solved}, median {_calls(summary)} calls ({span})"


def _spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _published(classes: int) -> str:
    figure = PUBLISHED[classes]
    if classes < UNSOLVED:
        return f"{figure} calls"
    return f"{figure:.2f}, stopped at {_spaced(PUBLISHED_CALLS)} calls"


def _place(classes: int, summary: Mapping[str, Any]) -> str:
    """Where the one published run lies among ours."""
    low, high = summary["stopped_span"]
    if classes < UNSOLVED:
        low, high = summary["least_calls"], summary["most_calls"]
        if summary["solved"] < summary["runs"]:
            return "not all of our runs came to an end"
    if low <= PUBLISHED[classes] <= high:
        return "the one published run lies among ours"
    return f"the one published run lies {'above' if PUBLISHED[classes] > high else 'below'} ours"


def compared(classes: int, told: Mapping[str, Mapping[str, Any]]) -> list[Compared]:
    rows = [
        Compared(
            f"x = {classes}, the recipe as made, 10 parents",
            _published(classes),
            _told(told[AS_MADE]),
            f"{_place(classes, told[AS_MADE])}; reordering keeps the number of ones and helps only"
            " because the best genome is the same at every locus",
        ),
        Compared(
            f"x = {classes}, the recipe as written, 300 parents",
            "",
            _told(told[AS_WRITTEN]),
            "only the best is ever a parent: the others cost their first calls and do no more",
        ),
        Compared(
            f"x = {classes}, its operators in a (1+2)",
            "",
            _told(told[OF_ONE]),
            "one parent and two children spend fewer calls on a generation",
        ),
        Compared(
            f"x = {classes}, learning which loci act alike",
            "",
            _told(told[LEARNER]),
            "many loci are flipped at once and the differences taken apart; nothing but the calls"
            " is used",
        ),
    ]
    if GOING_ON in told and classes >= UNSOLVED:
        longer = told[GOING_ON]
        ours = f"{longer['solved']} of {longer['runs']} solved; best value {longer['best']:.2f}"
        what = f"x = {classes}, the recipe not stopped before {_spaced(LONG)} calls"
        rows.append(Compared(what, "", ours, "the same runs, for longer"))
    return rows


def shown(
    found: Mapping[str, Any], told: Mapping[int, Mapping[str, Mapping[str, Any]]], scale: Scale
) -> list[Shown]:
    from plies.studies.report import charts

    drawn = []
    for classes in CLASSES:
        rows = [
            {"calls": calls, "value": value, "strategy": label}
            for name, label in QUICK.items()
            for calls, value in found[STEPS[classes]]["curves"][name]
        ]
        x = charts.Axis("calls", "calls", is_log=True)
        curve = charts.lines(rows, x, charts.Axis("value", "best value"), "strategy")
        drawn.append(Shown(f"Best so far, x = {classes}", "Medians of the runs.", curve))
    return [*drawn, *(_table(classes, told[classes]) for classes in CLASSES)]


def _table(classes: int, told: Mapping[str, Mapping[str, Any]]) -> Shown:
    rows = [
        (
            name,
            each["track"],
            f"{each['solved']} / {each['runs']}",
            "" if each["median_calls"] is None else f"{each['median_calls']:,.0f}",
            "" if each["most_calls"] is None else f"{each['most_calls']:,}",
            *(_value(each["milestones"][str(calls)]) for calls in MILESTONES),
        )
        for name, each in told.items()
    ]
    milestones = (f"at {calls // 1000}k" for calls in MILESTONES)
    columns = ("strategy", "track", "solved", "median calls", "most calls", *milestones)
    remark = "Median calls of all runs; then the median of the best values after so many calls."
    return Shown(f"x = {classes}", remark, Table(columns, rows))


def _value(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


STUDY = Study(
    name="blackbox",
    title="Black-box search: the all-ones genome in few calls",
    about="A thousand loci in 1, 2, 5 or 10 classes that compete: how many calls find the best.",
    plan=plan,
    findings=findings,
)
