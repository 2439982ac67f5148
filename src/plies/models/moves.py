"""Tables of moves: the move to play in each position, by the position's key.

keys    int64, ascending: the keys of positions
moves   int64: the move of each
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.core.contract import Game
from plies.models.files import BadModel, Model, check_arrays

KIND = "moves"


def moves_model(game: Game, moves: Mapping[int, int], card: dict[str, Any]) -> Model:
    """The model of a table of moves."""
    keys = np.array(sorted(moves), np.int64)
    arrays = {"keys": keys, "moves": np.array([moves[int(key)] for key in keys], np.int64)}
    return Model(KIND, game.spec, card, arrays)


def check(model: Model) -> None:
    check_arrays(model, {"keys": np.int64, "moves": np.int64})
    keys, moves = model.arrays["keys"], model.arrays["moves"]
    if len(keys) != len(moves) or len(keys) == 0:
        raise BadModel(f"it has {len(keys)} keys and {len(moves)} moves")
    if (keys[1:] <= keys[:-1]).any():
        raise BadModel("its keys are not in ascending order")


def evaluator(model: Model, game: Game) -> Any:
    raise BadModel("it is a table of moves, not an evaluator; play it as moves:FILE")


def move_of(keys: NDArray[np.int64], moves: NDArray[np.int64], key: int) -> int | None:
    """The move of the position with this key; None if the table does not have it."""
    index = int(np.searchsorted(keys, key))
    return int(moves[index]) if index < len(keys) and keys[index] == key else None
