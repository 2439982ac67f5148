"""A tournament that is played from the page: begun, followed, stopped, resumed, ended."""

import multiprocessing
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from arena_samples import let_workers_start_uncompiled, timeless
from held_samples import held_game
from plies.arena.runner import run, tournament_of
from plies.arena.store import Store
from plies.arena.workers import GameFailed
from plies.registry import game as find_game
from plies.web.app import Site, make_api
from plies.web.contests import limits
from plies.web.contests import playing as contest_playing
from plies.web.contests.contests import Contests
from report_samples import TAKE

HOSTILE = "<img src=x onerror=alert(1)>"
REQUEST: dict[str, Any] = {
    "name": "A <b>small</b> one",
    "games": ["tictactoe", "take"],
    "agents": [{"name": HOSTILE, "agent": "random"}, {"name": "greedy", "agent": "greedy"}],
    "pairs": 3,
}
ENDLESS = REQUEST | {"name": "endless", "games": ["held"], "pairs": 100}


@pytest.fixture(autouse=True)
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    let_workers_start_uncompiled(monkeypatch)
    monkeypatch.setattr(limits, "STOP_SECONDS", 60.0)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return new_site(tmp_path)


def new_site(folder: Path) -> Site:
    specs = ("tictactoe", TAKE, held_game(folder))
    return Site([find_game(spec) for spec in specs], folder)


@pytest.fixture
def client(site: Site) -> Iterator[TestClient]:
    with TestClient(make_api(site)) as client:
        yield client


def start(client: TestClient, request: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/api/tournaments", json=request)
    assert answer.status_code == 201, answer.text
    return answer.json()


def follow(client: TestClient, name: str, until: Any) -> dict[str, Any]:
    """Listen until the news are what is waited for."""
    with client.websocket_connect(f"/api/tournaments/{name}/live") as socket:
        while not until(found := socket.receive_json()["tournament"]):
            pass
        return found


def kept(folder: Path, name: str) -> list[dict[str, Any]]:
    with Store.open(folder / "runs" / f"{name}.db") as store:
        return timeless(store.games())


def test_a_tournament_is_played_to_its_end_while_somebody_listens(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def held_run(*arguments: Any, **options: Any) -> None:
        go.wait(30)
        run(*arguments, **options)

    monkeypatch.setattr(contest_playing, "run", held_run)
    begun = start(client, REQUEST)
    go.set()
    assert (begun["id"], begun["name"], begun["state"]) == (
        "a-b-small-b-one",
        REQUEST["name"],
        "running",
    )
    ended = follow(client, begun["id"], lambda news: news["state"] == "finished")
    # One meeting, three pairs of two games each.
    assert (ended["played"], ended["total"]) == (12, 12)
    assert {row["name"] for row in ended["standings"]} == {HOSTILE, "greedy"}
    assert sum(row["points"] for row in ended["standings"]) == 12
    with Store.open(tmp_path / "runs" / "a-b-small-b-one.db") as store:
        assert tournament_of(store).games == ("tictactoe", TAKE)
        assert "finished" in store.about
    card = client.get("/api/tournaments").json()["tournaments"][0]
    assert (card["id"], card["state"], card["games"]) == (
        begun["id"],
        "finished",
        ["tictactoe", "take"],
    )
    again = start(client, REQUEST)
    assert again["id"] == "a-b-small-b-one-2"
    assert client.post(f"/api/tournaments/{again['id']}/stop").status_code == 200


def test_what_was_played_before_a_stop_is_kept_and_gone_on_from(
    client: TestClient, tmp_path: Path
) -> None:
    begun = start(client, ENDLESS)
    follow(client, "endless", lambda news: news["played"] > 0)
    stopped = client.post("/api/tournaments/endless/stop").json()
    assert stopped["state"] == "stopped"
    before = kept(tmp_path, "endless")
    assert 0 < len(before) == stopped["played"] < begun["total"]
    resumed = client.post("/api/tournaments/endless/resume").json()
    assert (resumed["state"], resumed["played"]) == ("running", len(before))
    follow(client, "endless", lambda news: news["played"] > len(before))
    client.post("/api/tournaments/endless/stop")
    after = kept(tmp_path, "endless")
    assert len(after) > len(before)
    assert [game for game in after if game in before] == before
    with Store.open(tmp_path / "runs" / "endless.db", is_for_writing=True):  # by somebody else
        answer = client.post("/api/tournaments/endless/resume")
    assert answer.status_code == 400
    assert answer.json()["error"] == "endless is being written to by another process"


def test_the_end_of_the_server_ends_its_workers_and_the_next_one_offers_to_go_on(
    site: Site, tmp_path: Path
) -> None:
    with TestClient(make_api(site)) as client:
        start(client, ENDLESS)
        follow(client, "endless", lambda news: news["played"] > 0)
        assert multiprocessing.active_children()
    assert multiprocessing.active_children() == []
    assert not any(thread.name == "tournament" for thread in threading.enumerate())
    before = kept(tmp_path, "endless")
    with TestClient(make_api(new_site(tmp_path))) as client:
        view = client.get("/api/tournaments/endless").json()
        assert (view["state"], view["played"]) == ("stopped", len(before))


def test_only_so_many_are_played_at_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RUNNING", 1)
    start(client, ENDLESS)
    answer = client.post("/api/tournaments", json=REQUEST)
    assert answer.status_code == 429
    assert client.get("/api/tournaments").json()["may_start"] is False
    client.post("/api/tournaments/endless/stop")
    assert client.get("/api/tournaments").json()["may_start"] is True


def test_who_resumes_twice_at_once_plays_it_once(
    client: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(client, ENDLESS)
    client.post("/api/tournaments/endless/stop")
    both = threading.Barrier(2, timeout=30)
    check = Contests._check_agents

    def at_once(contests: Contests, opened: Any) -> None:
        check(contests, opened)
        both.wait()

    monkeypatch.setattr(Contests, "_check_agents", at_once)
    made: list[Any] = []
    begun = contest_playing.Playing.__init__

    def noted(playing: Any, *arguments: Any) -> None:
        made.append(playing)
        begun(playing, *arguments)

    monkeypatch.setattr(contest_playing.Playing, "__init__", noted)
    asking = [threading.Thread(target=site.contests.resume, args=("endless",)) for _ in range(2)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert len(made) == 1


def test_a_server_that_ends_begins_nothing(client: TestClient, site: Site) -> None:
    site.contests.close()
    answer = client.post("/api/tournaments", json=REQUEST)
    assert answer.status_code == 503


def test_why_a_run_ended_early_is_told_without_a_path(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise GameFailed(f"game 0 of {TAKE} (a against b) cannot be played: it is broken")

    monkeypatch.setattr(contest_playing, "run", fail)
    client.post("/api/tournaments", json=REQUEST | {"name": "broken"})
    view = follow(client, "broken", lambda news: news["state"] == "stopped")
    assert view["problem"] == "game 0 of take (a against b) cannot be played: it is broken"
    card = client.get("/api/tournaments").json()["tournaments"][0]
    assert card["problem"] == view["problem"]
