"""Paranoid search against the textbook, for two players and for more."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.games.tree import Leaf, Tree, tree_game
from plies.search import reference
from plies.search.decision import Decision
from plies.search.paranoid import paranoid
from search_samples import SPECS
from tree_samples import PAPER, THREE_PLAYERS, examples, trees

vectors = st.tuples(*[st.integers(-4, 4)] * 3)

DEPTH = 1 if is_interpreting() else 3  # of every game


def search(game: plies.Game, depth: int, nodes: int = 0) -> Decision:
    return plies.search(game, game.initial(), f"paranoid:depth={depth},nodes={nodes}")


def test_everybody_else_takes_what_is_worst_for_the_first_player() -> None:
    # By hand: below the first child the first player is sure of 1, below the second of -1.
    found = search(plies.game(f"tree:file={THREE_PLAYERS}"), depth=3)
    assert (found.value, found.move) == (1, 0)


def test_the_paper_tree_costs_what_alpha_beta_costs() -> None:
    # project facts, n players: minimax 1 by the third move, alpha-beta evaluates 20 leaves
    found = search(plies.game(f"tree:file={PAPER}"), depth=9)
    assert (found.value, found.move, found.leaves) == (1, 2, 20)


@settings(max_examples=examples(120))
@given(
    tree=trees(vectors, players=3, most_leaves=40, most_children=4),
    depth=st.integers(1, 8),
    nodes=st.one_of(st.just(10**6), st.integers(1, 60)),
)
def test_random_trees_are_those_of_the_reference(tree: Tree, depth: int, nodes: int) -> None:
    answer = reference.paranoid(
        tree,
        children=lambda node: node.children,
        evaluate=lambda node: node.payoffs if isinstance(node, Leaf) else (0, 0, 0),
        mover=lambda node: getattr(node, "mover", 0),
        depth=depth,
        budget=nodes,
    )
    found = search(tree_game(tree), depth, nodes)
    assert (found.value, found.line) == (answer.value, answer.line or (0,))
    assert (found.nodes, found.leaves, found.cutoffs) == (
        answer.nodes,
        answer.leaves,
        answer.cutoffs,
    )
    assert found.is_complete == answer.is_complete


def against_all(game: plies.Game) -> Any:
    """Whether the player to move can take the last object against all the others."""

    @cache
    def wins(state: Any, hero: int) -> bool:
        if game.is_over(state):
            return game.outcome(state) == hero
        results = [wins(game.play(state, move), hero) for move in game.moves(state)]
        return any(results) if game.mover(state) == hero else all(results)

    return wins(game.initial(), 0)


@pytest.mark.parametrize("rows", ["1", "1-1", "1-1-1", "2-1-1", "2-2", "1-2-3", "2-2-2-1"])
def test_nim_by_three_is_won_when_it_is_won_against_all(rows: str) -> None:
    game = plies.game(f"nim:rows={rows},players=3")
    found = search(game, depth=20)
    assert found.value is not None
    assert (found.value > 0) == against_all(game)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
def test_with_two_players_it_is_minimax(spec: str) -> None:
    game = plies.game(spec)
    expected = plies.search(game, game.initial(), f"minimax:depth={DEPTH}")
    found = search(game, depth=DEPTH)
    assert (found.value, found.move) == (expected.value, expected.move)
    assert found.nodes <= expected.nodes


@pytest.mark.skipif(not hasattr(paranoid, "signatures"), reason="there is no compiler")
def test_the_kernel_has_one_signature_for_each_game() -> None:
    search(plies.game("nim:players=3"), depth=2)
    search(plies.game("tictactoe"), depth=2)
    states = [signature[0] for signature in paranoid.signatures]  # type: ignore[attr-defined]
    assert len(states) == len(set(states))
