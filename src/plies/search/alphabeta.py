"""Alpha-beta to a fixed depth, in the four kinds that textbooks mix up.

Two independent choices:

fail   what a node answers when its value lies outside the window (alpha, beta):
       `soft` the bound it has proven, which may lie outside the window;
       `hard` the nearer end of the window.
cut    when a node stops looking: `equal` as soon as alpha >= beta, `beyond` only
       when alpha > beta.  `beyond` proves more equal moves and costs more nodes.

Whatever the choice, the value at the root is the minimax value and the move is
the first of the best moves.  With `hard` and `beyond` together a child's answer
never exceeds beta, so that only leaves cut.

A table and sorted moves make it cheaper and change no value; of equally good moves the
one looked at first is then taken.  What the table knows is used only if it comes from a
search of the same depth, so that the answer is that of minimax.  Values do not depend on
how a position arose (a rule that a state knows nothing of, such as repetition, plays no
part in them), so neither does what is kept.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import key, legal_moves, mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import evaluate_leaf
from plies.search.limits import checked_budget, checked_depth, checked_table
from plies.search.ordering import (
    OPEN,
    UNSORTED,
    Order,
    checked_look,
    put_first,
    sort_by_value,
    sortable_moves,
)
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
from plies.search.task import Task, decide_at_depth
from plies.search.ties import Choice, choose_among_ties
from plies.search.workspace import ROOT, enter, new_workspace, report_no_moves, save_line

Fail = Literal["soft", "hard"]
Cut = Literal["equal", "beyond"]
Prune = Literal["alphabeta", "none"]  # of searches that can also be asked to cut nothing
SOFT_AND_EQUAL = (0, 0)


@compiled
def alphabeta(state, depth, alpha, beta, ply, kind, evaluator, work):
    """The value of `state` for its mover, exact inside (alpha, beta), else a bound.

    `kind` is (is_hard, margin): a node is cut when alpha >= beta + margin, so
    margin 0 cuts on equality and margin 1 only beyond it.
    """
    if not enter(work):
        return 0
    work.length[ply] = ply
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    is_hard, margin = kind
    best = alpha if is_hard else -INFINITY
    player = mover(state)
    moves = legal_moves(state)
    if len(moves) == 0:
        report_no_moves(work, ply)
    for move in moves:
        child = play(state, move)
        if mover(child) == player:
            value = alphabeta(child, depth - 1, alpha, beta, ply + 1, kind, evaluator, work)
        else:
            value = -alphabeta(child, depth - 1, -beta, -alpha, ply + 1, kind, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best = value
            save_line(work, ply, move)
            alpha = max(alpha, value)
            if alpha >= beta + margin:
                work.cutoffs += 1
                break
    return min(best, beta) if is_hard else best


@compiled
def alphabeta_equals(state, depth, ply, kind, evaluator, work, lines):
    """The value of the root, and in `lines` the line of every move that has it.

    What `TiedMoves` does, in one call of compiled code.  Answers (value, number of lines);
    a line ends before NO_MOVE.  Once stopped, it covers the moves that were finished.
    """
    best, count = -OPEN, 0
    if not enter(work):
        return best, count
    work.length[ply] = ply
    player = mover(state)
    moves = legal_moves(state)
    if len(moves) == 0:
        report_no_moves(work, ply)
    for move in moves:
        child = play(state, move)
        low = max(best - 1, -OPEN)
        if mover(child) == player:
            value = alphabeta(child, depth - 1, low, OPEN, ply + 1, kind, evaluator, work)
        else:
            value = -alphabeta(child, depth - 1, -OPEN, -low, ply + 1, kind, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best, count = value, 0
            save_line(work, ply, move)
        if value == best:
            lines[count, :] = NO_MOVE
            lines[count, 0] = move
            for later in range(ply + 1, work.length[ply + 1]):
                lines[count, later - ply] = work.line[ply + 1, later]
            count += 1
    return best, count


@compiled
def ordered(state, depth, alpha, beta, ply, kind, evaluator, work):
    """The same as `alphabeta`, with a table and the better moves first.

    `kind` is (is_hard, margin, look, first): moves are sorted by searches `look` plies deep
    where that is less than is searched anyway (UNSORTED: never), and at the root the move
    `first`, if there is one, is looked at before all others.
    """
    if not enter(work):
        return 0
    work.length[ply] = ply
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    is_hard, margin, look, first = kind
    slack = 0 if is_hard else margin  # answers at the ends of the window are then exact, too
    low, high = alpha - slack, beta + slack
    position = key(state)
    entry = probe(work, position)
    if entry.bound != 0 and entry.depth == depth and ply != ROOT:
        known = from_table_value(entry.value, ply)
        if is_cutoff(entry, known, low, high):
            work.hits += 1
            return min(max(known, alpha), beta) if is_hard else known
    hint = first if ply == ROOT and first != NO_MOVE else entry.move
    look = look if look < depth - 1 else UNSORTED
    best = alpha if is_hard else -INFINITY
    best_move = NO_MOVE
    player = mover(state)
    for move in sorted_moves(state, hint, (is_hard, margin), look, ply, evaluator, work):
        child = play(state, move)
        if mover(child) == player:
            value = ordered(child, depth - 1, alpha, beta, ply + 1, kind, evaluator, work)
        else:
            value = -ordered(child, depth - 1, -beta, -alpha, ply + 1, kind, evaluator, work)
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
        bound = bound_of(best, low, high)
        store(work, position, Entry(bound, depth, to_table_value(best, ply), best_move, NO_EVAL))
    return best


@compiled
def sorted_moves(state, hint, kind, look, ply, evaluator, work):
    """The legal moves: `hint` first, if it is one, then by the value of plain alpha-beta of a
    kind, `look` plies beyond each child.

    None once the search is stopped.
    """
    moves = sortable_moves(state, ply, work)
    if look != UNSORTED:
        values = np.zeros(len(moves), np.int64)
        player = mover(state)
        for index in range(len(moves)):
            child = play(state, moves[index])
            value = alphabeta(child, look, -OPEN, OPEN, ply + 1, kind, evaluator, work)
            if work.is_stopped:
                work.path[ply] = moves[index]
                return moves[:0]
            values[index] = value if mover(child) == player else -value
        sort_by_value(moves, values)
    put_first(moves, hint)
    return moves


@dataclass(frozen=True)
class AlphaBeta(Search):
    """Minimax without the lines that cannot matter."""

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
        checked_depth(self.depth)
        checked_budget(self.nodes)
        checked_table(self.table)
        checked_look(self.look, self.order)

    def decide(self, task: Task) -> Decision:
        work = new_workspace(checked_budget(self.nodes))
        kernel, kind = alphabeta, (int(self.fail == "hard"), int(self.cut == "beyond"))
        if self.table or self.order != "none":
            table = table_in(task.memory, self.table)  # to outlive the search, not only in memory
            table.connect(work)
            look = UNSORTED if self.order == "none" else self.look
            kernel, kind = ordered, (*kind, look, NO_MOVE)
        if self.choice == "random" and kernel is alphabeta:
            return self._among_equals(task, kind, work)
        if self.choice == "random":

            def value_of(child: Any, depth: int, alpha: int, beta: int) -> Any:
                return kernel(child, depth, alpha, beta, ROOT + 1, kind, task.evaluator, work)

            return choose_among_ties(task, self.depth, value_of, work)
        arguments = (-INFINITY, INFINITY, ROOT, kind, task.evaluator)
        return decide_at_depth(kernel, *arguments, task=task, depth=self.depth, work=work)

    def _among_equals(self, task: Task, kind: tuple[int, ...], work: np.record) -> Decision:
        """Any one of the moves that are proven to be best."""
        watch = Stopwatch()
        lines = np.full((len(verbs.legal_moves(task.state)), self.depth + 1), NO_MOVE, np.int64)
        arguments = (task.state, self.depth, ROOT, kind, task.evaluator, work, lines)
        ((value, count),) = run_all([partial(alphabeta_equals, *arguments)], [work], task.stop)
        found = make_decision(task.state, int(value), self.depth, [work], watch)
        if not count:
            return found
        equal = [tuple(move for move in line if move != NO_MOVE) for line in lines[:count].tolist()]
        line = task.rng.choice(equal)
        return replace(found, move=line[0], line=line)
