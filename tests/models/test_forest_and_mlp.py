"""Flattened forests and perceptrons answer as scikit-learn does, and as evaluators must."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from learning_samples import coins, copied_game, forest, mlp
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import evaluate, evaluators_of
from plies.learn.regressors import flattened, regressor
from plies.models import forest as forests
from plies.models.files import Model
from plies.models.kinds import KINDS, model_evaluator
from plies.models.predictor import clamped_value

CLOSE = 1e-9
CHANCE = np.random.default_rng(1)
ROWS = np.round(CHANCE.normal(size=(120, 3)) * 50)
TARGETS = ROWS[:, 0] - np.abs(ROWS[:, 1]) + CHANCE.normal(size=120)
OTHERS = CHANCE.normal(size=(60, 3)) * 100  # not whole, and beyond what was learned

COMBINATIONS: list[tuple[Any, dict[str, Any]]] = [
    ("forest", {"n_estimators": 5, "max_depth": 3}),
    ("forest", {"n_estimators": 3, "max_depth": None, "min_samples_leaf": 1}),
    ("mlp", {"hidden_layer_sizes": (7, 5), "activation": "relu", "alpha": 1e-4}),
    ("mlp", {"hidden_layer_sizes": (6,), "activation": "tanh", "alpha": 1e-4}),
    ("mlp", {"hidden_layer_sizes": (6,), "activation": "logistic", "alpha": 1e-4}),
    ("mlp", {"hidden_layer_sizes": (3, 3), "activation": "identity", "alpha": 1e-4}),
]


@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")  # it need not be good, only the same
@pytest.mark.parametrize(("kind", "combination"), COMBINATIONS, ids=str)
def test_the_kernel_answers_as_scikit_learn_does(kind: Any, combination: dict[str, Any]):
    fitted = regressor(kind, combination, seed=1).fit(ROWS, TARGETS)
    card = {"inputs": ["a", "b", "c"], "activation": combination.get("activation")}
    model = Model(kind, "x", card, flattened(kind, fitted))
    KINDS[kind].check(model)
    for rows in (ROWS, OTHERS):
        assert np.abs(KINDS[kind].predictions(model, rows) - fitted.predict(rows)).max() <= CLOSE


def test_a_number_on_the_threshold_goes_the_way_of_scikit_learn():
    """It compares numbers of 32 bits: 0.1 there is more than 0.1 here."""
    rows = np.array([[0.1], [0.1000001], [0.3], [0.7]])
    fitted = regressor("forest", {"n_estimators": 1, "bootstrap": False}, seed=1)
    fitted.fit(rows, np.arange(4.0))
    model = Model("forest", "x", {"inputs": ["a"]}, flattened("forest", fitted))
    thresholds = model.arrays["threshold"][model.arrays["feature"] >= 0, None]
    for asked in (rows, thresholds, np.nextafter(thresholds, 1), np.nextafter(thresholds, 0)):
        assert np.array_equal(forests.predictions(model, asked), fitted.predict(asked))


# By hand, for a state with the lead `own - other`:
#   forest: 17 = (30 + 4) / 2 where the lead is above 2, else -3 = (-10 + 4) / 2
#   mlp: 1 + lead where it is positive, else 1 + 2 * lead
@given(own=st.integers(0, 60), other=st.integers(0, 60))
def test_a_model_evaluates_a_state_by_its_features(own: int, other: int):
    game = coins()
    state = game.initial()._replace(mine=own, theirs=other)
    lead = own - other
    assert evaluate(model_evaluator(forest(), game), state) == (17 if lead > 2 else -3)
    expected = 1 + lead if lead > 0 else 1 + 2 * lead
    assert evaluate(model_evaluator(mlp(), game), state) == expected


def test_inputs_are_found_by_name_whatever_their_order():
    model = mlp()
    turned = Model("mlp", model.game, {**model.card, "inputs": ["other", "own"]}, model.arrays)
    state = coins().initial()._replace(mine=3, theirs=10)
    assert evaluate(model_evaluator(turned, coins()), state) == 1 + 7


def test_a_scale_keeps_fractions_and_moves_the_unit(tmp_path: Path):
    scaled = mlp()
    scaled.arrays["biases"][2] = 1.25
    scaled = Model("mlp", scaled.game, {**scaled.card, "scale": 100}, scaled.arrays)
    state = coins().initial()._replace(mine=5, theirs=2)
    assert evaluate(model_evaluator(scaled, coins()), state) == 425  # 100 * (1.25 + 3)
    game = plies.game(
        copied_game(tmp_path, replaced=("Evaluator(lead,", "Evaluator(lead, unit=7,"))
    )
    assert evaluators_of[type(model_evaluator(scaled, game))].unit == 700


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        *((1.4, 1), (-1.6, -2), (1e300, MAX_EVALUATION), (-1e300, -MAX_EVALUATION)),
        *((np.inf, MAX_EVALUATION), (-np.inf, -MAX_EVALUATION), (np.nan, 0)),
        *((float(MAX_EVALUATION), MAX_EVALUATION), (MAX_EVALUATION - 0.25, MAX_EVALUATION)),
    ],
)
def test_a_prediction_is_never_mistaken_for_a_proof(answer: float, expected: int):
    assert clamped_value(answer) == expected


def test_a_perceptron_of_great_weights_still_answers_an_evaluation():
    wild = mlp()
    wild.arrays["weights"][:] = 1e308
    evaluator = model_evaluator(wild, coins())
    for own, other in ((0, 0), (50, 1), (1, 50)):
        state = coins().initial()._replace(mine=own, theirs=other)
        assert abs(evaluate(evaluator, state)) <= MAX_EVALUATION


def test_new_weights_of_the_same_kind_need_no_new_class():
    """So that a search is compiled once for all forests on an evaluator."""
    other = forest()
    other.arrays["value"][:] = 1.0
    first, second = model_evaluator(forest(), coins()), model_evaluator(other, coins())
    assert type(first) is type(second)
    assert evaluate(second, coins().initial()) == 1
    assert type(first) is not type(model_evaluator(mlp(), coins()))
