"""The answer of the trees: the move, its value and the line."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import MAX_EVALUATION
from plies.search.mcts.proof import one_ply_before
from plies.search.mcts.tree import ROOT, UNPROVEN, new_tree
from plies.search.workspace import MAX_DEPTH

NO_CHILD = -1
PER_UNIT = 1000  # values are thousandths of a win


class Answer(NamedTuple):
    """A move, its value for the mover (see `value_of`), and how the game may go on."""

    move: int
    value: int
    line: tuple[int, ...]


def is_proven(tree: np.record) -> bool:
    return bool(tree.nodes[ROOT].proof != UNPROVEN)


def answer_of(trees: Sequence[np.record]) -> Answer | None:
    """The answer of trees with the same root together; None when no move was tried."""
    proven = [tree for tree in trees if is_proven(tree)]
    trees = proven[:1] or trees
    together = trees[0] if len(trees) == 1 else merge_roots(trees)
    child = int(best_child(together, ROOT))
    if child == NO_CHILD:
        return None
    move = int(together.nodes[child].move)
    return Answer(move, value_of(together, child), (move, *_reply(trees, move)))


def value_of(tree: np.record, child: int) -> int:
    """The value of a move: a win or loss in n plies where that is proven, otherwise the mean
    reward in thousandths (of a win, in most games)."""
    proof = int(tree.nodes[child].proof)
    if proof != UNPROVEN and abs(proof) > MAX_EVALUATION:
        return int(one_ply_before(proof))
    payoff = float(tree.nodes[child].value)
    return round(min(max(PER_UNIT * payoff, -MAX_EVALUATION), MAX_EVALUATION))


def merge_roots(trees: Sequence[np.record]) -> np.record:
    """A root with all the moves that the trees have tried, their visits added up.

    Root parallelisation (Chaslot, Winands and van den Herik 2008): threads share no tree.
    """
    together = new_tree(0)
    children: dict[int, int] = {}
    for tree in trees:
        for node in tried_children(tree):
            one = tree.nodes[node]
            child = children.setdefault(int(one.move), 1 + len(children))
            both = together.nodes[child]
            proof = both.proof if both.visits else UNPROVEN
            total = both.visits * both.value + one.visits * one.value
            both.move = one.move
            both.visits += one.visits
            both.value = total / max(both.visits, 1)
            both.proof = max(proof, one.proof)  # UNPROVEN is the least
    together.nodes[ROOT].first = 1
    together.nodes[ROOT].tried = len(children)
    return together


def tried_children(tree: np.record) -> range:
    """The children of the root that were visited."""
    first = int(tree.nodes[ROOT].first)
    return range(first, first + int(tree.nodes[ROOT].tried))


def _reply(trees: Sequence[np.record], move: int) -> tuple[int, ...]:
    """How the first tree that has tried a move goes on."""
    for tree in trees:
        for node in tried_children(tree):
            if tree.nodes[node].move == move:
                return line_after(tree, node)
    return ()


def line_after(tree: np.record, node: int) -> tuple[int, ...]:
    """How a tree goes on from a node."""
    moves = np.empty(MAX_DEPTH, np.int64)
    return tuple(moves[: best_line(tree, node, moves)].tolist())


@inlined
def is_lost(node):
    return UNPROVEN < node.proof < -MAX_EVALUATION


@inlined
def is_better(node, other, is_known):
    """Whether a node is better than a sibling: by their proofs where the parent is proven,
    otherwise the one that does not lose, and then the one visited more (robust child)."""
    if is_known:
        return node.proof > other.proof
    if is_lost(node) != is_lost(other):
        return is_lost(other)
    if node.visits != other.visits:
        return node.visits > other.visits
    return node.value > other.value


@compiled
def best_child(tree, node):
    """The child to play, or NO_CHILD where none was visited."""
    nodes, parent = tree.nodes, tree.nodes[node]
    is_known = parent.proof != UNPROVEN
    best = NO_CHILD
    for child in range(parent.first, parent.first + parent.tried):
        if nodes[child].visits > 0 and (
            best == NO_CHILD or is_better(nodes[child], nodes[best], is_known)
        ):
            best = child
    return best


@compiled
def best_line(tree, node, moves):
    """Fill in the best moves from a node on; answers their number."""
    length = 0
    node = best_child(tree, node)
    while node != NO_CHILD and length < len(moves):
        moves[length] = tree.nodes[node].move
        length += 1
        node = best_child(tree, node)
    return length
