"""The engine's parts: repetition, lazy evaluation, the same answer every time."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.core import verbs
from plies.core.scores import INFINITY, MAX_EVALUATION, win_in
from plies.core.verbs import evaluate, evaluators_of, key, quick_eval
from plies.search.decision import Decision
from plies.search.engine import Engine
from plies.search.engine.driver import Driver, aspiration, mtdf
from plies.search.engine.quiescence import evaluate_within
from plies.search.engine.workspace import (
    MAX_PAST,
    is_repetition,
    new_engine_workspace,
    pop_key,
    push_key,
)
from plies.search.runner import NoLegalMove
from plies.search.task import Task
from search_samples import position_after

CHESS = plies.game("chess")
STUCK = Path(__file__).parents[1] / "data" / "games" / "stuck.py"
needs_compiler = pytest.mark.skipif(is_interpreting(), reason="too much for plain Python")


def chess_task(text: str, **more: Any) -> Task:
    return Task(CHESS.parse_position(text), CHESS.evaluator(), **more)


# Windows


class Question:
    """A search that knows the value and answers as far as a window tells."""

    def __init__(self, value: int, slack: int):
        self.value, self.slack = value, slack
        self.asked: list[tuple[int, int]] = []

    def __call__(self, alpha: int, beta: int) -> int:
        assert alpha < beta
        assert len(self.asked) < 100
        self.asked.append((alpha, beta))
        if self.value <= alpha:
            return max(self.value, alpha - self.slack)  # at least the value, at most alpha
        return self.value if self.value < beta else min(self.value, beta + self.slack)


VALUES = st.one_of(
    st.integers(-50, 50), st.integers(-2000, 2000), st.sampled_from([win_in(3), -win_in(4)])
)


@given(value=VALUES, guess=VALUES, width=st.integers(1, 40), slack=st.integers(0, 30))
def test_windows_around_a_guess_find_the_value(
    value: int, guess: int, width: int, slack: int
) -> None:
    assert aspiration(Question(value, slack), guess, width, new_engine_workspace(1, ())) == value


@given(value=st.integers(-40, 40), guess=st.integers(-40, 40), slack=st.integers(0, 30))
def test_questions_of_more_or_less_find_the_value(value: int, guess: int, slack: int) -> None:
    question = Question(value, slack)
    assert mtdf(question, guess, new_engine_workspace(1, ())) == value
    assert all(beta == alpha + 1 for alpha, beta in question.asked)


def test_a_search_stopped_in_a_wider_window_keeps_what_the_narrow_one_found() -> None:
    work = new_engine_workspace(10**6, ())
    answers = {1: [(5, 4)], 2: [(5, 4)], 3: [(5, 4)], 4: [(9, 7), (-INFINITY, None)]}

    def root_search(depth: int, alpha: int, beta: int) -> int:
        value, move = answers[depth].pop(0)
        work.length[0] = 0
        if move is None:
            work.is_stopped = 1
        else:
            work.line[0, 0], work.length[0] = move, 1
        return value

    driver = Driver(root_search, work, is_mtdf=False)
    assert [driver.search(depth) for depth in (1, 2, 3, 4)] == [5, 5, 5, 9]
    assert (work.line[0, 0], work.length[0]) == (7, 1)


# Repetition


def test_a_position_is_repeated_that_is_on_the_way_or_came_twice_before() -> None:
    work = new_engine_workspace(1, (11, 22, 11, 33))
    is_draw = {number: bool(is_repetition(work, number, 1)) for number in (11, 22, 44)}
    assert is_draw == {11: True, 22: False, 44: False}
    push_key(work, 44, 0)
    push_key(work, 55, 1)
    assert is_repetition(work, 44, 2)
    assert is_repetition(work, 55, 2)
    pop_key(work, 55)
    assert not is_repetition(work, 55, 1)
    assert is_repetition(work, 44, 1)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=2 * MAX_PAST))
def test_only_the_last_positions_of_a_long_game_are_remembered(past: list[int]) -> None:
    work = new_engine_workspace(1, tuple(past))
    assert work.past_count == min(len(past), MAX_PAST)
    assert work.keys[: work.past_count].tolist() == past[-MAX_PAST:]
    assert work.key_counts.sum() == work.past_count


# Black mates by Qa1 or Ra1; after Qg6+ Kh8 Qh6+ Kg8 the king has no other squares.
PERPETUAL = "5rk1/8/8/7Q/8/q7/r7/7K w - - 0 1"


@pytest.mark.parametrize("contempt", [0, 30, -30])
def test_the_side_that_would_be_mated_finds_the_perpetual_check(contempt: int) -> None:
    """A draw, or as much worse than one to the player who decides as it is told."""
    task = chess_task(PERPETUAL)
    engine = Engine(depth=4 if is_interpreting() else 10, table=1, contempt=contempt)
    found = engine.decide(task)
    assert (found.value, CHESS.move_text(task.state, found.move)) == (-contempt, "h5g6")
    after = replace(task, state=CHESS.play(task.state, found.move), memory={})
    assert engine.decide(after).value == -contempt


WON = "3k4/8/2K5/8/8/8/8/7R w - - 0 1"  # Re1 mates in two, Kd6 in three moves


@needs_compiler
def test_a_won_side_does_not_repeat_a_position_the_third_time() -> None:
    task = chess_task(WON)
    best = CHESS.parse_move(task.state, "h1e1")
    other = CHESS.parse_move(task.state, "c6d6")
    repeated = key(CHESS.play(task.state, best))
    once = Engine(depth=8, table=1).decide(replace(task, past=(repeated, 5), memory={}))
    assert (once.move, once.value) == (best, win_in(3))
    twice = Engine(depth=8, table=1).decide(replace(task, past=(repeated, 5, repeated), memory={}))
    assert (twice.move, twice.value) == (other, win_in(5))


@needs_compiler
def test_what_was_a_draw_by_repetition_is_a_win_again_where_it_is_none() -> None:
    """A draw by repetition is never kept itself.

    What was concluded from it is, and may be believed by a search that is no deeper: so
    this holds for the position searched before, and not for all before it.
    """
    memory: dict[str, Any] = {}
    task = chess_task(WON, memory=memory)
    best = CHESS.parse_move(task.state, "h1e1")
    repeated = key(CHESS.play(task.state, best))
    Engine(depth=8, table=1).decide(replace(task, past=(repeated, repeated)))
    found = Engine(depth=8, table=1).decide(task)
    assert (found.move, found.value) == (best, win_in(3))


@needs_compiler
def test_a_won_ending_is_won_though_positions_are_met_again() -> None:
    record = plies.play_game(
        CHESS,
        *2 * ["engine:nodes=3000,table=1"],
        start="8/8/8/3k4/8/8/8/RR4K1 w - - 0 1",
    )
    assert (record.reason, record.payoffs) == ("rules", (1, -1))


def test_exact_searches_know_no_repetition() -> None:
    """Its value is that of minimax, and the rules know no history."""
    task = chess_task(WON)
    repeated = key(CHESS.play(task.state, CHESS.parse_move(task.state, "h1e1")))
    found = Engine(depth=3, table=1, exact=True).decide(replace(task, past=(repeated, repeated)))
    assert found.value == win_in(3)


# Opinions


@settings(max_examples=40)
@given(
    plies_played=st.integers(0, 60),
    seed=st.integers(0, 10**6),
    alpha=st.integers(-1500, 1500),
    width=st.integers(1, 300),
    margin=st.integers(0, 400),
)
def test_a_rough_opinion_is_enough_only_where_it_cannot_matter(
    plies_played: int, seed: int, alpha: int, width: int, margin: int
) -> None:
    state, evaluator = position_after(CHESS, plies_played, seed), CHESS.evaluator()
    work, beta = new_engine_workspace(1, ()), alpha + width
    work.margin = margin
    value, is_exact = evaluate_within(state, alpha, beta, evaluator, work)
    rough = int(quick_eval(evaluator, state))
    is_far = margin > 0 and (rough - margin >= beta or rough + margin <= alpha)
    assert (bool(is_exact), int(work.evaluations)) == (not is_far, not is_far)
    if is_far:
        assert value == (rough - margin if rough - margin >= beta else rough + margin)
    else:
        assert value == evaluate(evaluator, state)


@needs_compiler
def test_with_a_margin_wider_than_all_opinions_the_evaluator_is_always_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluator = CHESS.evaluator()
    known = evaluators_of[type(evaluator)]
    assert known.rough is not None
    states = [position_after(CHESS, plies_played, seed=4) for plies_played in (6, 20, 40)]

    def searched(margin: int) -> list[Any]:
        monkeypatch.setitem(verbs.evaluators_of, type(evaluator), replace(known, margin=margin))
        return [Engine(depth=5, table=1).decide(Task(state, evaluator)) for state in states]

    wide, none, usual = searched(10**7), searched(0), searched(known.margin)
    assert [answer(found) for found in wide] == [answer(found) for found in none]
    share = [
        sum(each.evaluations for each in found) / sum(each.nodes for each in found)
        for found in (usual, none)
    ]
    assert share[0] < share[1]


@needs_compiler
def test_a_depth_whose_opinions_were_all_in_the_table_is_not_the_last() -> None:
    """Pawn endings with a table kept from move to move: few moves, and all known before."""
    for text in ("8/8/1p1k4/1P6/2K5/8/8/8 w - - 0 1", "7k/7p/7P/8/8/8/p7/K7 w - - 0 1"):
        for seed in range(6):
            memory: dict[str, Any] = {}
            for plies_played in range(8):
                state = position_after_from(text, plies_played, seed)
                found = Engine(depth=8, table=1).decide(
                    Task(state, CHESS.evaluator(), memory=memory)
                )
                is_decided = abs(found.value or 0) > MAX_EVALUATION
                assert found.depth == 8 or is_decided, CHESS.position_text(state)


def position_after_from(text: str, plies_played: int, seed: int) -> Any:
    """A position from random play after the one that a text says."""
    state = CHESS.parse_position(text)
    chance = np.random.default_rng(seed)
    for _ in range(plies_played):
        later = CHESS.play(state, int(chance.choice(CHESS.moves(state))))
        if CHESS.is_over(later):
            break
        state = later
    return state


# The same again


def answer(found: Decision) -> tuple[Any, ...]:
    counts = (found.nodes, found.leaves, found.evaluations, found.cutoffs, found.table_hits)
    return (found.move, found.value, found.line, found.depth, *counts)


def fixed_searches(nodes: int) -> list[tuple[Any, ...]]:
    """What some searches with a budget of nodes and one thread answer."""
    found = []
    for spec in ("chess", "quixo:n=4"):
        game = plies.game(spec)
        for root in ("aspiration", "mtdf"):
            engine = Engine(nodes=nodes, table=1, root=root)
            task = Task(position_after(game, 5, seed=2), game.evaluator())
            found.append(answer(engine.decide(task)))
    return found


def in_another_process(nodes: int, **environment: str) -> str:
    here = Path(__file__).parent
    code = f"""
import sys
sys.path[:0] = {[str(here), str(here.parent)]!r}
import test_engine_parts
print(test_engine_parts.fixed_searches({nodes}))
"""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_the_same_budget_gives_the_same_answer_here_and_in_another_process() -> None:
    nodes = 100 if is_interpreting() else 5000
    first = fixed_searches(nodes)
    assert fixed_searches(nodes) == first
    assert in_another_process(nodes) == repr(first)


@needs_compiler
def test_the_answer_is_the_same_without_the_compiler() -> None:
    assert in_another_process(400, NUMBA_DISABLE_JIT="1") == repr(fixed_searches(400))


def test_a_position_in_which_a_broken_rule_leaves_no_move_is_named() -> None:
    game = plies.game(str(STUCK))
    with pytest.raises(NoLegalMove) as error:
        Engine(depth=6, table=1).decide(Task(game.State(4, 0)))
    assert error.value.state == game.State(1, 1)  # three were taken
