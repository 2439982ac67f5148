"""What forests and perceptrons share: they predict from the features of a base evaluator.

The card names the inputs: features of the base, and `value`, the value of the base itself.
Values are whole numbers; where the base has so few points that fractions matter, `scale`
points of the predictor make one point of the base.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plies.compiling.compiler import compiled
from plies.core.contract import Game
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import (
    Evaluator,
    evaluate,
    evaluators_of,
    feature_names,
    features,
    register_evaluator,
)
from plies.models.files import BadModel, Model

VALUE = "value"
LARGEST_SCALE = 1_000_000


@compiled
def row_of(base, columns, state):
    """The inputs in the order of `columns`: indices of features, -1 for the value."""
    numbers = features(base, state)
    value = evaluate(base, state)
    row = np.empty(len(columns), np.float64)
    for index in range(len(columns)):
        column = columns[index]
        row[index] = value if column < 0 else numbers[column]
    return row


@compiled
def clamped_value(prediction):
    """A prediction as a value: a whole number, and never in the band of proven results."""
    if not abs(prediction) < MAX_EVALUATION:  # true of NaN, too
        return MAX_EVALUATION if prediction > 0 else -MAX_EVALUATION if prediction < 0 else 0
    return np.int64(round(prediction))


def input_names(base: Any) -> tuple[str, ...]:
    """The possible inputs of a predictor: the base's features, then its value."""
    declared = tuple(name for name in feature_names(base) if name != VALUE)
    return (*declared, VALUE)


def columns_of(base: Any, names: list[str]) -> np.ndarray:
    """The indices of the inputs of these names, -1 for the value."""
    known = feature_names(base)
    for name in names:
        if name != VALUE and name not in known:
            choices = ", ".join(input_names(base))
            raise BadModel(f"it needs the feature {name}; its evaluator has {choices}")
    return np.array([-1 if name == VALUE else known.index(name) for name in names], np.int64)


def base_of(model: Model, game: Game) -> Any:
    """The base evaluator of a predictor."""
    name = model.card.get("evaluator")
    if not isinstance(name, str) or name not in (*game.evaluators, "zero"):
        raise BadModel(f"its base is the evaluator {name}, which {game.name} does not have")
    return game.evaluator(name)


def check_inputs(model: Model) -> list[str]:
    """The names of the inputs: at least one, and all different."""
    names = model.card["inputs"]
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not is_list or not names or len(set(names)) < len(names):
        raise BadModel("its card does not name its inputs")
    scale = model.card.get("scale", 1)
    if type(scale) is not int or not 1 <= scale <= LARGEST_SCALE:
        raise BadModel(f"its scale is a whole number from 1 to {LARGEST_SCALE}, not {scale!r}")
    return names


@cache
def _record_class(kind_name: str, base: type, fields: tuple[tuple[str, Any], ...]) -> Any:
    """One record class for each kind of predictor and base, so that both compile once."""
    return NamedTuple(kind_name.title(), [("base", base), *fields])  # type: ignore[misc]


def register_predictor(function: Any, model: Model, game: Game, fields: dict[str, Any]) -> Any:
    """The registered record of a predictor: base, columns, scale, and the kind's own fields."""
    base = base_of(model, game)
    scale = model.card.get("scale", 1)
    fields = {"columns": columns_of(base, model.card["inputs"]), "scale": scale, **fields}
    types = tuple((name, _field_type(value)) for name, value in fields.items())
    record = _record_class(model.kind, type(base), types)(base, *fields.values())
    unit = scale * evaluators_of[type(base)].unit
    return register_evaluator(game.name, model.kind, Evaluator(function, record, unit=unit))


def _field_type(value: Any) -> Any:
    """The annotation of a field, as compiled records know it."""
    if not isinstance(value, np.ndarray):
        return int
    return np.ndarray if value.dtype == np.int64 else NDArray[np.float64]


def predict_rows(function: Any, fields: dict[str, Any], rows: np.ndarray) -> np.ndarray:
    """The predictions of a kernel for many rows of inputs."""
    rows = np.ascontiguousarray(rows, np.float64)
    return np.array([function(*fields.values(), row) for row in rows])
