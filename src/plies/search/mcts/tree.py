"""The tree as one record, and how a thread simulates in it: its plan.

Nodes are numbers, `ROOT` is 0, and the children of a node are neighbours; a node has none
before its second visit.  Positions are not stored: playing the moves leads to them again.
"""

from math import log, sqrt
from typing import Any

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.verbs import mover
from plies.errors import BadSpec
from plies.search.mcts.priors import fill_priors
from plies.search.random_numbers import random_below
from plies.search.workspace import MAX_DEPTH, moves_at

ROOT = 0
UNPROVEN = -(2**62)
OVER = -1  # instead of a number of children
LOG_2 = log(2)
LOST = -1e18  # the value of a move that is proven to lose: never chosen again

MOST_NODES = 2**24
MAX_LOOKUP = 4096  # visits from here on are halved before their logarithm is looked up

NODE_FIELDS: list[Any] = [  # all of it in one line of the processor's cache
    ("move", np.int64),  # that leads to it
    ("first", np.int32),  # its first child; where the game is over, its result
    ("child_count", np.int32),  # 0: none yet, or OVER
    ("tried", np.int32),  # how many children were visited or have priors; these come first
    ("unproven", np.int32),  # how many children are not proven
    ("visits", np.int64),  # the simulations that went through it
    ("value", np.float64),  # the mean reward of its parent player (`plan.parent_player`)
    ("exploration", np.float64),  # its bonus in units of `exploration_factor`
    ("prior", np.float64),  # how promising its move was beforehand; siblings sum up to 1
    ("proof", np.int64),  # its proven value for its parent player (see `proof`), or UNPROVEN
]
NODE = np.dtype(NODE_FIELDS, align=True)
TREE_FIELDS: list[Any] = [
    ("used", np.int64),  # how many nodes there are
    ("room", np.int64),  # and how many there may be
    ("least", np.float64),  # payoff seen
    ("greatest", np.float64),
    ("nodes", NODE, (MOST_NODES,)),  # the system lends memory only to those that are used
]
TREE = np.dtype(TREE_FIELDS, align=True)
PLAN_FIELDS: list[Any] = [
    ("simulations", np.int64),  # how many were finished
    ("deepest", np.int64),  # plies from the root to the deepest node that was entered
    ("path", np.int64, (MAX_DEPTH + 2,)),  # the nodes of this simulation, path[0] is the root
    # parent_player[ply] made the move that led to path[ply]; at the root its mover
    ("parent_player", np.int64, (MAX_DEPTH + 2,)),
    ("log_roots", np.float64, (MAX_LOOKUP,)),  # log_roots[n]: square root of the logarithm of n
    ("random", np.uint64),  # the state of the generator of random numbers, never 0
    ("players", np.int64),  # how many play
    ("is_solver", np.int64),  # whether proven results are backed up
    ("has_priors", np.int64),  # whether moves have priors before they are tried (PUCT)
    ("plies", np.int64),  # the longest rollout; then, or with 0 at once, the evaluator decides
    ("c", np.float64),  # exploration constant, for results of -1 to 1
    ("temperature", np.float64),  # softmax temperature of the priors
    ("scale", np.float64),  # the evaluation that is worth half a win; 0: the average evaluation
    ("total_size", np.float64),  # the sum of the sizes of all evaluations so far
]
LOG_ROOTS = np.sqrt(np.log(np.maximum(np.arange(MAX_LOOKUP), 1)))
PLAN = np.dtype(PLAN_FIELDS, align=True)


def new_tree(megabytes: int) -> np.record:
    """A tree that is only a root and may grow to n megabytes."""
    try:
        tree = np.zeros(1, TREE).view(np.recarray)[0]
    except MemoryError as error:
        raise BadSpec("this machine has no memory for another tree") from error
    tree.used = 1
    tree.room = min(megabytes * 2**20 // NODE.itemsize, MOST_NODES)
    tree.least, tree.greatest = np.inf, -np.inf
    tree.nodes[ROOT].proof = UNPROVEN
    return tree


@inlined
def reward_scale(tree):
    """Half the difference between the greatest and the least reward so far: 1 for win and loss."""
    if tree.least > tree.greatest:
        return 1.0
    return max((tree.greatest - tree.least) / 2, 0.5)


@inlined
def root_of_log(visits, plan):
    """The square root of the logarithm of a number from 1 on; of great ones to four digits."""
    doublings = 0
    while visits >= MAX_LOOKUP:
        visits >>= 1
        doublings += 1
    root = plan.log_roots[visits]
    return sqrt(root * root + doublings * LOG_2) if doublings else root


@inlined
def exploration_factor(tree, node, plan):
    """The part of the exploration bonus that all children of a node share."""
    visits = max(tree.nodes[node].visits, 1)
    growth = sqrt(visits) if plan.has_priors else root_of_log(visits, plan)
    return plan.c * reward_scale(tree) * growth


@inlined
def exploration_of(node, plan):
    """The part of the exploration bonus that is a node's own.

    UCT (Kocsis & Szepesvári 2006): c sqrt(log N / n); with priors PUCT (Rosin 2011, in the
    form of AlphaZero): c p sqrt(N) / (1 + n).
    """
    if plan.has_priors:
        return node.prior / (1 + node.visits)
    return 1 / sqrt(node.visits)


@inlined
def select_child(tree, node, plan):
    """A child not tried yet, at random, or the one with the highest upper confidence bound."""
    nodes, parent = tree.nodes, tree.nodes[node]
    # Every child once, in random order, before any twice.
    if parent.tried < parent.child_count:
        child = parent.first + parent.tried
        other = child + random_below(parent.child_count - parent.tried, plan)
        nodes[child].move, nodes[other].move = nodes[other].move, nodes[child].move
        parent.tried += 1
        return np.int64(child)
    factor = exploration_factor(tree, node, plan)
    best, best_score = parent.first, -np.inf
    for child in range(parent.first, parent.first + parent.child_count):
        score = nodes[child].value + factor * nodes[child].exploration
        if score > best_score:
            best, best_score = child, score
    return np.int64(best)


@compiled
def expand(state, ply, evaluator, tree, plan, work):
    """Give the node at `ply` its children; False when there is no room left."""
    moves = moves_at(state, ply, work)
    first, count = tree.used, len(moves)
    if count == 0 or first + count > tree.room:
        return False
    for index in range(count):
        tree.nodes[first + index].move = moves[index]
        tree.nodes[first + index].proof = UNPROVEN
    node = tree.nodes[plan.path[ply]]
    node.first, node.child_count, node.unproven = first, count, count
    tree.used = first + count
    # With priors no child is tried blindly: all begin with their parent's value (first play
    # urgency), and the prior decides.
    if plan.has_priors:
        value = node.value
        if plan.parent_player[ply] != mover(state):
            value /= 1 - plan.players
        priors = np.empty(count, np.float64)
        fill_priors(evaluator, state, moves, priors, plan, work)
        for index in range(count):
            child = tree.nodes[first + index]
            child.prior = child.exploration = priors[index]
            child.value = value
        node.tried = count
    return True
