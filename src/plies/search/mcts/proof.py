"""What is known for certain, and how far up the tree that reaches.

A proof is a value on the scale of all searches, seen by the node's chooser: won or lost in
so many plies from the node, 0 for a draw, or a payoff.  The number of plies is that of the
proof, which need not be the shortest.  Only games of two players in which one gets what the
other pays are proven: with more, the best reply of a third may depend on a whim.
"""

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import DRAW, MAX_EVALUATION, ONGOING, SCORED, lose_in, win_in
from plies.core.verbs import payoff
from plies.search.mcts.rollout import Ending
from plies.search.mcts.tree import LOST, UNPROVEN


@inlined
def proof_of(state, result, player, plan):
    """What a finished game proves for a player, UNPROVEN where that is nothing."""
    if plan.players != 2:
        return UNPROVEN
    if result == DRAW:
        return 0
    if result == SCORED:
        own = payoff(state, player)
        return own if own == -payoff(state, player ^ 1) else UNPROVEN
    return win_in(0) if result == player else lose_in(0)


@inlined
def proven_ending(tree, ply, plan):
    """What a simulation brings that comes upon a proven node: a draw or a payoff."""
    value = tree.nodes[plan.walk[ply]].proof
    return Ending(ONGOING, plan.chooser[ply], float(value))


@inlined
def best_proof(tree, node):
    """The value of the best child of a node whose children are all proven."""
    found = UNPROVEN
    for child in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].count):
        found = max(found, tree.nodes[child].proof)
    return found


@inlined
def one_ply_before(value):
    if value > MAX_EVALUATION:
        return value - 1
    return value + 1 if value < -MAX_EVALUATION else value


@compiled
def back_up_proof(ply, value, tree, plan):
    """The node at `ply` is proven to be worth `value`; so may be nodes above it.

    A node is proven when one of its moves wins, or when all its moves are proven.
    """
    while True:
        node = tree.nodes[plan.walk[ply]]
        node.proof = value
        node.value = LOST if value < -MAX_EVALUATION else float(value)
        node.width = 0.0
        if ply == 0:
            return
        parent = plan.walk[ply - 1]
        tree.nodes[parent].unproven -= 1
        if value <= MAX_EVALUATION:
            if tree.nodes[parent].unproven > 0:
                return
            value = best_proof(tree, parent)
        value = one_ply_before(value)
        if plan.chooser[ply - 1] != plan.chooser[ply]:
            value = -value
        ply -= 1
