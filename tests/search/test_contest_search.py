"""The contest agent: deepening with a beam, by the phase of the game and what is on the clock."""

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.errors import BadSpec
from plies.games.tree import Tree, tree_game
from plies.match import Clocks, play_game
from plies.search.beam import EQUAL, IMAGES, NONE, Beam, without_duplicates
from plies.search.clock import OVERHEAD_SECONDS, Clock, fixed_share
from plies.search.contest import Contest
from plies.search.task import Task
from tree_samples import examples, trees

PLENTY = 10**6  # nodes; with a budget of nodes no clock runs


@settings(max_examples=60)
@given(tree=trees(most_leaves=40, most_children=6), above=st.integers(0, 5))
def test_every_depth_has_the_value_of_the_beam(tree: Tree, above: int) -> None:
    game = tree_game(tree)
    task = Task(game.initial(), game.evaluator())
    found = Contest((6,), above=above, nodes=PLENTY).decide(task)
    assert found.history
    for each in found.history:
        assert each.value == Beam(each.depth, above=above).decide(task).value


@settings(max_examples=examples(100))
@given(tree=trees(most_leaves=40, most_children=6), nodes=st.integers(1, 80))
def test_the_answer_is_that_of_the_last_depth_finished(tree: Tree, nodes: int) -> None:
    game = tree_game(tree)
    found = Contest((6,), share=1.0, nodes=nodes).decide(Task(game.initial(), game.evaluator()))
    if found.history:
        last = found.history[-1]
        answer = (found.move, found.value, found.line, found.depth)
        assert answer == (last.move, last.value, last.line, last.depth)


def test_time_and_depth_go_by_the_phase_of_the_game() -> None:
    game, method = plies.game("seega"), Contest()
    placing = game.initial()
    moving = game.parse_position("XO.../.OX../...../...../....X O 7")
    limits = [method.limits(Task(state, clock=Clock(100))) for state in (placing, moving)]
    seconds = [1.0 - OVERHEAD_SECONDS, 2.5 - OVERHEAD_SECONDS]
    assert [each.depth for each in limits] == [12, 10]
    assert [each.hard for each in limits] == pytest.approx(seconds)
    assert [each.soft for each in limits] == [each.hard for each in limits]
    one = Contest((3,), (0.5,), seconds=2).limits(Task(moving, clock=Clock(100)))
    assert (one.depth, one.hard) == (3, 2)  # the last number, and the stricter limit


def test_a_game_without_phases_is_in_the_first() -> None:
    task = Task(plies.game("tictactoe").initial())
    assert Contest((5, 4)).limits(task).depth == 5
    assert Contest((5, 4)).limits(task).hard == 1.0  # a second, where nothing else is said
    assert Contest((5, 4), nodes=9).limits(task).hard == inf


def test_successors_met_before_are_dropped() -> None:
    game = plies.game("tictactoe")
    state = game.initial()
    cells = ("b2", "a1", "c3", "b1")
    centre, corner, opposite, edge = (game.parse_move(state, cell) for cell in cells)
    moves = [centre, corner, centre, opposite, corner, edge]
    kept = {
        NONE: moves,
        EQUAL: [centre, corner, opposite, edge],
        IMAGES: [centre, corner, edge],
    }
    for kind, expected in kept.items():
        assert without_duplicates(state, np.array(moves), kind).tolist() == expected


def test_images_can_count_as_duplicates() -> None:
    game = plies.game("tictactoe")
    specs = ("contest:depth=9,nodes=1000000", "contest:depth=9,symmetry=true,nodes=1000000")
    every, one = (plies.search(game, game.initial(), spec).history for spec in specs)
    assert (every[0].nodes, one[0].nodes) == (10, 4)  # the root, and 9 or 3 first moves
    assert every[-1].nodes > one[-1].nodes


@given(left=st.floats(0, 1000), share=st.floats(0.001, 1), per_move=st.floats(0, 10))
def test_a_move_takes_its_share_and_never_all(left: float, share: float, per_move: float) -> None:
    seconds = fixed_share(Clock(left, per_move=per_move), share)
    whole = seconds + OVERHEAD_SECONDS
    assert seconds > 0
    if seconds > 0.001:
        assert whole <= share * left + 1e-9
        assert not per_move or whole <= per_move + 1e-9


def test_a_match_is_played_within_the_credit() -> None:
    record = play_game(
        "tictactoe", "contest", "contest:credit=0.5", clocks=Clocks(credit=2, margin=0)
    )
    assert record.termination == "normal"
    for player in (0, 1):
        assert sum(move.seconds for move in record.moves if move.player == player) < 2


def test_numbers_by_phase_are_at_least_one() -> None:
    with pytest.raises(BadSpec, match="depth and credit"):
        Contest(depth=())
