"""Quixo by rows: what the best line of either player is worth, with weights to tune.

plies match quixo alphabeta:depth=2,eval=examples/evaluators/quixo_rows.py alphabeta:depth=2
plies train weights quixo --eval examples/evaluators/quixo_rows.py --out rows.npz
"""

from typing import NamedTuple

from plies.core import compiled, popcount

GAME = "quixo"
UNIT = 100  # a small but clear advantage


class Weights(NamedTuple):
    """Points for a cube, and for a cube more on the best line."""

    cube: int = 10
    best: int = 100
    other_best: int = 90


WEIGHTS = Weights()


@compiled
def evaluate(weights, state):
    """The value for the mover: cubes, and the fullest rows and columns."""
    cubes = popcount(state.mine) - popcount(state.theirs)
    mine, theirs = fullest(state.mine, state.n), fullest(state.theirs, state.n)
    return weights.cube * cubes + weights.best * mine - weights.other_best * theirs


@compiled
def fullest(cubes, n):
    """The most cubes on one row or column."""
    row = (1 << n) - 1
    column = 0
    for y in range(n):
        column |= 1 << y * n
    best = 0
    for index in range(n):
        best = max(best, popcount(cubes & row << index * n), popcount(cubes & column << index))
    return best
