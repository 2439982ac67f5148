"""The engine stops when it is told to, with a legal move and the best it has found."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.core.scores import INFINITY, win_in
from plies.games.tree import Tree, tree_game
from plies.search.decision import Decision
from plies.search.engine import Engine
from plies.search.runner import StopFlag
from plies.search.task import Task
from search_samples import position_after, value_of_move
from tree_samples import trees

BOARD = "tictactoe:width=6,height=6,k=4"  # far too many lines to finish


@pytest.mark.parametrize("root", ["aspiration", "mtdf"])
@settings(max_examples=40)
@given(nodes=st.integers(1, 3000), table=st.sampled_from([0, 1]), exact=st.booleans())
def test_a_budget_of_nodes_is_kept_and_the_answer_is_legal(
    root: Any, nodes: int, table: int, exact: bool
) -> None:
    game = plies.game(BOARD)
    nodes = nodes // 20 + 1 if is_interpreting() else nodes
    task = Task(position_after(game, nodes % 9, seed=nodes), game.evaluator("zero"))
    found = Engine(nodes=nodes, table=table, exact=exact, root=root).decide(task)
    assert found.nodes <= nodes
    assert found.nodes == nodes or found.is_complete
    check_stopped(game, task, found)


def check_stopped(game: plies.Game, task: Task, found: Decision) -> None:
    """What must be true of every answer, also of one that came early."""
    assert found.move in game.moves(task.state)
    assert found.line[0] == found.move
    assert found.value is None or -INFINITY < found.value < INFINITY
    assert [each.depth for each in found.history] == list(range(1, found.depth + 1))
    nodes = [each.nodes for each in found.history]
    assert nodes == sorted(set(nodes))
    assert not nodes or nodes[-1] <= found.nodes
    for each in found.history:
        assert each.move in game.moves(task.state)
        assert each.line[0] == each.move


@settings(max_examples=30)
@given(nodes=st.integers(1, 500), threads=st.integers(1, 5))
def test_threads_share_the_budget(nodes: int, threads: int) -> None:
    game = plies.game(BOARD)
    found = Engine(nodes=nodes, table=1, threads=threads).decide(Task(game.initial()))
    assert found.nodes <= nodes
    check_stopped(game, Task(game.initial()), found)


@pytest.mark.parametrize("root", ["aspiration", "mtdf"])
@settings(max_examples=20 if is_interpreting() else 150)
@given(
    tree=trees(most_leaves=40, most_children=4),
    nodes=st.integers(1, 120),
    table=st.sampled_from([0, 1]),
)
def test_an_answer_that_differs_from_the_last_depth_finished_beats_it_one_ply_deeper(
    root: Any, tree: Tree, nodes: int, table: int
) -> None:
    game = tree_game(tree)
    task = Task(game.initial(), game.evaluator())
    found = Engine(nodes=nodes, table=table, exact=True, root=root).decide(task)
    check_stopped(game, task, found)
    check_better(task, found)


def check_better(task: Task, found: Decision) -> None:
    """A move that is not that of the last depth finished beats it one ply deeper."""
    if not found.history or found.move == found.history[-1].move:
        return
    new, old = (
        value_of_move(task.state, move, found.depth + 1, 0, task.evaluator)
        for move in (found.move, found.history[-1].move)
    )
    assert found.value is not None
    assert old < found.value <= new  # in a narrow window it is known to be that good at least
    assert not found.is_complete


@pytest.mark.parametrize(
    ("spec", "text"),
    [("tictactoe", "X.O/.O./X.. X"), ("tictactoe", "X../.O./... X"), ("quixo:n=3", "")],
)
@pytest.mark.parametrize("root", ["aspiration", "mtdf"])
@pytest.mark.parametrize("table", [0, 1])
def test_wherever_an_exact_search_is_stopped_its_move_is_the_better_one(
    spec: str, text: str, root: Any, table: int
) -> None:
    """No search that was cut short loses what was known before."""
    game = plies.game(spec)
    state = game.parse_position(text) if text else position_after(game, 2, seed=2)
    task = Task(state, game.evaluator())
    step = 97 if is_interpreting() else 3
    for nodes in range(1, 300, step):
        found = Engine(nodes=nodes, table=table, exact=True, root=root).decide(
            replace(task, memory={})
        )
        check_stopped(game, task, found)
        if found.depth <= 2:
            check_better(task, found)


@pytest.mark.parametrize("threads", [1, 2])
def test_another_thread_stops_it(threads: int) -> None:
    game = plies.game(BOARD)
    stop = StopFlag()
    threading.Timer(0.2, stop.stop).start()
    task = Task(game.initial(), game.evaluator("zero"), stop=stop)
    found = Engine(depth=36, table=1, threads=threads).decide(task)
    assert not found.is_complete
    check_stopped(game, task, found)


@pytest.mark.parametrize("threads", [1, 2])
def test_time_stops_it(threads: int) -> None:
    game = plies.game(BOARD)
    task = Task(game.initial(), game.evaluator("zero"))
    found = Engine(seconds=0.1, table=1, threads=threads).decide(task)
    assert not found.is_complete
    check_stopped(game, task, found)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_flag_set_before_stops_it_at_once(threads: int) -> None:
    game = plies.game(BOARD)
    stop = StopFlag()
    stop.stop()
    task = Task(game.initial(), game.evaluator("zero"), stop=stop)
    found = Engine(table=1, threads=threads).decide(task)
    assert (found.nodes, found.value, found.history, found.is_complete) == (0, None, (), False)
    assert found.move in game.moves(task.state)


def test_to_prepare_an_agent_searches_nothing_and_changes_nothing() -> None:
    game = plies.game("tictactoe")
    prepared, fresh = (plies.agent("engine:nodes=300,table=1", game) for _ in range(2))
    prepared.prepare(game.initial())
    assert not prepared.memory["table"].words.any()
    answers = [each.choose(game.initial()) for each in (prepared, fresh)]
    assert answers[0].line == answers[1].line
    assert answers[0].nodes == answers[1].nodes == 300


def test_it_is_complete_at_its_depth_or_where_nothing_is_left_to_see() -> None:
    game = plies.game("tictactoe")
    start = Task(game.initial(), game.evaluator("zero"))
    found = Engine(depth=2, table=1).decide(start)
    assert (found.is_complete, found.depth) == (True, 2)
    won = game.parse_position("XX./OO./... X")
    found = Engine(depth=9, table=1).decide(replace(start, state=won, memory={}))
    assert (found.is_complete, found.depth, found.value) == (True, 1, win_in(1))
    last = game.parse_position("XOX/XOO/O.X X")
    found = Engine(table=1).decide(replace(start, state=last, memory={}))
    assert (found.is_complete, found.depth, found.value) == (True, 1, 0)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_failure_of_who_is_told_leaves_no_thread_behind(threads: int) -> None:
    def fail(progress: Any) -> None:
        raise ValueError("not my problem")

    game, before = plies.game(BOARD), set(threading.enumerate())
    task = Task(game.initial(), game.evaluator("zero"), on_progress=fail)
    with pytest.raises(ValueError, match="not my problem"):
        Engine(depth=36, table=1, threads=threads).decide(task)
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
        assert not thread.is_alive()
