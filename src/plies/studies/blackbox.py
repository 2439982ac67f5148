"""Black-box search: how many calls find the one best genome of a thousand loci."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from plies.blackbox import CLASSES, MILESTONES, STRATEGIES, Plan, carry_on, summaries
from plies.blackbox.trial import Trial
from plies.pages.page import Table
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work

RUNS = {"quick": 5, "full": 30}
PUBLISHED_CALLS = 30_010
LONG = 100_000
LEARNER = "linkage"
QUICK = ("hill-climbing", "annealing", "recipe", "recipe-1", "single-flips", LEARNER)
LASTING = ("genetic", "recipe", "recipe-1", "single-flips", LEARNER)  # worth more calls
# Classes -> what was published of them.
PUBLISHED = {
    1: "1217 calls",
    2: "6302 calls",
    5: "0.60 at 30 010 calls",
    10: "0.38 at 30 010 calls",
}
STEPS = {classes: f"problem-{classes}" for classes in CLASSES}
UNSOLVED = 5  # classes, and more: nothing published solves them
# The least that the best strategies are to reach: median calls.
AIMS = {1: "below 1100", 2: "below 4500"}


def strategies(scale: Scale) -> tuple[str, ...]:
    return QUICK if scale == "quick" else tuple(STRATEGIES)


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
        "summaries": [asdict(summary) for summary in summaries(trials)],
        "curves": {name: _curve(trials, name) for name in names},
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
    if summary["median_calls"] is None:
        best = summary["milestones"].get("30000") or summary["best"]
        return f"{summary['solved']} of {summary['runs']} solved; {best:.2f} at 30 000 calls"
    return (
        f"{summary['solved']} of {summary['runs']} solved, median {_calls(summary)} calls,"
        f" most {summary['most_calls']:,}"
    )


def compared(classes: int, told: Mapping[str, Mapping[str, Any]]) -> list[Compared]:
    aim = f", {AIMS[classes]} aimed at" if classes in AIMS else ""
    return [
        Compared(
            f"x = {classes}, the published recipe",
            PUBLISHED[classes],
            _told(told["recipe"]),
            "one run was published, these are medians; reordering keeps the number of ones and"
            " helps only because the best genome is the same at every locus",
        ),
        Compared(
            f"x = {classes}, its operators in a (1+2)",
            f"none{aim}",
            _told(told["recipe-1"]),
            "one parent and two children spend fewer calls on a generation",
        ),
        Compared(
            f"x = {classes}, learning which loci act alike",
            "none, not solved" if classes >= UNSOLVED else "none",
            _told(told[LEARNER]),
            "many loci are flipped at once and the differences taken apart; nothing but the calls"
            " is used",
        ),
    ]


def shown(
    found: Mapping[str, Any], told: Mapping[int, Mapping[str, Mapping[str, Any]]], scale: Scale
) -> list[Shown]:
    from plies.studies.report import charts

    drawn = []
    for classes in CLASSES:
        rows = [
            {"calls": calls, "value": value, "strategy": name}
            for name in QUICK
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
