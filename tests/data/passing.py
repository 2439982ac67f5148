"""Pass, or take the next coin of a row; when all are taken each gets what it has more.

The plies are counted, which makes no difference to the rules: only an opinion asks for them.
"""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, SCORED, Evaluator, Game, compiled

ROW = np.array([5, 1, 6, 2, 4, 3, 1, 2])
PASS, TAKE = 0, 1


class State(NamedTuple):
    """How many coins are taken, and what the two players have."""

    taken: int
    first: int
    second: int
    turn: int
    ply: int


def initial() -> State:
    return State(0, 0, 0, 0, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.array([PASS, TAKE])


@compiled
def play(state, move):
    coin = ROW[state.taken] * move
    first = state.first + coin * (state.turn == 0)
    second = state.second + coin * (state.turn == 1)
    return State(state.taken + move, first, second, 1 - state.turn, state.ply + 1)


@compiled
def outcome(state):
    return SCORED if state.taken == len(ROW) else ONGOING


@compiled
def payoff(state, player):
    return (1 - 2 * player) * (state.first - state.second)


@compiled
def key(state):
    return ((state.taken * 32 + state.first) * 32 + state.second) * 2 + state.turn


@compiled
def identity(state):
    return State(state.taken, state.first, state.second, state.turn, 0)


class Weights(NamedTuple):
    lead: int = 8  # what the mover has more than the other
    coin: int = 0  # the next one, which is the mover's to take
    patience: int = 0  # there is no opinion before that ply


@compiled
def opinion(weights, state):
    value = weights.lead * payoff(state, state.turn) + weights.coin * ROW[state.taken]
    return value * (state.ply >= weights.patience)


GAME = Game(__name__, title="Passing", evaluators={"opinion": Evaluator(opinion, Weights())})
