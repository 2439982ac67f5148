"""Which moves of the root are equally good, proven.

A search that cuts knows of most moves only that they are not better than the best: what
a cut child answers is a bound, and may look like a tie.  Here every move of the root is
searched with a window that holds the best value so far, so that a move that answers with
that value has it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from plies.core import verbs
from plies.core.scores import INFINITY
from plies.search.decision import Decision
from plies.search.runner import Stopwatch, make_decision, run_all
from plies.search.task import Task
from plies.search.workspace import ROOT, enter, report_no_moves, save_line

Choice = Literal["first", "random"]


@dataclass
class TiedMoves:
    """The best moves of a state, each with its line.

    `value_of(child, depth, alpha, beta)` searches a child of the root, one ply below it; what it
    answers is exact inside the window, and its line and counts are in `work`.

    `moves` are those looked at, by default all.  With `slack` 0 only a better move is proven:
    the first of `lines` is the best one, the others are not known to be as good.
    """

    state: Any
    value_of: Callable[[Any, int, int, int], Any]
    work: np.record
    lines: list[tuple[int, ...]] = field(default_factory=list)
    moves: list[int] | None = None
    slack: int = 1

    def search(self, depth: int) -> int:
        """The value of the state, `depth` plies deep; the first move of before is tried first.

        Once stopped, the value is that of the moves that were finished; `lines` are still
        those of the depth searched before, if there was one.
        """
        if not enter(self.work):
            self.value_of(self.state, 0, -INFINITY, INFINITY)  # refused, but compiled by then
            return 0
        return self.explore(depth)

    def explore(self, depth: int) -> int:
        """The same for a root that has been entered."""
        work, best = self.work, -INFINITY
        work.length[ROOT] = ROOT
        lines: list[tuple[int, ...]] = []
        player = verbs.mover(self.state)
        for move in self._moves():
            child = verbs.play(self.state, move)
            low = max(best - self.slack, -INFINITY)
            if verbs.mover(child) == player:
                value = int(self.value_of(child, depth - 1, low, INFINITY))
            else:
                value = -int(self.value_of(child, depth - 1, -INFINITY, -low))
            if work.is_stopped:
                work.path[ROOT] = move
                break
            if value > best:
                best = value
                lines.clear()
                save_line(work, ROOT, move)
            if value == best:
                rest = work.line[ROOT + 1, ROOT + 1 : work.length[ROOT + 1]]
                lines.append((move, *map(int, rest)))
        if not (work.is_stopped and self.lines):
            self.lines = lines
        return best

    def _moves(self) -> list[int]:
        if self.moves is not None:
            return self.moves
        moves = [int(move) for move in verbs.legal_moves(self.state)]
        if not moves:
            report_no_moves(self.work, ROOT)
        if self.lines:
            moves.remove(self.lines[0][0])
            moves.insert(0, self.lines[0][0])
        return moves

    def chosen(self, decision: Decision, task: Task) -> Decision:
        """The decision for any one of the best moves, all equally likely."""
        if all(line[0] != decision.move for line in self.lines):
            return decision
        line = task.rng.choice(self.lines)
        return replace(decision, move=line[0], line=line)


def choose_among_ties(
    task: Task, depth: int, value_of: Callable[[Any, int, int, int], Any], work: np.record
) -> Decision:
    """Any one of the moves that a search of that depth proves to be best."""
    watch = Stopwatch()
    equal = TiedMoves(task.state, value_of, work)
    (value,) = run_all([lambda: equal.search(depth)], [work], task.stop)
    return equal.chosen(make_decision(task.state, value, depth, [work], watch), task)
