"""Branch-limited search: soft alpha-beta that explores only the best few moves of a position.

Three numbers: the depth L, the look-ahead l and the width BF.  At a node with L plies to go
every child is ranked, the best first for the mover, and only the BF best are searched L - 1
plies deep, with the window of alpha-beta passed down and a cut on equality.  A child's rank
is its static value or, where the look-ahead says so, the value of this same search, some
plies deep, with the same width and the same window, whose own children are ranked statically.
How many plies the ranking looks ahead is the rule's:

plain    min(l, L - 1): as deep as was asked for, never deeper than the search itself
report   max(0, l - (L - 1)): the rule of the published program, which looks ahead only near
         the horizon, and beyond it

What is left out is not known to be bad, so the value is that of a game without those moves,
unless the width covers every move: then it is alpha-beta's.  Ranks that lie outside the
window are bounds, so that with a look-ahead the moves that are kept may depend on the window:
`prune=none` searches with open windows, ranks by exact values and costs more.

A table, which lives for one move, remembers positions by depth and kind.  Several threads
rank the root's moves side by side; what they find does not depend on how many there are.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import key, mover, outcome, play
from plies.errors import BadSpec
from plies.search.alphabeta import Prune
from plies.search.decision import Decision
from plies.search.leaf import evaluate_leaf
from plies.search.limits import (
    checked_budget,
    checked_depth,
    checked_table,
    checked_threads,
    checked_whole,
    share_of,
)
from plies.search.ordering import OPEN, checked_look, sort_by_value, sortable_moves
from plies.search.runner import Stopwatch, make_decision, run_all
from plies.search.search import Search
from plies.search.table import (
    NO_EVAL,
    NO_MOVE,
    Entry,
    bound_of,
    from_table_value,
    is_cutoff,
    probe,
    store,
    table_in,
    to_table_value,
)
from plies.search.task import Task
from plies.search.ties import Choice, TiedMoves
from plies.search.workspace import MAX_DEPTH, ROOT, enter, new_workspace, report_no_moves, save_line

Rule = Literal["plain", "report"]
MOST_MOVES = 10**6
KIND_PLACE = 55  # the bit of a key where the depth and the kind of search are mixed in
COUNTERS = ("nodes", "leaves", "evaluations", "cutoffs", "hits")
STATIC = np.int64(0)  # the look-ahead inside a ranking; typed, as a plain 0 would compile anew


@compiled
def look_ahead(look, depth, is_report):
    """How many plies a ranking looks beyond each child of a node with `depth` plies to go."""
    return max(0, look - (depth - 1)) if is_report else min(look, depth - 1)


@compiled
def look_up(work, position, depth, ply, alpha, beta):
    """Whether the table answers a search of this depth and window, and the value, if so."""
    entry = probe(work, position)
    known = from_table_value(entry.value, ply)
    if entry.bound != 0 and entry.depth == depth and is_cutoff(entry, known, alpha, beta):
        work.hits += 1
        return True, known
    return False, known


@compiled
def branch(state, depth, alpha, beta, ply, kind, evaluator, work):  # noqa: C901
    """The value of `state` for its mover where only the best-ranked moves exist.

    `kind` is (look, width, is_report, is_pruning).  Without pruning windows stay open.
    """
    if not enter(work):
        return 0
    work.length[ply] = ply
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    look, width, is_report, is_pruning = kind
    position = key(state) ^ (2 * depth + (look > 0)) << KIND_PLACE
    is_known, known = look_up(work, position, depth, ply, alpha, beta)
    if is_known:
        return known
    player = mover(state)
    moves = sortable_moves(state, ply, work)
    values = np.zeros(len(moves), np.int64)
    plies = look_ahead(look, depth, is_report)
    static = (STATIC, width, is_report, is_pruning)
    for index in range(len(moves)):
        child = play(state, moves[index])
        if mover(child) == player:
            value = branch(child, plies, alpha, beta, ply + 1, static, evaluator, work)
        else:
            value = -branch(child, plies, -beta, -alpha, ply + 1, static, evaluator, work)
        if work.is_stopped:
            work.path[ply] = moves[index]
            return 0
        values[index] = value
    sort_by_value(moves, values)
    best, best_move, low = -INFINITY, NO_MOVE, alpha
    for move in moves[:width]:
        child = play(state, move)
        if mover(child) == player:
            value = branch(child, depth - 1, low, beta, ply + 1, kind, evaluator, work)
        else:
            value = -branch(child, depth - 1, -beta, -low, ply + 1, kind, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            return best
        if value > best:
            best, best_move = value, move
            save_line(work, ply, move)
            if is_pruning:
                low = max(low, value)
                if low >= beta:
                    work.cutoffs += 1
                    break
    bound = bound_of(best, alpha, beta)
    store(work, position, Entry(bound, depth, to_table_value(best, ply), best_move, NO_EVAL))
    return best


@compiled
def rank(state, moves, plies, ply, kind, evaluator, work, values):
    """Write into `values` what each of these moves of the root, whose children are at `ply`,
    is worth to the mover by a search of its child `plies` deep.

    Answers how many were finished before the search was stopped.
    """
    player = mover(state)
    for index in range(len(moves)):
        child = play(state, moves[index])
        value = branch(child, plies, -OPEN, OPEN, ply, kind, evaluator, work)
        if work.is_stopped:
            work.path[ply - 1] = moves[index]
            return index
        values[index] = value if mover(child) == player else -value
    return len(moves)


@dataclass
class Root:
    """The root: its moves are ranked, by several threads if wanted, and the best explored.

    `work` is the workspace of the search; `rankers` are those of the threads, or `work` alone.
    """

    state: Any
    method: "Branch"
    evaluator: Any
    work: np.record
    rankers: list[np.record]
    ranked: list[tuple[int, int]] = field(default_factory=list)  # (move, rank), the best first
    lines: list[tuple[int, ...]] = field(default_factory=list)  # those of the best moves

    def search(self) -> int:
        """The value of the root; once stopped, that of the moves that were finished."""
        method = self.method
        if not enter(self.work):
            self._rank(self.work, self._moves()[:1], 0)  # refused, but compiled by then
            return 0
        moves = self._moves()
        if not moves:
            report_no_moves(self.work, ROOT)
            return 0
        plies = look_ahead(method.look, method.depth, int(method.rule == "report"))
        self._rank_all(moves, int(plies))
        best = [move for move, _ in self.ranked[: method.width]]
        slack = int(method.choice == "random")
        explored = TiedMoves(self.state, self._value_of, self.work, moves=best, slack=slack)
        value = 0 if self.work.is_stopped else explored.explore(method.depth)
        self.lines = explored.lines
        return value

    def _moves(self) -> list[int]:
        return [int(move) for move in verbs.legal_moves(self.state)]

    def _value_of(self, child: Any, depth: int, alpha: int, beta: int) -> Any:
        window = (-INFINITY, INFINITY) if self.method.prune == "none" else (alpha, beta)
        how = (ROOT + 1, self.method.kind, self.evaluator, self.work)
        return branch(child, depth, *window, *how)

    def _rank_all(self, moves: list[int], plies: int) -> None:
        threads = len(self.rankers)
        shares = [moves[first::threads] for first in range(threads)]
        if threads == 1:
            values = self._rank(self.work, moves, plies)
        else:
            with ThreadPoolExecutor(threads) as pool:
                call = partial(self._rank, plies=plies)
                values = {
                    move: value
                    for share in pool.map(call, self.rankers, shares)
                    for move, value in share.items()
                }
            self._add_up()
        inorder = [(move, values[move]) for move in moves if move in values]
        self.ranked = sorted(inorder, key=lambda pair: -pair[1])

    def _rank(self, work: np.record, moves: list[int], plies: int) -> dict[int, int]:
        """What one thread does."""
        values = np.zeros(len(moves), np.int64)
        kind = (int(STATIC), *self.method.kind[1:])
        how = (plies, ROOT + 1, kind, self.evaluator, work)
        count = int(rank(self.state, np.array(moves, np.int64), *how, values))
        return dict(zip(moves[:count], values[:count].tolist(), strict=True))

    def _add_up(self) -> None:
        """What the threads have counted goes to the search, whose budget covers all of it."""
        for ranker in self.rankers:
            for name in COUNTERS:
                self.work[name] += ranker[name]
                ranker[name] = 0
            self.work.is_stopped |= ranker.is_stopped


@dataclass(frozen=True)
class Branch(Search):
    """Alpha-beta that explores only the `width` moves that looked best `look` plies ahead."""

    depth: int = 4
    look: int = 1
    width: int = 5
    eval: str = ""
    rule: Rule = "plain"
    prune: Prune = "alphabeta"
    table: int = 0
    threads: int = 1
    nodes: int = 0
    choice: Choice = "first"

    def __post_init__(self) -> None:
        checked_depth(self.depth)
        checked_look(self.look)
        if self.rule == "report" and self.depth + self.look > MAX_DEPTH:
            raise BadSpec(f"depth and look together are at most {MAX_DEPTH} with rule=report")
        checked_whole("width", self.width, 1, MOST_MOVES)
        checked_table(self.table)
        checked_threads(self.threads)
        checked_budget(self.nodes)

    @property
    def kind(self) -> tuple[int, int, int, int]:
        """What the kernel takes: look, width, is_report, is_pruning."""
        return self.look, self.width, int(self.rule == "report"), int(self.prune != "none")

    def decide(self, task: Task) -> Decision:
        budget = checked_budget(self.nodes)
        work = new_workspace(budget)
        rankers = [work]
        if self.threads > 1:
            shares = (share_of(budget - 1, index, self.threads) for index in range(self.threads))
            rankers = [new_workspace(share) for share in shares]
        works = [work, *(ranker for ranker in rankers if ranker is not work)]
        table = table_in(task.memory, self.table)
        table.forget_game()  # with pruning, what an earlier move left behind could change ranks
        for each in works:
            table.connect(each)
        root = Root(task.state, self, task.evaluator, work, rankers)
        watch = Stopwatch()
        (value,) = run_all([root.search], works, task.stop)
        return self._decision(
            task, root, make_decision(task.state, value, self.depth, works, watch)
        )

    def _decision(self, task: Task, root: Root, found: Decision) -> Decision:
        """With one of the best lines, or what was ranked best if none was explored."""
        if root.lines:
            line = task.rng.choice(root.lines) if self.choice == "random" else root.lines[0]
            return replace(found, move=line[0], line=line)
        if root.ranked:
            move, value = root.ranked[0]
            return replace(found, move=move, value=value, line=(move,))
        return found
