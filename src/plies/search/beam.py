"""Beam search: alpha-beta that looks only at the more promising moves.

Forward pruning: where a position has many moves, they are ranked by a shallow search and
only the better share of them is looked at.  What is left out is not known to be bad,
so the value is that of a game in which those moves do not exist.  `contest` searches with
the same kernel.
"""

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import canonical_key, key, mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import evaluate_leaf
from plies.search.limits import checked_budget, checked_depth, checked_share, checked_whole
from plies.search.ordering import OPEN, checked_look, put_first, sort_by_value, sortable_moves
from plies.search.search import Search
from plies.search.table import NO_MOVE
from plies.search.task import Task, decide_at_depth
from plies.search.workspace import ROOT, enter, new_workspace, save_line

MOST_MOVES = 10**6
# Which successors of a position are duplicates of one that was generated before.
NONE, EQUAL, IMAGES = range(3)
ROUNDING = 1e-9  # a tenth of thirty is three, whatever the product of the floats is


@compiled
def kept(count, above, share):
    """How many of `count` moves are looked at: at least one."""
    return max(1, ceil(share * count - ROUNDING)) if count > above else count


@compiled
def without_duplicates(state, moves, duplicates):
    """The moves, less those whose successor is a duplicate of that of a move before."""
    if duplicates == NONE:
        return moves
    keys = np.empty(len(moves), np.int64)
    count = 0
    for move in moves:
        child = play(state, move)
        keys[count] = key(child) if duplicates == EQUAL else canonical_key(child)
        is_new = True
        for earlier in range(count):
            if keys[earlier] == keys[count]:
                is_new = False
                break
        if is_new:
            moves[count] = move  # never ahead of the move that is read next
            count += 1
    return moves[:count]


@compiled
def beam(state, depth, alpha, beta, ply, limits, evaluator, work):
    """The value of `state` for its mover where only the kept moves exist.

    `limits` is (look, above, share, duplicates, first).  Children are ranked by a search of
    this kind, `look` plies deep.  Where that is as deep as they are searched anyway nothing is
    ranked: the best of all is among the kept.  Which `duplicates` are dropped before is one of
    NONE, EQUAL, IMAGES.  At the root the move `first`, if it is kept, is looked at before all
    others.
    """
    if not enter(work):
        return 0
    work.length[ply] = ply
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    player = mover(state)
    look, above, share, duplicates, first = limits
    moves = without_duplicates(state, sortable_moves(state, ply, work), duplicates)
    if look < depth - 1:
        values = np.zeros(len(moves), np.int64)
        for index in range(len(moves)):
            child = play(state, moves[index])
            value = beam(child, look, -OPEN, OPEN, ply + 1, limits, evaluator, work)
            if work.is_stopped:
                work.path[ply] = moves[index]
                return 0
            values[index] = value if mover(child) == player else -value
        sort_by_value(moves, values)
        moves = moves[: kept(len(moves), above, share)]
    if ply == ROOT:
        put_first(moves, first)
    best = -INFINITY
    for move in moves:
        child = play(state, move)
        if mover(child) == player:
            value = beam(child, depth - 1, alpha, beta, ply + 1, limits, evaluator, work)
        else:
            value = -beam(child, depth - 1, -beta, -alpha, ply + 1, limits, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best = value
            save_line(work, ply, move)
            alpha = max(alpha, value)
            if alpha >= beta:
                work.cutoffs += 1
                break
    return best


def checked_kept(share: Any, above: Any) -> None:
    """Refuse what says nothing about which moves to keep."""
    checked_whole("above", above, 0, MOST_MOVES)
    checked_share("share", share)


@dataclass(frozen=True)
class Beam(Search):
    """Alpha-beta that keeps the better `share` of the moves where there are more than `above`."""

    depth: int = 4
    eval: str = ""
    share: float = 0.5
    above: int = 6
    look: int = 0
    nodes: int = 0

    def __post_init__(self) -> None:
        checked_depth(self.depth)
        checked_look(self.look)
        checked_kept(self.share, self.above)
        checked_budget(self.nodes)

    def decide(self, task: Task) -> Decision:
        limits = (self.look, self.above, float(self.share), NONE, NO_MOVE)
        arguments = (-INFINITY, INFINITY, ROOT, limits, task.evaluator)
        work = new_workspace(checked_budget(self.nodes))
        return decide_at_depth(beam, *arguments, task=task, depth=self.depth, work=work)
