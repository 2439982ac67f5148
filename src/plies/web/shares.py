"""How good a value is for the first player, between 0 (lost) and 1 (won)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from plies.agents import Agent
from plies.core.scores import is_decided
from plies.core.verbs import evaluators_of
from plies.search.mcts.answer import PER_UNIT

UNITS = 3  # so many clear advantages, as an evaluator counts them, are worth 73 %
PLAIN_UNIT = 5  # of an evaluator that names none, and of payoffs
MOST = 40.0  # beyond it the curve is flat


@dataclass(frozen=True)
class Scale:
    """What values are measured by: so much is a win that is expected, or a clear advantage."""

    size: float
    is_expectation: bool = False

    def share(self, value: int, mover: int) -> float:
        """The share of the first of two players, of a value from the mover's side."""
        value = value if mover == 0 else -value
        if is_decided(value):
            return 1.0 if value > 0 else 0.0
        steep = min(max(value / self.size, -MOST), MOST)
        share = (1 + steep) / 2 if self.is_expectation else 1 / (1 + exp(-steep))
        return round(min(max(share, 0.0), 1.0), 4)


def share_of(payoffs: Sequence[int]) -> float:
    """The first player's share of a game of two that has ended."""
    first, second = payoffs
    return 0.5 if first == second else float(first > second)


def scale_of(agent: Agent) -> Scale:
    """What an agent's values are measured by."""
    if hasattr(agent.search, "simulations"):
        return Scale(PER_UNIT, is_expectation=True)
    return Scale(UNITS * (evaluators_of[type(agent.evaluator)].unit or PLAIN_UNIT))
