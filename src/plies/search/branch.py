"""Branch-limited minimax: of the moves of every position only the few best are explored.

Three numbers: the depth L, the look-ahead l and the width BF.  The children of a position
are ranked by a search of the same kind that is min(l, L - 1) plies deep, the BF best of
them are explored L - 1 plies deep, and the best of those is the value.  With l = 0 the
ranking is the evaluator's opinion.

What is left out is not known to be bad, so the value is not that of minimax, unless the
width covers every move.

The children of the root are ranked and explored by several threads that share the table.
A value depends on the position and the depth alone, so the answer is that of one thread.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from plies.core import verbs
from plies.core.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import key, mover, outcome, play
from plies.search.decision import Decision
from plies.search.equal import Choice
from plies.search.leaf import counted_leaf
from plies.search.limits import (
    checked_budget,
    checked_depth,
    checked_table,
    checked_threads,
    checked_whole,
    share_of,
)
from plies.search.ordering import checked_look, sort_by_value, sortable_moves
from plies.search.runner import Stopwatch, compile_first, decided, run_all
from plies.search.table import (
    EXACT,
    NO_MOVE,
    NO_OPINION,
    Entry,
    find,
    from_here,
    from_root,
    keep,
    table_in,
)
from plies.search.task import Task
from plies.search.workspace import ROOT, enter, get_stuck, new_workspace, remember

MOST_MOVES = 10**6
DEPTH_PLACE = 56  # the bit of a key where the depth is mixed in


@compiled
def branch(state, depth, ply, limits, evaluator, work):
    """The value of `state` for its mover; `limits` is (look, width).

    Where the ranking would be as deep as the exploration nothing is ranked: the best of all
    is among the best few.
    """
    if not enter(work):
        return 0
    work.length[ply] = ply
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return counted_leaf(state, result, ply, evaluator, work)
    position = key(state) ^ depth << DEPTH_PLACE
    entry = find(work, position)
    if entry.bound != 0 and entry.depth == depth:
        work.hits += 1
        return from_root(entry.value, ply)
    player = mover(state)
    moves = sortable_moves(state, ply, work)
    look, width = limits
    if look < depth - 1:
        values = np.zeros(len(moves), np.int64)
        for index in range(len(moves)):
            child = play(state, moves[index])
            value = branch(child, look, ply + 1, limits, evaluator, work)
            if work.is_stopped:
                work.path[ply] = moves[index]
                return 0
            values[index] = value if mover(child) == player else -value
        sort_by_value(moves, values)
        moves = moves[:width]
    best, best_move = -INFINITY, NO_MOVE
    for move in moves:
        child = play(state, move)
        value = branch(child, depth - 1, ply + 1, limits, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        if mover(child) != player:
            value = -value
        if value > best:
            best, best_move = value, move
            remember(work, ply, move)
    if not work.is_stopped:
        known = from_here(best, ply)
        keep(work, position, Entry(EXACT, depth, known, best_move, NO_OPINION))
    return best


@compiled
def branch_all(state, moves, depth, ply, limits, evaluator, work, values, lines):
    """Search the children of these moves of `state`, which are at `ply`, one after the other.

    `values` gets what each move is worth to the mover, `lines` the line it begins, with
    NO_MOVE behind its end.  Answers how many were finished before the search was stopped.
    """
    player = mover(state)
    for index in range(len(moves)):
        child = play(state, moves[index])
        value = branch(child, depth, ply, limits, evaluator, work)
        if work.is_stopped:
            work.path[ply - 1] = moves[index]
            return index
        values[index] = value if mover(child) == player else -value
        lines[index, 0] = moves[index]
        for later in range(ply, work.length[ply]):
            lines[index, later - ply + 1] = work.line[ply, later]
    return len(moves)


class Candidate(NamedTuple):
    """A move of the root, what it is worth to the mover, and the line it begins."""

    value: int
    line: tuple[int, ...]


@dataclass
class Root:
    """The root's moves, whose children are searched side by side, one workspace a thread."""

    state: Any
    limits: tuple[int, int]
    evaluator: Any
    works: list[np.record]
    best: list[Candidate] = field(default_factory=list)  # best first

    def begin(self) -> None:
        """Only the first child, no deeper than itself: all that `search` needs is compiled."""
        self._share(self.works[0], self._moves()[:1], 0)

    def search(self, depth: int) -> None:
        """Find the best candidates.

        Once stopped, those that were explored, or only ranked if the first of them was not.
        """
        if not enter(self.works[0]):
            return
        moves = self._moves()
        if not moves:
            get_stuck(self.works[0], ROOT)
        look, width = self.limits
        if look < depth - 1:
            self.best = self._candidates(moves, look)
            moves = [candidate.line[0] for candidate in self.best[:width]]
        if not any(work.is_stopped for work in self.works):
            explored = self._candidates(moves, depth - 1)
            if any(candidate.line[0] == moves[0] for candidate in explored):
                self.best = explored

    def _moves(self) -> list[int]:
        return [int(move) for move in verbs.legal_moves(self.state)]

    def _candidates(self, moves: list[int], depth: int) -> list[Candidate]:
        """The children of these moves, `depth` plies deep, the best first."""
        threads = len(self.works)
        shares = [moves[first::threads] for first in range(threads)]
        if threads == 1:
            found = [self._share(self.works[0], moves, depth)]
        else:
            with ThreadPoolExecutor(threads) as pool:
                found = list(pool.map(partial(self._share, depth=depth), self.works, shares))
        by_move = {candidate.line[0]: candidate for share in found for candidate in share}
        inorder = [by_move[move] for move in moves if move in by_move]
        return sorted(inorder, key=lambda candidate: -candidate.value)

    def _share(self, work: np.record, moves: list[int], depth: int) -> list[Candidate]:
        """What one thread does."""
        values = np.zeros(len(moves), np.int64)
        lines = np.full((len(moves), depth + 2), NO_MOVE, np.int64)
        how = (depth, ROOT + 1, self.limits, self.evaluator, work)
        count = int(branch_all(self.state, np.array(moves, np.int64), *how, values, lines))
        found = zip(values[:count].tolist(), lines[:count].tolist(), strict=True)
        return [
            Candidate(value, tuple(move for move in line if move != NO_MOVE))
            for value, line in found
        ]


@dataclass(frozen=True)
class Branch:
    """Minimax that explores only the `width` moves that looked best `look` plies ahead."""

    depth: int = 4
    look: int = 1
    width: int = 5
    eval: str = ""
    table: int = 16
    threads: int = 1
    nodes: int = 0
    choice: Choice = "first"

    for_any_game: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_depth(self.depth)
        checked_look(self.look)
        checked_whole("width", self.width, 1, MOST_MOVES)
        checked_table(self.table)
        checked_threads(self.threads)
        checked_budget(self.nodes)

    def decide(self, task: Task) -> Decision:
        budget = checked_budget(self.nodes)
        shares = [share_of(budget, index, self.threads) for index in range(self.threads)]
        works = [new_workspace(share) for share in shares]
        table = table_in(task.memory, self.table)
        for work in works:
            table.connect(work)
        root = Root(task.state, (self.look, self.width), task.evaluator, works)
        compile_first(root.begin, works[0], task.stop)
        watch = Stopwatch()
        run_all([lambda: root.search(self.depth)], works, task.stop)
        return self._decision(task, root, watch)

    def _decision(self, task: Task, root: Root, watch: Stopwatch) -> Decision:
        is_complete = not any(work.is_stopped for work in root.works)
        found = decided(task.state, 0, self.depth, root.works, watch)
        if not root.best:
            return replace(found, is_complete=is_complete)
        value = root.best[0].value
        equal = [each.line for each in root.best if each.value == value]
        line = task.rng.choice(equal) if self.choice == "random" else equal[0]
        return replace(found, move=line[0], value=value, line=line, is_complete=is_complete)
