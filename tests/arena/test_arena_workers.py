"""Worker processes: one that dies costs only its game, which is played again."""

import os
import signal
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from arena_samples import (
    TAKE,
    deadly_game,
    let_workers_start_uncompiled,
    played,
    timeless,
    tournament_of,
)
from plies.arena.config import Openings, Tournament
from plies.arena.judge import Job
from plies.arena.plan import Planned
from plies.arena.runner import open_run, plan_of, run
from plies.arena.schedule import pending
from plies.arena.worker import PAUSES, answer
from plies.arena.workers import ATTEMPTS, GameFailed, NoWorkers, Workers, WorkersDied
from plies.errors import OutOfResources

HEAPS = (12, 11, 10, 9)
DEADLY = 10


@pytest.fixture(autouse=True)
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    let_workers_start_uncompiled(monkeypatch)


def heaps(game: str, *agents: str) -> Tournament:
    """One pair from every heap."""
    openings = Openings(positions=tuple(f"{heap} 0" for heap in HEAPS))
    return tournament_of(
        agents or ("random", "random"), games=(game,), pairs=len(HEAPS), openings=openings
    )


def job_of(tournament: Tournament) -> Job:
    specs = {entry.name: entry.spec for entry in tournament.agents}
    return Job(specs, tournament.rules, tournament.clocks)


def games_of(tournament: Tournament) -> list[Planned]:
    return pending(tournament, plan_of(tournament).books, [])


@pytest.fixture
def pool() -> Iterator[Workers]:
    workers = Workers(2, job_of(heaps(str(TAKE))))
    yield workers
    workers.close()
    assert active_children() == []


def test_a_worker_that_dies_costs_only_its_game_which_is_replayed(tmp_path: Path) -> None:
    game = deadly_game(tmp_path, DEADLY, is_once=True)
    disturbed = played(heaps(game), workers=2)
    assert (tmp_path / "mark").exists()
    assert disturbed == played(heaps(game), workers=2)  # the mark is there: nobody dies
    assert [each["number"] for each in disturbed] == list(range(2 * len(HEAPS)))


def test_a_game_that_kills_every_worker_is_given_up_and_all_others_are_there(
    tmp_path: Path,
) -> None:
    game = deadly_game(tmp_path, DEADLY, is_once=False)
    tournament = heaps(game)
    with open_run(tournament, None) as store:
        with pytest.raises(WorkersDied) as found:
            run(store, workers=2)
        ended = store.games()
    given_up = {each.number for each in found.value.games}
    assert {each.opening for each in found.value.games} == {f"{DEADLY} 0"}
    assert len(given_up) == 2
    assert {each.planned.number for each in ended} == set(range(2 * len(HEAPS))) - given_up
    assert f"ended {ATTEMPTS} workers" in str(found.value)
    assert "\n" not in str(found.value)


def test_a_worker_killed_while_it_waits_is_replaced(pool: Workers) -> None:
    first, *others = games_of(heaps(str(TAKE)))
    games = list(pool.play([first]))
    for worker in active_children():
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
    games += pool.play(others)
    games.sort(key=lambda game: game.planned.number)
    assert timeless(games) == played(heaps(str(TAKE)), workers=1)


def test_workers_that_are_not_needed_any_more_leave(pool: Workers) -> None:
    playing = pool.play(games_of(heaps(str(TAKE))))
    next(playing)
    assert len(active_children()) == 2


def test_a_mistake_in_a_rule_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "mistaken.py"
    rule = 'def draw_claim(state, earlier):\n    return {}["claim"] if earlier else ""\n\n\n'
    path.write_text(TAKE.read_text().replace("GAME = Game(", f"{rule}GAME = Game("))
    with open_run(heaps(str(path)), None) as store, pytest.raises(GameFailed) as found:
        run(store, workers=1)
    said = str(found.value)
    assert "(random against random (2)) cannot be played: " in said
    assert "draw_claim" in said
    assert "KeyError" in said
    assert "\n" not in said


def test_ctrl_c_is_not_the_business_of_a_worker_even_while_it_starts(
    pool: Workers, capfd: pytest.CaptureFixture[str]
) -> None:
    for worker in active_children():
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGINT)
    games = games_of(heaps(str(TAKE)))
    assert len(list(pool.play(games))) == len(games)
    assert {game.worker.partition("/")[2] for game in pool.play(games)} <= {"1", "2"}
    assert capfd.readouterr() == ("", "")


def test_workers_that_do_not_even_start_are_not_tried_for_every_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "plies.arena.workers.work", os._exit
    )  # which a worker then calls, and fails
    pool = Workers(2, job_of(heaps(str(TAKE))))
    try:
        with pytest.raises(NoWorkers, match="no worker starts"):
            list(pool.play(games_of(heaps(str(TAKE)))))
    finally:
        pool.close()


@pytest.mark.parametrize(("failing", "outcome"), [(2, "a game"), (10, "no threads")])
def test_a_machine_without_threads_is_waited_for(
    failing: int, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("plies.arena.worker.time.sleep", pauses.append)

    class Failing:
        closed = 0

        def play(self, planned: Any) -> str:
            if len(pauses) < failing:
                raise OutOfResources("no threads")
            return "a game"

        def close(self) -> None:
            self.closed += 1

    judge: Any = Failing()
    assert answer(judge, None) == outcome
    assert pauses == list(PAUSES[:failing])
    assert judge.closed == len(pauses)
