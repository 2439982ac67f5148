"""The kernel: selection, expansion, rollout, and backing up (UCT; Kocsis & Szepesvári 2006)."""

from typing import NamedTuple

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import DRAW, ONGOING, SCORED
from plies.core.verbs import mover, outcome, payoff, play
from plies.search.mcts.priors import evaluate_result
from plies.search.mcts.proof import back_up_proof, proof_of
from plies.search.mcts.tree import (
    OVER,
    ROOT,
    UNPROVEN,
    expand,
    exploration_of,
    reward_scale,
    select_child,
)
from plies.search.random_numbers import random_below
from plies.search.workspace import MAX_DEPTH, count_node, moves_at


class Ending(NamedTuple):
    """How a simulation ended: a result of the rules, or ONGOING and a `value` for `player`."""

    result: int
    player: int
    value: float


@compiled
def simulate(root, simulations, evaluator, tree, plan, work):
    """Simulate until there are n simulations, the root is proven, or the search is stopped.

    The answer is the last state that was reached, which matters only where the rules are
    broken there (`work.no_moves_ply`).
    """
    state = root
    plan.path[0] = ROOT
    plan.parent_player[0] = mover(root)
    while plan.simulations < simulations and tree.nodes[ROOT].proof == UNPROVEN:
        # Step 1. Selection and expansion: down the tree to a leaf.
        state, ply = descend(root, evaluator, tree, plan, work)
        if work.is_stopped:
            break
        node = plan.path[ply]
        # Step 2. Its result: proven, final, or by a rollout from there.
        if tree.nodes[node].proof != UNPROVEN:
            ending = proven_ending(tree, ply, plan)
        else:
            result = result_of(state, ply, tree, plan)
            state, result = roll_out(state, result, ply, plan, work)
            if work.is_stopped:
                break
            ending = ending_of(state, result, evaluator, tree, plan, work)
        # Step 3. Backing up: every node on the path learns the reward.
        back_up(state, ply, ending, tree, plan)
        plan.simulations += 1
    return state


@inlined
def is_open(node):
    """Whether a simulation may go on below a node: it is neither proven nor final."""
    return node.proof == UNPROVEN and node.child_count != OVER


@inlined
def descend(root, evaluator, tree, plan, work):
    """The state of a leaf and its ply: a node not visited before, or one without children."""
    state = root
    node = ply = np.int64(ROOT)  # a bare 0 would have everything below compiled once more
    while ply < MAX_DEPTH and is_open(tree.nodes[node]):
        if tree.nodes[node].child_count == 0:
            is_new = tree.nodes[node].visits == 0 and node != ROOT
            if is_new or not expand(state, ply, evaluator, tree, plan, work):
                break
        if not count_node(work):
            break
        ply += 1
        plan.parent_player[ply] = mover(state)
        node = select_child(tree, node, plan)
        state = play(state, tree.nodes[node].move)
        plan.path[ply] = node
    plan.deepest = max(plan.deepest, ply)
    return state, ply


@inlined
def result_of(state, ply, tree, plan):
    """The outcome of the state at `ply`; stored, and proven as far up as it reaches, if final."""
    node = tree.nodes[plan.path[ply]]
    if node.child_count == OVER:
        return np.int64(node.first)
    result = outcome(state)
    if result != ONGOING:
        node.child_count, node.first = OVER, result
        if plan.is_solver:
            value = proof_of(state, result, plan.parent_player[ply], plan)
            if value != UNPROVEN:
                back_up_proof(ply, value, tree, plan)
    return result


@inlined
def proven_ending(tree, ply, plan):
    """The ending of a simulation that comes to a proven node: a draw or a payoff."""
    value = tree.nodes[plan.path[ply]].proof
    return Ending(ONGOING, plan.parent_player[ply], float(value))


@inlined
def roll_out(state, result, ply, plan, work):
    """The state after random moves until the game is over or `plan.plies` are played."""
    plies = 0
    while result == ONGOING and plies < plan.plies and count_node(work):
        moves = moves_at(state, ply, work)
        if len(moves) == 0:
            break
        state = play(state, moves[random_below(len(moves), plan)])
        result = outcome(state)
        plies += 1
    return state, result


@inlined
def ending_of(state, result, evaluator, tree, plan, work):
    """The ending of a rollout: a result of the rules, or the evaluator's expectation."""
    if result != ONGOING:
        return Ending(result, 0, 0.0)
    expected = evaluate_result(evaluator, state, plan, work)
    return Ending(result, mover(state), expected * reward_scale(tree))


@inlined
def reward(state, ending, player, tree, plan):
    """The reward of a player.

    1 for a win, 0 for a draw, -1 for a loss, which is 0 where more than two play; payoffs as
    they are.  An expectation for one player is shared out among the others with its sign turned.
    """
    if ending.result == SCORED:
        own = float(payoff(state, player))
        tree.least = min(tree.least, own)
        tree.greatest = max(tree.greatest, own)
        return own
    if ending.result == DRAW:
        return 0.0
    if ending.result != ONGOING:
        return 1.0 if ending.result == player else (-1.0 if plan.players == 2 else 0.0)
    return ending.value if ending.player == player else -ending.value / (plan.players - 1)


@inlined
def back_up(state, ply, ending, tree, plan):
    """Add the reward of each node's parent player to the mean of every node on the path."""
    while ply >= 0:
        node = tree.nodes[plan.path[ply]]
        node.visits += 1
        if node.proof == UNPROVEN:
            gained = reward(state, ending, plan.parent_player[ply], tree, plan)
            node.value += (gained - node.value) / node.visits
            node.exploration = exploration_of(node, plan)
        ply -= 1
