"""A whole tree as one array of integers, the form that compiled rules can read.

Nodes are numbered breadth first, so the children of a node follow each other:

    flat[0:4]             players, nodes, leaves, 1 if leaves hold one number
    flat[4 + 5 * node:]   mover (0 at a leaf)
                          parent (-1 at the root)
                          number of children
                          first: the first child; at a leaf the index of its payoffs
                          label: the index of its text, 0 if there is none
    then                  the payoffs of all leaves, one for each player
    then                  labels: the length, and the code of each letter
"""

from functools import lru_cache

import numpy as np

from plies.games.tree.nodes import Inner, Leaf, Tree, check, is_scalar, players_of

HEADER = 4
RECORD = 5
PLAYERS, NODES, LEAVES, IS_SCALAR = range(HEADER)
MOVER, PARENT, CHILDREN, FIRST, LABEL = range(RECORD)


def flatten(tree: Tree) -> np.ndarray:
    """The array of a tree, read-only; equal trees share one array."""
    check(tree)
    return _flatten(tree)


@lru_cache(maxsize=64)
def _flatten(tree: Tree) -> np.ndarray:
    nodes, parents = _breadth_first(tree)
    leaves = [node for node in nodes if isinstance(node, Leaf)]
    end = HEADER + RECORD * len(nodes)
    flat = [players_of(tree), len(nodes), len(leaves), int(is_scalar(tree))]
    payoffs: list[int] = []
    labels: list[int] = []
    first_label = end + players_of(tree) * len(leaves)
    child = 1
    for node, parent in zip(nodes, parents, strict=True):
        label = first_label + len(labels) if node.label else 0
        if isinstance(node, Leaf):
            flat += [0, parent, 0, end + len(payoffs), label]
            payoffs += node.payoffs
        else:
            flat += [node.mover, parent, len(node.children), child, label]
            child += len(node.children)
        if node.label:
            labels += [len(node.label), *map(ord, node.label)]
    # Read-only, because states of all games on this tree share it.
    array = np.array(flat + payoffs + labels, np.int64)
    array.setflags(write=False)
    return array


def _breadth_first(tree: Tree) -> tuple[list[Tree], list[int]]:
    """The nodes by number, and the number of the parent of each."""
    nodes, parents = [tree], [-1]
    for number, node in enumerate(nodes):  # grows while it is read
        nodes += node.children
        parents += [number] * len(node.children)
    return nodes, parents


def label_of(flat: np.ndarray, node: int) -> str:
    """The label of a node, empty if it has none."""
    start = int(flat[HEADER + RECORD * node + LABEL])
    if start == 0:
        return ""
    return "".join(map(chr, flat[start + 1 : start + 1 + int(flat[start])]))


def unflatten(flat: np.ndarray, node: int = 0) -> Tree:
    """The subtree of a node: the inverse of `flatten`."""
    start = HEADER + RECORD * node
    mover, _, children, first, _ = (int(number) for number in flat[start : start + RECORD])
    label = label_of(flat, node)
    if children == 0:
        payoffs = tuple(int(payoff) for payoff in flat[first : first + int(flat[PLAYERS])])
        return Leaf(payoffs[0] if flat[IS_SCALAR] else payoffs, label)
    nodes = (unflatten(flat, child) for child in range(first, first + children))
    return Inner(mover, tuple(nodes), label)


def all_payoffs(flat: np.ndarray) -> np.ndarray:
    """One row for each leaf, one column for each player."""
    start = HEADER + RECORD * int(flat[NODES])
    shape = int(flat[LEAVES]), int(flat[PLAYERS])
    return flat[start : start + shape[0] * shape[1]].reshape(shape)
