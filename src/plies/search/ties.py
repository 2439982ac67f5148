"""The root of a search: the best move, or all moves that are equally good, proven.

A search that cuts knows of most moves only that they are not better than the best: the answer
of a cut child is a bound, and may look like a tie.  To choose among ties every move of the
root is searched with a window that holds the best value so far, so that a move which answers
that value has it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from plies.compiling.compiler import is_interpreting
from plies.core import verbs
from plies.core.author_lines import first_place, float_place
from plies.core.scores import INFINITY
from plies.errors import AgentFault, BadSpec
from plies.search.decision import Decision
from plies.search.limits import checked_budget
from plies.search.runner import decide_at_depth
from plies.search.workspace import ROOT, enter, new_workspace, report_no_moves, save_line

if TYPE_CHECKING:
    from plies.search.task import Task

Choice = Literal["first", "random"]
SearchChild = Callable[[Any, int, int, int], Any]  # (child, depth, alpha, beta) -> value


@dataclass
class TiedMoves:
    """The best moves of a state, each with its line.

    `search_child` searches a child of the root; its value is exact inside the window, and its
    line and counts are in `work`.  With `choice` first only a better move is proven: the first
    of `lines` is the best one, the others are not known to be as good.
    """

    state: Any
    search_child: SearchChild
    work: np.record
    choice: Choice = "random"
    lines: list[tuple[int, ...]] = field(default_factory=list)

    def search(self, depth: int) -> int:
        """The value of the state, `depth` plies deep; the last best move is searched first.

        Once stopped, the value is that of the moves that were finished; `lines` are still
        those of the last finished depth, if there was one.
        """
        work, best = self.work, -INFINITY
        slack = 1 if self.choice == "random" else 0
        if not enter(work, ROOT):
            self._compile()
            return 0
        lines: list[tuple[int, ...]] = []
        player = verbs.mover(self.state)
        for move in self.moves(depth):
            child = verbs.play(self.state, move)
            low = max(best - slack, -INFINITY)
            if verbs.mover(child) == player:
                value = int(self.search_child(child, depth - 1, low, INFINITY))
            else:
                value = -int(self.search_child(child, depth - 1, -INFINITY, -low))
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

    def _compile(self) -> None:
        """Call whatever a search calls; stopped as it is, all of it answers at once."""
        if moves := self.moves(0):
            child = verbs.play(self.state, moves[0])
            verbs.mover(child)
            self.search_child(child, 0, -INFINITY, INFINITY)
            save_line(self.work, ROOT + 1, moves[0])

    def moves(self, depth: int) -> list[int]:
        """The moves to search, in order."""
        moves = [int(move) for move in verbs.legal_moves(self.state)]
        if not moves:
            report_no_moves(self.work, ROOT)
        if self.lines:
            moves.remove(self.lines[0][0])
            moves.insert(0, self.lines[0][0])
        return moves

    def choose(self, decision: Decision, task: "Task") -> Decision:
        """The decision for the first of the best moves, or for any one, all equally likely."""
        if self.choice == "first" or all(line[0] != decision.move for line in self.lines):
            return decision
        line = task.rng.choice(self.lines)
        return replace(decision, move=line[0], line=line)

    def decide(self, task: "Task", depth: int) -> Decision:
        """The decision of a search to this depth."""
        return self.choose(decide_at_depth(task, self.search, depth, self.work), task)


def kernel_root(task: "Task", kernel: Callable[..., Any], nodes: int) -> TiedMoves:
    """The root of a user's search, which calls the kernel for every child."""
    if not (is_interpreting() or hasattr(kernel, "py_func")):
        raise BadSpec(f"write @compiled above def {getattr(kernel, '__name__', kernel)}")
    work = new_workspace(checked_budget(nodes))

    def search_child(child: Any, depth: int, alpha: int, beta: int) -> Any:
        work.length[ROOT + 1] = ROOT + 1  # a kernel that saves no lines still answers a move
        value = kernel(child, depth, alpha, beta, ROOT + 1, task.evaluator, work)
        if not hasattr(value, "__index__"):
            raise AgentFault("crash", _answer_text(kernel, value))
        return value

    return TiedMoves(task.state, search_child, work, "first")


def _answer_text(kernel: Any, value: Any) -> str:
    """`mine.py, line 12: kernel answers 0.5, not a whole number`."""
    function = getattr(kernel, "py_func", kernel)
    where, is_division = first_place(function), False
    if isinstance(value, float):
        where, is_division = float_place(function)
    hint = "; / makes a float, use // or int(...)" if is_division else ""
    return f"{where}: {function.__name__} answers {value!r}, not a whole number{hint}"
