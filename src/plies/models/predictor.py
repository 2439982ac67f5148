"""What forests and perceptrons share: they predict from the features of a base evaluator.

The card names the inputs: features of the base, and `value`, the value of the base itself.
Values are whole numbers; where the base has so few points that fractions matter, `scale`
points of the predictor make one point of the base.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

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


def check_arrays(model: Model, kinds: dict[str, Any]) -> None:
    """Refuse arrays that are missing, of another type or dimension, or not finite."""
    for name, kind in kinds.items():
        if name not in model.arrays:
            raise BadModel(f"it has no array {name}")
        array = model.arrays[name]
        if array.dtype != kind or array.ndim != 1:
            raise BadModel(f"its {name} is not a one-dimensional array of {np.dtype(kind).name}")
        if not np.isfinite(array).all():
            raise BadModel(f"its {name} holds a number that is not finite")


@cache
def _record_class(kind_name: str, base: type, fields: tuple[tuple[str, Any], ...]) -> Any:
    """One record class for each kind of predictor and base, so that both compile once."""
    return NamedTuple(kind_name.title(), [("base", base), *fields])  # type: ignore[misc]


def register_predictor(
    kind_name: str, function: Any, model: Model, game: Game, fields: dict[str, tuple[Any, Any]]
) -> Any:
    """The registered record of a predictor; `fields` are types and values by name."""
    base = base_of(model, game)
    scale = model.card.get("scale", 1)
    fields = {
        "columns": (np.ndarray, columns_of(base, model.card["inputs"])),
        "scale": (int, scale),
        **fields,
    }
    kinds = tuple((name, kind) for name, (kind, _) in fields.items())
    cls = _record_class(kind_name, type(base), kinds)
    record = cls(base, *(value for _, value in fields.values()))
    unit = scale * evaluators_of[type(base)].unit
    return register_evaluator(game.name, kind_name, Evaluator(function, record, unit=unit))
