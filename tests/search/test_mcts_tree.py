"""The tree of a Monte Carlo search: what is proven, how visits add up, what is reused."""

import random
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core.scores import DRAW, MAX_EVALUATION, WIN
from plies.games.tree import Tree, tree_game
from plies.search.mcts.answer import NO_CHILD, best_child
from plies.search.mcts.reuse import OldTree, carry_over
from plies.search.mcts.simulation import simulate
from plies.search.mcts.tree import (
    LOG_ROOTS,
    MAX_LOOKUP,
    OVER,
    PLAN,
    ROOT,
    UNPROVEN,
    new_tree,
    root_of_log,
)
from plies.search.task import Task
from plies.search.workspace import new_workspace
from search_samples import position_after
from tree_samples import examples, trees

KALAH = str(Path(__file__).parents[2] / "examples" / "kalah.py")
THOROUGH = "simulations=20000,c=100"  # explores everything, so that small games are solved


def grown(game: plies.Game, state: Any, options: str, seed: int = 1) -> np.record:
    """The tree after a search."""
    agent = plies.agent(f"mcts:{options}", game)
    agent.choose(state, random.Random(seed))
    return agent.memory["mcts"][0].tree


def children_of(tree: np.record, node: int) -> range:
    first = int(tree.nodes[node].first)
    return range(first, first + max(int(tree.nodes[node].child_count), 0))


def statistics(tree: np.record, node: int) -> dict[str, Any]:
    """All that is known below a node, by moves instead of numbers of nodes."""
    return {
        "visits": int(tree.nodes[node].visits),
        "tried": int(tree.nodes[node].tried),
        "unproven": int(tree.nodes[node].unproven),
        "children": {
            int(tree.nodes[child].move): (
                float(tree.nodes[child].value),
                float(tree.nodes[child].exploration),
                int(tree.nodes[child].proof),
                statistics(tree, child),
            )
            for child in children_of(tree, node)
        },
    }


@settings(max_examples=examples(100))
@given(tree=trees(most_leaves=40, most_children=4), seed=st.integers(0, 100))
def test_the_solver_equals_minimax_on_random_trees(tree: Tree, seed: int) -> None:
    game = tree_game(tree)
    state = game.initial()
    found = plies.agent(f"mcts:{THOROUGH}", game).choose(state, random.Random(seed))
    expected = plies.search(game, state, "minimax:depth=40")
    assert found.value == 1000 * (expected.value or 0)
    child = game.play(state, found.move)
    if not game.is_over(child):
        value = plies.search(game, child, "minimax:depth=40").value or 0
        assert (value if game.mover(child) == game.mover(state) else -value) == expected.value


@settings(max_examples=25)
@given(plies_played=st.integers(2, 8), seed=st.integers(0, 10**6))
def test_the_solver_equals_minimax_on_tic_tac_toe(plies_played: int, seed: int) -> None:
    game = plies.game("tictactoe")
    state = position_after(game, plies_played, seed)
    found = plies.agent(f"mcts:{THOROUGH}", game).choose(state, random.Random(seed))
    expected = plies.search(game, state, "minimax:depth=9").value
    assert found.value is not None
    assert expected is not None
    assert np.sign(found.value) == np.sign(expected)
    # A proof need not be the shortest, so a win may be told late, and a loss early or late.
    assert found.value <= expected or expected <= 0
    child = game.play(state, found.move)
    kept = -WIN if game.outcome(child) == game.mover(state) else 0
    if not game.is_over(child):
        kept = plies.search(game, child, "minimax:depth=9").value or 0
    assert np.sign(-kept) == np.sign(expected)


def test_every_proof_in_a_tree_is_true() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("X../.O./... X")
    tree = grown(game, state, "simulations=3000")
    compared = 0
    stack = [(ROOT, state, 0)]
    while stack:
        node, here, parent_player = stack.pop()
        if tree.nodes[node].proof != UNPROVEN and not game.is_over(here):
            value = plies.search(game, here, "alphabeta:depth=9").value or 0
            value = value if game.mover(here) == parent_player else -value
            assert np.sign(value) == np.sign(int(tree.nodes[node].proof))
            compared += 1
        stack += [
            (child, game.play(here, int(tree.nodes[child].move)), game.mover(here))
            for child in children_of(tree, node)
            if tree.nodes[child].visits
        ]
    assert compared > 20


def test_a_proven_losing_move_is_not_played_while_there_is_another() -> None:
    """Everything but the one defence is proven to lose, after however many simulations."""
    game = plies.game("tictactoe")
    state = game.parse_position("XX./.O./... O")
    for simulations in range(60, 400, 20):
        agent = plies.agent(f"mcts:simulations={simulations},reuse=no", game)
        for seed in range(5):
            found = agent.choose(state, random.Random(seed))
            assert found.value is not None
            assert found.value >= -MAX_EVALUATION


def test_a_draw_is_proven_where_all_moves_are() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("XOX/XO./O.. X")
    found = plies.search(game, state, "mcts:simulations=5000")
    assert (found.value, found.is_complete) == (0, True)
    assert found.simulations < 5000
    for move in found.line:
        state = game.play(state, move)
    assert game.outcome(state) == DRAW


@pytest.mark.parametrize("spec", ["tictactoe", KALAH, "nim:rows=2-3,players=3"])
def test_the_visits_of_children_add_up(spec: str) -> None:
    game, simulations = plies.game(spec), examples(2000)
    tree = grown(game, game.initial(), f"simulations={simulations},solver=no")
    assert tree.nodes[ROOT].visits == simulations
    for node in range(int(tree.used)):
        children = children_of(tree, node)
        if len(children) > 0:
            own = 0 if node == ROOT else 1  # the visit before it had children
            assert tree.nodes[node].visits == own + sum(
                int(tree.nodes[child].visits) for child in children
            )
            tried = [int(tree.nodes[child].visits) > 0 for child in children]
            assert all(tried[: int(tree.nodes[node].tried)])
            assert not any(tried[int(tree.nodes[node].tried) :])


def test_values_are_the_averages_of_what_came_back() -> None:
    game = plies.game("tictactoe")
    tree = grown(game, game.initial(), "simulations=2000,solver=no")
    assert abs(tree.nodes["value"][: int(tree.used)]).max() <= 1
    # What the first player wins the second loses: a node is worth what its children are
    # worth, on average and seen from the other side, but for its own first simulation.
    for node in range(1, int(tree.used)):
        children = children_of(tree, node)
        if len(children) > 0:
            total = sum(
                float(tree.nodes[child].value * tree.nodes[child].visits) for child in children
            )
            assert abs(tree.nodes[node].value * tree.nodes[node].visits + total) <= 1 + 1e-6


def test_priors_add_up_and_good_moves_have_the_greater_ones() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("XX./OO./... X")
    tree = grown(game, state, "simulations=1,priors=eval,solver=no")
    children = children_of(tree, ROOT)
    priors = {int(tree.nodes[child].move): float(tree.nodes[child].prior) for child in children}
    assert sum(priors.values()) == pytest.approx(1)
    assert max(priors, key=lambda move: priors[move]) == game.parse_move(state, "c3")


@pytest.mark.parametrize("spec", ["tictactoe", KALAH])
@pytest.mark.parametrize("plies_later", [0, 1, 2, 3])
def test_what_was_found_below_a_position_is_kept(spec: str, plies_later: int) -> None:
    """Three plies may come in another order too: the node visited most is the one kept."""
    game = plies.game(spec)
    root = game.initial()
    tree = grown(game, root, "simulations=3000")
    state, node, parent_player = root, ROOT, game.mover(root)
    for _ in range(plies_later):
        parent_player, node = game.mover(state), int(best_child(tree, node))
        state = game.play(state, int(tree.nodes[node].move))
    later = new_tree(64)
    carry_over(OldTree(root, tree), Task(state), later, new_workspace())
    assert later.nodes[ROOT].visits > 0
    assert statistics(later, ROOT) == statistics(tree, node)
    sign = 1 if game.mover(state) == parent_player else -1
    assert later.nodes[ROOT].value == sign * tree.nodes[node].value


def test_a_search_that_is_stopped_while_it_takes_a_tree_over_has_a_part_of_it() -> None:
    game = plies.game("tictactoe")
    root = game.initial()
    tree = grown(game, root, "simulations=3000,solver=no")
    part, stopped = new_tree(64), new_workspace(0)
    carry_over(OldTree(root, tree), Task(root), part, stopped)
    assert (part.used, part.nodes[ROOT].child_count) == (1, 0)
    assert part.nodes[ROOT].visits == tree.nodes[ROOT].visits
    assert best_child(part, ROOT) == NO_CHILD


def test_a_proof_is_kept_and_seen_by_the_player_to_move() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("X.O/.../... X")
    agent = plies.agent("mcts:simulations=1000000", game)
    values = []
    while not game.is_over(state):
        found = agent.choose(state, random.Random(1))
        values.append(found.value)
        state = game.play(state, found.move)
    # Won in five plies or more, by turns seen from the winner's and the loser's side.
    plies_left = len(values)
    expected = [WIN - left if left % 2 else left - WIN for left in range(plies_left, 0, -1)]
    assert values == expected


def test_a_position_that_is_not_in_the_tree_begins_anew() -> None:
    game = plies.game("tictactoe")
    tree = grown(game, game.parse_position("X../.O./... X"), "simulations=500")
    later = new_tree(64)
    carry_over(
        OldTree(game.parse_position("X../.O./... X"), tree),
        Task(game.initial()),
        later,
        new_workspace(),
    )
    assert (later.used, later.nodes[ROOT].visits) == (1, 0)


def test_the_tree_is_kept_only_where_it_is_asked_for() -> None:
    game = plies.game("tictactoe")
    state = game.initial()
    visits = []
    for reuse in ("yes", "no"):
        agent = plies.agent(f"mcts:simulations=300,solver=no,reuse={reuse}", game)
        agent.choose(state, random.Random(1))
        agent.choose(state, random.Random(2))
        visits.append([int(kept.tree.nodes[ROOT].visits) for kept in agent.memory.get("mcts", [])])
    assert visits == [[600], []]


def test_a_game_that_is_over_is_a_leaf_for_ever() -> None:
    game = plies.game("tictactoe")
    tree = grown(game, game.parse_position("XX./OO./... X"), "simulations=300,solver=no")
    over = [node for node in range(int(tree.used)) if tree.nodes[node].child_count == OVER]
    assert over
    assert all(tree.nodes[node].tried == 0 for node in over)


def test_a_game_that_is_over_keeps_its_result_in_a_tree_that_is_kept() -> None:
    game = plies.game("tictactoe")
    root = game.initial()
    tree = grown(game, root, "simulations=3000,solver=no")
    state = game.play(root, int(tree.nodes[best_child(tree, ROOT)].move))
    later = new_tree(64)
    carry_over(OldTree(root, tree), Task(state), later, new_workspace())
    results = set()
    for kept, start in ((tree, root), (later, state)):
        places = [(ROOT, start)]
        for node, here in places:
            if kept.nodes[node].child_count == OVER:
                assert kept.nodes[node].first == game.outcome(here)
                results.add(int(kept.nodes[node].first))
            places += [
                (child, game.play(here, int(kept.nodes[child].move)))
                for child in children_of(kept, node)
            ]
    assert results == {0, 1, DRAW}


def test_the_root_of_a_logarithm_is_exact_for_few_visits_and_close_for_many() -> None:
    plan = np.zeros(1, PLAN).view(np.recarray)[0]
    plan.log_roots = LOG_ROOTS
    for visits in (1, 2, 100, MAX_LOOKUP - 1):
        assert root_of_log(visits, plan) == pytest.approx(sqrt(log(visits)), rel=1e-15)
    for visits in (
        MAX_LOOKUP,
        MAX_LOOKUP + 1,
        2 * MAX_LOOKUP - 1,
        100_003,
        2**31 - 1,
        2**40 + 12345,
    ):
        assert root_of_log(visits, plan) == pytest.approx(sqrt(log(visits)), rel=1e-4)


def test_the_kernel_is_compiled_once_for_each_game() -> None:
    signatures = getattr(simulate, "signatures", None)
    if signatures is None:
        pytest.skip("not compiled")
    games = [plies.game("tictactoe"), plies.game(KALAH)]
    for game in games:
        for options in ("simulations=10", "simulations=10,leaf=eval,priors=eval,threads=2"):
            plies.search(game, game.initial(), f"mcts:{options}")
    states = [signature[0] for signature in simulate.signatures]  # type: ignore[attr-defined]
    evaluators = [signature[2] for signature in simulate.signatures]  # type: ignore[attr-defined]
    assert len(set(zip(states, evaluators, strict=True))) == len(states)
