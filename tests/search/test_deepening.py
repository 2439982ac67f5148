"""Iterative deepening: a history of depths, and an answer whenever it is stopped."""

import threading
from dataclasses import replace
from itertools import accumulate
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core.scores import lose_in, win_in
from plies.errors import BadSpec
from plies.games.tree import Tree, read_tree, tree_game
from plies.search.clock import Clock, time_budget
from plies.search.deepening import (
    DEFAULT_SECONDS,
    MAX_SILENT,
    Deepener,
    Deepening,
    Limits,
    deepen,
    limits_of,
)
from plies.search.minimax import Minimax
from plies.search.runner import StopFlag
from plies.search.task import Progress, Task
from plies.search.workspace import MAX_DEPTH, enter, new_workspace
from search_samples import plain_value, position_after, value_of_move
from tree_samples import examples, trees

BOARD = "tictactoe:width=6,height=6,k=4"  # far too many lines to finish
KINDS: list[dict[str, Any]] = [{"table": 0}, {"table": 1}, {"prune": "none"}]


@settings(max_examples=60)
@given(tree=trees(most_leaves=40, most_children=4), options=st.sampled_from(KINDS))
def test_every_depth_has_the_value_of_minimax(tree: Tree, options: dict[str, Any]) -> None:
    game = tree_game(tree)
    task = Task(game.initial(), game.evaluator())
    found = Deepening(6, **options).decide(task)
    assert [each.depth for each in found.history] == list(range(1, found.depth + 1))
    for each in found.history:
        assert each.value == plain_value(task.state, each.depth, 0, task.evaluator)
        assert each.move == each.line[0]
    last = found.history[-1]
    assert (found.move, found.value, found.line) == (last.move, last.value, last.line)
    assert found.is_complete


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:n=3"])
def test_every_depth_of_a_game_has_the_value_of_minimax(spec: str) -> None:
    game = plies.game(spec)
    state = position_after(game, 2, seed=3)
    found = Deepening(4).decide(Task(state, game.evaluator()))
    values = [Minimax(depth).decide(Task(state, game.evaluator())).value for depth in (1, 2, 3, 4)]
    assert [each.value for each in found.history] == values
    assert [each.nodes for each in found.history] == sorted(each.nodes for each in found.history)


@settings(max_examples=examples(150))
@given(
    tree=trees(most_leaves=40, most_children=4),
    nodes=st.integers(1, 80),
    options=st.sampled_from(KINDS),
)
def test_an_answer_that_differs_from_the_last_depth_finished_beats_it_one_ply_deeper(
    tree: Tree, nodes: int, options: dict[str, Any]
) -> None:
    game = tree_game(tree)
    state, evaluator = game.initial(), game.evaluator()
    found = Deepening(8, nodes=nodes, **options).decide(Task(state, evaluator))
    assert found.nodes <= nodes
    assert found.move in game.moves(state)
    if found.history and found.move != found.history[-1].move:
        depth = len(found.history) + 1
        new, old = (
            value_of_move(state, move, depth, 0, evaluator)
            for move in (found.move, found.history[-1].move)
        )
        assert new > old
        assert found.value == new
        assert not found.is_complete


def test_without_pruning_every_depth_visits_what_minimax_visits() -> None:
    game = plies.game("tictactoe")
    task = Task(position_after(game, 2, seed=3), game.evaluator())
    found = Deepening(4, prune="none").decide(task)
    whole = [Minimax(depth).decide(task) for depth in (1, 2, 3, 4)]
    assert [each.nodes for each in found.history] == list(accumulate(each.nodes for each in whole))
    assert (found.move, found.cutoffs, found.table_hits) == (whole[-1].move, 0, 0)


@pytest.mark.parametrize("options", [{"table": 1}, {"order": "shallow"}, {"look": 1}])
def test_what_only_helps_pruning_is_refused_without_it(options: dict[str, Any]) -> None:
    with pytest.raises(BadSpec, match="prune=none"):
        Deepening(4, prune="none", **options)


def test_a_partial_depth_that_found_something_better_is_believed() -> None:
    # Depth 1 sees no difference and takes the first move; depth 2 finds 1 there, then 9.
    game = tree_game(read_tree("M(m(1, 2), m(9, 9), m(5, 5))"))
    task = Task(game.initial(), game.evaluator())
    depth_1 = 1 + 3
    enough_for_two_moves = depth_1 + 1 + 3 + 3
    found = Deepening(2, nodes=enough_for_two_moves).decide(task)
    assert (found.move, found.value, found.depth, found.is_complete) == (1, 9, 1, False)
    found = Deepening(2, nodes=depth_1 + 1 + 3).decide(replace(task, memory={}))
    assert (found.move, found.value, found.depth) == (0, 0, 1)  # what depth 1 had said


def test_it_stops_where_the_game_is_decided() -> None:
    game = plies.game("tictactoe")
    winning = game.parse_position("XX./OO./... X")
    found = Deepening(9).decide(Task(winning))
    assert (found.value, found.depth, found.is_complete) == (win_in(1), 1, True)
    losing = game.parse_position("X.X/.O./X.O O")  # X threatens both a2 and b3
    found = Deepening().decide(Task(losing))
    assert (found.value, found.depth, found.is_complete) == (lose_in(2), 2, True)


def test_it_stops_where_every_line_has_ended() -> None:
    game = tree_game(read_tree("M(m(1, 2), m(3, M(4, 0)))"))
    found = Deepening(table=0).decide(Task(game.initial(), game.evaluator()))
    assert (found.value, found.depth, found.is_complete) == (3, 3, True)


def test_a_search_that_finished_no_depth_plays_the_best_it_has_finished() -> None:
    game = tree_game(read_tree("M(1, 5, 9)"))
    task = Task(game.initial(), game.evaluator())
    nothing = Deepening(nodes=1).decide(task)
    assert (nothing.move, nothing.value, nothing.history) == (0, None, ())
    partly = Deepening(nodes=3).decide(task)
    assert (partly.move, partly.value, partly.history) == (1, 5, ())


def test_time_ends_a_search_which_tells_how_it_goes() -> None:
    game = plies.game(BOARD)
    told: list[Progress] = []
    task = Task(game.initial(), on_progress=told.append)
    found = Deepening(seconds=0.4).decide(task)
    assert not found.is_complete
    assert found.move in game.moves(game.initial())
    assert told
    for progress in told:
        assert progress.history == found.history[: len(progress.history)]
        assert progress.nodes <= found.nodes


def test_the_clock_of_a_game_ends_a_search() -> None:
    game = plies.game(BOARD)
    found = Deepening().decide(Task(game.initial(), clock=Clock(remaining=0.5)))
    assert not found.is_complete


def test_limits_are_the_narrower_of_the_options_and_the_clock() -> None:
    state = plies.game("tictactoe").initial()
    clock = Clock(remaining=60.0)
    share = time_budget(clock)
    timed = Task(state, clock=clock)
    assert limits_of(Task(state)) == Limits(MAX_DEPTH, DEFAULT_SECONDS, DEFAULT_SECONDS)
    assert limits_of(Task(state), depth=3) == Limits(3, inf, inf)
    assert limits_of(Task(state), nodes=10) == Limits(MAX_DEPTH, inf, inf)
    assert limits_of(Task(state), seconds=2.0) == Limits(MAX_DEPTH, 2.0, 2.0)
    assert limits_of(timed) == Limits(MAX_DEPTH, share.soft, share.hard)
    assert limits_of(timed, seconds=0.01) == Limits(MAX_DEPTH, 0.01, 0.01)


class Fake:
    """A search that knows what each depth will answer."""

    def __init__(self, values: list[int]):
        self.work = new_workspace()
        self.values = values
        self.depths: list[int] = []

    def search_depth(self, depth: int) -> int:
        if not enter(self.work, 0):
            return 0
        self.depths.append(depth)
        self.work.evaluations += 1
        self.work.line[0, 0], self.work.length[0] = 4, 1
        return self.values[depth - 1]

    def decide(self, limits: Limits, **options: Any) -> plies.Decision:
        task = Task(plies.game("tictactoe").initial(), stop=options.pop("stop", StopFlag()))
        works = [self.work, *options.pop("works", [])]
        return deepen(task, self.search_depth, works, limits, **options)


def test_no_depth_is_begun_after_the_soft_limit() -> None:
    fake = Fake([1, 2, 3])
    found = fake.decide(Limits(3, soft=0.0))
    assert fake.depths == [1]
    assert (found.value, found.move, found.depth, found.is_complete) == (1, 4, 1, False)


def test_letting_the_compiler_finish_counts_nothing() -> None:
    found = Fake([1, 2, 3]).decide(Limits(3))
    assert (found.nodes, found.depth, found.is_complete) == (3, 3, True)


def test_a_win_farther_away_than_was_searched_is_not_believed_yet() -> None:
    """An extended search may see beyond its depth and still miss a nearer win."""
    fake = Fake([win_in(3), win_in(3), win_in(3), win_in(3)])
    assert fake.decide(Limits(4)).depth == 3


def test_helpers_are_stopped_when_the_search_has_finished() -> None:
    beside = new_workspace()
    has_ended = threading.Event()

    def spin(work: np.record) -> None:
        while work.budget:
            pass
        has_ended.set()

    found = Fake([1]).decide(Limits(1), works=[beside], helpers=[lambda: spin(beside)])
    assert has_ended.is_set()
    assert found.is_complete


def test_a_flag_set_before_stops_it_at_once() -> None:
    stop = StopFlag()
    stop.stop()
    fake = Fake([1])
    found = fake.decide(Limits(1), stop=stop)
    assert fake.depths == []
    assert (found.value, found.is_complete) == (None, False)


@pytest.mark.parametrize("is_helped", [False, True])
def test_depths_that_a_helper_has_searched_do_not_end_the_search(is_helped: bool) -> None:
    work, helper = new_workspace(), new_workspace()
    work.line[0, 0], work.length[0] = 3, 1

    def from_table(depth: int) -> int:
        work.hits += 1
        helper.evaluations += 1
        return 0

    helpers = [helper] if is_helped else []
    loop = Deepener(from_table, work, Limits(depth=10), helpers=helpers)
    loop.run()
    assert len(loop.history) == (10 if is_helped else MAX_SILENT)
