"""Branch-limited search: soft alpha-beta that searches only the best few moves of a position
(forward pruning, Shannon's type B of 1950).

Three numbers: the depth L, the look-ahead l and the width BF.  At a node with L plies to go
every child is ranked, the best first for the mover, and only the BF best are searched L - 1
plies deep, with the window of alpha-beta passed down and a cut on equality.  A child's rank
is its static evaluation or, where the look-ahead says so, the value of this same search, some
plies deep, with the same width and the same window, whose own children are ranked statically.
How many plies the ranking looks ahead is the rule's:

plain    min(l, L - 1): as deep as the option says, never deeper than the search itself
report   max(0, l - (L - 1)): the rule of the published program, which looks ahead only near
         the horizon, and beyond it

A pruned move is not known to be bad, so the value is that of a game without those moves,
unless the width covers every move: then it is alpha-beta's.  Ranks that lie outside the
window are bounds, so that with a look-ahead the surviving moves may depend on the window:
`prune=none` searches with open windows, ranks by exact values and costs more.

A table, which lives for one move, remembers positions by depth and type of search.  Several
threads rank the root's moves side by side; the result does not depend on their number.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import key, mover, outcome, play
from plies.errors import BadSpec
from plies.search.alphabeta import Prune
from plies.search.decision import Decision
from plies.search.leaf import evaluate_leaf
from plies.search.limits import check_limits, checked_budget, checked_whole, share_of
from plies.search.ordering import checked_look, sort_by_value
from plies.search.runner import decide_at_depth
from plies.search.search import Search
from plies.search.table import NO_EVAL, NO_MOVE, Entry, bound_of, is_cutoff, probe, store, table_in
from plies.search.task import Task
from plies.search.ties import Choice, TiedMoves
from plies.search.workspace import MAX_DEPTH, ROOT, enter, moves_at, new_workspace, save_line

Rule = Literal["plain", "report"]
MOST_MOVES = 10**6
RULES_SHIFT = 55  # the bit of a key where the depth and the type of search are mixed in
COUNTERS = ("nodes", "leaves", "evaluations", "cutoffs", "hits")
# The look-ahead inside a ranking; typed, as a plain 0 would compile the kernel twice.
STATIC: Any = np.int64(0)
RankMoves = Callable[[np.record, list[int]], dict[int, int]]  # (workspace, moves) -> ranks


class BranchRules(NamedTuple):
    """The options of the search; without `is_pruning` windows stay open."""

    look: int
    width: int
    is_report: int
    is_pruning: int


@compiled
def look_ahead(look, depth, is_report):
    """How many plies a ranking looks beyond each child of a node with `depth` plies to go."""
    return max(0, look - (depth - 1)) if is_report else min(look, depth - 1)


@compiled
def branch(state, depth, alpha, beta, ply, rules, evaluator, work):  # noqa: C901
    """The value of `state` for its mover where only the best-ranked moves exist."""
    if not enter(work, ply):
        return 0
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    look, width, is_report, is_pruning = rules
    table_key = key(state) ^ (2 * depth + (look > 0)) << RULES_SHIFT
    entry = probe(work, table_key, ply)
    if entry.depth == depth and is_cutoff(entry, alpha, beta):
        work.hits += 1
        return entry.value

    # Rank every child, by a search whose own children are ranked statically.
    player = mover(state)
    moves = moves_at(state, ply, work).copy()  # the game may need its own array
    values = np.zeros(len(moves), np.int64)
    plies = look_ahead(look, depth, is_report)
    static = BranchRules(STATIC, width, is_report, is_pruning)
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

    # Search the best of them.
    best, best_move, low = -INFINITY, NO_MOVE, alpha
    for move in moves[:width]:
        child = play(state, move)
        if mover(child) == player:
            value = branch(child, depth - 1, low, beta, ply + 1, rules, evaluator, work)
        else:
            value = -branch(child, depth - 1, -beta, -low, ply + 1, rules, evaluator, work)
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
    store(work, table_key, ply, Entry(bound, depth, best, best_move, NO_EVAL))
    return best


@dataclass
class RankedMoves(TiedMoves):
    """The root: all moves are ranked, each of `rankers` ranking a part, and the best searched."""

    rank_moves: RankMoves = field(kw_only=True)
    rankers: list[np.record] = field(kw_only=True)
    width: int = field(kw_only=True)
    ranked: list[tuple[int, int]] = field(default_factory=list)  # (move, rank), the best first

    def moves(self, depth: int) -> list[int]:
        """The best-ranked moves, none once the search is stopped."""
        moves = super().moves(depth)
        threads = len(self.rankers)
        parts = [moves[first::threads] for first in range(threads)]
        ranks: dict[int, int] = {}
        with ThreadPoolExecutor(threads) as pool:
            for part in pool.map(self.rank_moves, self.rankers, parts):
                ranks |= part
        self._add_up()
        in_order = [(move, ranks[move]) for move in moves if move in ranks]
        self.ranked = sorted(in_order, key=lambda pair: -pair[1])
        best = [move for move, _ in self.ranked[: self.width]]
        return [] if self.work.is_stopped else best

    def _add_up(self) -> None:
        """Add the counts of the rankers to those of the search, whose budget covers them all."""
        for ranker in self.rankers:
            for name in COUNTERS:
                self.work[name] += ranker[name]
                ranker[name] = 0
            self.work.is_stopped |= ranker.is_stopped


@dataclass(frozen=True)
class Branch(Search):
    """Alpha-beta that searches only the `width` moves that rank best by a search `look` plies
    deep.
    """

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
        check_limits(self)
        checked_look(self.look)
        if self.rule == "report" and self.depth + self.look > MAX_DEPTH:
            raise BadSpec(f"depth and look together are at most {MAX_DEPTH} with rule=report")
        checked_whole("width", self.width, 1, MOST_MOVES)

    @property
    def rules(self) -> BranchRules:
        """The options as the kernel takes them."""
        is_report, is_pruning = int(self.rule == "report"), int(self.prune != "none")
        return BranchRules(self.look, self.width, is_report, is_pruning)

    def decide(self, task: Task) -> Decision:
        root = self._root(task)
        workspaces = [root.work, *root.rankers]
        table = table_in(task.memory, self.table)
        table.forget_game()  # with pruning, entries of an earlier search could change ranks
        for work in workspaces:
            table.connect(work)
        decision = decide_at_depth(task, root.search, self.depth, *workspaces)
        if root.lines:
            return root.choose(decision, task)
        if root.ranked:  # stopped before any move was searched
            move, rank = root.ranked[0]
            return replace(decision, move=move, value=rank, line=(move,))
        return decision

    def _root(self, task: Task) -> RankedMoves:
        budget, rules = checked_budget(self.nodes), self.rules
        static = rules._replace(look=0)
        plies = int(look_ahead(self.look, self.depth, rules.is_report))
        work = new_workspace(budget)
        shares = (share_of(budget - 1, index, self.threads) for index in range(self.threads))
        rankers = [new_workspace(share) for share in shares]

        def search_child(child: Any, depth: int, alpha: int, beta: int) -> Any:
            if not rules.is_pruning:
                alpha, beta = -INFINITY, INFINITY
            return branch(child, depth, alpha, beta, ROOT + 1, rules, task.evaluator, work)

        def rank_moves(ranker: np.record, moves: list[int]) -> dict[int, int]:
            """The rank of each move, of those that were finished before the search was stopped."""
            ranks: dict[int, int] = {}
            player = verbs.mover(task.state)
            for move in moves:
                child = verbs.play(task.state, move)
                window = (-INFINITY, INFINITY)
                value = branch(child, plies, *window, ROOT + 1, static, task.evaluator, ranker)
                if ranker.is_stopped:
                    ranker.path[ROOT] = move
                    break
                ranks[move] = int(value if verbs.mover(child) == player else -value)
            return ranks

        more: dict[str, Any] = {"rank_moves": rank_moves, "rankers": rankers, "width": self.width}
        return RankedMoves(task.state, search_child, work, self.choice, **more)
