"""Sessions leave the memory and come back, and whatever goes wrong meanwhile stays theirs alone."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plies.search.decision import Decision
from plies.web import limits
from plies.web.sessions.database import BadStore
from plies.web.sessions.store import Store
from plies.web.tables import MEGABYTE
from web_samples import SMALL, begin, next_news, serving, wait_until

CLOCK = {"credit": 600.0}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving(tmp_path, "tictactoe") as found:
        yield found


@pytest.fixture
def manager(client: TestClient) -> Any:
    return client.app.app.state.site.manager  # type: ignore[attr-defined]


def call(client: TestClient, function: Any, *arguments: Any) -> Any:
    """Something of the server's own thread."""
    assert client.portal is not None
    return client.portal.call(function, *arguments)


def test_a_session_is_in_memory_once_whoever_puts_it_away_late(
    client: TestClient, manager: Any
) -> None:
    owner = begin(client, "", "")
    room = manager.rooms[owner.name]
    call(client, manager.put_away, room)
    again = call(client, manager.room, owner.name)
    assert again is not room
    call(client, manager.put_away, room)
    assert call(client, manager.room, owner.name) is again


def test_what_was_refused_does_not_come_back_with_a_session(
    client: TestClient, manager: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = begin(client, "", "")
    owner.move("b2", wait=False)
    write = Store.write

    def write_and_fail(store: Store, changes: Any) -> Any:
        write(store, changes)
        raise BadStore("the disk failed after all")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "write", write_and_fail)
        assert owner.move("a1", wait=False)["status"] == 503
    assert owner.ask("GET")["ply"] == 1
    call(client, manager.put_away, manager.rooms[owner.name])
    assert owner.name not in manager.rooms
    assert owner.ask("GET")["ply"] == 1


def test_a_session_that_vanished_from_the_file_keeps_no_other_in_memory(
    client: TestClient, manager: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, other = begin(client, "", "", clock=CLOCK), begin(client, "", "", clock=CLOCK)
    with closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as file, file:
        file.execute("DELETE FROM sessions WHERE id = ?", (gone.name,))
    monkeypatch.setattr(limits, "IDLE_SECONDS", -1.0)
    call(client, manager._put_idle_away, manager.rooms[other.name].touched + 1)
    assert not manager.rooms


def test_who_waits_behind_others_for_a_locked_file_does_not_wait_for_each_of_them(
    client: TestClient, manager: Any, tmp_path: Path
) -> None:
    begin(client, "", "")
    patience: list[int] = []  # milliseconds, when each of them came to the file

    def look() -> None:
        patience.extend(
            manager.store._database.connection.execute("PRAGMA busy_timeout").fetchone()
        )
        with manager.store._database.transaction():
            pass

    async def ask_thrice() -> None:
        waiting = [manager.writer.run(look) for _ in range(3)]
        await asyncio.gather(*waiting, return_exceptions=True)

    with closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        manager.store._database.connection.execute("PRAGMA busy_timeout=20")
        call(client, ask_thrice)
    call(client, ask_thrice)
    most = round(1000 * limits.LOCKED_SECONDS)
    assert patience == [20, 0, 0, 0, most, most]
    assert begin(client, "", "").move("b2", wait=False)["ply"] == 1


def test_nobody_reading_the_server_s_complaints_costs_no_move(
    client: TestClient, manager: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise BrokenPipeError

    owner = begin(client, "", "")
    monkeypatch.setattr("builtins.print", broken)
    with monkeypatch.context() as patch:
        patch.setattr(Store, "write", lambda *_: broken())
        assert owner.move("b2", wait=False)["status"] >= 500
    assert owner.move("b2", wait=False)["ply"] == 1


def test_a_second_step_asked_for_while_the_first_is_stored_is_refused(
    client: TestClient, manager: Any
) -> None:
    owner = begin(client, SMALL, SMALL, is_paused=True)
    room = manager.rooms[owner.name]
    call(client, room.lock.acquire)  # as while a move is stored
    answers: list[Any] = []
    step = threading.Thread(target=lambda: answers.append(owner.ask("POST", "/step", ply=0)))
    step.start()

    wait_until(lambda: room.lock._waiters)

    async def move_and_release() -> None:
        draft = room.draft()
        session = draft.session
        move = session.offers()[0].move
        session.play(Decision(move, line=(move,)), 0.0, 0.0)
        room.adopt(draft)
        room.lock.release()

    call(client, move_and_release)
    step.join()
    assert answers[0]["status"] == 409
    assert room.pacing.steps == 0


def test_tables_of_a_game_that_everybody_has_left_are_freed_and_made_again(
    client: TestClient, manager: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, tables = begin(client, "", "engine:nodes=20,table=8"), manager.turns.tables
    room = manager.rooms[owner.name]
    assert owner.move("b2")["ply"] == 2
    with owner.listen() as socket:
        next_news(socket, "session")
        call(client, manager._free_memory, room.touched + limits.LEFT_SECONDS + 1)
        assert tables.bytes == 8 * MEGABYTE  # somebody is there
        monkeypatch.setattr(tables, "_clock", lambda: time.monotonic() + limits.UNUSED_SECONDS)
        call(client, manager._free_memory, room.touched)
        assert tables.bytes == 0  # but has not moved for long
        ply = owner.move(owner.ask("GET")["position"]["moves"][0]["text"])["ply"]
        assert (ply, tables.bytes) == (4, 8 * MEGABYTE)
        monkeypatch.undo()
    wait_until(lambda: not room.listeners)
    call(client, manager._free_memory, room.touched + limits.LEFT_SECONDS - 1)
    assert tables.bytes == 8 * MEGABYTE  # they may come back
    call(client, manager._free_memory, room.touched + limits.LEFT_SECONDS + 1)
    assert (tables.bytes, room.agents) == (0, {})
    with owner.listen() as socket:
        socket.send_json({"type": "inside", "on": True, "ply": 4})
        while not next_news(socket, "inside")["inside"]["is_done"]:
            assert tables.bytes <= tables.megabytes * MEGABYTE
        assert owner.ask("GET")["ply"] == 4
        assert owner.move(owner.ask("GET")["position"]["moves"][0]["text"])["ply"] >= 5
