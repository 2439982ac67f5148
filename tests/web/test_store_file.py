"""The file of sessions: private, and whole whatever happens to it."""

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from plies.web import limits
from plies.web.sessions.database import BadStore, Database
from plies.web.sessions.store import Store
from store_samples import MOVE, OTHER, append, begin, moves_of, names, reopen

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
