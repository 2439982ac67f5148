"""The contest agent: iterative deepening with a beam, within a share of the clock.

A whole game has one credit of time.  How much of what is left a move may take, and how deep
it may look, depends on the phase of the game, which the game's file tells (`phase`).
Successors that were met already while those of a position are generated are dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, TypeVar

from plies.core.scores import INFINITY
from plies.core.verbs import phase
from plies.errors import BadSpec
from plies.search.beam import EQUAL, IMAGES, beam, checked_kept
from plies.search.clock import fixed_share
from plies.search.decision import Decision
from plies.search.deepening import DEFAULT_SECONDS, Limits, deepen
from plies.search.limits import checked_budget, checked_depth, checked_seconds, checked_share
from plies.search.search import Search
from plies.search.table import NO_MOVE
from plies.search.task import Task
from plies.search.workspace import MAX_DEPTH, ROOT, best_line, new_workspace

LOOK = 0  # the evaluator alone ranks the moves
T = TypeVar("T")


@dataclass(frozen=True)
class Contest(Search):
    """Deepening with a beam, within a share of the time that is left for the game.

    `depth` and `credit`, the greatest depth and the share of the clock, have a number for
    every phase of the game, joined by `-`; the last one holds for all phases that follow.
    The answer is the best move of the last depth that was finished.  Without a clock, `seconds`
    or `nodes` a move takes a second at most.
    """

    depth: tuple[int, ...] = (12, 10)
    credit: tuple[float, ...] = (0.01, 0.025)
    eval: str = ""
    share: float = 0.5
    above: int = 6
    symmetry: bool = False
    seconds: float = 0.0
    nodes: int = 0

    def __post_init__(self) -> None:
        if not self.depth or not self.credit:
            raise BadSpec("depth and credit have at least one number each")
        for depth in self.depth:
            checked_depth(depth, least=0)
        for credit in self.credit:
            checked_share("credit", credit)
        checked_kept(self.share, self.above)
        checked_seconds(self.seconds)
        checked_budget(self.nodes)

    def decide(self, task: Task) -> Decision:
        work = new_workspace(checked_budget(self.nodes))
        duplicates = IMAGES if self.symmetry else EQUAL

        def search_depth(depth: int) -> Any:
            first = best_line(work)[0] if best_line(work) else NO_MOVE
            limits = (LOOK, self.above, float(self.share), duplicates, first)
            window = (-INFINITY, INFINITY)
            return beam(task.state, depth, *window, ROOT, limits, task.evaluator, work)

        found = deepen(task, search_depth, [work], self.limits(task))
        if not found.history:
            return found
        last = found.history[-1]  # `deepen` prefers a better move of a depth it did not finish
        return replace(found, move=last.move, value=last.value, line=last.line)

    def limits(self, task: Task) -> Limits:
        """When to stop: one time for beginning nothing new and for being done."""
        now = phase(task.state)
        seconds = [self.seconds] if self.seconds else []
        if task.clock is not None:
            seconds.append(fixed_share(task.clock, of_phase(self.credit, now)))
        elif not self.nodes:
            seconds = seconds or [DEFAULT_SECONDS]
        most = min(seconds, default=inf)
        return Limits(of_phase(self.depth, now) or MAX_DEPTH, most, most)


def of_phase(numbers: Sequence[T], number: int) -> T:
    """The number for a phase; the last one holds for all that follow."""
    return numbers[min(number, len(numbers) - 1)]
