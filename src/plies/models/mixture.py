"""Mixed strategies: the weight with which each of several strategies is drawn.

weights   int64, 0 or more; the card's `agent` is the spec of the agent that plays it
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.core.contract import Game
from plies.models.files import BadModel, Model, check_arrays

KIND = "mixture"


def mixture_model(game: Game, weights: NDArray[np.int64], card: dict[str, Any]) -> Model:
    return Model(KIND, game.spec, card, {"weights": weights})


def check(model: Model) -> None:
    check_arrays(model, {"weights": np.int64})
    if model.arrays["weights"].min() < 0:
        raise BadModel("its weights are not whole numbers, 0 or more")


def evaluator(model: Model, game: Game) -> Any:
    agent = model.card.get("agent", "mixed:...")
    raise BadModel(f"it is a mixture of strategies, not an evaluator; play it as {agent}")
