"""Predictors: how they are found, measured, written, drawn; what is refused, what is kept."""

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from learning_samples import COINS, copied_game, dataset, written
from plies.cli.main import main
from plies.errors import PliesError
from plies.learn import predictors, regressors
from plies.learn.dataset_files import BadData, Dataset, write_dataset
from plies.learn.datasets import DataPlan, data_plan, make_dataset
from plies.learn.parts import OtherWork
from plies.learn.predictors import (
    NotTheSame,
    answers_laid_aside,
    check_answers,
    figures,
    fit,
    tried,
)
from plies.learn.regressors import combinations, families
from plies.learn.splits import FitPlan, Split, fit_plan, split_of
from plies.models.files import load_model
from plies.models.kinds import read_model

GRID: list[Any] = [
    {"n_estimators": 3, "max_depth": 1},
    {"n_estimators": 8, "max_depth": 6},
    {"n_estimators": 2, "max_depth": 2},
]
NETWORK: list[Any] = [{"hidden_layer_sizes": (5,), "activation": "tanh", "alpha": 1e-3}]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written(tmp_path / "coins.parquet")


def planned(data: Path, kind: Any = "forest", inputs: str = "all", **options: Any) -> FitPlan:
    return fit_plan([data], kind, inputs, game=COINS, **options)


# What is found


def test_the_study_has_the_grids_of_the_study():
    # Facts of the study: trees 50/100/200, depth 5/10/20/None, min split 2/5/10, min leaf
    # 1/2/4: 3 * 4 * 3 * 3; the best were depth 5, leaf 4, split 10, 100 trees.
    forests = combinations("forest", "study")
    assert len(forests) == 108
    best = {"n_estimators": 100, "max_depth": 5, "min_samples_split": 10, "min_samples_leaf": 4}
    assert best in forests
    assert combinations("forest", "none") == [best]
    # Layers of 100, relu, alpha 1e-4, a constant learning rate, adam.
    network = {"hidden_layer_sizes": (100,) * 4, "activation": "relu", "alpha": 1e-4}
    network |= {"solver": "adam", "learning_rate": "constant"}
    assert network in combinations("mlp", "study")
    assert combinations("mlp", "none") == [network]


def test_a_learning_rate_is_tried_only_where_it_changes_the_fit(data: Path):
    plan = planned(data, "mlp")
    errors = {}
    for solver, rate in itertools.product(("adam", "sgd"), ("constant", "invscaling")):
        combination = {**NETWORK[0], "solver": solver, "learning_rate": rate}
        errors[solver, rate] = tried((plan, [combination], 1.0))[0].mse
    assert errors["adam", "constant"] == errors["adam", "invscaling"]
    assert errors["sgd", "constant"] != errors["sgd", "invscaling"]
    rates = {(each["solver"], each["learning_rate"]) for each in combinations("mlp", "study")}
    assert rates == {("adam", "constant"), ("sgd", "constant"), ("sgd", "adaptive")}


def test_a_forest_that_grows_is_the_forest_that_is_planted_at_once(data: Path):
    plan = planned(data)
    grid: list[Any] = [{"n_estimators": n, "max_depth": d} for n in (7, 2, 4) for d in (3, None)]
    grown = families(grid)
    assert [[each["n_estimators"] for each in family] for family in grown] == [[2, 4, 7]] * 2
    for family in grown:
        at_once = [tried((plan, [each], 1.0))[0] for each in family]
        for one, other in zip(tried((plan, family, 1.0)), at_once, strict=True):
            assert replace(one, seconds=0) == replace(other, seconds=0)


def test_a_fifth_of_the_positions_is_laid_aside_and_equal_ones_stay_together(data: Path):
    split = split_of(planned(data))
    assert len(split.targets) + len(split.test_targets) == dataset().rows
    known = {tuple(row) for row in split.inputs}
    # The inputs of this game tell positions apart where it is the same player's turn.
    both = [row for row in split.test_inputs if tuple(row) in known]
    assert len(both) == 0
    positions = len(np.unique(dataset().columns["key"]))
    laid_aside = {tuple(row) for row in split.test_inputs}
    assert len(laid_aside) == -(-positions // 5)


def test_the_least_error_of_the_cross_validation_wins(data: Path, tmp_path: Path):
    plan = planned(data)
    model = fit(plan, GRID, tmp_path / "m.npz")
    trials = [tried((plan, [combination], 1.0))[0] for combination in GRID]
    assert [trial["mse"] for trial in model.card["trials"]] == [trial.mse for trial in trials]
    best = min(trials, key=lambda trial: trial.mse)
    assert model.card["best"] == best.combination
    assert best.combination != GRID[0]


def test_figures_by_hand():
    split = Split(
        inputs=np.zeros((2, 1)),
        targets=np.array([1.0, 3.0]),
        test_inputs=np.zeros((4, 1)),
        test_targets=np.array([0.0, 2.0, 4.0, 6.0]),
        test_values=np.array([0.0, 0.0, 4.0, 6.0]),
    )
    found = figures(split, np.array([1.0, 2.0, 4.0, 4.0]), learned=np.array([2.0, 6.0]))
    # Errors 1 0 0 -2: MSE 5/4, MAE 3/4; spread around 3 is (9+1+1+9)/4 = 5, R2 = 1 - 1.25/5.
    assert found["mse"] == 1.25
    assert found["train_mse"] == 5.0  # (1 + 9) / 2
    assert found["mae"] == 0.75
    assert found["r2"] == 0.75
    assert found["static_mse"] == 1.0  # (2 * 2) / 4
    assert found["mean_mse"] == 6.0  # the mean learned is 2: (4 + 0 + 4 + 16) / 4


@pytest.mark.parametrize(("kind", "grid"), [("forest", GRID[1:2]), ("mlp", NETWORK)])
def test_the_model_on_disk_says_what_was_measured(kind, grid, data: Path, tmp_path: Path):
    plan = planned(data, kind)
    card = fit(plan, grid, tmp_path / "m.npz").card
    model = read_model(tmp_path / "m.npz")
    targets, answers = answers_laid_aside(plan, model)
    assert np.mean((answers - targets) ** 2) == pytest.approx(card["figures"]["mse"])
    assert card["figures"]["difference"] <= 1e-9
    assert card["figures"]["mse"] < card["figures"]["mean_mse"]  # it has learned something
    assert (card["evaluator"], card["search"]) == ("lead", "alphabeta:depth=3,eval=lead")
    assert card["test_rows"] == len(targets)
    assert card["dataset"]["seed"] == 1
    assert model.game == COINS


def test_the_same_fit_gives_the_same_file(data: Path, tmp_path: Path):
    for name, workers in (("a.npz", 1), ("b.npz", 2)):
        fit(planned(data), GRID, tmp_path / name, workers=workers)
    one, other = load_model(tmp_path / "a.npz"), load_model(tmp_path / "b.npz")
    for name, array in one.arrays.items():
        assert np.array_equal(array, other.arrays[name])
    assert one.card["figures"] == other.card["figures"]


def test_the_learning_curve_grows_with_the_rows(data: Path, tmp_path: Path):
    model = fit(planned(data), GRID[1:2], tmp_path / "m.npz", has_curve=True)
    curve = model.card["curve"]
    assert [trial["share"] for trial in curve] == list(predictors.SHARES)
    assert curve[-1]["mse"] == model.card["trials"][0]["mse"]
    assert curve[-1]["mse"] < curve[0]["mse"]


def test_few_points_get_a_scale():
    assert predictors._scale(np.array([0.0, 1000.0])) == 1
    assert predictors._scale(np.array([0.0, 4.0])) == 100  # a spread of 2 becomes one of 200
    assert predictors._scale(np.array([3.0, 3.0])) == 1


def test_a_kernel_that_differs_is_never_written(data: Path, tmp_path: Path, monkeypatch):
    def wrong(kind: Any, fitted: Any) -> dict[str, np.ndarray]:
        arrays = right(kind, fitted)
        arrays["value"] = arrays["value"] + 1e-6
        return arrays

    right = regressors.flattened
    monkeypatch.setattr(predictors, "flattened", wrong)
    with pytest.raises(NotTheSame, match="no model is written"):
        fit(planned(data), GRID[:1], tmp_path / "m.npz")
    assert not (tmp_path / "m.npz").exists()


def test_answers_that_are_no_numbers_are_not_the_same(data: Path, tmp_path: Path):
    model = fit(planned(data), GRID[:1], tmp_path / "m.npz")
    rows = np.zeros((1, 5))
    with pytest.raises(NotTheSame):
        check_answers(model, rows, np.array([np.nan]))


# Interruption


class Stopped(Exception):
    """Whatever ends the work before it is done."""


def stopping_after(count: int) -> Callable[[int, int], None]:
    def hear(done: int, total: int) -> None:
        if done == count:
            raise Stopped

    return hear


def test_finished_combinations_are_not_tried_again(data: Path, tmp_path: Path):
    plan, path = planned(data), tmp_path / "m.npz"
    with pytest.raises(Stopped):
        fit(plan, GRID, path, on_trial=stopping_after(2))
    assert not path.exists()
    told: list[tuple[int, int]] = []
    fit(plan, GRID, path, on_trial=lambda done, total: told.append((done, total)))
    assert told[:2] == [(2, 3), (3, 3)]
    assert not (tmp_path / "m.npz.parts").exists()
    before = path.read_bytes()
    told.clear()
    fit(plan, GRID, path, on_trial=lambda done, total: told.append((done, total)))
    assert told == []  # it is there
    assert path.read_bytes() == before


def test_a_model_of_another_plan_is_not_overwritten(data: Path, tmp_path: Path):
    path = tmp_path / "m.npz"
    fit(planned(data), GRID[:1], path)
    with pytest.raises(OtherWork, match="holds another model"):
        fit(planned(data, inputs="value"), GRID[:1], path)
    with pytest.raises(OtherWork, match=r"another model \(.*n_estimators=3.*, not .*=8"):
        fit(planned(data), GRID[1:2], path)
    with pytest.raises(OtherWork, match=r"another model \(seed 1, not 2\)"):
        fit(planned(data, seed=2), GRID[:1], path)
    with pytest.raises(Stopped):
        fit(planned(data), GRID, tmp_path / "n.npz", on_trial=stopping_after(1))
    written(data, seed=2)
    with pytest.raises(OtherWork, match=r"n\.npz\.parts holds parts of another work"):
        fit(planned(data), GRID, tmp_path / "n.npz")


def test_a_changed_game_file_makes_other_work(tmp_path: Path):
    own = copied_game(tmp_path)
    data = about(tmp_path / "d.parquet", game=own)

    def fit_all(path: Path, on_trial: Callable[[int, int], None]) -> None:
        fit(fit_plan([data], "forest", game=own), GRID[:2], path, on_trial=on_trial)

    fit_all(tmp_path / "whole.npz", lambda done, total: None)
    with pytest.raises(Stopped):
        fit_all(tmp_path / "m.npz", stopping_after(1))
    copied_game(tmp_path, replaced=('title="Coins"', 'title="Pennies"'))
    for name in ("m.npz", "whole.npz"):
        with pytest.raises(OtherWork, match=r"coins\.py has changed since"):
            fit_all(tmp_path / name, lambda done, total: None)


def test_rows_of_rules_that_have_changed_are_refused(tmp_path: Path):
    own = copied_game(tmp_path)
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    asked = data_plan(DataPlan(own, "lead", "minimax:depth=1", 200))
    make_dataset(asked, old)
    copied_game(tmp_path, replaced=('title="Coins"', 'title="Pennies"'))
    make_dataset(asked, new)
    fit_plan([new], "forest", game=own)
    for paths in ([old], [old, new], [new, old]):
        with pytest.raises(BadData, match=r"coins\.py has changed since .*old\.parquet was made"):
            fit_plan(paths, "forest", game=own)


def test_inputs_that_never_differ_are_refused(tmp_path: Path):
    columns = {
        name: column * (name in ("key", "target")) for name, column in dataset().columns.items()
    }
    write_dataset(tmp_path / "d.parquet", Dataset(dataset().card, columns))
    with pytest.raises(BadData, match=r"own, other, .* is the same, so that nothing can"):
        planned(tmp_path / "d.parquet")


def test_a_model_without_the_curve_that_is_to_be_drawn_is_named(data: Path, tmp_path: Path):
    fit(planned(data), GRID[:1], tmp_path / "m.npz")
    with pytest.raises(OtherWork, match="was fitted without a learning curve"):
        fit(planned(data), GRID[:1], tmp_path / "m.npz", has_curve=True)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"mse": NaN}', '{"mse": "x"}'])
def test_a_damaged_trial_is_noticed_before_the_work(content: str, data: Path, tmp_path: Path):
    plan, path = planned(data), tmp_path / "m.npz"
    with pytest.raises(Stopped):
        fit(plan, GRID, path, on_trial=stopping_after(1))
    (part,) = (part for part in (tmp_path / "m.npz.parts").iterdir() if part.name != "plan.json")
    kept = json.loads(part.read_text())
    other = {**kept, **json.loads(content)} if content[:2] == '{"' else None
    part.write_text(json.dumps(other) if other else content)
    with pytest.raises(OtherWork, match=r"share=1\.0\.json is damaged; delete it"):
        fit(plan, GRID, path, on_trial=stopping_after(1))
    part.unlink()
    fit(plan, GRID[:1], path)


# Bad input


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"inputs": "own,luck"}, "the dataset has no input luck"),
        ({"inputs": "own,own"}, "named twice"),
        ({"inputs": ""}, "a predictor has inputs: value, all, or some of own, other"),
        ({"folds": 1}, "at least 2 folds"),
        ({"folds": 50}, "240 rows are too few"),
    ],
    ids=str,
)
def test_a_plan_that_makes_no_sense_is_refused(options: dict[str, Any], said: str, data: Path):
    with pytest.raises(PliesError, match=said):
        planned(data, **options)


def about(path: Path, **card: Any) -> Path:
    """The sample dataset with another card."""
    write_dataset(path, Dataset({**dataset().card, **card}, dataset().columns))
    return path


def test_a_dataset_of_features_that_the_evaluator_has_not_is_refused(tmp_path: Path):
    changed = copied_game(tmp_path, replaced=('"first_coin"', '"luck"'))
    with pytest.raises(BadData, match="the feature first_coin, which lead of coins has not"):
        fit_plan([about(tmp_path / "d.parquet", game=changed)], "forest", game=changed)
    with pytest.raises(BadData, match="of the evaluator greed, which coins has not"):
        planned(about(tmp_path / "d.parquet", evaluator="greed"))


def test_a_game_file_is_never_run_because_a_dataset_names_it(tmp_path: Path, capsys):
    trace = tmp_path / "trace"
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(trace)!r}, 'w').write('run')\n", encoding="utf-8")
    for name in (str(evil), f" {evil}", f"{evil}:size=3", f"{evil} "):
        data = about(tmp_path / "d.parquet", game=name)
        with pytest.raises(BadData, match=r"of the game file .*evil\.py; say --game .* trust it"):
            fit_plan([data], "forest")
        assert main(["train", "fit", str(data), "--out", str(tmp_path / "m.npz")]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        with pytest.raises(BadData, match=r"of the game .*evil\.py.*, not of .*coins\.py"):
            fit_plan([data], "forest", game=COINS)
    assert not trace.exists()


def test_datasets_of_two_games_are_refused(data: Path, tmp_path: Path):
    other = about(tmp_path / "d.parquet", game="tictactoe")
    with pytest.raises(BadData, match="is of the game tictactoe"):
        fit_plan([data, other], "forest")


def test_the_command_refuses_with_one_line(data: Path, tmp_path: Path, capsys):
    broken = tmp_path / "broken.parquet"
    columns = dict(dataset().columns)
    columns["own"] = np.where(np.arange(240) < 3, np.nan, columns["own"])
    write_dataset(broken, Dataset(dataset().card, columns))
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(data.read_bytes()[:-100])
    out = ["--game", COINS, "--out", str(tmp_path / "m.npz")]
    cases = {
        "in 3 of 240 rows": [str(broken), *out],
        "damaged": [str(damaged), *out],
        "there is no dataset": ["nothing.parquet", *out],
        "ends with .npz": [str(data), *out[:2], "--out", "m.pkl"],
        f"say --game {COINS} if you trust it": [str(data), *out[2:]],
        "is of the game": [str(data), *out[2:], "--game", "tictactoe"],
        "a folder, and": [str(data), *out, "--plots", str(data)],
    }
    for said, arguments in cases.items():
        assert main(["train", "fit", *arguments]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1
    assert not (tmp_path / "m.npz").exists()


# The command


def test_the_command_fits_draws_and_tells(data: Path, tmp_path: Path, capsys, monkeypatch):
    monkeypatch.setattr("plies.learn.regressors.combinations", lambda kind, grid: GRID[:2])
    out, plots = tmp_path / "m.npz", tmp_path / "plots"
    asked = ["train", "fit", str(data), "--game", COINS, "--out", str(out)]
    asked += ["--plots", str(plots)]
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["figures"].keys() >= {"mse", "mae", "r2"}
    assert len(told["trials"]) == 2
    for name in ("learning_curve", "predicted"):
        assert (plots / f"{name}.svg").read_text().startswith("<svg")
        assert (plots / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert main(asked) == 0  # it is there: shown again
    shown = capsys.readouterr().out
    assert f"mi_pred:{out}" in shown
    # The game of coins counts in points; the errors of both sides are in their squares.
    assert f"train         MSE {told['figures']['train_mse']:.4g} points^2" in shown
    assert f"MAE {told['figures']['mae']:.4g} points, R2" in shown


def test_what_scikit_learn_warns_of_is_one_line(data: Path, tmp_path: Path, capsys, monkeypatch):
    monkeypatch.setattr("plies.learn.regressors.MOST_STEPS", 1)
    monkeypatch.setattr("plies.learn.regressors.combinations", lambda kind, grid: NETWORK)
    out = ["--game", COINS, "--out", str(tmp_path / "m.npz")]
    assert main(["train", "fit", str(data), "--model", "mlp", *out]) == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert told[0].startswith("plies: scikit-learn: Stochastic Optimizer")
