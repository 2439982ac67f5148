"""Chance chooses only among moves that are proven equally good."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.games.tree import Tree, read_tree, tree_game
from plies.search.alphabeta import AlphaBeta
from plies.search.deepening import Deepening
from plies.search.minimax import Minimax
from plies.search.runner import StopFlag
from plies.search.search import Search
from plies.search.task import Task
from plies.search.ties import TiedMoves
from plies.search.workspace import new_workspace
from search_samples import plain_value, value_of_move
from tree_samples import trees

RANDOM: dict[str, Callable[[int], Search]] = {
    "minimax": lambda depth: Minimax(depth, choice="random"),
    "soft, equal": lambda depth: AlphaBeta(depth, choice="random"),
    "soft, beyond": lambda depth: AlphaBeta(depth, cut="beyond", choice="random"),
    "hard, equal": lambda depth: AlphaBeta(depth, fail="hard", choice="random"),
    "hard, beyond": lambda depth: AlphaBeta(depth, fail="hard", cut="beyond", choice="random"),
    "table": lambda depth: AlphaBeta(depth, table=1, choice="random"),
    "deepening": lambda depth: Deepening(depth, table=1, choice="random"),
}


BOTH = (Minimax(4), Minimax(4, choice="random"))


def chosen(method: Search, game: plies.Game, seeds: int = 40) -> set[int]:
    state, evaluator = game.initial(), game.evaluator()
    tasks = [Task(state, evaluator, rng=random.Random(seed)) for seed in range(seeds)]
    return {method.decide(task).move for task in tasks}


@pytest.mark.parametrize("name", RANDOM)
def test_a_move_that_was_cut_with_the_best_value_as_its_bound_is_never_chosen(name: str) -> None:
    """The second Min node finds a 3, is cut and answers 3 like the first; it is worth 1."""
    game = tree_game(read_tree("M(m(3, 5), m(3, 1), m(2, 8), m(4, 3))"))
    root = AlphaBeta(2).decide(Task(game.initial(), game.evaluator()))
    assert root.leaves == 6  # neither the 1 nor the 8
    assert chosen(RANDOM[name](2), game) == {0, 3}


@pytest.mark.parametrize("name", RANDOM)
@settings(max_examples=40)
@given(tree=trees(most_leaves=20, most_children=4), depth=st.integers(1, 5))
def test_the_moves_that_chance_may_choose_are_all_the_best_ones(
    name: str, tree: Tree, depth: int
) -> None:
    game = tree_game(tree)
    state, evaluator = game.initial(), game.evaluator()
    best = plain_value(state, depth, 0, evaluator)
    equal = {
        move
        for move in game.moves(state)
        if value_of_move(state, move, depth, 0, evaluator) == best
    }
    offered: list[tuple[int, ...]] = []

    class Chance(random.Random):
        def choice(self, seq: Any) -> Any:
            offered.extend(seq)
            return seq[-1]

    found = RANDOM[name](depth).decide(Task(state, evaluator, rng=Chance()))
    assert {line[0] for line in offered} == equal
    assert (found.value, found.line) == (best, offered[-1])


@pytest.mark.parametrize("name", RANDOM)
def test_the_same_seed_chooses_the_same_move(name: str) -> None:
    game = plies.game("tictactoe")
    tasks = [Task(game.initial(), rng=random.Random(5)) for _ in range(2)]
    first, second = (RANDOM[name](4).decide(task) for task in tasks)
    assert (first.line, first.nodes) == (second.line, second.nodes)


def test_minimax_that_leaves_the_choice_to_chance_costs_the_same() -> None:
    game = plies.game("tictactoe")
    first, other = (method.decide(Task(game.initial())) for method in BOTH)
    assert (first.nodes, first.value) == (other.nodes, other.value)


@pytest.mark.parametrize("name", RANDOM)
def test_a_search_that_was_stopped_at_once_plays_the_first_move(name: str) -> None:
    game = plies.game("tictactoe")
    stop = StopFlag()
    stop.stop()
    found = RANDOM[name](4).decide(Task(game.initial(), stop=stop))
    assert (found.move, found.value, found.is_complete) == (game.moves(game.initial())[0], None, 0)


def test_a_partial_search_chooses_among_what_it_has_finished() -> None:
    game = tree_game(read_tree("M(m(3, 5), m(3, 4), m(9, 9))"))
    # root, first Min node and its two leaves, second Min node and its two leaves
    found = Minimax(2, nodes=7, choice="random").decide(Task(game.initial(), rng=random.Random(1)))
    assert (found.value, found.is_complete) == (3, False)
    assert found.move in (0, 1)


def test_the_moves_are_those_of_the_last_search() -> None:
    game = tree_game(read_tree("M(m(3, 5), m(3, 1))"))
    state = game.initial()
    values = iter([-3, -3, -3, -1])
    equal = TiedMoves(state, lambda *_: next(values), new_workspace())
    assert equal.search(1) == 3
    assert [line[0] for line in equal.lines] == [0, 1]
    assert equal.search(2) == 3
    assert [line[0] for line in equal.lines] == [0]
