"""What searches for proofs are compared with: plain play to the end, position by position."""

from functools import cache
from typing import Any

import plies
from plies.compiling.compiler import is_interpreting
from plies.core.scores import DRAW, SCORED


def positions(game: plies.Game) -> list[Any]:
    """Every position that can arise, the first one first."""
    found = {game.initial(): None}
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for move in game.moves(state):
            child = game.play(state, move)
            if child not in found:
                found[child] = None
                waiting.append(child)
    return list(found)


def sample(states: list[Any]) -> list[Any]:
    """All of them, or a few where there is no compiler, which takes a hundred times as long."""
    return states[:: max(1, len(states) // 40)] if is_interpreting() else states


class Truth:
    """The value of every position of a small game of two players that always ends.

    `value(state)` is what the mover gets: 0 for a draw, points, or a pair of win and plies
    made one number: a win in n is 1000 - n, a loss in n is n - 1000.
    """

    def __init__(self, game: plies.Game):
        self.game = game
        self.value = cache(self._value)

    def _value(self, state: Any) -> int:
        game = self.game
        if game.is_over(state):
            return self._end(state)
        values = []
        for move in game.moves(state):
            child = game.play(state, move)
            value = self.value(child)
            value = value if game.mover(child) == game.mover(state) else -value
            values.append(value - (value > 500) + (value < -500))
        return max(values)

    def _end(self, state: Any) -> int:
        result, player = self.game.outcome(state), self.game.mover(state)
        if result in (DRAW, SCORED):
            return self.game.payoffs(state)[player]
        return 1000 if result == player else -1000


def shortened(value: int) -> int:
    """A value of a search in the terms of `Truth`."""
    far = 1_000_000_000 - 1000
    if abs(value) < 500:
        return value
    return value - far if value > 0 else value + far
