"""The genome of strategies: a weight for each of random, gabriele and nim-sum.

The player draws one of the three anew for every move, each with the probability that its weight
is of the sum.  Weights are whole numbers from 0 to 100: whatever mutation and crossover do to
them, the probabilities add up to 1, and a strategy can be given up altogether.
"""

from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.core.spec import join_spec
from plies.learn.nim_evolution import OPPONENTS, Encoding, Genome, Player, Positions, wins_of
from plies.models.files import Model
from plies.models.mixture import KIND, mixture_model

STRATEGIES = tuple(OPPONENTS)  # all of them are agents of Nim
MOST_WEIGHT = 100


def probabilities(weights: NDArray[np.int64]) -> NDArray[np.float64]:
    """[..., strategy] What is drawn how often; any equally often where all weights are 0."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.where(total > 0, weights, 1) / np.where(total > 0, total, len(STRATEGIES))


def agent_spec(weights: Genome) -> str:
    """The agent that plays like this."""
    used = weights if weights.any() else np.ones_like(weights)
    shares = {name: int(weight) for name, weight in zip(STRATEGIES, used, strict=True) if weight}
    return join_spec("mixed", shares)


def report(positions: Positions, weights: Genome) -> dict[str, Any]:
    """What it draws, which agent that is, and how well it plays (`wins_of`)."""
    shares = probabilities(weights)
    wins, held = wins_of(positions, _player(_tables(positions), weights))
    return {
        "probabilities": dict(zip(STRATEGIES, map(float, shares), strict=True)),
        "agent": agent_spec(weights),
        "wins": {name: asdict(seats) for name, seats in wins.items()},
        "held": held,
    }


def strategies_encoding(positions: Positions) -> Encoding:
    """A gene is the weight of a strategy."""

    def model(weights: Genome, card: dict[str, Any]) -> Model:
        return mixture_model(positions.game, weights, card)

    return Encoding(
        choices=np.full(len(STRATEGIES), MOST_WEIGHT + 1),
        player=partial(_player, _tables(positions)),
        report=partial(report, positions),
        model=model,
        kind=KIND,
    )


def _tables(positions: Positions) -> NDArray[np.float64]:
    """[strategy, position, move] probabilities."""
    return np.stack([OPPONENTS[name](positions) for name in STRATEGIES])


def _player(tables: NDArray[np.float64], weights: Genome) -> Player:
    return np.tensordot(probabilities(weights), tables, 1)
