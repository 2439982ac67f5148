"""Small models and datasets that several tests of learning need."""

from functools import cache
from pathlib import Path

import numpy as np

import plies
from plies.core.contract import Game
from plies.learn.dataset_files import Dataset, write_dataset
from plies.learn.datasets import DataPlan, data_plan, made_chunk, put_together
from plies.models.files import Model

COINS = str(Path(__file__).parent / "data" / "coins.py")
INPUTS = ["own", "other", "first_coin", "last_coin", "value"]


@cache
def coins() -> Game:
    return plies.game(COINS)


@cache
def dataset(rows: int = 240, seed: int = 1) -> Dataset:
    """What three plies of alpha-beta say of the game of coins."""
    asked = DataPlan(COINS, "lead", "alphabeta:depth=3", rows, seed=seed, plies=(0, 10))
    plan = data_plan(asked)
    return put_together(plan, made_chunk((plan, 0)))


def written(path: Path, rows: int = 240, seed: int = 1) -> Path:
    write_dataset(path, dataset(rows, seed))
    return path


def forest(game: str = COINS) -> Model:
    """Two trees: one asks whether the lead is at most 2, the other is a leaf."""
    arrays = {
        "feature": np.array([4, -1, -1, -1]),
        "threshold": np.array([2.0, 0.0, 0.0, 0.0]),
        "left": np.array([1, 0, 0, 0]),
        "right": np.array([2, 0, 0, 0]),
        "value": np.array([0.0, -10.0, 30.0, 4.0]),
        "roots": np.array([0, 3]),
    }
    return Model("forest", game, {"evaluator": "lead", "inputs": INPUTS}, arrays)


def mlp(game: str = COINS) -> Model:
    """One hidden layer of two: the output is 1 + relu(own - other) - 2 relu(other - own)."""
    arrays = {
        "sizes": np.array([2, 2, 1]),
        "weights": np.array([1.0, -1.0, -1.0, 1.0, 1.0, -2.0]),
        "biases": np.array([0.0, 0.0, 1.0]),
        "means": np.array([0.0, 0.0, 0.0]),
        "scales": np.array([1.0, 1.0, 1.0]),
    }
    card = {"evaluator": "lead", "inputs": ["own", "other"], "activation": "relu"}
    return Model("mlp", game, card, arrays)


def copied_game(folder: Path, name: str = "coins.py", replaced: tuple[str, str] = ("", "")) -> str:
    """The game of coins in a file of its own, with one text replaced."""
    text = Path(COINS).read_text(encoding="utf-8")
    path = folder / name
    path.write_text(text.replace(*replaced) if replaced[0] else text, encoding="utf-8")
    return str(path)
