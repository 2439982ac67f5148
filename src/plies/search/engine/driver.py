"""How the engine searches the root to one depth: windows around the expected value.

`aspiration` begins with a window around the value of the depth before, and widens it on the
side where the value fell out (Marsland 1986).  `mtdf` is MTD(f) (Plaat, Schaeffer, Pijls and
de Bruin 1996): only zero windows, which close in on the value; the table remembers the rest.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from plies.core.scores import INFINITY, MAX_EVALUATION
from plies.search.table import NO_MOVE
from plies.search.workspace import MAX_DEPTH, best_line

FIRST_ASPIRATION = 4  # the first depth for which the value before is a good guess
WIDENING = 3  # factor of the next window
WIDEST = 30  # times the first width; beyond it the window is open

WindowSearch = Callable[[int, int], int]  # (alpha, beta) -> the value, or a bound


@dataclass
class Driver:
    """Searches one depth after the other in `work`.

    `root_search(depth, alpha, beta)` is the search.  `buffers` is memory that it reads and
    writes by address, which must outlive it.
    """

    root_search: Callable[[int, int, int], Any]
    work: np.record
    is_mtdf: bool
    buffers: Any = None
    values: list[int] = field(default_factory=list)  # of the depths before
    line_value: int = 0  # what the line in `work` is worth, or a lower bound

    def deepen(self) -> None:
        """Search deeper and deeper until stopped, as a further thread does."""
        for depth in range(1, MAX_DEPTH + 1):
            self.search(depth)
            if self.work.is_stopped:
                return

    def search(self, depth: int) -> int:
        """The value for the mover; the line is in `work`."""
        self.work.root_depth = depth
        search = partial(self._search_window, depth)
        guess = self.values[-1] if self.values else 0
        if self.is_mtdf:
            value = mtdf(search, guess, self.work)
        else:
            width = self._width() if depth >= FIRST_ASPIRATION else INFINITY
            value = aspiration(search, guess, width, self.work)
        if not self.work.is_stopped:
            self.values.append(value)
        return value

    def _search_window(self, depth: int, alpha: int, beta: int) -> int:
        """Search the root; an answer without a line leaves the line that was best before.

        A search that was stopped before it had a line answers what the line before is worth.
        """
        before = best_line(self.work)
        self.work.first_move = before[0] if before else NO_MOVE
        self.work.length[0] = 0
        value = int(self.root_search(depth, alpha, beta))
        if self.work.length[0] > 0:
            self.line_value = value
        elif before:
            self.work.line[0, : len(before)] = before
            self.work.length[0] = len(before)
            return self.line_value if self.work.is_stopped else value
        return value

    def _width(self) -> int:
        """How far the value may lie from that of the depth before: a part of the unit, or as
        far as it has changed before.
        """
        if self.work.unit > 1:
            return max(int(self.work.unit) // 5, 1)
        return 1 + max(abs(after - value) for value, after in pairwise(self.values))


def aspiration(search: WindowSearch, guess: int, width: int, work: np.record) -> int:
    """The value, by windows around `guess` that grow until it lies inside."""
    most = WIDEST * width
    alpha, beta = max(guess - width, -INFINITY), min(guess + width, INFINITY)
    # A win or loss moves with every ply: no window around it would hold.
    if abs(guess) > MAX_EVALUATION:
        alpha, beta = -INFINITY, INFINITY
    while True:
        value = search(alpha, beta)
        if work.is_stopped or alpha < value < beta:
            return value
        width *= WIDENING
        # Fail low: lower alpha, and beta towards it, as the value is not far above.
        if value <= alpha:
            beta = (alpha + beta) // 2 + 1
            alpha = max(value - width, -INFINITY) if width < most else -INFINITY
        else:
            beta = min(value + width, INFINITY) if width < most else INFINITY


def mtdf(search: WindowSearch, guess: int, work: np.record) -> int:
    """The value, by asking again and again whether it is at least the last answer."""
    low, high, value = -INFINITY, INFINITY, guess
    while low < high:
        # A zero window (beta - 1, beta) just at the last answer.
        beta = value + 1 if value == low else value
        value = search(beta - 1, beta)
        if work.is_stopped:
            return value
        low, high = (low, value) if value < beta else (value, high)
    return value
