"""Sessions outlive the server, and nothing is shown that is not stored."""

import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plies.agents import Agent
from plies.web import limits
from plies.web.sessions.database import BadStore
from plies.web.sessions.store import Store
from web_samples import SMALL, Player, begin, next_news, serving, wait_until

LOCKED = "games cannot be stored now (database is locked); try again in a moment"


@pytest.fixture(scope="module", autouse=True)
def impatience() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "LOCKED_SECONDS", 0.05)
        patch.setattr(limits, "RETRY_SECONDS", 0.05)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with serving(folder, "tictactoe") as found:
        yield found


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Another program holds the file."""
    path = folder / "sessions.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def restarted(player: Player, folder: Path, copy: Path) -> Iterator[Any]:
    """The game as a server shows it that finds the files as a kill would leave them now."""
    shutil.copytree(folder, copy)
    with serving(copy, "tictactoe") as again:
        yield Player(again, player.name, player.key).ask("GET")


def manager_of(client: TestClient) -> Any:
    return client.app.app.state.site.manager  # type: ignore[attr-defined]


def texts(session: Any) -> list[str]:
    return [move["text"] for move in session["played"]]


def test_sessions_outlive_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        owner = begin(first, "", SMALL, clock={"credit": 600.0, "increment": 1.0})
        before = owner.move("b2")
        given_up = begin(first, "", "")
        given_up.ask("POST", "/resign", ply=0)
        text = (tmp_path / "sessions.sqlite").read_bytes()
        assert owner.key.encode() not in text
    with serving(tmp_path) as second:
        owner.client = given_up.client = second
        after = owner.ask("GET")
        assert after["role"] == "owner"
        assert after["played"] == before["played"]
        assert after["position"] == before["position"]
        assert after["seats"] == before["seats"]
        assert owner.move("a1" if "a1" not in after["position"]["pieces"] else "c1")["ply"] == 4
        assert given_up.ask("GET")["ending"]["reason"] == "first (X) resigns"


def test_clocks_are_as_the_last_move_left_them_when_a_server_was_killed(tmp_path: Path) -> None:
    with serving(tmp_path / "one") as first:
        owner = begin(first, "", "", clock={"credit": 600.0})
        owner.move("b2", wait=False)
        manager_of(first).rooms[owner.name].match.left[-1] = (450.0, 600.0)
        left = [seat["left"] for seat in owner.move("a1", wait=False)["seats"]]
        with restarted(owner, tmp_path / "one", tmp_path / "two") as session:
            assert [seat["left"] for seat in session["seats"]] == left
            assert left[0] == 450.0


def test_clocks_are_as_the_last_who_left_saw_them(tmp_path: Path) -> None:
    with serving(tmp_path / "one") as first:
        owner = begin(first, "", "", clock={"credit": 600.0})
        with owner.listen() as socket:
            next_news(socket, "session")
            time.sleep(0.05)
        room = manager_of(first).rooms[owner.name]
        wait_until(lambda: not room.listeners)
        wait_until(lambda: not room.lock.locked() and not manager_of(first).service._changing)
        left = [seat["left"] for seat in owner.ask("GET")["seats"]]
        with restarted(owner, tmp_path / "one", tmp_path / "two") as session:
            assert [seat["left"] for seat in session["seats"]] == left
            assert left[0] < 600.0


CHANGES: dict[str, Callable[[Any], Any]] = {
    "move": lambda owner: owner.move("c3", ply=2, wait=False),
    "undo": lambda owner: owner.ask("POST", "/undo", ply=2),
    "resign": lambda owner: owner.ask("POST", "/resign", ply=2),
    "take a seat": lambda owner: owner.invites[0].move("c3", ply=2, wait=False),
    "hand over": lambda owner: owner.ask("PUT", "/seats/1", agent="random"),
    "pause": lambda owner: owner.ask("PUT", "/pace", is_paused=True, seconds=2.0),
    "delete": lambda owner: owner.ask("DELETE"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_cannot_be_stored_is_refused_and_has_not_happened(
    client: TestClient, folder: Path, tmp_path: Path, change: str
) -> None:
    owner = begin(client, "", "")
    owner.move("b2")
    before = owner.move("a1")
    with locked(folder):
        refused = CHANGES[change](owner)
        assert (refused["status"], refused["error"]) == (503, LOCKED)
        assert owner.ask("GET") == before
        with restarted(owner, folder, tmp_path / "locked") as session:
            assert session == before
    after = CHANGES[change](owner)
    assert after["status"] in (200, 204)
    seen = owner.ask("GET")
    with restarted(owner, folder, tmp_path / "free") as session:
        assert session == seen
        assert session != before


def test_a_game_that_cannot_be_stored_is_not_begun(client: TestClient, folder: Path) -> None:
    wanted = {"game": "tictactoe", "seats": ["", ""]}
    rooms = set(manager_of(client).rooms)
    with locked(folder):
        answer = client.post("/api/sessions", json=wanted)
    assert (answer.status_code, answer.json()) == (503, {"error": LOCKED})
    assert set(manager_of(client).rooms) == rooms


def test_no_move_comes_back_that_was_taken_back_or_refused(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    owner = begin(client, "", "")
    for text in ("b2", "a1", "c3"):
        owner.move(text)
    with locked(folder):
        assert owner.ask("POST", "/undo", ply=3)["status"] == 503
        assert owner.ask("POST", "/undo", ply=3)["status"] == 503
    assert owner.ask("POST", "/undo", ply=3)["ply"] == 2
    assert owner.ask("POST", "/undo", ply=2)["ply"] == 1
    with locked(folder):
        assert owner.move("a2", ply=1)["status"] == 503
    owner.move("c1")
    with restarted(owner, folder, tmp_path / "copy") as session:
        assert texts(session) == ["b2", "c1"]


def test_a_change_that_was_stored_but_refused_is_overwritten_whole(
    client: TestClient, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Store.write

    def write_and_fail(store: Store, changes: Any) -> None:
        write(store, changes)
        raise BadStore("the file of games was removed")

    owner = begin(client, "", "")
    for text in ("b2", "a1", "c3"):
        owner.move(text)
    with monkeypatch.context() as failing:
        failing.setattr(Store, "write", write_and_fail)
        assert owner.ask("POST", "/undo", ply=3)["status"] == 503
    owner.move("a2")
    with restarted(owner, folder, tmp_path / "copy") as session:
        assert texts(session) == ["b2", "a1", "c3", "a2"]


def test_a_locked_file_does_not_hold_up_anybody_else(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = begin(client, "", "")
    manager, before = manager_of(client), owner.ask("GET")
    connection = manager.store._database.connection
    assert client.portal is not None
    with locked(folder):
        connection.execute("PRAGMA busy_timeout=60000")  # longer than any test waits
        moving = threading.Thread(target=owner.move, args=("b2", 0))
        moving.start()
        wait_until(lambda: manager.rooms[owner.name].lock.locked())
        assert client.get("/api/games").status_code == 200
        assert owner.ask("GET") == before
        assert moving.is_alive()
    moving.join(30)
    connection.execute("PRAGMA busy_timeout=50")
    assert owner.ask("GET")["ply"] == 1


def test_a_move_of_an_agent_that_cannot_be_stored_is_not_shown_and_the_game_waits(
    client: TestClient, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = begin(client, "", SMALL)
    choose, go = Agent.choose, threading.Event()

    def choose_later(*arguments: Any, **options: Any) -> Any:
        go.wait(30)
        return choose(*arguments, **options)

    monkeypatch.setattr(Agent, "choose", choose_later)
    with owner.listen() as socket:
        owner.move("b2", wait=False)
        with locked(folder):
            go.set()
            said = next_news(socket, "problem")["error"]
            assert said == f"the agent cannot move: {LOCKED}"
            session = owner.ask("GET")
            assert (texts(session), session["problem"]) == (["b2"], said)
            with restarted(owner, folder, tmp_path / "locked") as again:
                assert texts(again) == ["b2"]
        owner.ask("PUT", "/pace", is_paused=False, seconds=0.0)
        wait_until(lambda: owner.ask("GET")["ply"] == 2)
        seen = owner.ask("GET")
        assert seen["problem"] == ""
        with restarted(owner, folder, tmp_path / "free") as again:
            assert again["played"] == seen["played"]


def test_a_flag_falls_once_it_can_be_stored(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    owner = begin(client, "", "", clock={"credit": 0.2})
    with ExitStack() as lock:
        lock.enter_context(locked(folder))
        with owner.listen() as socket:
            wait_until(lambda: owner.ask("GET")["seats"][0]["left"] == 0.0)
            time.sleep(0.01)  # what is left is rounded
            refused = owner.move("b2", ply=0, wait=False)
            assert (refused["status"], refused["error"]) == (422, "your time is up")
            assert owner.ask("GET")["ending"] is None
            lock.close()
            session = owner.ask("GET")
            while session["ending"] is None:
                session = next_news(socket, "session")["session"]
    assert session["ending"]["termination"] == "time"
    with restarted(owner, folder, tmp_path / "copy") as again:
        assert again["ending"] == session["ending"]


def test_who_is_invited_sees_the_game_though_the_seat_cannot_be_stored(
    client: TestClient, folder: Path
) -> None:
    owner: Any = begin(client, "", "")
    with locked(folder), owner.invites[1].listen() as guest:
        assert next_news(guest, "problem")["error"] == LOCKED
        session = next_news(guest, "session")["session"]
        assert not session["seats"][1]["is_taken"]
    with owner.invites[1].listen() as guest:
        assert next_news(guest, "session")["session"]["seats"][1]["is_taken"]


def test_games_go_on_in_a_new_file_when_theirs_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path / "one") as client:
        owner, other = begin(client, "", ""), begin(client, "", "")
        owner.move("b2")
        (tmp_path / "one" / "sessions.sqlite").unlink()
        assert owner.move("a1")["ply"] == 2
        assert "was removed" in capsys.readouterr().err
        with restarted(owner, tmp_path / "one", tmp_path / "two") as session:
            assert texts(session) == ["b2", "a1"]
        with restarted(other, tmp_path / "one", tmp_path / "three") as session:
            assert session["status"] == 200


def test_idle_sessions_leave_the_memory_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_SESSIONS", 3)
    with serving(tmp_path) as client:
        players = [begin(client, "", "", clock={"credit": 60.0}) for _ in range(6)]
        manager = manager_of(client)
        assert len(manager.rooms) == 3
        assert [player.move("b2")["ply"] for player in players] == [1] * 6
        assert len(manager.rooms) == 3
        assert manager.store.count() == 6


def test_one_visitor_cannot_push_out_the_games_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "VISITOR_SESSIONS", 3)
    monkeypatch.setattr(limits, "STORED_SESSIONS", 4)
    with serving(tmp_path) as client:
        others = TestClient(client.app, base_url=client.base_url, client=("192.0.2.7", 1))
        others.portal = client.portal
        theirs = begin(others, "", "")
        wanted = {"game": "tictactoe", "seats": ["", ""]}
        answers = [client.post("/api/sessions", json=wanted) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
        assert answers[-1].json()["error"].startswith("you have 3 games here")
        full = others.post("/api/sessions", json=wanted)
        assert (full.status_code, "as many as there may be" in full.text) == (503, True)
        assert theirs.move("b2")["ply"] == 1
