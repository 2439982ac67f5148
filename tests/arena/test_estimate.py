"""How long a tournament is going to take."""

import itertools
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from arena_samples import let_workers_start_uncompiled, tournament_of
from plies.agents import Agent
from plies.arena import estimate as estimating
from plies.arena.estimate import _Model, estimate, on_the_clock, sample
from plies.arena.judge import Job, Judge
from plies.arena.measuring import Measured, SeatTimes, Trial, measured_from
from plies.arena.plan import Planned
from plies.arena.runner import plan_of
from plies.arena.schedule import pending
from plies.arena.store import Finished
from plies.compiling.progress import watch
from plies.errors import AgentFault
from plies.match import Clocks
from plies.records import GameRecord, MoveRecord


def games_of(names: tuple[str, ...], **more: Any) -> tuple[Any, list[Planned]]:
    plan = plan_of(tournament_of(names, **more))
    return plan, pending(plan.tournament, plan.books, [])


def played(planned: Planned, plies: int, seconds: float, around: float = 0.0) -> Finished:
    """A game in which every move took as long."""
    moves = tuple(MoveRecord(ply % 2, "", None, 0, 0, seconds) for ply in range(plies))
    record = GameRecord("tictactoe", planned.seats, 0, moves, (0, 0), "", "", "")
    return Finished(planned, record, plies * seconds + around)


@pytest.fixture
def timed_by_hand(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Trials are answered by a function instead of by workers; none takes any time."""

    def answer_by(measure: Any) -> list[Trial]:
        asked: list[Trial] = []

        class Pool:
            def __init__(self, *_: Any) -> None: ...

            def play(self, trials: list[Trial]) -> Any:
                for trial in trials:
                    asked.append(trial)
                    yield measure(trial)

            def close(self) -> None: ...

        monkeypatch.setattr(estimating, "Workers", Pool)
        return asked

    return answer_by


def test_complete_games_are_counted_as_they_are_and_divided_among_workers(timed_by_hand: Any):
    plan, todo = games_of(("random", "greedy"), pairs=6)
    timed_by_hand(lambda trial: measured_from(played(trial.planned, 10, 2.0, around=4.0)))
    for workers, expected in ((1, 12 * 24), (2, 6 * 24), (5, 3 * 24)):
        found = estimate(plan, workers)
        # Every program is started once before the run, which here took 2 s for each agent.
        assert found.seconds == pytest.approx(4 + expected, abs=0.5)
    assert found.basis == f"{len(todo)} games were timed"


def test_games_that_have_been_played_are_not_timed_again(timed_by_hand: Any):
    plan, todo = games_of(("random", "greedy"), pairs=4)
    asked = timed_by_hand(lambda trial: measured_from(played(trial.planned, 5, 1.0)))
    games = [played(planned, 5, 1.0) for planned in todo[:6]]
    found = estimate(plan, 1, games)
    assert found.seconds == pytest.approx(10, abs=0.5)
    assert {trial.number for trial in asked} <= {6, 7}
    assert estimate(plan, 1, [played(planned, 5, 1.0) for planned in todo]).seconds == 0


def test_what_was_compiled_while_games_were_timed_is_there_for_the_run(timed_by_hand: Any):
    # The first estimate on a machine once said 48 s of a run that took 11.
    plan, todo = games_of(("random", "greedy"), pairs=6)
    done = iter(range(100))

    def measure(trial: Trial) -> Measured:
        is_first = next(done) == 0
        whole = measured_from(played(trial.planned, 10, 1.0))
        return replace(whole, prepared=40.0 if is_first else 1.0, is_first=is_first)

    timed_by_hand(measure)
    assert estimate(plan, 1).seconds == pytest.approx(10 * len(todo) + 1, abs=0.5)


def test_a_game_that_was_broken_off_is_extrapolated_to_the_length_of_others(timed_by_hand: Any):
    plan, todo = games_of(("random", "greedy", "minimax"), pairs=1)

    def measure(trial: Trial) -> Measured:
        whole = measured_from(played(trial.planned, 20, 1.0))
        if "greedy" not in trial.seats:
            return whole
        seats = tuple(SeatTimes(seat.moves[:2]) for seat in whole.seats)
        return Measured(trial.planned, False, 0.0, 4.0, seats)

    timed_by_hand(measure)
    assert estimate(plan, 1).seconds == pytest.approx(20 * len(todo), abs=0.5)


def test_without_a_complete_game_a_baseline_says_how_long_games_are(timed_by_hand: Any):
    plan, todo = games_of(("random", "greedy"), pairs=1)
    timed_by_hand(
        lambda trial: Measured(trial.planned, False, 0.0, 1.0, (SeatTimes([0.5]), SeatTimes([0.5])))
    )
    plies = estimating.baseline_plies(plan, "tictactoe")
    assert 2 <= plies <= 9
    expected = len(todo) * plies * 0.5
    assert estimate(plan, 1).seconds == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("share", [0.02, 0.05])
def test_who_takes_a_share_of_its_clock_goes_on_to_do_so(share: float):
    clocks = Clocks(credit=10, increment=0.1)
    left, whole = clocks.credit, []
    for _ in range(60):
        whole.append(share * left)
        left += clocks.increment - whole[-1]
    for seen in (5, 20, 60):
        assert on_the_clock(whole[:seen], 60, clocks) == pytest.approx(sum(whole), rel=0.01)
    assert on_the_clock([20.0], 50, clocks) <= 20 + 50 * clocks.increment


def test_every_agent_is_seen_in_as_few_games_as_can_be():
    names = ("random", "greedy", "minimax", "engine", "mcts", "alphabeta")
    plan, todo = games_of(names, games=("tictactoe", "nim"), pairs=3)
    chosen, needed = sample(todo, ())
    assert needed == 6
    seen = {(each.game, name) for each in chosen[:needed] for name in each.seats}
    assert seen == {(game, name) for game in ("tictactoe", "nim") for name in names}
    assert sorted(each.number for each in chosen) == [each.number for each in todo]
    assert sample(todo, seen)[1] == 1
    assert len(plan.books) == 2


def test_an_agent_that_was_never_seen_takes_what_its_spec_says():
    plan, todo = games_of(("random", "engine:seconds=2"), pairs=1)
    model = _Model(plan, [])
    plies = estimating.baseline_plies(plan, "tictactoe")
    assert model.game_seconds(todo[0]) == pytest.approx(plies / 2 * 2)


def test_a_trial_ends_in_time_and_says_what_every_player_took():
    tournament = tournament_of(("random", "greedy"), pairs=1)
    plan = plan_of(tournament)
    planned = pending(tournament, plan.books, [])[0]
    judge = Judge(
        Job({name: name for name in tournament.names}, tournament.rules, tournament.clocks)
    )
    whole = judge.measure(Trial(planned, math.inf))
    assert whole.is_complete
    assert whole.plies == len(judge.play(planned).record.moves)
    assert 0 < sum(sum(seat.moves) for seat in whole.seats) < whole.seconds
    broken = judge.measure(Trial(planned, -1.0))
    assert not broken.is_complete
    assert broken.plies == 0
    judge.close()


def test_a_trial_says_whether_something_was_compiled_for_it(monkeypatch: pytest.MonkeyPatch):
    plan, (planned, other, *_) = games_of(("random", "greedy"), pairs=1)
    judge = Judge(Job({"random": "random", "greedy": "greedy"}, plan.tournament.rules, Clocks()))
    monkeypatch.setattr(watch, "functions", 0)
    # The first time there is a function to compile, later none.
    monkeypatch.setattr(Agent, "prepare", lambda *_: setattr(watch, "functions", 1))
    assert judge.measure(Trial(planned, math.inf)).is_first
    assert not judge.measure(Trial(other, math.inf)).is_first
    judge.close()


def test_what_a_program_does_before_and_after_a_game_is_timed(monkeypatch: pytest.MonkeyPatch):
    from plies.arena.measuring import _Timed

    clock = iter(range(100))
    fake = SimpleNamespace(perf_counter=lambda: float(next(clock)))
    monkeypatch.setattr("plies.arena.measuring.time", fake)

    def fails(*_: Any) -> None:
        raise AgentFault("crash", "gone")

    times = SeatTimes()
    search = SimpleNamespace(begin=fails, finish=fails, decide=lambda _: 7, leading="path")
    timed = _Timed(search, times, math.inf)
    with pytest.raises(AgentFault):
        timed.begin(None, 1)
    assert timed.decide(None) == 7
    assert (times.around, times.moves, timed.leading) == (1.0, [1.0], "path")


def test_workers_time_the_games_of_a_plan(monkeypatch: pytest.MonkeyPatch):
    let_workers_start_uncompiled(monkeypatch)
    plan, todo = games_of(("random", "greedy"), pairs=2)
    monkeypatch.setattr(estimating, "QUICK_SECONDS", 1000)  # all of them, however slow it is
    found = estimate(plan, 2, patience=1000)
    assert found.basis == f"{len(todo)} games were timed"
    assert found.seconds > 0


def test_what_was_measured_is_gone_through_once_however_many_agents_there_are():
    class Counted(list[Measured]):
        times = 0

        def __iter__(self) -> Any:
            self.times += 1
            return super().__iter__()

    plan, todo = games_of(tuple(f"random:seed={number}" for number in range(12)), pairs=1)
    measured = Counted(measured_from(played(planned, 6, 1.0)) for planned in todo[:20])
    model = _Model(plan, measured)
    assert {round(model.game_seconds(planned), 6) for planned in todo} == {6.0}
    assert measured.times == 1


def test_of_a_large_run_some_games_stand_for_all(
    timed_by_hand: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(estimating, "SIMULATED", 10)
    monkeypatch.setattr(estimating, "SAMPLED", 5)
    plan, todo = games_of(tuple(f"random:seed={number}" for number in range(12)), pairs=1)
    asked: list[Planned] = []
    seconds = _Model.game_seconds
    monkeypatch.setattr(
        _Model, "game_seconds", lambda self, game: asked.append(game) or seconds(self, game)
    )
    timed_by_hand(lambda trial: measured_from(played(trial.planned, 6, 1.0)))
    assert estimate(plan, 2).seconds == pytest.approx(6 * len(todo) / 2, abs=0.5)
    assert len(asked) == 5


def test_whether_enough_was_timed_is_looked_at_once_a_second(
    timed_by_hand: Any, monkeypatch: pytest.MonkeyPatch
):
    plan, _ = games_of(("random", "greedy"), pairs=200)
    clock = (0.02 * number for number in range(10**6))
    fake = SimpleNamespace(perf_counter=lambda: next(clock))
    monkeypatch.setattr(estimating, "time", fake)
    looks: list[float] = []
    whole = estimating._whole
    monkeypatch.setattr(
        estimating, "_whole", lambda *given: looks.append(next(clock)) or whole(*given)
    )
    timed_by_hand(lambda trial: measured_from(played(trial.planned, 6, 1.0)))
    estimate(plan, 1)
    *looks, _ = looks  # the last one is the estimate itself
    assert len(looks) > 2
    assert all(b - a >= estimating.LOOK_SECONDS for a, b in itertools.pairwise(looks))
