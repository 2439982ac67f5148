"""A multi-layer perceptron as arrays.

    sizes     units of each layer, from the inputs to the one output
    weights   layer after layer, one row for each unit of the layer before
    biases    layer after layer
    means, scales   of the inputs and, last, of the output, for standardisation

The card names the `activation` of the hidden layers: relu, tanh, logistic or identity.
"""

import math
from itertools import pairwise
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
def mlp_prediction(sizes, numbers, activation, row):
    """The forward pass; `numbers` holds means, scales, weights and biases in a row."""
    inputs = len(row)
    layer = np.empty(inputs, np.float64)
    for index in range(inputs):
        layer[index] = (row[index] - numbers[index]) / numbers[inputs + 1 + index]
    # Weights of all layers come first, then all biases.
    weight = 2 * (inputs + 1)
    bias = weight
    for index in range(len(sizes) - 1):
        bias += sizes[index] * sizes[index + 1]
    for index in range(1, len(sizes)):
        following = numbers[bias : bias + sizes[index]].copy()
        for number in layer:
            if number != 0.0:  # about half are 0 after a relu
                row_of_weights = numbers[weight : weight + sizes[index]]
                for to in range(len(row_of_weights)):
                    following[to] += number * row_of_weights[to]
            weight += sizes[index]
        bias += sizes[index]
        if index < len(sizes) - 1:
            for to in range(sizes[index]):
                following[to] = activated(following[to], activation)
        layer = following  # the output layer stays linear
    return layer[0] * numbers[2 * inputs + 1] + numbers[inputs]


@compiled
def mlp_value(model, state):
    """The value of a state for its mover."""
    row = row_of(model.base, model.columns, state)
    prediction = mlp_prediction(model.sizes, model.numbers, model.activation, row)
    return clamped_value(model.scale * prediction)


def check(model: Model) -> None:
    """The sizes of layers and arrays must fit each other."""
    check_arrays(model, ARRAYS)
    inputs = check_inputs(model)
    sizes = [int(size) for size in model.arrays["sizes"]]  # int: no overflow
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
            raise BadModel(f"it has {len(model.arrays[name])} {name}, its layers need {length}")
    if (model.arrays["scales"] == 0).any():
        raise BadModel("one of its scales is 0")
    if model.card.get("activation") not in ACTIVATIONS:
        raise BadModel(f"its activation is none of {', '.join(ACTIVATIONS)}")


def mlp_fields(model: Model) -> dict[str, Any]:
    """The model as the kernel reads it, in the order of its arguments."""
    names = ("means", "scales", "weights", "biases")
    numbers = np.concatenate([model.arrays[name] for name in names])
    return {
        "sizes": np.ascontiguousarray(model.arrays["sizes"], np.int64),
        "numbers": numbers,
        "activation": ACTIVATIONS.index(model.card["activation"]),
    }


def evaluator(model: Model, game: Game) -> Any:
    return register_predictor(mlp_value, model, game, mlp_fields(model))


def predictions(model: Model, rows: np.ndarray) -> np.ndarray:
    return predict_rows(mlp_prediction, mlp_fields(model), rows)
