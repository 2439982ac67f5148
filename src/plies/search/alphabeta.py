"""Alpha-beta to a fixed depth (Knuth & Moore 1975), in the four variants textbooks mix up.

Two independent choices:

fail   what a node answers when its value lies outside the window (alpha, beta):
       `soft` the bound it has proven, which may lie outside the window (Fishburn 1983);
       `hard` the nearer end of the window.
cut    when a node stops searching: `equal` as soon as alpha >= beta, `beyond` only
       when alpha > beta.  `beyond` proves more equal moves and costs more nodes.

Whatever the choice, the value at the root is the minimax value and the move is
the first of the best moves.  With `hard` and `beyond` together a child's answer
never exceeds beta, so that only leaves cut.

A table and sorted moves make it cheaper and change no value; of equally good moves the
one searched first is then taken.  A table entry is used only if it comes from a search of the
same depth, so that the answer is that of minimax.  Values do not depend on how a position
arose (a rule that a state knows nothing of, such as repetition, plays no part in them), so
neither do the entries.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import key, mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import evaluate_leaf
from plies.search.limits import check_limits, checked_budget
from plies.search.ordering import OPEN, UNSORTED, Order, checked_look, put_first, sort_by_value
from plies.search.runner import decide_at_depth
from plies.search.search import Search
from plies.search.table import NO_EVAL, NO_MOVE, Entry, bound_of, is_cutoff, probe, store, table_in
from plies.search.task import Task
from plies.search.ties import Choice, TiedMoves
from plies.search.workspace import ROOT, enter, moves_at, new_workspace, save_line

Fail = Literal["soft", "hard"]
Cut = Literal["equal", "beyond"]
Prune = Literal["alphabeta", "none"]  # of searches that can also be asked to cut nothing


class Pruning(NamedTuple):
    """A node is cut when alpha >= beta + margin: 0 cuts on equality, 1 only beyond it."""

    is_hard: int
    margin: int


class TablePruning(NamedTuple):
    """The same for a search with a table.

    Moves are sorted by searches `look` plies deep where that is less than they are searched
    anyway (UNSORTED: never).  At the root `first_move`, if there is one, is searched first.
    """

    is_hard: int
    margin: int
    look: int
    first_move: int


SOFT_AND_EQUAL = Pruning(0, 0)


@compiled
def alphabeta(state, depth, alpha, beta, ply, pruning, evaluator, work):
    """The value of `state` for its mover, exact inside (alpha, beta), else a bound."""
    if not enter(work, ply):
        return 0
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    # Fail-hard answers stay inside the window, so they begin at its lower end.
    best = alpha if pruning.is_hard else -INFINITY
    player = mover(state)
    for move in moves_at(state, ply, work):
        child = play(state, move)
        # Turns need not alternate: sign and window turn round only with the mover.
        if mover(child) == player:
            value = alphabeta(child, depth - 1, alpha, beta, ply + 1, pruning, evaluator, work)
        else:
            value = -alphabeta(child, depth - 1, -beta, -alpha, ply + 1, pruning, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best = value
            save_line(work, ply, move)
            alpha = max(alpha, value)
            if alpha >= beta + pruning.margin:
                work.cutoffs += 1
                break
    return min(best, beta) if pruning.is_hard else best


@compiled
def alphabeta_tt(state, depth, alpha, beta, ply, rules, evaluator, work):
    """The value of `alphabeta`, with a transposition table and the better moves first."""
    if not enter(work, ply):
        return 0
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    is_hard, margin, look, first_move = rules
    slack = 0 if is_hard else margin  # answers at the ends of the window are then exact, too
    low, high = alpha - slack, beta + slack
    own_key = key(state)
    entry = probe(work, own_key, ply)
    # Only entries of the same depth: a deeper one may have another value than minimax.
    if entry.depth == depth and ply != ROOT and is_cutoff(entry, low, high):
        work.hits += 1
        return min(max(entry.value, alpha), beta) if is_hard else entry.value
    table_move = first_move if ply == ROOT and first_move != NO_MOVE else entry.move
    # Sorting by a search as deep as that of the children would find their values itself.
    look = look if look < depth - 1 else UNSORTED
    best = alpha if is_hard else -INFINITY
    best_move = NO_MOVE
    player = mover(state)
    plain = Pruning(is_hard, margin)
    for move in sorted_moves(state, table_move, plain, look, ply, evaluator, work):
        child = play(state, move)
        if mover(child) == player:
            value = alphabeta_tt(child, depth - 1, alpha, beta, ply + 1, rules, evaluator, work)
        else:
            value = -alphabeta_tt(child, depth - 1, -beta, -alpha, ply + 1, rules, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best, best_move = value, move
            save_line(work, ply, move)
            alpha = max(alpha, value)
            if alpha >= beta + margin:
                work.cutoffs += 1
                break
    best = min(best, beta) if is_hard else best
    if low < high and not work.is_stopped:  # a hard answer to a closed window proves nothing
        store(work, own_key, ply, Entry(bound_of(best, low, high), depth, best, best_move, NO_EVAL))
    return best


@compiled
def sorted_moves(state, table_move, pruning, look, ply, evaluator, work):
    """The legal moves: the table move first, if it is one, then by the value of plain
    alpha-beta, `look` plies beyond each child.

    None once the search is stopped.
    """
    moves = moves_at(state, ply, work).copy()  # the game may need its own array
    if look != UNSORTED:
        values = np.zeros(len(moves), np.int64)
        player = mover(state)
        for index in range(len(moves)):
            child = play(state, moves[index])
            value = alphabeta(child, look, -OPEN, OPEN, ply + 1, pruning, evaluator, work)
            if work.is_stopped:
                work.path[ply] = moves[index]
                return moves[:0]
            values[index] = value if mover(child) == player else -value
        sort_by_value(moves, values)
    put_first(moves, table_move)
    return moves


@dataclass(frozen=True)
class AlphaBeta(Search):
    """Minimax without the lines that cannot matter, `depth` plies deep."""

    depth: int = 4
    eval: str = ""
    fail: Fail = "soft"
    cut: Cut = "equal"
    nodes: int = 0
    table: int = 0
    order: Order = "none"
    look: int = 0
    choice: Choice = "first"

    def __post_init__(self) -> None:
        check_limits(self)
        checked_look(self.look, self.order)

    @property
    def pruning(self) -> Pruning:
        """The options `fail` and `cut` as the kernel takes them."""
        return Pruning(int(self.fail == "hard"), int(self.cut == "beyond"))

    def decide(self, task: Task) -> Decision:
        work = new_workspace(checked_budget(self.nodes))
        kernel, pruning = alphabeta, self.pruning
        if self.table or self.order != "none":
            table = table_in(task.memory, self.table)  # to outlive the search, not only in memory
            table.connect(work)
            look = UNSORTED if self.order == "none" else self.look
            kernel, pruning = alphabeta_tt, TablePruning(*pruning, look, NO_MOVE)

        def search(
            state: Any, depth: int, alpha: int = -INFINITY, beta: int = INFINITY, ply: int = ROOT
        ) -> Any:
            return kernel(state, depth, alpha, beta, ply, pruning, task.evaluator, work)

        if self.choice == "random":
            root = TiedMoves(task.state, partial(search, ply=ROOT + 1), work)
            return root.decide(task, self.depth)
        return decide_at_depth(task, partial(search, task.state), self.depth, work)
