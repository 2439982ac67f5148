"""Sessions outlive the server, and those that nobody plays leave its memory."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plies.web import limits
from plies.web.sessions.store import BadStore, Store
from web_samples import SMALL, begin, serving


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data"), "tictactoe") as found:
        yield found


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
        room = first.app.app.state.site.desk.rooms[owner.name]  # type: ignore[attr-defined]
        owner.move("b2", wait=False)
        room.session.left[-1] = (450.0, 600.0)
        left = [seat["left"] for seat in owner.move("a1", wait=False)["seats"]]
        shutil.copytree(tmp_path / "one", tmp_path / "two")  # as a kill leaves it
    with serving(tmp_path / "two") as second:
        owner.client = second
        assert [seat["left"] for seat in owner.ask("GET")["seats"]] == left
        assert left[0] == 450.0


def test_a_move_that_cannot_be_kept_is_not_played(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise BadStore("the move cannot be kept: database or disk is full")

    owner = begin(client, "", SMALL)
    with monkeypatch.context() as failing:
        failing.setattr(Store, "append", fail)
        refused = owner.move("b2")
    assert (refused["status"], refused["error"]) == (
        503,
        "the move cannot be kept: database or disk is full",
    )
    assert (owner.ask("GET")["ply"], owner.ask("GET")["played"]) == (0, [])
    assert owner.move("b2")["ply"] == 2


def test_idle_sessions_leave_the_memory_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_SESSIONS", 3)
    with serving(tmp_path) as client:
        players = [begin(client, "", "") for _ in range(6)]
        desk = client.app.app.state.site.desk  # type: ignore[attr-defined]
        assert len(desk.rooms) == 3
        assert [player.move("b2")["ply"] for player in players] == [1] * 6
        assert len(desk.rooms) == 3
        assert desk.store.count() == 6
