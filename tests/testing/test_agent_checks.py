"""The checks of agents and searches in files: what `plies check mine.py` promises of them."""

from collections.abc import Iterator
from typing import Any

import pytest

import plies
from fake_time import FakeTime
from plies.agents import agent
from plies.testing import CheckResult, result_of
from plies.testing.agents import (
    equal_seeds_play_equally,
    moves_are_legal,
    stops_at_once,
    values_are_those_of_minimax,
)

THINKING = 1.5  # seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    """Goes on only while searches think."""
    fake = FakeTime()
    fake.rule(monkeypatch)
    return fake


class Thinking(plies.Search):
    """Thinks as long as `seconds` says, and then plays the first move."""

    def __init__(self, clock: FakeTime):
        self.clock = clock

    def decide(self, task: Any) -> plies.Decision:
        self.clock.now += self.seconds(task)
        return plies.Decision(task.moves[0])

    def seconds(self, task: Any) -> float:
        return THINKING


class Listening(Thinking):
    """Looks at its stop."""

    def seconds(self, task: Any) -> float:
        return 0.002 if task.stop.is_set else THINKING


class Learned(Thinking):
    """Thinks once about a position, but never looks at its stop."""

    def seconds(self, task: Any) -> float:
        return 0.0 if task.memory.setdefault("is_known", task.state) is not task.state else THINKING


class Busy(Thinking):
    """Runs on a machine that has other things to do."""

    pauses: Iterator[float] = iter([0.1, 9.0, 0.001, 9.0])

    def seconds(self, task: Any) -> float:
        return next(self.pauses)


def stopping(search: plies.Search) -> CheckResult:
    return result_of("stops", stops_at_once(agent(search, plies.game("tictactoe")), seed=0))


@pytest.mark.parametrize("kind", [Thinking, Learned])
def test_a_search_that_never_looks_at_its_stop_fails(kind: type[Thinking], clock: FakeTime):
    result = stopping(kind(clock))
    assert not result.passed
    assert result.detail == (
        "answers 1.500 s after it was stopped, 1.500 s without a stop;"
        " look at task.stop.is_set (plain Python) or enter(work, ply) (kernels)"
    )


def test_a_search_that_looks_at_its_stop_passes_and_its_time_is_shown(clock: FakeTime):
    expected = "0.002 s after it was stopped, 1.500 s without a stop"
    assert stopping(Listening(clock)) == CheckResult("stops", True, expected)


def test_a_slow_answer_of_a_busy_machine_does_not_count(clock: FakeTime):
    expected = "0.001 s after it was stopped, 0.100 s without a stop"
    assert stopping(Busy(clock)) == CheckResult("stops", True, expected)


def test_a_kernel_of_the_package_stops_at_once():
    assert stopping(plies.agent("alphabeta:depth=6", plies.game("tictactoe")).search).passed


class Moody(plies.Search):
    """Plays the first move and the last one in turns."""

    def __init__(self) -> None:
        self.turn = -1

    def decide(self, task: Any) -> plies.Decision:
        self.turn = -1 - self.turn
        return plies.Decision(task.moves[self.turn])


def test_moves_that_do_not_follow_from_the_seed_are_named_with_their_position():
    moody = agent(Moody(), plies.game("tictactoe"))
    result = result_of("equal", equal_seeds_play_equally(moody, seed=0))
    expected = "at .../.../... X: plays a1 and c3; draw random numbers from task.rng"
    assert result == CheckResult("equal", False, expected)


class Exact(plies.Search):
    is_exact = True

    def decide(self, task: Any) -> plies.Decision:
        return plies.Decision(task.moves[0])


def test_an_exact_search_without_a_depth_is_told_what_is_missing() -> None:
    result = result_of("exact", values_are_those_of_minimax(agent(Exact(), "nim"), seed=0))
    assert (result.passed, "depth: int" in result.detail) == (False, True)


def test_an_agent_is_asked_in_the_middle_of_games() -> None:
    """One that fails after a few moves is found."""
    played = []

    def choose(game: plies.Game, state: Any, task: Any = None) -> int:
        played.append(len(task.played))
        replayed = task.start
        for move in task.played:
            replayed = game.play(replayed, move)
        assert replayed == state
        assert len(task.past) == len(task.played)
        return task.moves[0]

    assert result_of("legal", moves_are_legal(agent(choose, "quixo"), seed=0)).passed
    assert played[0] == 0
    assert max(played) > 3
