"""Sessions in a file, so that they outlive the server: one row a session, one row a move.

Every change is there before anybody sees it: see `writer`.  A program that is killed loses
nothing; a machine that loses its power may lose the last seconds.  Keys are kept as hashes.
"""

import json
import sqlite3
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from plies.records import MoveRecord
from plies.web import limits
from plies.web.problems import TooMany
from plies.web.sessions.database import BadStore, Database

VERSION = 2
# `touched` is in seconds of running servers, not of the calendar: whatever leaps a clock makes,
# and however long no server runs, no session grows older by it.
SCHEMA = (
    """CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY, head TEXT NOT NULL, is_over INTEGER NOT NULL, touched REAL NOT NULL,
        visitor TEXT NOT NULL DEFAULT ''
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS moves (
        session TEXT NOT NULL, ply INTEGER NOT NULL, move INTEGER NOT NULL, content TEXT NOT NULL,
        PRIMARY KEY (session, ply)
    ) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS running (seconds REAL NOT NULL)",
    "CREATE INDEX IF NOT EXISTS by_age ON sessions (is_over, touched)",
    "CREATE INDEX IF NOT EXISTS by_visitor ON sessions (visitor, is_over, touched)",
)
FROM_VERSION_1 = (
    "ALTER TABLE sessions ADD COLUMN visitor TEXT NOT NULL DEFAULT ''",
    "UPDATE sessions SET touched = 0",
)
# One statement for any number of changes: each that is begun from Python may have to wait for the
# interpreter once more.
HEADS = """SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS head,
    json_extract(value, '$[2]') AS is_over, json_extract(value, '$[3]') AS ply FROM json_each(?)"""
UPDATE_HEADS = f"""UPDATE sessions SET head = new.head, is_over = new.is_over
    FROM ({HEADS}) AS new WHERE sessions.id = new.id"""
DELETE_MOVES = f"""DELETE FROM moves WHERE (session, ply) IN (
    SELECT old.session, old.ply FROM ({HEADS}) AS new
    CROSS JOIN moves AS old ON old.session = new.id AND old.ply >= new.ply)"""
INSERT_MOVES = """INSERT OR REPLACE INTO moves SELECT
    json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
    json_extract(value, '$[3]') FROM json_each(?)"""
MISSING = "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM sessions)"
LOCAL = "local"  # the visitor on this machine, who may fill the whole store


@dataclass(frozen=True)
class Head:
    """All that is stored of a session but its moves."""

    game: str
    start: str
    seats: list[str]
    keys: dict[str, int]  # hash of a key -> the seat it is for, OWNER for all
    taken: list[int] = field(default_factory=list)
    clock: tuple[float, float] = (0.0, 0.0)  # credit and increment
    left: list[float] = field(default_factory=list)
    ply: int = -1  # when that was left
    is_paused: bool = False
    seconds: float = 0.5
    ending: dict[str, Any] | None = None  # one that the moves do not show: who gave up


@dataclass(frozen=True)
class StoredMove:
    """A move, who made it, and what was left on the clocks after it."""

    move: int
    record: MoveRecord
    player: str
    left: Sequence[float]


class Change(NamedTuple):
    """What is written of a session: its head, and its moves from `ply` on, which replace all
    that were there.

    Most changes are a move more, which needs no new head: then it is None.
    """

    name: str
    head: Head | None
    is_over: bool
    ply: int
    moves: Sequence[StoredMove]


class Store:
    """The sessions in a folder; it is used by one thread, which may have to wait for the disk."""

    def __init__(self, folder: Path):
        self._database = Database(folder)
        self.path = self._database.path
        try:
            self._set_up()
        except BaseException:
            self._database.close()
            raise
        self._opened = time.monotonic()
        self._saved_running = self._ran_before

    def _set_up(self) -> None:
        try:
            (version,) = self._database.connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, 1, VERSION):
                raise BadStore(f"{self.path} is of another version of plies; use another --data")
            with self._database.transaction() as file:
                for statement in (*(FROM_VERSION_1 if version == 1 else ()), *SCHEMA):
                    file.execute(statement)
                if file.execute("SELECT count(*) FROM running").fetchone() == (0,):
                    file.execute("INSERT INTO running VALUES (0)")
                (self._ran_before,) = file.execute("SELECT seconds FROM running").fetchone()
                file.execute(f"PRAGMA user_version={VERSION}")
        except sqlite3.Error as error:
            raise BadStore(f"{self.path} cannot be used: {error}") from error

    @property
    def running(self) -> float:
        """The seconds that servers have run on this file, up to now."""
        return self._ran_before + time.monotonic() - self._opened

    def close(self) -> None:
        try:
            self._save_running()
        finally:
            self._database.close()

    def create(self, change: Change, visitor: str = LOCAL, live: Collection[str] = ()) -> None:
        """A new session of a visitor, whole or not at all.

        Finished ones give way to it, except those that are `live`; unfinished ones never do.
        """
        with self._database.transaction() as file:
            if visitor != LOCAL:
                self._make_place(file, visitor, limits.VISITOR_SESSIONS, live)
            self._make_place(file, "", limits.STORED_SESSIONS, live)
            file.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)",
                (change.name, _head_text(change), int(change.is_over), self.running, visitor),
            )
            file.execute(INSERT_MOVES, (json.dumps(_rows(change)),))

    def _make_place(
        self, file: sqlite3.Connection, visitor: str, most: int, live: Collection[str]
    ) -> None:
        """Let the oldest finished sessions of a visitor, or of all, give way to one more."""
        of_visitor = "visitor = ? AND " if visitor else ""
        who = (visitor,) if visitor else ()
        query = f"SELECT count(*) FROM sessions WHERE {of_visitor}1"
        extra = file.execute(query, who).fetchone()[0] + 1 - most
        if extra <= 0:
            return
        rows = file.execute(
            f"SELECT id FROM sessions WHERE {of_visitor}is_over = 1 ORDER BY touched LIMIT ?",
            (*who, extra + len(live)),
        )
        gone = [name for (name,) in rows if name not in live][:extra]
        if len(gone) < extra:
            if visitor:
                raise TooMany(f"you have {most} games here, as many as one may: delete or end some")
            raise BadStore(f"{most} games are stored here, as many as there may be; try later")
        _delete(file, gone)

    def write(self, changes: Sequence[Change]) -> list[str]:
        """Changes of different sessions at once, all or none; the names of those sessions that
        are not there any more.
        """
        heads = json.dumps(
            [
                (change.name, _head_text(change), int(change.is_over), change.ply)
                for change in changes
                if change.head is not None
            ]
        )
        rows = [row for change in changes for row in _rows(change)]
        with self._database.transaction() as file:
            if heads != "[]":
                file.execute(UPDATE_HEADS, (heads,))
                file.execute(DELETE_MOVES, (heads,))
            if rows:
                file.execute(INSERT_MOVES, (json.dumps(rows),))
            names = json.dumps([change.name for change in changes])
            missing = [name for (name,) in file.execute(MISSING, (names,))]
            _delete(file, missing)
        return missing

    def load(self, name: str) -> tuple[Head, list[StoredMove]] | None:
        """A session and its moves, None where there is none of that name."""
        with self._database.reading() as file:
            found = file.execute("SELECT head FROM sessions WHERE id = ?", (name,)).fetchone()
            if found is None:
                return None
            rows = file.execute(
                "SELECT move, content FROM moves WHERE session = ? ORDER BY ply", (name,)
            ).fetchall()
        try:
            return Head(**json.loads(found[0])), [_stored_move(move, text) for move, text in rows]
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise BadStore("this game is damaged in the file of games") from error

    def delete(self, name: str) -> None:
        with self._database.transaction() as file:
            _delete(file, [name])

    def count(self) -> int:
        with self._database.reading() as file:
            return file.execute("SELECT count(*) FROM sessions").fetchone()[0]

    def tidy_up(self, live: Collection[str]) -> None:
        """Now and then: note which sessions are in use, delete old ones, write the log back."""
        now = self.running
        with self._database.transaction() as file:
            file.executemany(
                "UPDATE sessions SET touched = ? WHERE id = ? AND touched < ?",
                [(now, name, now - limits.TOUCH_SECONDS) for name in live],
            )
            oldest = now - limits.FORGOTTEN_SECONDS
            rows = file.execute("SELECT id FROM sessions WHERE touched < ?", (oldest,)).fetchall()
            _delete(file, [name for (name,) in rows])
        if now - self._saved_running >= limits.TOUCH_SECONDS:
            self._save_running()
        self._database.write_back()

    def _save_running(self) -> None:
        now = self.running
        with self._database.transaction() as file:
            file.execute("UPDATE running SET seconds = ?", (now,))
        self._saved_running = now


def _delete(file: sqlite3.Connection, names: Sequence[str]) -> None:
    if not names:
        return
    rows = [(name,) for name in names]
    file.executemany("DELETE FROM sessions WHERE id = ?", rows)
    file.executemany("DELETE FROM moves WHERE session = ?", rows)


def _rows(change: Change) -> list[tuple[str, int, int, str]]:
    """The rows of its moves."""
    return [
        (change.name, ply, stored.move, _move_text(stored))
        for ply, stored in enumerate(change.moves, change.ply)
    ]


def _head_text(change: Change) -> str:
    assert change.head is not None
    return json.dumps(vars(change.head))


def _move_text(stored: StoredMove) -> str:
    return json.dumps([vars(stored.record), stored.player, list(stored.left)])


def _stored_move(move: int, content: str) -> StoredMove:
    record, player, left = json.loads(content)
    record["line"] = tuple(record["line"])
    return StoredMove(move, MoveRecord(**record), player, left)
