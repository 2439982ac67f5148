"""New weights for one of a game's own evaluators.

The card names the `evaluator` and its `fields`; `scale` points of these weights make one
point of the evaluator.  The array `weights` holds a whole number for each field.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plies.core.contract import Game
from plies.core.verbs import evaluators_of, register_evaluator
from plies.errors import BadSpec
from plies.evaluators.files import own_evaluator
from plies.models.files import BadModel, Model

KIND = "weights"
LARGEST = 1_000_000  # of a weight, so that no value is taken for a proven win


def weights_of(game: Game, name: str) -> dict[str, int]:
    """The weights of an evaluator by field; `BadSpec` where it has none that are whole numbers."""
    record = own_evaluator(game, name)
    if not has_weights(record):
        known = [each for each, own in game.evaluators.items() if has_weights(own)]
        choices = f"; those with weights are {', '.join(known)}" if known else ", nor has any other"
        raise BadSpec(f"{name} of {game.name} has no weights{choices}")
    return record._asdict()


def has_weights(record: Any) -> bool:
    """Whether an evaluator has weights, all of them whole numbers."""
    is_weighted = evaluators_of[type(record)].weights is not None
    return is_weighted and all(isinstance(value, int) for value in record)


def weights_model(
    game: Game, name: str, weights: Sequence[int], card: dict[str, Any] | None = None
) -> Model:
    """The model of new weights for an evaluator."""
    fields = list(weights_of(game, name))
    arrays = {"weights": np.array(weights, np.int64)}
    return Model(KIND, game.spec, {**(card or {}), "evaluator": name, "fields": fields}, arrays)


def check(model: Model) -> None:
    name, fields, weights = model.card["evaluator"], model.card["fields"], model.arrays["weights"]
    scale = model.card.get("scale", 1)
    if type(scale) is not int or not 1 <= scale <= LARGEST:
        raise BadModel(f"its scale is not a whole number from 1 to {LARGEST}")
    if not isinstance(name, str) or not isinstance(fields, list):
        raise BadModel("its card does not say which evaluator and fields its weights are for")
    if weights.dtype != np.int64 or weights.shape != (len(fields),):
        raise BadModel(f"its weights are not {len(fields)} whole numbers")
    if ((weights < -LARGEST) | (weights > LARGEST)).any():
        raise BadModel(f"one of its weights is beyond {LARGEST}")


def evaluator(model: Model, game: Game) -> Any:
    """The game's evaluator with these weights: the same compiled code, unless it has a scale.

    A scale needs a record class of its own, because `unit` belongs to the class.
    """
    name, fields = model.card["evaluator"], model.card["fields"]
    record = own_evaluator(game, name)
    if list(weights_of(game, name)) != fields:
        raise BadModel(f"{name} of {game.name} has the weights {', '.join(record._fields)} now")
    kind = finer(game, name, model.card.get("scale", 1))
    return kind(*(int(weight) for weight in model.arrays["weights"]))


def finer(game: Game, name: str, scale: int) -> Any:
    """The record class of an evaluator whose points are `scale` times finer."""
    record = own_evaluator(game, name)
    own = evaluators_of[type(record)]
    if scale == 1:
        return type(record)
    name = Path(name).stem  # of an evaluator's file
    kind = _finer_class(type(record), f"{name}_{scale}")
    scaled = replace(own, weights=kind(*record), unit=scale * own.unit, margin=scale * own.margin)
    register_evaluator(game.name, f"{name}_{scale}", scaled)
    return kind


@cache
def _finer_class(kind: Any, name: str) -> Any:
    """One class for one scale of an evaluator."""
    return NamedTuple(name, [(field, int) for field in kind._fields])  # type: ignore[misc]
