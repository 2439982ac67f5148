"""Sessions are kept in a file, whole, and go when they are old."""

import sqlite3
from pathlib import Path

import pytest

from plies.records import MoveRecord
from plies.web.sessions.store import BadStore, Head, Kept, Store

HEAD = Head("tictactoe", ".../.../... X", ["", "random"], {"hash": -1}, left=[1.5, 2.0])
MOVE = Kept(4, MoveRecord(0, "b2", 17, 3, 250, 0.25, ("b2", "a1"), ""), "", [1.0, 2.0])


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "new" / "folder")


def test_what_was_kept_is_there_again_in_a_new_process(store: Store, tmp_path: Path) -> None:
    store.create("one", HEAD, [MOVE], now=1.0)
    store.append("one", 1, MOVE)
    store._lock.close()  # and nothing else is closed: as after the program was killed
    again = Store(tmp_path / "new" / "folder")
    found = again.load("one")
    assert found is not None
    head, moves = found
    assert head == Head(**{**vars(HEAD), "clock": [0.0, 0.0]})
    assert moves == [MOVE, MOVE]
    assert again.load("two") is None


def test_moves_are_taken_back_and_played_anew(store: Store) -> None:
    store.create("one", HEAD, [MOVE, MOVE, MOVE], now=1.0)
    store.cut("one", 1)
    other = Kept(8, MOVE.record, "random", [0.0, 0.0])
    store.append("one", 1, other)
    found = store.load("one")
    assert found is not None
    assert [kept.move for kept in found[1]] == [4, 8]


def test_a_session_is_deleted_with_its_moves(store: Store) -> None:
    store.create("one", HEAD, [MOVE], now=1.0)
    store.delete("one")
    store.create("one", HEAD, [], now=1.0)
    found = store.load("one")
    assert found is not None
    assert found[1] == []


def test_finished_sessions_give_way_first_then_the_oldest(store: Store) -> None:
    for number in range(5):
        store.create(f"{number}", HEAD, [], now=float(number))
    store.save("3", HEAD, is_over=True, now=3.0)
    store.prune(most=3, oldest=0.0, latest=10.0)
    assert [number for number in range(5) if store.load(f"{number}")] == [1, 2, 4]


def test_a_session_that_is_in_use_does_not_give_way(store: Store) -> None:
    for number in range(4):
        store.create(f"{number}", HEAD, [], now=1.0)
    store.save("3", HEAD, is_over=True, now=1.0)
    store.touch(["2", "3"], now=9.0)
    store.prune(most=1, oldest=0.0, latest=9.0)
    assert [number for number in range(4) if store.load(f"{number}")] == [2, 3]


def test_what_nobody_has_touched_for_long_is_deleted(store: Store) -> None:
    for number in range(4):
        store.create(f"{number}", HEAD, [], now=float(number))
    store.touch(["0"], now=100.0)
    store.prune(most=10, oldest=2.0, latest=101.0)
    assert [number for number in range(4) if store.load(f"{number}")] == [0, 2, 3]


def test_tidying_up_loses_nothing(store: Store) -> None:
    store.create("one", HEAD, [MOVE], now=1.0)
    store.checkpoint()
    assert store.count() == 1


def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sessions.sqlite").write_bytes(b"something else" * 100)
    with pytest.raises(BadStore, match="cannot be used"):
        Store(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    with sqlite3.connect(other / "sessions.sqlite") as file:
        file.execute("PRAGMA user_version=99")
    file.close()
    with pytest.raises(BadStore, match="another version"):
        Store(other)


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    first = Store(tmp_path)
    with pytest.raises(BadStore, match=r"another server keeps its games in .*; choose another"):
        Store(tmp_path)
    first.close()
    Store(tmp_path).close()
