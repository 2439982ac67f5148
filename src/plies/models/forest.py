"""A random forest as arrays: the mean of what its trees say.

    feature      of every node, the input it asks about, -1 in a leaf
    threshold    the way is left where the input is at most this
    left, right  the nodes that follow; always later ones, so that every walk ends
    value        what a leaf says
    roots        the first node of every tree

Inputs are rounded to 32 bits before they are compared, as scikit-learn does it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.compiling.compiler import compiled
from plies.core.contract import Game
from plies.models.columns import check_arrays, check_inputs, opinion_of, predictor, row_of
from plies.models.files import BadModel, Model

ARRAYS = {
    "feature": np.int64,
    "threshold": np.float64,
    "left": np.int64,
    "right": np.int64,
    "value": np.float64,
    "roots": np.int64,
}
WORDS = 3  # of a node: feature, left, right


@compiled
def forest_answer(nodes, numbers, roots, row):
    """The mean over the trees; `numbers` are thresholds, and values in leaves."""
    total = 0.0
    for root in roots:
        node = root
        while nodes[WORDS * node] >= 0:
            is_left = np.float64(np.float32(row[nodes[WORDS * node]])) <= numbers[node]
            node = nodes[WORDS * node + (1 if is_left else 2)]
        total += numbers[node]
    return total / len(roots)


@compiled
def forest_value(model, state):
    """What the forest says of a state, for its mover."""
    row = row_of(model.base, model.columns, state)
    answer = forest_answer(model.nodes, model.numbers, model.roots, row)
    return opinion_of(model.scale * answer)


def check(model: Model) -> None:
    """Every walk through a tree must stay inside and end."""
    check_arrays(model, ARRAYS)
    inputs = check_inputs(model)
    feature, left, right = (model.arrays[name] for name in ("feature", "left", "right"))
    count = len(feature)
    lengths = {len(model.arrays[name]) for name in ARRAYS if name != "roots"}
    if lengths != {count} or count == 0:
        raise BadModel("its trees have arrays of different lengths")
    roots = model.arrays["roots"]
    if len(roots) == 0 or roots.min() < 0 or roots.max() >= count:
        raise BadModel("its roots are no nodes")
    if feature.min() < -1 or feature.max() >= len(inputs):
        raise BadModel("a tree asks about an input that it has not")
    inner = feature >= 0
    numbers = np.arange(count)
    for side in (left, right):
        if (side[inner] <= numbers[inner]).any() or (side[inner] >= count).any():
            raise BadModel("a tree leads to a node that is not after its own")


def forest_fields(model: Model) -> dict[str, tuple[Any, Any]]:
    """The arrays as the kernel takes them, by the names of the record's fields."""
    arrays = model.arrays
    nodes = np.column_stack([arrays["feature"], arrays["left"], arrays["right"]]).ravel()
    numbers = np.where(arrays["feature"] < 0, arrays["value"], arrays["threshold"])
    return {
        "nodes": (np.ndarray, np.ascontiguousarray(nodes, np.int64)),
        "numbers": (NDArray[np.float64], np.ascontiguousarray(numbers, np.float64)),
        "roots": (np.ndarray, np.ascontiguousarray(arrays["roots"], np.int64)),
    }


def evaluator(model: Model, game: Game) -> Any:
    return predictor("forest", forest_value, model, game, forest_fields(model))


def answers(model: Model, rows: np.ndarray) -> np.ndarray:
    """What the forest says of many rows of inputs."""
    nodes, numbers, roots = (value for _, value in forest_fields(model).values())
    return _answers(nodes, numbers, roots, np.ascontiguousarray(rows, np.float64))


@compiled
def _answers(nodes, numbers, roots, rows):
    found = np.empty(len(rows), np.float64)
    for index in range(len(rows)):
        found[index] = forest_answer(nodes, numbers, roots, rows[index])
    return found
