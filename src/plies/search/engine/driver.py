"""How the engine asks its search for a depth: windows around what is expected.

`aspiration` searches with a window around the value of the depth before, and with a wider
one on the side where the value fell out of it.  `mtdf` asks only whether the value is at
least a number, and closes in on it by such questions; the table remembers the answers.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from plies.core.scores import INFINITY, MAX_EVALUATION
from plies.search.table import NO_MOVE
from plies.search.workspace import best_line

FIRST_NARROW = 4  # the depth from which on the value before is a good guess
WIDENING = 3  # how much wider the next window is
WIDEST = 30  # times the first width: wider than that is open

Ask = Callable[[int, int], int]  # the value as far as a window (alpha, beta) tells it


class Driver:
    """Searches one depth after the other in `work`; `ask(depth, alpha, beta)` is the search.

    `kept` is memory that it reads and writes by address, which must not go away before it.
    """

    def __init__(
        self,
        ask: Callable[[int, int, int], Any],
        work: np.record,
        is_mtdf: bool,
        kept: Any = None,
    ):
        self.ask = ask
        self.kept = kept
        self.work = work
        self.is_mtdf = is_mtdf
        self.values: list[int] = []  # of the depths before
        self.found = 0  # what the line in `work` is worth, or at least

    def search(self, depth: int) -> int:
        """The value for the mover; the line is in `work`."""
        self.work.root_depth = depth

        def ask(alpha: int, beta: int) -> int:
            return self._asked(depth, alpha, beta)

        guess = self.values[-1] if self.values else 0
        if self.is_mtdf:
            value = mtdf(ask, guess, self.work)
        else:
            width = self._width() if depth >= FIRST_NARROW else INFINITY
            value = aspiration(ask, guess, width, self.work)
        if not self.work.is_stopped:
            self.values.append(value)
        return value

    def _asked(self, depth: int, alpha: int, beta: int) -> int:
        """Ask; an answer without a line leaves the line that was best before.

        A search that was stopped before it found one answers what that line is worth.
        """
        before = best_line(self.work)
        self.work.first = before[0] if before else NO_MOVE
        self.work.length[0] = 0
        value = int(self.ask(depth, alpha, beta))
        if self.work.length[0] > 0:
            self.found = value
        elif before:
            self.work.line[0, : len(before)] = before
            self.work.length[0] = len(before)
            return self.found if self.work.is_stopped else value
        return value

    def _width(self) -> int:
        """How far the value may lie from that of the depth before: a part of the unit, or as
        far as it has changed before.
        """
        if self.work.unit > 1:
            return max(int(self.work.unit) // 5, 1)
        return 1 + max(abs(after - value) for value, after in pairwise(self.values))


def aspiration(ask: Ask, guess: int, width: int, work: np.record) -> int:
    """The value, by windows around `guess` that grow until it lies inside."""
    most = WIDEST * width
    alpha, beta = max(guess - width, -INFINITY), min(guess + width, INFINITY)
    if abs(guess) > MAX_EVALUATION:
        alpha, beta = -INFINITY, INFINITY
    while True:
        value = ask(alpha, beta)
        if work.is_stopped or alpha < value < beta:
            return value
        width *= WIDENING
        if value <= alpha:
            beta = (alpha + beta) // 2 + 1
            alpha = max(value - width, -INFINITY) if width < most else -INFINITY
        else:
            beta = min(value + width, INFINITY) if width < most else INFINITY


def mtdf(ask: Ask, guess: int, work: np.record) -> int:
    """The value, by asking whether it is at least the last answer."""
    low, high, value = -INFINITY, INFINITY, guess
    while low < high:
        beta = value + 1 if value == low else value
        value = ask(beta - 1, beta)
        if work.is_stopped:
            return value
        low, high = (low, value) if value < beta else (value, high)
    return value
