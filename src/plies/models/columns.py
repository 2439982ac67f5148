"""The numbers that a predictor looks at: an evaluator's features by name, and its value.

A predictor stands on an evaluator, its base.  Its inputs are named in its card; `value` is
what the base itself says.  Values are whole numbers: where the base counts in so few points
that fractions matter, the card's `scale` is how many points of the predictor make one of
the base's.
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
MOST_SCALE = 1_000_000


@compiled
def row_of(base, columns, state):
    """The inputs in the order of `columns`: numbers of features, -1 for the value."""
    found = features(base, state)
    value = evaluate(base, state)
    row = np.empty(len(columns), np.float64)
    for index in range(len(columns)):
        column = columns[index]
        row[index] = value if column < 0 else found[column]
    return row


@compiled
def opinion_of(answer):
    """An answer as an evaluator may give it: a whole number inside the band of opinions."""
    if not abs(answer) < MAX_EVALUATION:  # true of numbers that are none, too
        return MAX_EVALUATION if answer > 0 else -MAX_EVALUATION if answer < 0 else 0
    return np.int64(round(answer))


def input_names(base: Any) -> tuple[str, ...]:
    """All that a predictor can look at: the features, then the value."""
    declared = tuple(name for name in feature_names(base) if name != VALUE)
    return (*declared, VALUE)


def columns_of(base: Any, names: list[str]) -> np.ndarray:
    """Where the inputs of these names are found."""
    known = feature_names(base)
    for name in names:
        if name != VALUE and name not in known:
            there = ", ".join(input_names(base))
            raise BadModel(f"it wants the feature {name}, which its evaluator has not ({there})")
    return np.array([-1 if name == VALUE else known.index(name) for name in names], np.int64)


def base_of(model: Model, game: Game) -> Any:
    """The evaluator that a predictor stands on."""
    name = model.card.get("evaluator")
    if not isinstance(name, str) or name not in (*game.evaluators, "zero"):
        raise BadModel(f"it stands on the evaluator {name}, which {game.name} has not")
    return game.evaluator(name)


def check_inputs(model: Model) -> list[str]:
    """The names of the inputs, of which there is at least one and none twice."""
    names = model.card["inputs"]
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not is_list or not names or len(set(names)) < len(names):
        raise BadModel("its card does not name its inputs")
    scale = model.card.get("scale", 1)
    if type(scale) is not int or not 1 <= scale <= MOST_SCALE:
        raise BadModel(f"its scale is a whole number from 1 to {MOST_SCALE}, not {scale!r}")
    return names


def check_arrays(model: Model, kinds: dict[str, Any]) -> None:
    """Refuse arrays that are missing, of another type, of more dimensions or not finite."""
    for name, kind in kinds.items():
        if name not in model.arrays:
            raise BadModel(f"it has no array {name}")
        array = model.arrays[name]
        if array.dtype != kind or array.ndim != 1:
            raise BadModel(f"its {name} is no list of {np.dtype(kind).name}")
        if not np.isfinite(array).all():
            raise BadModel(f"its {name} holds a number that is not finite")


@cache
def _record_class(part: str, base: type, fields: tuple[tuple[str, Any], ...]) -> Any:
    """One class of records for one kind of predictor on one evaluator."""
    return NamedTuple(part.title(), [("base", base), *fields])  # type: ignore[misc]


def predictor(
    part: str, function: Any, model: Model, game: Game, fields: dict[str, tuple[Any, Any]]
) -> Any:
    """The record of a predictor, registered: `fields` are its types and values by name."""
    base = base_of(model, game)
    scale = model.card.get("scale", 1)
    fields = {
        "columns": (np.ndarray, columns_of(base, model.card["inputs"])),
        "scale": (int, scale),
        **fields,
    }
    kinds = tuple((name, kind) for name, (kind, _) in fields.items())
    cls = _record_class(part, type(base), kinds)
    record = cls(base, *(value for _, value in fields.values()))
    unit = scale * evaluators_of[type(base)].unit
    return register_evaluator(game.name, part, Evaluator(function, record, unit=unit))
