"""A multi-layer perceptron as arrays.

    sizes     how many numbers each layer has, inputs and the one output included
    weights   layer after layer, each as rows of the layer before it
    biases    layer after layer
    means, scales   of the inputs and, last, of the output, by which numbers are made alike

The card names the `activation` of the layers between: relu, tanh, logistic or identity.
"""

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.compiling.compiler import compiled
from plies.core.contract import Game
from plies.models.columns import check_arrays, check_inputs, opinion_of, predictor, row_of
from plies.models.files import BadModel, Model

ARRAYS = {
    "sizes": np.int64,
    "weights": np.float64,
    "biases": np.float64,
    "means": np.float64,
    "scales": np.float64,
}
ACTIVATIONS = ("identity", "relu", "tanh", "logistic")
IDENTITY, RELU, TANH, LOGISTIC = range(4)


@compiled
def activated(number, activation):
    if activation == RELU:
        return max(number, 0.0)
    if activation == TANH:
        return math.tanh(number)
    if activation == LOGISTIC:
        return 1.0 / (1.0 + math.exp(-number))
    return number


@compiled
def mlp_answer(sizes, numbers, activation, row):
    """One pass forward; `numbers` holds means, scales, weights and biases one after another."""
    inputs = len(row)
    layer = np.empty(inputs, np.float64)
    for index in range(inputs):
        layer[index] = (row[index] - numbers[index]) / numbers[inputs + 1 + index]
    weight = 2 * (inputs + 1)
    bias = weight
    for index in range(len(sizes) - 1):
        bias += sizes[index] * sizes[index + 1]
    for index in range(1, len(sizes)):
        following = numbers[bias : bias + sizes[index]].copy()
        for number in layer:
            if number != 0.0:  # every second one behind a relu
                own = numbers[weight : weight + sizes[index]]
                for to in range(len(own)):
                    following[to] += number * own[to]
            weight += sizes[index]
        bias += sizes[index]
        if index < len(sizes) - 1:
            for to in range(sizes[index]):
                following[to] = activated(following[to], activation)
        layer = following
    return layer[0] * numbers[2 * inputs + 1] + numbers[inputs]


@compiled
def mlp_value(model, state):
    """What the perceptron says of a state, for its mover."""
    row = row_of(model.base, model.columns, state)
    answer = mlp_answer(model.sizes, model.numbers, model.activation, row)
    return opinion_of(model.scale * answer)


def check(model: Model) -> None:
    """Layers must fit each other."""
    check_arrays(model, ARRAYS)
    inputs = check_inputs(model)
    sizes = [int(size) for size in model.arrays["sizes"]]  # whose products never overflow
    if len(sizes) < 2 or min(sizes) < 1 or sizes[-1] != 1 or sizes[0] != len(inputs):
        raise BadModel("its layers do not lead from its inputs to one number")
    expected = {
        "weights": sum(before * after for before, after in pairwise(sizes)),
        "biases": sum(sizes[1:]),
        "means": len(inputs) + 1,
        "scales": len(inputs) + 1,
    }
    for name, length in expected.items():
        if len(model.arrays[name]) != length:
            raise BadModel(f"it has {len(model.arrays[name])} {name}, its layers want {length}")
    if (model.arrays["scales"] == 0).any():
        raise BadModel("one of its scales is 0")
    if model.card.get("activation") not in ACTIVATIONS:
        raise BadModel(f"its activation is none of {', '.join(ACTIVATIONS)}")


def mlp_fields(model: Model) -> dict[str, tuple[Any, Any]]:
    """The arrays as the kernel takes them, by the names of the record's fields."""
    names = ("means", "scales", "weights", "biases")
    numbers = np.concatenate([model.arrays[name] for name in names])
    return {
        "sizes": (np.ndarray, np.ascontiguousarray(model.arrays["sizes"], np.int64)),
        "numbers": (NDArray[np.float64], numbers),
        "activation": (int, ACTIVATIONS.index(model.card["activation"])),
    }


def evaluator(model: Model, game: Game) -> Any:
    return predictor("mlp", mlp_value, model, game, mlp_fields(model))


def answers(model: Model, rows: np.ndarray) -> np.ndarray:
    """What the perceptron says of many rows of inputs."""
    sizes, numbers, activation = (value for _, value in mlp_fields(model).values())
    return _answers(sizes, numbers, activation, np.ascontiguousarray(rows, np.float64))


@compiled
def _answers(sizes, numbers, activation, rows):
    found = np.empty(len(rows), np.float64)
    for index in range(len(rows)):
        found[index] = mlp_answer(sizes, numbers, activation, rows[index])
    return found
