"""A random forest (Breiman 2001) as arrays: the mean of its trees' predictions.

    feature      of each node, the input it tests, -1 in a leaf
    threshold    go left where the input is at most this
    left, right  the children; their indices are higher, so that every path ends
    value        the prediction of a leaf
    roots        the first node of each tree

Inputs are rounded to 32 bits before they are compared, as scikit-learn does it.
"""

from typing import Any

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.contract import Game
from plies.models.files import BadModel, Model, check_arrays
from plies.models.predictor import (
    check_inputs,
    clamped_value,
    predict_rows,
    register_predictor,
    row_of,
)

ARRAYS = {
    "feature": np.int64,
    "threshold": np.float64,
    "left": np.int64,
    "right": np.int64,
    "value": np.float64,
    "roots": np.int64,
}
FIELDS = 3  # of a node: feature, left, right


@compiled
def forest_prediction(nodes, numbers, roots, row):
    """The mean over the trees; `numbers` are thresholds, and values in leaves."""
    # Nodes and numbers are one flat array each: a path down a tree touches little memory.
    total = 0.0
    for root in roots:
        node = root
        while nodes[FIELDS * node] >= 0:
            is_left = np.float64(np.float32(row[nodes[FIELDS * node]])) <= numbers[node]
            node = nodes[FIELDS * node + (1 if is_left else 2)]
        total += numbers[node]
    return total / len(roots)


@compiled
def forest_value(model, state):
    """The value of a state for its mover."""
    row = row_of(model.base, model.columns, state)
    prediction = forest_prediction(model.nodes, model.numbers, model.roots, row)
    return clamped_value(model.scale * prediction)


def check(model: Model) -> None:
    """Every path through a tree must stay inside the arrays and end."""
    check_arrays(model, ARRAYS)
    inputs = check_inputs(model)
    feature, left, right = (model.arrays[name] for name in ("feature", "left", "right"))
    count = len(feature)
    lengths = {len(model.arrays[name]) for name in ARRAYS if name != "roots"}
    if lengths != {count} or count == 0:
        raise BadModel("its trees have arrays of different lengths")
    roots = model.arrays["roots"]
    if len(roots) == 0 or roots.min() < 0 or roots.max() >= count:
        raise BadModel("a root of it is not a node")
    if feature.min() < -1 or feature.max() >= len(inputs):
        raise BadModel("a tree tests an input that the card does not name")
    inner = feature >= 0
    numbers = np.arange(count)
    for side in (left, right):
        if (side[inner] <= numbers[inner]).any() or (side[inner] >= count).any():
            raise BadModel("a child in a tree does not come after its parent")


def forest_fields(model: Model) -> dict[str, Any]:
    """The model as the kernel reads it, in the order of its arguments."""
    arrays = model.arrays
    nodes = np.column_stack([arrays["feature"], arrays["left"], arrays["right"]]).ravel()
    numbers = np.where(arrays["feature"] < 0, arrays["value"], arrays["threshold"])
    return {
        "nodes": np.ascontiguousarray(nodes, np.int64),
        "numbers": np.ascontiguousarray(numbers, np.float64),
        "roots": np.ascontiguousarray(arrays["roots"], np.int64),
    }


def evaluator(model: Model, game: Game) -> Any:
    return register_predictor(forest_value, model, game, forest_fields(model))


def predictions(model: Model, rows: np.ndarray) -> np.ndarray:
    return predict_rows(forest_prediction, forest_fields(model), rows)
