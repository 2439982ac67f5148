"""Retrograde analysis against plain play to the end, other searches and plain iteration."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core.scores import MAX_PLIES, WIN, lose_in, win_in
from plies.games.tree import Tree, tree_game
from plies.search.retrograde import NO_END, Graph, Solution, carry_back, solution
from plies.search.runner import NoLegalMove
from plies.search.workspace import new_workspace
from proof_samples import Truth, positions, sample, shortened
from tree_samples import examples, trees

DATA = Path(__file__).parents[1] / "data"
ENDLESS = DATA / "circle.py"
STUCK = DATA / "games" / "stuck.py"
MANY = 1_000_000


def solved(game: plies.Game, state: Any = None) -> Solution:
    found = solution(game.initial() if state is None else state, MANY, new_workspace())
    assert found is not None
    return found


def value_after(game: plies.Game, truth: Truth, state: Any, move: int) -> int:
    """What a move is worth to its mover, one ply nearer than from the position before it."""
    child = game.play(state, move)
    value = truth.value(child)
    return value if game.mover(child) == game.mover(state) else -value


def assert_is_true(game: plies.Game) -> int:
    """Every value and all best moves are those of plain play to the end; counts the positions."""
    everything, truth, found = positions(game), Truth(game), solved(game)
    assert len(found) == len({game.key(state) for state in everything})
    for state in sample(everything):
        assert shortened(found.value(state)) == truth.value(state), game.position_text(state)
        if game.is_over(state):
            continue
        after = {move: value_after(game, truth, state, move) for move in game.moves(state)}
        best = max(after.values())
        moves = found.best_moves(state)
        assert moves
        assert {after[move] for move in moves} == {best}
        if abs(best) > 500:  # won or lost: all that are as fast
            assert moves == [move for move, value in after.items() if value == best]
    return len(everything)


def test_every_position_of_tic_tac_toe_is_solved_with_its_distance() -> None:
    # published: the number of positions that can arise
    assert assert_is_true(plies.game("tictactoe")) == 5478


@pytest.mark.parametrize("options", ["", ",k=2", ",misere=true", ",k=3,misere=true"])
def test_nim_is_solved_with_its_distances(options: str) -> None:
    assert_is_true(plies.game(f"nim:rows=3-2-4{options}"))


@settings(max_examples=60)
@given(tree=trees())
def test_random_trees_with_movers_in_any_order_are_solved(tree: Tree) -> None:
    assert_is_true(tree_game(tree))


def test_a_game_that_can_go_round_is_solved_as_by_search() -> None:
    game = plies.game("quixo:n=3")
    found = solved(game)
    # project facts, Quixo: the first player wins in 7, no board is drawn
    assert found.value(game.initial()) == win_in(7)
    assert np.all(found.values != 0)
    state = game.initial()
    for move in found.line(state, found.best_moves(state)[0]):
        searched = plies.search(game, state, "solve:table=4")
        assert found.value(state) == searched.value
        assert searched.move in found.best_moves(state)
        state = game.play(state, move)
    assert game.outcome(state) == 0


def test_what_goes_round_for_ever_is_a_draw() -> None:
    game = plies.game(str(ENDLESS))
    found = solved(game)
    assert [found.value(state) for state in positions(game)] == [0, 0, 0, 0]
    assert found.best_moves(game.initial()) == [1, 3]
    # to 1 and 2, and back to 1 where the line closes
    assert found.line(game.initial(), 1) == (1, 2, 1)


def test_a_win_is_found_through_play_that_could_go_round() -> None:
    game = plies.game(f"{ENDLESS}:exits=1")
    found = solved(game)
    # 0 -> 1 -> 2 -> outside, the only way out
    assert found.value(game.initial()) == win_in(3)
    assert found.line(game.initial(), 1) == (1, 2, 4)
    assert found.value(game.play(game.initial(), 1)) == lose_in(2)


# Who moves, and where the moves lead or what player 0 gets; a child is a number modulo the size.
ENDS = st.sampled_from([-WIN, -2, -1, 0, 1, 2, WIN])
CHILDREN = st.lists(st.integers(0, 100), min_size=1, max_size=3)
GRAPHS = st.lists(st.tuples(st.integers(0, 1), ENDS | CHILDREN), min_size=1, max_size=12)


@settings(max_examples=examples(300))
@given(drawn=GRAPHS)
def test_random_trees_grown_together_in_circles_are_worth_what_iteration_says(
    drawn: list[tuple[int, int | list[int]]],
) -> None:
    children = [
        [child % len(drawn) for child in rest] if isinstance(rest, list) else []
        for _, rest in drawn
    ]
    graph = Graph(
        keys=np.arange(len(drawn)),
        movers=np.array([mover for mover, _ in drawn]),
        ends=np.array([NO_END if isinstance(rest, list) else rest for _, rest in drawn]),
        first=np.cumsum([0, *map(len, children)]),
        children=np.array([child for each in children for child in each], np.int64),
    )
    values, plies_left = carry_back(graph, new_workspace())
    expected = iterated(graph, children)
    assert list(zip(values.tolist(), plies_left.tolist(), strict=True)) == expected


def iterated(graph: Graph, children: list[list[int]]) -> list[tuple[int, int]]:
    """Value for player 0 and plies, by looking one ply farther as often as there are positions.

    What lies beyond the horizon counts 0.  Farther than that nothing changes: who gains can
    gain without coming to a position twice.
    """
    results = [(0 if end == NO_END else int(end), 0) for end in graph.ends]

    def merit(result: tuple[int, int]) -> tuple[int, int]:
        """How player 0 likes it: gains soon, losses late."""
        value, plies_left = result
        return value, -plies_left if value > 0 else plies_left

    for _ in children:
        later = [(value, count + (value != 0)) for value, count in results]
        results = [
            (min if mover else max)((later[child] for child in kids), key=merit) if kids else own
            for mover, kids, own in zip(graph.movers, children, results, strict=True)
        ]
    return results


def test_a_position_that_play_does_not_lead_to_is_not_in_the_solution() -> None:
    game = plies.game("nim:rows=2-3")
    later = game.play(game.initial(), game.moves(game.initial())[0])
    found = solved(game, later)
    assert later in found
    assert game.initial() not in found
    with pytest.raises(KeyError):
        found.value(game.initial())


def test_nothing_is_solved_when_stopped_or_with_too_many_positions() -> None:
    game = plies.game("nim:rows=2-3")
    assert solution(game.initial(), MANY, new_workspace(budget=0)) is None
    count = len(positions(game))
    work = new_workspace()
    assert solution(game.initial(), count - 1, work) is None
    assert work.is_stopped
    assert solution(game.initial(), count, new_workspace()) is not None


def test_a_stop_is_heard_while_values_are_carried_back() -> None:
    lost = Graph(
        keys=np.arange(2),
        movers=np.zeros(2, np.int64),
        ends=np.array([NO_END, WIN]),
        first=np.array([0, 1, 1]),
        children=np.array([1]),
    )
    work = new_workspace(budget=0)
    carry_back(lost, work)
    assert work.is_stopped


def test_a_position_without_moves_that_is_not_over_is_reported() -> None:
    game = plies.game(str(STUCK))
    with pytest.raises(NoLegalMove) as error:
        solution(game.initial(), MANY, new_workspace())
    assert game.position_text(error.value.state) in ("1 0", "1 1")


def test_a_win_beyond_the_scale_of_values_counts_as_the_farthest() -> None:
    game = plies.game("nim:rows=2-3")
    graph = solved(game).graph
    many = np.full(len(graph.keys), MAX_PLIES + 5)
    far = Solution(graph, np.full(len(graph.keys), WIN), many, np.argsort(graph.keys))
    assert far.value(game.initial()) == win_in(MAX_PLIES)
