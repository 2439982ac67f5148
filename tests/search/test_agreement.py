"""Every compiled search equals the plain-Python reference: value, line and counts."""

import random
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.games.tree import Tree, tree_game
from plies.search import alphabeta, minimax, reference
from plies.search.alphabeta import Cut, Fail
from plies.search.decision import Decision
from plies.search.reference import Answer, Position
from tree_samples import trees

EXAMPLES = Path(__file__).parents[2] / "examples"
VARIANTS = [
    "tictactoe:width=4,height=3,k=3",
    "nim:rows=2-3-4,k=2,misere=true",
    "quixo:n=2",
    "quixo:n=3,double=mover-wins",
    f"{EXAMPLES / 'kalah.py'}:pits=3,seeds=2",
]
EVERY_GAME = [*plies.game_names(), *sorted(map(str, EXAMPLES.glob("*.py"))), *VARIANTS]


def is_for_minimax(spec: str) -> bool:
    game = plies.game(spec)
    return game.is_zero_sum(game.initial())


SPECS = list(filter(is_for_minimax, EVERY_GAME))
FAILS: tuple[Fail, ...] = get_args(Fail)
CUTS: tuple[Cut, ...] = get_args(Cut)


def position_after(game: plies.Game, plies_played: int, seed: int) -> Any:
    """A position from random play in which the game still goes on."""
    chance = random.Random(seed)
    state = game.initial()
    for _ in range(plies_played):
        later = game.play(state, chance.choice(game.moves(state)))
        if game.is_over(later):
            return state
        state = later
    return state


def expected_decision(game: plies.Game, state: Any, answer: Answer) -> tuple[Any, ...]:
    """The reference's answer in the terms of a decision: moves, and the mover's values."""
    moves: list[int] = []
    later = state
    for index in answer.line:
        moves.append(game.moves(later)[index])
        later = game.play(later, moves[-1])
    value = answer.value
    if value is not None and game.mover(state) != 0:
        value = -value
    line = tuple(moves) or game.moves(state)[:1]
    return value, line, answer.nodes, answer.leaves, answer.cutoffs, answer.is_complete


def decision(found: Decision) -> tuple[Any, ...]:
    counts = (found.nodes, found.leaves, found.cutoffs)
    return (found.value, found.line, *counts, found.is_complete)


situations = {
    "plies_played": st.integers(0, 6),
    "seed": st.integers(0, 10**6),
    "depth": st.integers(1, 4),
}
# Mostly enough to finish; sometimes the search is stopped in the middle.
budgets = st.one_of(st.just(2000), st.integers(1, 2000))


def test_the_games_compared_include_one_whose_mover_repeats() -> None:
    assert any(has_second_turn(plies.game(spec)) for spec in SPECS if spec != "tree")


def has_second_turn(game: plies.Game) -> bool:
    state = game.initial()
    return any(
        game.mover(game.play(state, move)) == game.mover(state) for move in game.moves(state)
    )


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
@settings(max_examples=25)
@given(nodes=budgets, **situations)
def test_minimax_equals_the_reference_on_every_small_game(
    spec: str, plies_played: int, seed: int, depth: int, nodes: int
) -> None:
    game = plies.game(spec)
    state = position_after(game, plies_played, seed)
    evaluator = game.evaluator()
    answer = reference.minimax(
        Position(state), depth=depth, budget=nodes, **reference.on_game(evaluator)
    )
    found = minimax.search(state, depth, evaluator, nodes=nodes)
    assert decision(found) == expected_decision(game, state, answer)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
@settings(max_examples=40)
@given(fail=st.sampled_from(FAILS), cut=st.sampled_from(CUTS), nodes=budgets, **situations)
def test_alphabeta_of_every_kind_equals_the_reference_on_every_small_game(
    spec: str, plies_played: int, seed: int, depth: int, nodes: int, fail: Fail, cut: Cut
) -> None:
    game = plies.game(spec)
    state = position_after(game, plies_played, seed)
    evaluator = game.evaluator()
    callables = reference.on_game(evaluator)
    answer = reference.alphabeta(
        Position(state), depth=depth, fail=fail, cut=cut, budget=nodes, **callables
    )
    found = alphabeta.search(state, depth, evaluator, fail, cut, nodes=nodes)
    assert decision(found) == expected_decision(game, state, answer)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
@settings(max_examples=10)
@given(fail=st.sampled_from(FAILS), cut=st.sampled_from(CUTS), **situations)
def test_alphabeta_finds_the_value_and_the_move_of_minimax(
    spec: str, plies_played: int, seed: int, depth: int, fail: Fail, cut: Cut
) -> None:
    game = plies.game(spec)
    state = position_after(game, plies_played, seed)
    evaluator = game.evaluator()
    pruned = alphabeta.search(state, depth, evaluator, fail, cut)
    full = minimax.search(state, depth, evaluator)
    assert (pruned.value, pruned.move) == (full.value, full.move)
    assert pruned.nodes <= full.nodes


@settings(max_examples=300)
@given(
    tree=trees(most_leaves=40, most_children=4),
    depth=st.integers(1, 8),
    fail=st.sampled_from(FAILS),
    cut=st.sampled_from(CUTS),
    nodes=st.one_of(st.just(10**6), st.integers(1, 60)),
)
def test_every_search_equals_the_reference_on_random_trees(
    tree: Tree, depth: int, fail: Fail, cut: Cut, nodes: int
) -> None:
    game = tree_game(tree)
    state = game.initial()
    callables = reference.on_game(game.evaluator())
    answer = reference.minimax(Position(state), depth=depth, budget=nodes, **callables)
    found = minimax.search(state, depth, game.evaluator(), nodes=nodes)
    assert decision(found) == expected_decision(game, state, answer)
    pruned_answer = reference.alphabeta(
        Position(state), depth=depth, fail=fail, cut=cut, budget=nodes, **callables
    )
    pruned = alphabeta.search(state, depth, game.evaluator(), fail, cut, nodes=nodes)
    assert decision(pruned) == expected_decision(game, state, pruned_answer)
    if found.is_complete:
        assert (pruned.value, pruned.move) == (found.value, found.move)
