"""A Ray cluster plays the same games as the processes of this machine."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from arena_samples import deadly_game, let_workers_start_uncompiled, played, timeless, tournament_of
from plies.arena.config import Openings, Tournament
from plies.arena.judge import Job
from plies.arena.plan import Planned
from plies.arena.ray_workers import HERE, RayWorkers
from plies.arena.runner import open_run, plan_of, run
from plies.arena.schedule import pending
from plies.arena.store import Finished
from plies.arena.workers import WorkersDied
from plies.errors import BadSpec
from user_samples import AGENT

DEADLY = 10
needs_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed; pip install 'plies[ray]'"
)


@pytest.fixture(autouse=True)
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    let_workers_start_uncompiled(monkeypatch)


def job_of(tournament: Tournament) -> Job:
    specs = {entry.name: entry.spec for entry in tournament.agents}
    return Job(specs, tournament.rules, tournament.clocks)


def games_of(tournament: Tournament) -> list[Planned]:
    return pending(tournament, plan_of(tournament).books, [])


@needs_ray
def test_ray_plays_the_same_games_and_a_dead_actor_costs_only_its_own(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """All in one, because a cluster takes long to start."""
    openings = Openings(positions=("12 0", f"{DEADLY} 0", "9 0"))
    games = tuple(
        deadly_game(tmp_path / name, DEADLY, is_once=name == "once") for name in ("once", "always")
    )
    once, always = (
        tournament_of(("random", "greedy"), games=(game,), openings=openings) for game in games
    )
    many = tournament_of(("random", f"{AGENT}:care=0.5", "mcts:simulations=10"))
    tournament = tournament_of(
        ("random", "greedy", f"{AGENT}:care=0.5", "mcts:simulations=10"),
        games=("tictactoe", *games),
    )
    pool = RayWorkers(HERE, job_of(tournament), 2)
    try:
        there = list(pool.play(games_of(many)))
        assert capfd.readouterr() == ("", "")
        replayed = list(pool.play(games_of(once)))
        rest = []
        with pytest.raises(WorkersDied) as found:
            rest.extend(pool.play(games_of(always)))
    finally:
        pool.close()
    assert in_order(there) == played(many, workers=1)
    assert in_order(replayed) == played(once, workers=1)
    assert {game.opening for game in found.value.games} == {f"{DEADLY} 0"}
    assert len(rest) == len(games_of(always)) - len(found.value.games) == 4


def in_order(games: list[Finished]) -> list[dict[str, Any]]:
    return timeless(sorted(games, key=lambda game: game.planned.number))


def test_without_ray_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        open_run(tournament_of(("random", "greedy")), None) as store,
        pytest.raises(BadSpec, match=r"Ray is not installed; pip install 'plies\[ray\]'"),
    ):
        run(store, ray=HERE)
