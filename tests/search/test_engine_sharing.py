"""Threads of the engine keep out of each other's way, and that changes no answer."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.core import verbs
from plies.core.scores import INFINITY, ONGOING
from plies.games.tree import Tree, tree_game
from plies.search.deepening import deepen
from plies.search.engine import Engine
from plies.search.engine.ordering import (
    KILLER,
    LOSING,
    TACTICAL,
    defer,
    next_move,
    rank_and_score,
)
from plies.search.engine.pvs import pvs
from plies.search.engine.sharing import (
    BUCKET,
    SHARED_DEPTH,
    is_busy,
    mark_busy,
    new_marks,
    unmark_busy,
)
from plies.search.engine.workspace import MAX_SCORED, new_engine_workspace
from plies.search.minimax import Minimax
from plies.search.task import Task
from plies.search.workspace import ROOT, UNLIMITED
from search_samples import SPECS, plain_value, position_after, value_by_minimax
from tree_samples import trees

NUMBERS = st.integers(-(2**63), 2**63 - 1)
MOVES = st.integers(0, 2**40)


def shared_work(marks: np.ndarray) -> np.record:
    work = new_engine_workspace(UNLIMITED, ())
    work.marks = marks.ctypes.data
    work.is_exact = 1
    return work


@given(key=NUMBERS, move=MOVES)
def test_a_move_is_busy_until_it_is_unmarked(key: int, move: int) -> None:
    marks = new_marks()
    one, other = shared_work(marks), shared_work(marks)
    assert not is_busy(other, key, move)
    mark_busy(one, key, move)
    assert is_busy(other, key, move)
    assert not is_busy(other, key, move + 1)
    assert not is_busy(other, key ^ 2, move)
    unmark_busy(one, key, move)
    assert not is_busy(other, key, move)
    assert not marks.any()


def test_more_moves_than_a_bucket_holds_overwrite_each_other_and_nothing_else() -> None:
    marks = new_marks()
    work = shared_work(marks)
    keys = [number << 20 for number in range(BUCKET + 1)]  # all in one bucket
    for key in keys:
        mark_busy(work, key, 0)
    assert np.count_nonzero(marks) == BUCKET
    assert is_busy(work, keys[-1], 0)
    for key in keys:
        unmark_busy(work, key, 0)
    assert not marks.any()


def moves_below(state: Any, plies_deep: int) -> Iterator[tuple[Any, int]]:
    """Every move in every position up to so many plies after a state, with the position."""
    if verbs.outcome(state) != ONGOING or plies_deep < 0:
        return
    for move in verbs.legal_moves(state).tolist():
        yield state, move
        yield from moves_below(verbs.play(state, move), plies_deep - 1)


def engine_value(state: Any, evaluator: Any, depth: int, work: np.record) -> int:
    key = int(verbs.key(state))
    return int(pvs(state, key, depth, -INFINITY, INFINITY, ROOT, evaluator, work))


@settings(max_examples=15 if is_interpreting() else 60)
@given(
    tree=trees(most_leaves=40, most_children=4),
    depth=st.integers(SHARED_DEPTH, 8),
    share=st.sampled_from([0.6, 1.0]),
)
def test_random_trees_have_the_same_value_whatever_others_are_searching(
    tree: Tree, depth: int, share: float
) -> None:
    game = tree_game(tree)
    state, evaluator = game.initial(), game.evaluator()
    work, chance = shared_work(marks := new_marks()), random.Random(1)
    for position, move in moves_below(state, min(depth - SHARED_DEPTH, 1)):
        if chance.random() < share:
            mark_busy(work, int(verbs.key(position)), move)
    assert marks.any() or verbs.outcome(state) != ONGOING or share < 1
    value = engine_value(state, evaluator, depth, work)
    assert value == plain_value(state, depth, ROOT, evaluator)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
def test_a_game_has_the_same_value_while_others_search_the_best_moves(spec: str) -> None:
    game = plies.game(spec)
    state, evaluator = position_after(game, 3, seed=1), game.evaluator()
    task, chance = Task(state, evaluator), random.Random(1)
    value = Minimax(SHARED_DEPTH).decide(task).value
    work, moves = shared_work(marks := new_marks()), game.moves(state)
    for move in moves:
        if chance.random() < 0.5 or value_by_minimax(task, move, SHARED_DEPTH) == value:
            mark_busy(work, int(verbs.key(state)), move)
    assert engine_value(state, evaluator, SHARED_DEPTH, work) == value
    assert len(moves) < 3 or work.ranks.any(), "nothing was deferred"
    assert not marks.any()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_have_the_same_marks_and_one_alone_has_none(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[int]] = []

    def note(task: Any, search: Any, works: list[np.record], *more: Any) -> Any:
        seen.append([int(work.marks) for work in works])
        return deepen(task, search, works, *more)

    monkeypatch.setattr("plies.search.engine.deepen", note)
    game = plies.game("tictactoe")
    Engine(depth=2, table=1, threads=threads).decide(Task(game.initial(), game.evaluator()))
    ((first, *others),) = seen
    assert others == [first] * (threads - 1)
    assert (first != 0) == (threads > 1)


@given(score=st.sampled_from([TACTICAL + 900, KILLER + 2, 8192, 0, -8192, LOSING - 300]))
def test_a_move_that_was_put_off_comes_last_with_its_own_rank_and_score(score: int) -> None:
    game, ply, count = plies.game("tictactoe"), 1, 5
    work = new_engine_workspace(UNLIMITED, ())
    state, moves = game.initial(), np.arange(count)
    work.scores[ply * MAX_SCORED : ply * MAX_SCORED + count] = [score, LOSING - 999, 3, 2, 1]
    for sorted_count in (count, 0):  # in order, and in that of the list
        work.cursors[ply] = 0
        defer(0, score, 7, ply, work)
        found = [next_move(state, moves, tried, sorted_count, ply, work) for tried in range(count)]
        assert [int(index) for index, _ in found][-1] == 0
        assert rank_and_score(0, found[-1][1], 20, ply, work) == (7, score)
        assert rank_and_score(*found[0], 20, ply, work) == (20, found[0][1])
        work.scores[ply * MAX_SCORED + 1 : ply * MAX_SCORED + count] = [LOSING - 999, 3, 2, 1]
