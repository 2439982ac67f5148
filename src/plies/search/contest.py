"""The contest agent: iterative deepening of a beam search, within a share of the clock.

A whole game has one credit of time.  How much of the rest a move may take, and how deep it may
search, depends on the phase of the game (the rule `phase`).  Of the children of a position
duplicates are dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, TypeVar

from plies.core.scores import INFINITY
from plies.core.verbs import phase
from plies.errors import BadSpec
from plies.search.beam import EQUAL, IMAGES, BeamRules, beam, check_beam
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
    """Beam search with iterative deepening, within a share of the time left for the game.

    `depth` (greatest depth) and `credit` (share of the clock) have a number for every phase of
    the game, joined by `-`; the last one holds for all later phases.  The answer is the best
    move of the last finished depth.  Without a clock, `seconds` or `nodes` a move takes at
    most one second.
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
        check_beam(self.share, self.above)
        checked_seconds(self.seconds)
        checked_budget(self.nodes)

    def decide(self, task: Task) -> Decision:
        work = new_workspace(checked_budget(self.nodes))
        duplicates = IMAGES if self.symmetry else EQUAL

        def search_depth(depth: int) -> Any:
            (first_move,) = best_line(work)[:1] or (NO_MOVE,)
            rules = BeamRules(LOOK, self.above, float(self.share), duplicates, first_move)
            window = (-INFINITY, INFINITY)
            return beam(task.state, depth, *window, ROOT, rules, task.evaluator, work)

        decision = deepen(task, search_depth, [work], self.limits(task))
        if not decision.history:
            return decision
        last = decision.history[-1]  # `deepen` prefers a better move of an unfinished depth
        return replace(decision, move=last.move, value=last.value, line=last.line)

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
