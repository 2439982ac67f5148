"""The part of an earlier tree that the next search can use.

A game goes on a few plies below where the last search began.  Its position is searched for
there, the subtree below it is copied to a new tree, and the rest is dropped.
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.verbs import key, play
from plies.search.mcts.tree import ROOT, UNPROVEN
from plies.search.task import Task
from plies.search.workspace import count_node, new_workspace

MAX_PLIES = 4  # that a position may be below the old root
MAX_POSITIONS = 50_000  # that are compared
NO_NODE = -1


class Goal(NamedTuple):
    """The node that is searched for: its key, and how many plies deep it lies."""

    key: int
    plies: int


class OldTree(NamedTuple):
    """The tree of an earlier search, and the state of its root."""

    state: Any
    tree: np.record


def carry_over(old: OldTree, task: Task, tree: np.record, work: np.record) -> None:
    """Copy the subtree of the task's position, if the old tree has it, to a new tree.

    A search that is stopped meanwhile, through its workspace, gets only a part of it.
    """
    look = new_workspace(MAX_POSITIONS)
    target = verbs.key(task.state)
    for plies in range(MAX_PLIES + 1):
        goal = Goal(target, plies)
        node = find(old.state, goal, ROOT, NO_NODE, old.tree, look)
        if node == NO_NODE:
            continue
        before = state = old.state
        for move in look.line[0, :plies][::-1]:
            before, state = state, verbs.play(state, int(move))
        if verbs.identity(state) == verbs.identity(task.state):
            copy_below(old.tree, node, tree, work)
            if task.players == 2 and verbs.mover(before) != verbs.mover(state):
                _negate_root(tree)
            return


def _negate_root(tree: np.record) -> None:
    """A root is seen by its own mover, not by the player whose move led there."""
    tree.nodes[ROOT].value = -tree.nodes[ROOT].value
    if tree.nodes[ROOT].proof != UNPROVEN:
        tree.nodes[ROOT].proof = -tree.nodes[ROOT].proof


@compiled
def find(state, goal, node, best, tree, work):
    """The node that lies `goal.plies` below `node` and whose state has the key of the goal.

    Of several, and of `best`, it is the one visited most, NO_NODE if there is none.  Then
    `work.line[0]` holds the moves that lead there, the last one first.
    """
    if not count_node(work):
        return best
    target, plies = goal
    if plies == 0:
        if key(state) != target or (
            best != NO_NODE and tree.nodes[node].visits <= tree.nodes[best].visits
        ):
            return best
        work.line[0] = work.path
        return node
    first = np.int64(tree.nodes[node].first)
    for child in range(first, first + tree.nodes[node].tried):
        if tree.nodes[child].visits > 0:
            move = tree.nodes[child].move
            work.path[plies - 1] = move
            best = find(play(state, move), Goal(target, plies - 1), child, best, tree, work)
    return best


@compiled
def copy_below(old, node, new, work):
    """Make `new` the subtree below a node of `old`, breadth first.

    Once `work` is stopped no more nodes are copied: their parents grow children anew.
    """
    new.least, new.greatest = old.least, old.greatest
    new.nodes[ROOT] = old.nodes[node]
    copied = 0
    while copied < new.used:
        node = new.nodes[copied]
        if node.child_count > 0 and work.budget > 0:
            first = new.used
            for child in range(node.child_count):
                new.nodes[first + child] = old.nodes[node.first + child]
            new.used += node.child_count
            node.first = first
        elif node.child_count > 0:
            node.child_count, node.tried, node.unproven = 0, 0, 0
        copied += 1
