"""The kernel: down the tree, one leaf more, a rollout, and back up."""

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import ONGOING
from plies.core.verbs import mover, outcome, play
from plies.search.mcts.proof import back_up_proof, proof_of, proven_ending
from plies.search.mcts.rollout import ending_of, reward, roll_out
from plies.search.mcts.tree import OVER, ROOT, UNPROVEN, chosen_child, expand, width
from plies.search.workspace import MAX_DEPTH, enter


@compiled
def simulate(root, simulations, evaluator, tree, plan, work):
    """Go on until there are so many simulations, the root is proven, or it is stopped.

    The answer is the last state that was looked at, which matters only where the rules are
    broken there (`work.stuck`).
    """
    state = root
    plan.walk[0] = ROOT
    plan.chooser[0] = mover(root)
    while plan.simulations < simulations and tree.nodes[ROOT].proof == UNPROVEN:
        state, ply = descend(root, evaluator, tree, plan, work)
        if work.is_stopped:
            break
        node = plan.walk[ply]
        if tree.nodes[node].proof != UNPROVEN:
            ending = proven_ending(tree, ply, plan)
        else:
            result = result_of(state, ply, tree, plan)
            state, result = roll_out(state, result, ply, plan, work)
            if work.is_stopped:
                break
            ending = ending_of(state, result, evaluator, tree, plan, work)
        back_up(state, ply, ending, tree, plan)
        plan.simulations += 1
    return state


@inlined
def descend(root, evaluator, tree, plan, work):
    """The state of a leaf and its ply: a node not visited before, or one without children."""
    state = root
    node = ply = np.int64(ROOT)  # a bare 0 would have everything below compiled once more
    while ply < MAX_DEPTH and tree.nodes[node].proof == UNPROVEN and tree.nodes[node].count != OVER:
        if tree.nodes[node].count == 0:
            is_new = tree.nodes[node].visits == 0 and node != ROOT
            if is_new or not expand(state, ply, evaluator, tree, plan, work):
                break
        if not enter(work):
            break
        ply += 1
        plan.chooser[ply] = mover(state)
        node = chosen_child(tree, node, plan)
        state = play(state, tree.nodes[node].move)
        plan.walk[ply] = node
    plan.deepest = max(plan.deepest, ply)
    return state, ply


@inlined
def result_of(state, ply, tree, plan):
    """The outcome of the state at `ply`, noted down and backed up if that ends the game."""
    node = tree.nodes[plan.walk[ply]]
    if node.count == OVER:
        return np.int64(node.first)
    result = outcome(state)
    if result != ONGOING:
        node.count, node.first = OVER, result
        if plan.is_solver:
            value = proof_of(state, result, plan.chooser[ply], plan)
            if value != UNPROVEN:
                back_up_proof(ply, value, tree, plan)
    return result


@inlined
def back_up(state, ply, ending, tree, plan):
    """Let every node on the way know what the simulation brought its chooser."""
    while ply >= 0:
        node = tree.nodes[plan.walk[ply]]
        node.visits += 1
        if node.proof == UNPROVEN:
            found = reward(state, ending, plan.chooser[ply], tree, plan)
            node.value += (found - node.value) / node.visits
            node.width = width(node, plan)
        ply -= 1
