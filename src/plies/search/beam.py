"""Beam search: alpha-beta that searches only the more promising moves.

Forward pruning: where a position has many moves, they are ranked by a shallow search and
only the better share of them is searched.  A pruned move is not known to be bad, so the
value is that of a game in which those moves do not exist.  `contest` searches with the same
kernel.
"""

from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import canonical_key, key, mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import evaluate_leaf
from plies.search.limits import check_limits, checked_budget, checked_share, checked_whole
from plies.search.ordering import OPEN, checked_look, put_first, sort_by_value
from plies.search.runner import decide_at_depth
from plies.search.search import Search
from plies.search.table import NO_MOVE
from plies.search.task import Task
from plies.search.workspace import ROOT, enter, moves_at, new_workspace, save_line

MOST_MOVES = 10**6
# Which children count as duplicates of one that was generated before.
NONE, EQUAL, IMAGES = range(3)
ROUNDING = 1e-9  # a tenth of thirty is three, whatever the product of the floats is


class BeamRules(NamedTuple):
    """Which moves are searched.

    Where there are more than `above` moves, the better `share` of them, ranked by a search
    `look` plies deep; before that, `duplicates` (NONE, EQUAL or IMAGES) are dropped.  At the
    root `first_move`, if it survives, is searched first.
    """

    look: int
    above: int
    share: float
    duplicates: int
    first_move: int


@compiled
def beam_width(count, above, share):
    """How many of `count` moves are searched: at least one."""
    return max(1, ceil(share * count - ROUNDING)) if count > above else count


@compiled
def without_duplicates(state, moves, duplicates):
    """The moves without those that lead to a duplicate of an earlier child."""
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
def beam(state, depth, alpha, beta, ply, rules, evaluator, work):
    """The value of `state` for its mover where only the best-ranked moves exist.

    Children are ranked by this search, `look` plies deep.  Where that is as deep as they are
    searched anyway nothing is ranked: the best of all would be among the survivors.
    """
    if not enter(work, ply):
        return 0
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    player = mover(state)
    look = rules.look
    own_moves = moves_at(state, ply, work).copy()  # the game may need its own array
    moves = without_duplicates(state, own_moves, rules.duplicates)
    # Rank the children, and drop those beyond the width of the beam.
    if look < depth - 1:
        values = np.zeros(len(moves), np.int64)
        for index in range(len(moves)):
            child = play(state, moves[index])
            value = beam(child, look, -OPEN, OPEN, ply + 1, rules, evaluator, work)
            if work.is_stopped:
                work.path[ply] = moves[index]
                return 0
            values[index] = value if mover(child) == player else -value
        sort_by_value(moves, values)
        moves = moves[: beam_width(len(moves), rules.above, rules.share)]
    if ply == ROOT:
        put_first(moves, rules.first_move)
    # Alpha-beta among the survivors.
    best = -INFINITY
    for move in moves:
        child = play(state, move)
        if mover(child) == player:
            value = beam(child, depth - 1, alpha, beta, ply + 1, rules, evaluator, work)
        else:
            value = -beam(child, depth - 1, -beta, -alpha, ply + 1, rules, evaluator, work)
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


def check_beam(share: Any, above: Any) -> None:
    """Refuse a share or a number of moves out of range."""
    checked_whole("above", above, 0, MOST_MOVES)
    checked_share("share", share)


@dataclass(frozen=True)
class Beam(Search):
    """Alpha-beta that searches the better `share` of more than `above` moves."""

    depth: int = 4
    eval: str = ""
    share: float = 0.5
    above: int = 6
    look: int = 0
    nodes: int = 0

    def __post_init__(self) -> None:
        check_limits(self)
        checked_look(self.look)
        check_beam(self.share, self.above)

    def decide(self, task: Task) -> Decision:
        rules = BeamRules(self.look, self.above, float(self.share), NONE, NO_MOVE)
        work = new_workspace(checked_budget(self.nodes))

        def search_depth(depth: int) -> Any:
            window = (-INFINITY, INFINITY)
            return beam(task.state, depth, *window, ROOT, rules, task.evaluator, work)

        return decide_at_depth(task, search_depth, self.depth, work)
