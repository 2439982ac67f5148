"""Branch-limited minimax does what its definition says, with a table and in threads too."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core import verbs
from plies.core.errors import BadSpec
from plies.core.scores import ONGOING
from plies.games.tree import Tree, read_tree, tree_game
from plies.search.branch import Branch
from plies.search.leaf import leaf_value
from plies.search.minimax import Minimax
from plies.search.runner import StopFlag
from plies.search.task import Task
from search_samples import position_after
from tree_samples import trees


def plain_branch(
    method: Branch, state: Any, depth: int, ply: int, evaluator: Any
) -> tuple[int, Any]:
    """The value and the best move: rank min(l, L - 1) plies deep, explore the best L - 1."""
    result = verbs.outcome(state)
    if result != ONGOING or depth == 0:
        return int(leaf_value(state, result, ply, evaluator)), None

    def value_after(move: int, deep: int) -> int:
        child = verbs.play(state, move)
        value, _ = plain_branch(method, child, deep, ply + 1, evaluator)
        return value if verbs.mover(child) == verbs.mover(state) else -value

    moves = [int(move) for move in verbs.legal_moves(state)]
    moves.sort(key=lambda move: -value_after(move, min(method.look, depth - 1)))
    moves = moves[: method.width]
    values = [value_after(move, depth - 1) for move in moves]
    return max(values), moves[values.index(max(values))]


OPTIONS = {"look": st.integers(0, 3), "width": st.integers(1, 4)}
HELP = {"table": st.sampled_from([0, 1]), "threads": st.sampled_from([1, 2])}


@settings(max_examples=200)
@given(tree=trees(most_leaves=40, most_children=5), depth=st.integers(1, 5), **OPTIONS, **HELP)
def test_the_search_equals_its_definition_on_random_trees(
    tree: Tree, depth: int, look: int, width: int, table: int, threads: int
) -> None:
    game = tree_game(tree)
    method = Branch(depth, look, width, table=table, threads=threads)
    found = method.decide(Task(game.initial(), game.evaluator()))
    expected = plain_branch(method, game.initial(), depth, 0, game.evaluator())
    assert (found.value, found.move) == expected


@pytest.mark.parametrize("spec", ["tictactoe", "nim:rows=2-3-4", "quixo:n=3"])
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), plies_played=st.integers(0, 5), **OPTIONS, **HELP)
def test_the_search_equals_its_definition_on_games(
    spec: str, seed: int, plies_played: int, look: int, width: int, table: int, threads: int
) -> None:
    game = plies.game(spec)
    state, evaluator = position_after(game, plies_played, seed), game.evaluator()
    method = Branch(3, min(look, 1), width, table=table, threads=threads)
    found = method.decide(Task(state, evaluator))
    assert (found.value, found.move) == plain_branch(method, state, 3, 0, evaluator)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), plies_played=st.integers(0, 4), **OPTIONS)
def test_a_table_that_is_kept_and_a_second_thread_change_no_answer(
    seed: int, plies_played: int, look: int, width: int
) -> None:
    game = plies.game("tictactoe")
    memory: dict[str, Any] = {}
    for played in (plies_played, plies_played + 1):
        state = position_after(game, played, seed)
        alone = Branch(6, look, width, table=0).decide(Task(state))
        helped = Branch(6, look, width, table=1, threads=2).decide(Task(state, memory=memory))
        assert (helped.value, helped.move) == (alone.value, alone.move)


def test_threads_without_a_table_visit_the_same_nodes() -> None:
    game = plies.game("tictactoe")
    found = [Branch(5, table=0, threads=n).decide(Task(game.initial())) for n in (1, 2, 3, 20)]
    assert len({(each.nodes, each.leaves, each.line) for each in found}) == 1


@settings(max_examples=40)
@given(tree=trees(most_leaves=40, most_children=5), depth=st.integers(1, 5), look=st.integers(0, 3))
def test_a_width_that_covers_every_move_is_minimax(tree: Tree, depth: int, look: int) -> None:
    game = tree_game(tree)
    task = Task(game.initial(), game.evaluator())
    assert Branch(depth, look, 5).decide(task).value == Minimax(depth).decide(task).value


def test_a_look_ahead_as_deep_as_the_search_ranks_nothing() -> None:
    """The best few then include the best of all, and minimax it is, node by node."""
    game = plies.game("tictactoe")
    narrow = Branch(4, look=3, width=1, table=0).decide(Task(game.initial()))
    assert narrow.nodes == Minimax(4).decide(Task(game.initial())).nodes
    assert Branch(4, look=9, width=1, table=0).decide(Task(game.initial())).nodes == narrow.nodes


def test_nodes_of_the_ranking_are_counted() -> None:
    # Root; three Min nodes ranked; the best two explored: each a node and its two leaves.
    game = tree_game(read_tree("M(m(3, 5), m(3, 1), m(2, 8))"))
    found = Branch(2, look=0, width=2, table=0).decide(Task(game.initial(), game.evaluator()))
    assert (found.nodes, found.leaves, found.value) == (1 + 3 + 2 * 3, 3 + 2 * 2, 3)


def test_chance_chooses_among_the_explored_moves_of_the_best_value() -> None:
    game = tree_game(read_tree("M(m(3, 5), m(3, 1), m(4, 3), m(3, 3))"))
    method = Branch(2, look=0, width=3, choice="random")
    moves = set()
    for seed in range(30):
        task = Task(game.initial(), game.evaluator())
        task.rng.seed(seed)
        moves.add(method.decide(task).move)
    assert moves == {0, 2}  # the last one is as good and is not among the first three


@settings(max_examples=40)
@given(nodes=st.integers(1, 400), threads=st.sampled_from([1, 2]))
def test_a_search_stopped_by_its_budget_answers_with_a_legal_move(nodes: int, threads: int) -> None:
    game = plies.game("tictactoe")
    method = Branch(6, nodes=nodes, threads=threads, table=0)
    found, again = (method.decide(Task(game.initial())) for _ in range(2))
    assert found.nodes <= nodes
    assert not found.is_complete
    assert found.move in game.moves(game.initial())
    assert (again.nodes, again.move, again.value) == (found.nodes, found.move, found.value)


def test_a_search_stopped_at_once_has_no_value() -> None:
    game = plies.game("tictactoe")
    stop = StopFlag()
    stop.stop()
    found = Branch(threads=2).decide(Task(game.initial(), stop=stop))
    assert (found.nodes, found.value, found.is_complete) == (0, None, False)


@pytest.mark.parametrize("width", [0, -1])
def test_a_width_of_nothing_is_refused(width: int) -> None:
    with pytest.raises(BadSpec, match="width is 1 to 1000000, not"):
        Branch(width=width)
