"""Proven results, and how far up the tree they reach (MCTS-Solver; Winands, Björnsson and
Saito 2008).

A proof is a value on the scale of all searches, seen by the node's parent player: won or lost
in n plies from the node, 0 for a draw, or a payoff.  The number of plies is that of the proof,
which need not be the shortest.  Only two-player zero-sum games are proven: with more players
the result may depend on which of two equal moves a third one takes.
"""

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import DRAW, MAX_EVALUATION, SCORED, lose_in, win_in
from plies.core.verbs import payoff
from plies.search.mcts.tree import LOST, UNPROVEN


@inlined
def proof_of(state, result, player, plan):
    """The proven value of a finished game for a player, or UNPROVEN."""
    if plan.players != 2:
        return UNPROVEN
    if result == DRAW:
        return 0
    if result == SCORED:
        own = payoff(state, player)
        return own if own == -payoff(state, player ^ 1) else UNPROVEN
    return win_in(0) if result == player else lose_in(0)


@inlined
def best_proof(tree, node):
    """The value of the best child of a node whose children are all proven."""
    best, parent = UNPROVEN, tree.nodes[node]
    for child in range(parent.first, parent.first + parent.child_count):
        best = max(best, tree.nodes[child].proof)
    return best


@inlined
def one_ply_before(value):
    """A proven value as seen one ply earlier."""
    if value > MAX_EVALUATION:
        return value - 1
    return value + 1 if value < -MAX_EVALUATION else value


@compiled
def back_up_proof(ply, value, tree, plan):
    """The node at `ply` is proven to be worth `value`; so may be nodes above it.

    A node is proven when one of its moves wins, or when all its moves are proven.
    """
    while True:
        node = tree.nodes[plan.path[ply]]
        node.proof = value
        node.value = LOST if value < -MAX_EVALUATION else float(value)
        node.exploration = 0.0
        if ply == 0:
            return
        parent = plan.path[ply - 1]
        tree.nodes[parent].unproven -= 1
        # A move that wins proves its parent by itself; otherwise all siblings must be proven.
        if value <= MAX_EVALUATION:
            if tree.nodes[parent].unproven > 0:
                return
            value = best_proof(tree, parent)
        value = one_ply_before(value)
        if plan.parent_player[ply - 1] != plan.parent_player[ply]:
            value = -value
        ply -= 1
