"""Beam search looks at the better share of the moves, as its definition says."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core import verbs
from plies.core.scores import ONGOING, win_in
from plies.games.tree import Tree, read_tree, tree_game
from plies.search.alphabeta import AlphaBeta
from plies.search.beam import Beam, beam_width
from plies.search.leaf import leaf_value
from plies.search.minimax import Minimax
from plies.search.task import Task
from search_samples import position_after
from tree_samples import examples, trees

SHARES = {0.1: "1/10", 0.25: "1/4", 0.5: "1/2", 0.7: "7/10", 1.0: "1"}


def plain_beam(method: Beam, state: Any, depth: int, ply: int, evaluator: Any) -> tuple[int, Any]:
    """The value and the best move by the definition: every surviving child is searched."""
    result = verbs.outcome(state)
    if result != ONGOING or depth == 0:
        return int(leaf_value(state, result, ply, evaluator)), None

    def value_after(move: int, deep: int) -> int:
        child = verbs.play(state, move)
        value, _ = plain_beam(method, child, deep, ply + 1, evaluator)
        return value if verbs.mover(child) == verbs.mover(state) else -value

    look = min(method.look, depth - 1)
    moves = [int(move) for move in verbs.legal_moves(state)]
    moves.sort(key=lambda move: -value_after(move, look))
    if len(moves) > method.above:
        share = Fraction(SHARES[method.share])
        moves = moves[: max(1, -(-share * len(moves) // 1))]
    values = [value_after(move, depth - 1) for move in moves]
    return max(values), moves[values.index(max(values))]


OPTIONS = {
    "share": st.sampled_from(list(SHARES)),
    "above": st.integers(0, 5),
    "look": st.integers(0, 3),
}


@settings(max_examples=examples(200))
@given(tree=trees(most_leaves=40, most_children=6), depth=st.integers(1, 5), **OPTIONS)
def test_beam_search_equals_its_definition_on_random_trees(
    tree: Tree, depth: int, share: float, above: int, look: int
) -> None:
    game = tree_game(tree)
    method = Beam(depth, share=share, above=above, look=look)
    found = method.decide(Task(game.initial(), game.evaluator()))
    expected = plain_beam(method, game.initial(), depth, 0, game.evaluator())
    assert (found.value, found.move) == expected


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:n=3"])
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), plies_played=st.integers(0, 5), **OPTIONS)
def test_beam_search_equals_its_definition_on_games(
    spec: str, seed: int, plies_played: int, share: float, above: int, look: int
) -> None:
    game = plies.game(spec)
    state, evaluator = position_after(game, plies_played, seed), game.evaluator()
    method = Beam(3, share=share, above=above, look=min(look, 1))
    found = method.decide(Task(state, evaluator))
    assert (found.value, found.move) == plain_beam(method, state, 3, 0, evaluator)


@given(count=st.integers(1, 300), above=st.integers(0, 20), share=st.sampled_from(list(SHARES)))
def test_the_share_is_rounded_up_and_never_nothing(count: int, above: int, share: float) -> None:
    exact = -(-Fraction(SHARES[share]) * count // 1)
    assert beam_width(count, above, share) == (exact if count > above else count)
    assert 1 <= beam_width(count, above, share) <= count


@pytest.mark.parametrize("look", [0, 1])
@settings(max_examples=30)
@given(tree=trees(most_leaves=40, most_children=5), depth=st.integers(1, 5))
def test_a_beam_that_keeps_everything_is_alphabeta_with_sorted_moves(
    look: int, tree: Tree, depth: int
) -> None:
    game = tree_game(tree)
    task = Task(game.initial(), game.evaluator())
    wide = Beam(depth, share=1.0, look=look).decide(task)
    sorted_one = AlphaBeta(depth, order="shallow", look=look).decide(task)
    assert (wide.value, wide.line) == (sorted_one.value, sorted_one.line)
    assert wide.value == Minimax(depth).decide(task).value


def test_a_good_move_that_does_not_look_like_one_is_lost() -> None:
    # At the horizon all nodes of a tree look the same, so that the first half survives.
    game = tree_game(read_tree("M(m(1, 2), m(9, 9))"))
    task = Task(game.initial(), game.evaluator())
    assert Beam(2, above=2).decide(task).value == 9
    assert Beam(2, above=1).decide(task).value == 1


def test_a_defence_that_is_left_out_makes_a_win_that_is_none() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("X.O/.../... X")  # a win in 5 by minimax
    found = plies.search(game, state, "beam:depth=7,above=3,share=0.3")
    assert found.value == win_in(3)


def test_stopping_while_moves_are_ranked_gives_no_value() -> None:
    game = tree_game(read_tree("M(m(3, 5), m(3, 1))"))
    found = Beam(2, nodes=2).decide(Task(game.initial(), game.evaluator()))
    assert (found.value, found.move, found.is_complete) == (None, 0, False)
