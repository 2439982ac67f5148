"""Sessions are kept in a file: whole, private, within quotas, whatever happens to the file."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from plies.records import MoveRecord
from plies.web import limits
from plies.web.problems import TooMany
from plies.web.sessions.database import BadStore, Database
from plies.web.sessions.desk import visitor_at
from plies.web.sessions.store import Change, Head, Kept, Store

HEAD = Head("tictactoe", ".../.../... X", ["", "random"], {"hash": -1}, left=[1.5, 2.0])
MOVE = Kept(4, MoveRecord(0, "b2", 17, 3, 250, 0.25, ("b2", "a1"), ""), "", [1.0, 2.0])
OTHER = Kept(8, MOVE.record, "random", [0.0, 0.0])
VERSION_1 = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, head TEXT NOT NULL, is_over INTEGER NOT NULL, touched REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE moves (
    session TEXT NOT NULL, ply INTEGER NOT NULL, move INTEGER NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (session, ply)
) WITHOUT ROWID;
CREATE INDEX by_age ON sessions (is_over, touched);
INSERT INTO sessions VALUES ('one', '{"game": "tictactoe", "start": "", "seats": [], "keys": {}}',
    0, 1700000000);
PRAGMA user_version=1;
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "new" / "folder"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    opened = Store(folder)
    yield opened
    opened._database.connection.close()


def begin(
    store: Store, name: str, *moves: Kept, visitor: str = "local", is_over: bool = False
) -> None:
    store.create(Change(name, HEAD, is_over, 0, moves), visitor)


def append(store: Store, name: str, ply: int, *moves: Kept) -> None:
    assert store.write([Change(name, HEAD, False, ply, moves)]) == []


def moves_of(store: Store, name: str) -> list[int]:
    found = store.load(name)
    assert found is not None
    return [kept.move for kept in found[1]]


def names(store: Store) -> list[str]:
    rows = store._database.connection.execute("SELECT id FROM sessions ORDER BY id").fetchall()
    return [name for (name,) in rows]


def reopen(store: Store, folder: Path) -> Store:
    """Another one on the same folder, as after the program was killed."""
    store._database._lock.close()
    return Store(folder)


def test_what_was_kept_is_there_again_in_a_new_process(store: Store, folder: Path) -> None:
    begin(store, "one", MOVE)
    append(store, "one", 1, MOVE)
    with closing(reopen(store, folder)) as again:
        found = again.load("one")
        assert found is not None
        head, moves = found
        assert head == Head(**{**vars(HEAD), "clock": [0.0, 0.0]})
        assert moves == [MOVE, MOVE]
        assert again.load("two") is None


def test_moves_are_taken_back_and_played_anew(store: Store) -> None:
    begin(store, "one", MOVE, MOVE, MOVE)
    append(store, "one", 1)
    append(store, "one", 1, OTHER)
    assert moves_of(store, "one") == [4, 8]


def test_a_change_replaces_whatever_moves_are_there_from_its_ply_on(store: Store) -> None:
    begin(store, "one", MOVE, MOVE, MOVE)
    append(store, "one", 1, OTHER)  # in one transaction: no undone move comes back later
    assert moves_of(store, "one") == [4, 8]


def test_many_changes_are_stored_together_and_a_session_that_is_gone_is_named(
    store: Store,
) -> None:
    begin(store, "one")
    begin(store, "two")
    changes = [Change(name, HEAD, False, 0, [MOVE]) for name in ("one", "gone", "two")]
    assert store.write(changes) == ["gone"]
    assert (moves_of(store, "one"), moves_of(store, "two")) == ([4], [4])
    assert store.load("gone") is None


def test_a_session_is_deleted_with_its_moves(store: Store) -> None:
    begin(store, "one", MOVE)
    store.delete("one")
    begin(store, "one")
    assert moves_of(store, "one") == []


def test_a_game_whose_text_is_damaged_is_refused_in_one_line(store: Store) -> None:
    begin(store, "one", MOVE)
    store._database.connection.execute("UPDATE sessions SET head = '[1, 2'")
    with pytest.raises(BadStore, match="this game is damaged"):
        store.load("one")


# Quotas


def test_a_visitor_who_has_too_many_games_is_refused_and_others_are_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "VISITOR_SESSIONS", 3)
    begin(store, "of another", visitor="b")
    for number in range(3):
        begin(store, f"{number}", visitor="a")
    with pytest.raises(TooMany, match="you have 3 games here"):
        begin(store, "3", visitor="a")
    begin(store, "one more", visitor="b")
    assert names(store) == ["0", "1", "2", "of another", "one more"]


def test_a_visitors_own_oldest_finished_game_gives_way_unless_it_is_in_use(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "VISITOR_SESSIONS", 3)
    begin(store, "of another", visitor="b", is_over=True)
    begin(store, "in use", visitor="a", is_over=True)
    begin(store, "finished", visitor="a", is_over=True)
    begin(store, "unfinished", visitor="a")
    store.create(Change("new", HEAD, False, 0, []), "a", live={"in use"})
    assert names(store) == ["in use", "new", "of another", "unfinished"]


def test_a_full_store_lets_finished_games_give_way_and_never_an_unfinished_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STORED_SESSIONS", 3)
    begin(store, "0")
    begin(store, "1", is_over=True)
    begin(store, "2")
    begin(store, "3")
    assert names(store) == ["0", "2", "3"]
    with pytest.raises(BadStore, match="3 games are stored here, as many as there may be"):
        begin(store, "4")
    assert names(store) == ["0", "2", "3"]


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        ("127.0.0.1", "local"),
        ("::1", "local"),
        ("::ffff:127.0.0.1", "local"),
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", "local"),
    ],
)
def test_a_visitor_is_known_by_the_address(address: str, visitor: str) -> None:
    assert visitor_at(address) == visitor


# Ages


def test_what_nobody_has_touched_for_long_is_deleted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, "old")
    begin(store, "in use")
    store._opened -= limits.FORGOTTEN_SECONDS + 1  # so long has the server run
    store.tidy_up({"in use"})
    assert names(store) == ["in use"]


def test_nothing_is_deleted_on_a_leap_of_time(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, "one")
    now = 2_000_000_000.0
    for leap in (100 * 86400.0, -100 * 86400.0):
        monkeypatch.setattr("time.time", lambda at=now + leap: at)
        store = reopen(store, folder)
        store.tidy_up(())
        assert names(store) == ["one"]


def test_the_time_that_servers_have_run_adds_up(store: Store, folder: Path) -> None:
    store._opened -= 1000.0
    store.close()
    with closing(Store(folder)) as again:
        assert 1000.0 <= again.running < 2000.0


def test_games_of_the_version_before_are_taken_over_and_none_is_old(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as file:
        file.executescript(VERSION_1)
    with closing(Store(tmp_path)) as store:
        store.tidy_up(())
        begin(store, "two")
        assert names(store) == ["one", "two"]


# The file


def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sessions.sqlite").write_bytes(b"something else" * 100)
    with pytest.raises(BadStore, match="cannot be used"):
        Store(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    with closing(sqlite3.connect(other / "sessions.sqlite")) as file:
        file.execute("PRAGMA user_version=99")
    with pytest.raises(BadStore, match="another version"):
        Store(other)


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    first = Store(tmp_path)
    with pytest.raises(BadStore, match=r"another server keeps its games in .*; choose another"):
        Store(tmp_path)
    first.close()
    Store(tmp_path).close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nobody_else_can_read_the_games_though_they_could_before(folder: Path) -> None:
    mask = os.umask(0)
    try:
        folder.mkdir(parents=True, mode=0o777)
        with closing(sqlite3.connect(folder / "sessions.sqlite")) as file:
            file.execute("PRAGMA journal_mode=WAL")
        (folder / "lock").touch(0o666)
        with closing(Store(folder)) as store:
            begin(store, "one")
            found = {path.name: mode(path) for path in folder.iterdir()}
    finally:
        os.umask(mask)
    files = ("sessions.sqlite", "sessions.sqlite-wal", "sessions.sqlite-shm", "lock")
    assert found == dict.fromkeys(files, 0o600)
    assert mode(folder) == 0o700


@pytest.mark.parametrize("name", ["sessions.sqlite", "sessions.sqlite-wal", "lock"])
def test_a_link_is_refused_and_what_it_leads_to_stays_as_it_is(tmp_path: Path, name: str) -> None:
    other, folder = tmp_path / "of somebody else", tmp_path / "data"
    other.touch()
    other.chmod(0o644)
    folder.mkdir()
    (folder / name).symlink_to(other)
    with pytest.raises(BadStore, match=f"{name} is a link"):
        Store(folder)
    assert mode(other) == 0o644


def test_a_pipe_in_the_place_of_the_lock_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lock")
    Store(tmp_path).close()


def test_a_folder_that_holds_other_things_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "thesis.tex").touch()
    with closing(Store(tmp_path)):
        assert mode(tmp_path) == 0o755
        assert mode(tmp_path / "sessions.sqlite") == 0o600


def test_the_log_is_emptied_when_it_is_large_and_when_it_is_quiet(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOG_BYTES", 100_000)
    monkeypatch.setattr(limits, "QUIET_LOG_BYTES", 20_000)
    store._database._next_size = limits.LOG_BYTES
    log = folder / "sessions.sqlite-wal"
    sizes = []
    for number in range(100):
        begin(store, f"{number}")
        sizes.append(log.stat().st_size)
    assert max(sizes) < 150_000
    assert min(sizes) == 0
    while log.stat().st_size < limits.QUIET_LOG_BYTES:
        begin(store, f"one more {log.stat().st_size}")
    store.tidy_up(())  # moves it into the file ...
    store._database._await_checkpoint()
    append(store, "0", 0, MOVE)  # which nobody takes for the work of another program
    store.tidy_up(())
    store._database._await_checkpoint()
    store.tidy_up(())  # ... and when nothing comes any more, empties it
    assert log.stat().st_size == 0


def test_a_locked_file_is_refused_in_one_line_and_loses_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, "one", MOVE)
    store._database.connection.execute("PRAGMA busy_timeout=10")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BadStore, match=r"cannot be stored now \(database is locked\)"):
            append(store, "one", 1, MOVE)
    append(store, "one", 1, OTHER)
    assert moves_of(store, "one") == [4, 8]


def test_a_full_disk_is_refused_in_one_line_and_loses_nothing(store: Store) -> None:
    begin(store, "one", MOVE)
    connection = store._database.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(BadStore, match="full"):
        append(store, "one", 1, *[MOVE] * 1000)
    connection.execute("PRAGMA max_page_count=100000")
    append(store, "one", 1, OTHER)
    assert moves_of(store, "one") == [4, 8]


@pytest.mark.parametrize(
    "removed",
    [
        ["sessions.sqlite"],
        ["sessions.sqlite-wal"],
        ["sessions.sqlite-shm"],
        ["lock"],
        ["sessions.sqlite", "sessions.sqlite-wal"],
    ],
)
def test_a_removed_file_is_written_anew_with_everything_that_was_in_it(
    store: Store, folder: Path, removed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    begin(store, "one", MOVE)
    store._database.empty_log()
    begin(store, "two", MOVE)
    for name in removed:
        (folder / name).unlink()
    append(store, "one", 1, OTHER)
    assert "was removed; all games are stored anew" in capsys.readouterr().err
    append(store, "one", 2, MOVE)
    with closing(reopen(store, folder)) as again:
        assert moves_of(again, "one") == [4, 8, 4]
        assert moves_of(again, "two") == [4]
    assert mode(folder / "sessions.sqlite") == 0o600


def test_a_removed_folder_is_made_anew_and_still_belongs_to_one_server(
    store: Store, folder: Path
) -> None:
    begin(store, "one", MOVE)
    shutil.rmtree(folder)
    store.tidy_up(())  # a server notices while nobody plays
    with pytest.raises(BadStore, match="another server keeps its games"):
        Store(folder)
    with closing(reopen(store, folder)) as again:
        assert moves_of(again, "one") == [4]


def test_a_second_server_that_began_without_the_lock_keeps_the_first_from_storing(
    store: Store, folder: Path
) -> None:
    begin(store, "one", MOVE)
    (folder / "lock").unlink()
    with closing(Store(folder)) as second:
        with pytest.raises(BadStore, match="is being written to by another process"):
            append(store, "one", 1, MOVE)
        append(second, "one", 1, OTHER)
    assert moves_of(store, "one") == [4, 8]


def test_a_writer_who_opens_the_file_without_our_index_loses_nothing_of_ours(
    store: Store, folder: Path
) -> None:
    begin(store, "one", MOVE)
    (folder / "sessions.sqlite-shm").unlink()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # which would not keep us from writing
        append(store, "one", 1, OTHER)
        append(store, "one", 2, MOVE)
        other.execute("DELETE FROM moves")
        other.execute("COMMIT")
    append(store, "one", 3, OTHER)
    with closing(reopen(store, folder)) as again:
        assert moves_of(again, "one") == [4, 8, 4, 8]


def test_what_is_removed_during_a_transaction_is_rescued_before_it_counts_as_stored(
    store: Store, folder: Path
) -> None:
    begin(store, "one", MOVE)
    with store._database.transaction() as file:
        file.execute("DELETE FROM moves")
        store.path.unlink()
    with closing(reopen(store, folder)) as again:
        assert moves_of(again, "one") == []


def test_a_file_that_was_replaced_is_left_alone(store: Store) -> None:
    begin(store, "one", MOVE)
    store.path.rename(store.path.with_suffix(".old"))
    store.path.write_bytes(b"of somebody else")
    for _ in range(2):
        with pytest.raises(BadStore, match="was replaced by another one"):
            append(store, "one", 1, MOVE)
    assert store.path.read_bytes() == b"of somebody else"


@pytest.mark.parametrize("name", ["sessions.sqlite", "sessions.sqlite-wal"])
def test_a_damaged_file_stores_nothing_more(store: Store, folder: Path, name: str) -> None:
    for number in range(50):
        begin(store, f"{number}", *[MOVE] * 20)
    if name == "sessions.sqlite":
        store._database.empty_log()
    size = (folder / name).stat().st_size
    with (folder / name).open("r+b") as file:
        file.seek(100)
        file.write(b"\xa5" * (size - 100))
    with pytest.raises(BadStore, match=r"is damaged|cannot be read"):
        append(store, "1", 20, MOVE)
    with pytest.raises(BadStore, match=r"is damaged|cannot be read"):
        begin(store, "new")


def test_damage_during_a_transaction_is_noticed_at_the_next(store: Store) -> None:
    for number in range(50):
        begin(store, f"{number}", *[MOVE] * 20)
    database = store._database
    database.empty_log()
    with database.transaction() as file:
        file.execute("UPDATE running SET seconds = 1")
        store.path.write_bytes(b"\xa5" * store.path.stat().st_size)
    with pytest.raises(BadStore, match=r"is damaged|cannot be read"):
        append(store, "1", 20, MOVE)


def test_changes_of_another_program_that_do_no_damage_are_accepted(store: Store) -> None:
    begin(store, "one", MOVE)
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("DELETE FROM moves")
    append(store, "one", 0, OTHER)
    assert moves_of(store, "one") == [8]


def test_a_file_that_cannot_be_rewritten_stores_nothing_until_it_can(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left on device")

    begin(store, "one", MOVE)
    store.path.unlink()
    with monkeypatch.context() as failing:
        failing.setattr("pathlib.Path.replace", fail)
        with pytest.raises(BadStore, match="was removed, and cannot be rewritten: no space"):
            append(store, "one", 1, MOVE)
    append(store, "one", 1, OTHER)
    with closing(reopen(store, folder)) as again:
        assert moves_of(again, "one") == [4, 8]


def test_the_database_closes_what_it_has_opened_when_it_is_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "sessions.sqlite").write_bytes(b"something else" * 100)
    for _ in range(2):  # the lock was given back
        with pytest.raises(BadStore, match="cannot be used"):
            Database(tmp_path)
