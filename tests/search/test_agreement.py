"""Every compiled search equals the plain-Python reference: value, line and counts.

Searches that use a table or sort their moves visit other nodes, and have the same value.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.core.scores import WIN, lose_in, win_in
from plies.games.tree import Tree, tree_game
from plies.search import reference
from plies.search.alphabeta import AlphaBeta, Cut, Fail, TablePruning, alphabeta_tt
from plies.search.branch import Branch
from plies.search.decision import Decision
from plies.search.deepening import Deepening
from plies.search.minimax import Minimax
from plies.search.ordering import UNSORTED
from plies.search.reference import Answer, Position
from plies.search.search import Search
from plies.search.table import NO_MOVE, Table
from plies.search.task import Task
from plies.search.workspace import new_workspace
from search_samples import SPECS, plain_value, position_after, value_of_move
from tree_samples import NUMBERS, examples, trees

FAILS: tuple[Fail, ...] = get_args(Fail)
CUTS: tuple[Cut, ...] = get_args(Cut)
ZERO_SUM_PAIRS = NUMBERS.map(lambda number: (number, -number))


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
    found = Minimax(depth, nodes=nodes).decide(Task(state, evaluator))
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
    found = AlphaBeta(depth, fail=fail, cut=cut, nodes=nodes).decide(Task(state, evaluator))
    assert decision(found) == expected_decision(game, state, answer)


@settings(max_examples=examples(300))
@given(
    tree=trees(most_leaves=40, most_children=4) | trees(ZERO_SUM_PAIRS),
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
    task = Task(state, game.evaluator())
    callables = reference.on_game(game.evaluator())
    answer = reference.minimax(Position(state), depth=depth, budget=nodes, **callables)
    found = Minimax(depth, nodes=nodes).decide(task)
    assert decision(found) == expected_decision(game, state, answer)
    pruned_answer = reference.alphabeta(
        Position(state), depth=depth, fail=fail, cut=cut, budget=nodes, **callables
    )
    pruned = AlphaBeta(depth, fail=fail, cut=cut, nodes=nodes).decide(task)
    assert decision(pruned) == expected_decision(game, state, pruned_answer)
    if found.is_complete:
        assert (pruned.value, pruned.move) == (found.value, found.move)
        assert pruned.nodes <= found.nodes


# Every search that promises the value of minimax, with what it may use to find it sooner.
EXACT: dict[str, Callable[[int], Search]] = {
    "beyond": lambda depth: AlphaBeta(depth, cut="beyond"),
    "hard": lambda depth: AlphaBeta(depth, fail="hard"),
    "table": lambda depth: AlphaBeta(depth, table=1),
    "table, hard": lambda depth: AlphaBeta(depth, fail="hard", table=1),
    "table, beyond": lambda depth: AlphaBeta(depth, cut="beyond", table=1),
    "table, hard, beyond": lambda depth: AlphaBeta(depth, fail="hard", cut="beyond", table=1),
    "sorted": lambda depth: AlphaBeta(depth, order="shallow"),
    "sorted, look 1": lambda depth: AlphaBeta(depth, order="shallow", look=1),
    "sorted, table": lambda depth: AlphaBeta(depth, order="shallow", table=1),
    "any of the best": lambda depth: AlphaBeta(depth, choice="random"),
    "any of the best, table": lambda depth: AlphaBeta(depth, choice="random", table=1),
    "any of the best, minimax": lambda depth: Minimax(depth, choice="random"),
    "deepening": lambda depth: Deepening(depth, table=1),
    "deepening without table": lambda depth: Deepening(depth, table=0),
    "deepening, sorted": lambda depth: Deepening(depth, table=1, order="shallow"),
    "deepening, any of the best": lambda depth: Deepening(depth, table=1, choice="random"),
}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
def test_every_exact_search_has_the_value_of_minimax_on_every_game(spec: str) -> None:
    game = plies.game(spec)
    depth = 2 if is_interpreting() else 3
    for plies_played in (0, 9):
        task = Task(position_after(game, plies_played, seed=1), game.evaluator())
        value = Minimax(depth).decide(task).value
        for name, method in EXACT.items():
            found = method(depth).decide(replace(task, memory={}))
            assert (name, found.value, found.is_complete) == (name, value, True)


@settings(max_examples=examples(100))
@given(tree=trees(most_leaves=40, most_children=4), depth=st.integers(1, 8))
def test_every_exact_search_has_the_value_of_minimax_on_random_trees(
    tree: Tree, depth: int
) -> None:
    game = tree_game(tree)
    task = Task(game.initial(), game.evaluator())
    value = plain_value(task.state, depth, 0, task.evaluator)
    for name, method in EXACT.items():
        found = method(depth).decide(replace(task, memory={}))
        assert (name, found.value) == (name, value)
        assert value_of_move(task.state, found.move, depth, 0, task.evaluator) == value


@pytest.mark.parametrize("spec", ["tictactoe", "nim:rows=2-3-4", "quixo:n=3"])
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), fails=st.lists(st.sampled_from(FAILS), min_size=5, max_size=5))
def test_a_table_kept_from_move_to_move_changes_no_value(
    spec: str, seed: int, fails: list[Fail]
) -> None:
    """Also where a fail-hard search reads what a fail-soft one has left behind."""
    game = plies.game(spec)
    depth = 3 if is_interpreting() else 5
    memory: dict[str, Any] = {}
    for plies_played, fail in enumerate(fails):
        state = position_after(game, plies_played, seed)
        task = Task(state, game.evaluator(), memory=memory)
        found = AlphaBeta(depth, fail=fail, table=1).decide(task)
        assert found.value == Minimax(depth).decide(Task(state, game.evaluator())).value


@settings(max_examples=examples(300))
@given(
    tree=trees(most_leaves=30, most_children=4),
    searches=st.lists(
        st.tuples(
            st.integers(-5, 4), st.integers(1, 4), st.sampled_from(FAILS), st.sampled_from(CUTS)
        ),
        min_size=2,
        max_size=6,
    ),
)
def test_whatever_is_in_the_table_an_answer_is_right_for_its_window(
    tree: Tree, searches: list[tuple[int, int, Fail, Cut]]
) -> None:
    """A fail-hard search must clamp what a fail-soft one, or another window, has written."""
    game = tree_game(tree)
    state, evaluator, depth = game.initial(), game.evaluator(), 4
    value = plain_value(state, depth, 1, evaluator)
    table, work = Table(1), new_workspace()
    table.connect(work)
    for alpha, width, fail, cut in searches:
        beta = alpha + width
        pruning = TablePruning(int(fail == "hard"), int(cut == "beyond"), UNSORTED, NO_MOVE)
        found = alphabeta_tt(state, depth, alpha, beta, 1, pruning, evaluator, work)
        if fail == "hard":
            assert found == min(max(value, alpha), beta)
        elif value <= alpha:
            assert value <= found <= alpha
        elif value >= beta:
            assert beta <= found <= value
        else:
            assert found == value
        if fail == "soft" and cut == "beyond" and value in (alpha, beta):
            assert found == value


@pytest.mark.parametrize(
    "method",
    [
        lambda depth: AlphaBeta(depth, table=1),
        lambda depth: Branch(depth, look=0, width=1000, table=1),
    ],
)
def test_a_win_is_as_far_as_it_is_from_every_ply_where_the_table_knows_it(
    method: Callable[[int], Search],
) -> None:
    """Each search finds the table full of what the one before found one ply farther away."""
    game = plies.game("nim:rows=2-3")
    state = game.initial()
    memory: dict[str, Any] = {}
    hits = 0
    # Who makes the heaps equal wins; five plies remain when both play as long as they can.
    for value in (win_in(5), lose_in(4), win_in(3), lose_in(2), win_in(1)):
        task = Task(state, game.evaluator(), memory=memory)
        found = method(WIN - abs(value)).decide(task)
        assert found.value == value
        hits += found.table_hits
        state = game.play(state, found.move)
    assert hits > 0
