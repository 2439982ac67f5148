"""What the trees say: the move, its value and the line."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import MAX_EVALUATION
from plies.search.mcts.proof import one_ply_before
from plies.search.mcts.tree import ROOT, UNPROVEN, new_tree
from plies.search.workspace import MAX_DEPTH

NOBODY = -1
THOUSAND = 1000


class Answer(NamedTuple):
    """A move, its value for the mover (see `value_of`), and how the game may go on."""

    move: int
    value: int
    line: tuple[int, ...]


def is_proven(tree: np.record) -> bool:
    return bool(tree.nodes[ROOT].proof != UNPROVEN)


def answer_of(trees: Sequence[np.record]) -> Answer | None:
    """What trees with the same root say together; None when no move was tried."""
    proven = [tree for tree in trees if is_proven(tree)]
    trees = proven[:1] or trees
    together = trees[0] if len(trees) == 1 else merged(trees)
    child = int(best_child(together, ROOT))
    if child == NOBODY:
        return None
    move = int(together.nodes[child].move)
    return Answer(move, value_of(together, child), (move, *_reply(trees, move)))


def value_of(tree: np.record, child: int) -> int:
    """The value of a move: won or lost in so many plies where that is proven, otherwise the
    expected payoff in thousandths (of a win, in most games)."""
    proof = int(tree.nodes[child].proof)
    if proof != UNPROVEN and abs(proof) > MAX_EVALUATION:
        return int(one_ply_before(proof))
    payoff = float(tree.nodes[child].value)
    return round(min(max(THOUSAND * payoff, -MAX_EVALUATION), MAX_EVALUATION))


def merged(trees: Sequence[np.record]) -> np.record:
    """A root with all the moves that the trees have tried, their visits added up."""
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
    """Whether one sibling is to be preferred: where the value of their parent is known, by
    their own; otherwise any that does not lose, and of these the one visited more."""
    if is_known:
        return node.proof > other.proof
    if is_lost(node) != is_lost(other):
        return is_lost(other)
    if node.visits != other.visits:
        return node.visits > other.visits
    return node.value > other.value


@compiled
def best_child(tree, node):
    """The child that is played, or NOBODY where none was visited."""
    nodes, parent = tree.nodes, tree.nodes[node]
    is_known = parent.proof != UNPROVEN
    best = NOBODY
    for child in range(parent.first, parent.first + parent.tried):
        if nodes[child].visits > 0 and (
            best == NOBODY or is_better(nodes[child], nodes[best], is_known)
        ):
            best = child
    return best


@compiled
def best_line(tree, node, moves):
    """Fill in the best moves from a node on; answers how many there are."""
    length = 0
    node = best_child(tree, node)
    while node != NOBODY and length < len(moves):
        moves[length] = tree.nodes[node].move
        length += 1
        node = best_child(tree, node)
    return length
