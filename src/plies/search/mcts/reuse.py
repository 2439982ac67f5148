"""The part of an earlier tree that is still of use.

A game goes on a few plies below where the last search began.  The position is looked for
there, and what hangs below it is copied to a tree of its own, all the rest forgotten.
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.verbs import key, play
from plies.search.mcts.tree import ROOT, UNPROVEN
from plies.search.task import Task
from plies.search.workspace import enter, new_workspace

MOST_PLIES = 4  # that a position may be below the old root
MOST_POSITIONS = 50_000  # that are looked at
NOWHERE = -1


class Kept(NamedTuple):
    """What is remembered of a search: where it began, and its tree."""

    state: Any
    tree: np.record


def carry_over(kept: Kept, task: Task, tree: np.record, work: np.record) -> None:
    """Give a new tree what an earlier search found of the position of the task, if anything.

    A search that is stopped meanwhile, through its workspace, gets only a part of that.
    """
    look = new_workspace(MOST_POSITIONS)
    target = verbs.key(task.state)
    for plies in range(MOST_PLIES + 1):
        node = find(kept.state, (target, plies), ROOT, NOWHERE, kept.tree, look)
        if node == NOWHERE:
            continue
        before = state = kept.state
        for move in look.line[0, :plies][::-1]:
            before, state = state, verbs.play(state, int(move))
        if verbs.identity(state) == verbs.identity(task.state):
            copy_below(kept.tree, node, tree, work)
            if task.players == 2 and verbs.mover(before) != verbs.mover(state):
                _turn_round(tree)
            return


def _turn_round(tree: np.record) -> None:
    """A root is seen by its own mover, not by the player whose move led there."""
    tree.nodes[ROOT].value = -tree.nodes[ROOT].value
    if tree.nodes[ROOT].proof != UNPROVEN:
        tree.nodes[ROOT].proof = -tree.nodes[ROOT].proof


@compiled
def find(state, goal, node, best, tree, work):
    """The node so many plies below `node` whose state has a key: `goal` is (key, plies).

    Of several, and of `best`, it is the one visited most, NOWHERE if there is none.  Then
    `work.line[0]` holds the moves that lead there, the last one first.
    """
    if not enter(work):
        return best
    target, plies = goal
    if plies == 0:
        if key(state) != target or (
            best != NOWHERE and tree.nodes[node].visits <= tree.nodes[best].visits
        ):
            return best
        work.line[0] = work.path
        return node
    first = np.int64(tree.nodes[node].first)
    for child in range(first, first + tree.nodes[node].tried):
        if tree.nodes[child].visits > 0:
            move = tree.nodes[child].move
            work.path[plies - 1] = move
            best = find(play(state, move), (target, plies - 1), child, best, tree, work)
    return best


@compiled
def copy_below(old, node, new, work):
    """Make `new` the tree below a node of `old`.

    Once `work` is to stop, nodes are copied no more: their parents grow children anew.
    """
    new.least, new.greatest = old.least, old.greatest
    new.nodes[ROOT] = old.nodes[node]
    place = 0
    while place < new.used:
        node = new.nodes[place]
        if node.count > 0 and work.budget > 0:
            first = new.used
            for child in range(node.count):
                new.nodes[first + child] = old.nodes[node.first + child]
            new.used += node.count
            node.first = first
        elif node.count > 0:
            node.count, node.tried, node.unproven = 0, 0, 0
        place += 1
