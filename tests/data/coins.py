"""Take the first or the last of a row of coins; whoever has more in the end wins.

Its evaluator declares features, from which something can be learned.
"""

from typing import NamedTuple

import numpy as np

from plies.core import DRAW, ONGOING, Evaluator, Features, Game, compiled

COINS = np.array([3, 7, 1, 8, 2, 9, 4, 6, 5, 7, 2, 8])
FIRST, LAST = 0, 1


class State(NamedTuple):
    """The coins from `first` up to `end`, and what the mover and the other have."""

    first: int
    end: int
    mine: int
    theirs: int
    turn: int


def initial(coins: int = 12) -> State:
    return State(0, coins, 0, 0, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.array([FIRST, LAST])


@compiled
def play(state, move):
    first, end = state.first + (move == FIRST), state.end - (move == LAST)
    coin = COINS[state.first] if move == FIRST else COINS[state.end - 1]
    return State(first, end, state.theirs, state.mine + coin, 1 - state.turn)


@compiled
def outcome(state):
    if state.first < state.end:
        return ONGOING
    if state.mine == state.theirs:
        return DRAW
    return state.turn if state.mine > state.theirs else 1 - state.turn


@compiled
def lead(state):
    return state.mine - state.theirs


@compiled
def lead_features(state):
    return state.mine, state.theirs, int(COINS[state.first]), int(COINS[state.end - 1])


NAMES = ("own", "other", "first_coin", "last_coin")
LEAD = Evaluator(lead, features=Features(NAMES, lead_features))
GAME = Game(__name__, title="Coins", evaluators={"lead": LEAD})
