"""Experiments: resumed without loss, the same in parallel, summed up honestly."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plies.blackbox import (
    BadProblem,
    BadResults,
    Plan,
    Trial,
    UnknownStrategy,
    carry_on,
    read_results,
    summaries,
)
from plies.blackbox.experiment import carry_out
from plies.processes import WorkerFailed

PLAN = Plan((1, 2), ("linkage", "one-plus-one"), runs=3, seed=5, budget=2000, length=40)


def without_time(trials: list[Trial]) -> set[Trial]:
    return {replace(trial, cpu_seconds=0.0) for trial in trials}


def test_an_experiment_that_was_cut_off_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    started = carry_on(PLAN, path)
    first = [next(started) for _ in range(5)]
    started.close()
    assert read_results(path) == first
    with path.open("a") as file:
        file.write('{"problem": "2", "len')  # killed while it wrote
    assert read_results(path) == first
    trials = list(carry_on(PLAN, path))
    assert trials[:5] == first
    assert read_results(path) == trials
    assert len(trials) == len(PLAN.jobs) == 12
    assert without_time(trials) == without_time(list(carry_on(PLAN, None)))


def test_a_larger_plan_uses_the_runs_of_a_smaller_one(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    small = list(carry_on(replace(PLAN, runs=2), path))
    large = list(carry_on(PLAN, path))
    assert large[: len(small)] == small
    other = list(carry_on(replace(PLAN, budget=100), path))
    assert {trial.budget for trial in other} == {100}


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    trials = list(carry_on(PLAN, path, workers=2))
    assert without_time(trials) == without_time(list(carry_on(PLAN, None)))
    assert read_results(path) == trials


@pytest.mark.parametrize("line", ["nonsense", "{}", "[]", '{"curve": 3}', "null"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, line: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(f"{line}\n")
    with pytest.raises(BadResults, match="line 1 is no result"):
        next(carry_on(PLAN, path))
    assert path.read_text() == f"{line}\n"


@pytest.mark.parametrize(
    "damage",
    [
        {"solved": "abc"},
        {"seed": [1]},
        {"curve": []},
        {"best": None},
        {"budget": "9"},
        {"seed": True},
    ],
)
def test_a_result_with_something_strange_in_it_is_refused(
    tmp_path: Path, damage: dict[str, object]
) -> None:
    path = tmp_path / "runs.jsonl"
    list(carry_on(replace(PLAN, problems=(1,), strategies=("linkage",), runs=1), path))
    path.write_text(json.dumps(json.loads(path.read_text()) | damage) + "\n")
    with pytest.raises(BadResults, match="line 1 is no result of black-box search; delete"):
        read_results(path)


def test_a_run_that_fails_is_answered_in_a_line() -> None:
    bad = replace(PLAN.jobs[0], strategy="nothing")
    with pytest.raises(WorkerFailed, match=r"^there is no strategy nothing"):
        list(carry_out([bad, bad], workers=2))


def test_plans_that_cannot_be_carried_out_are_refused() -> None:
    for change in ({"runs": 0}, {"budget": 0}, {"seed": -1}, {"length": 41}, {"problems": (0,)}):
        with pytest.raises(BadProblem):
            replace(PLAN, **change)
    with pytest.raises(UnknownStrategy):
        replace(PLAN, strategies=("genetics",))


def trial(solved: int | None, curve: tuple[tuple[int, float], ...]) -> Trial:
    best = max(value for _, value in curve)
    return Trial("1", 40, "tabu", 1, 5000, solved, best, curve, 0.0)


def test_runs_that_fail_count_as_the_longest() -> None:
    trials = [
        trial(700, ((1, 0.5), (700, 1.0))),
        trial(2000, ((1, 0.25), (1000, 0.75), (2000, 1.0))),
        trial(None, ((1, 0.1), (1000, 0.2), (3000, 0.4), (5000, 0.5))),
    ]
    (found,) = summaries(trials)
    assert (found.runs, found.solved, found.median_calls, found.most_calls) == (3, 2, 2000, 2000)
    # by 1000 calls 1, 0.75 and 0.2; by 3000 1, 1 and 0.4; nobody knows 0.5's best by 10 000
    assert found.milestones == {1000: 0.75, 3000: 1.0, 10_000: None, 30_000: None, 100_000: None}
    (found,) = summaries([trials[2], trials[2], trials[0]])
    assert (found.solved, found.median_calls, found.most_calls) == (1, None, 700)


def test_a_result_is_one_line_of_json(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    list(carry_on(replace(PLAN, problems=(1,), strategies=("linkage",), runs=1), path))
    (line,) = path.read_text().splitlines()
    data = json.loads(line)
    assert (data["problem"], data["strategy"], data["seed"]) == ("1", "linkage", 5)
    assert data["solved"] == data["curve"][-1][0]
