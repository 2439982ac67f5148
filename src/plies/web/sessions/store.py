"""Sessions in a file, so that they outlive the server: one row a session, one row a move.

Every change is there before it is told to anybody.  A program that is killed loses nothing; a
machine that loses its power may lose the last seconds.  Keys are kept as hashes.
"""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plies.files import InUse, Lock
from plies.records import MoveRecord
from plies.web.problems import Refused

VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, head TEXT NOT NULL, is_over INTEGER NOT NULL, touched REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (
    session TEXT NOT NULL, ply INTEGER NOT NULL, move INTEGER NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (session, ply)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_age ON sessions (is_over, touched);
"""


class BadStore(Refused):
    """A file that holds no sessions, or those of another version, or cannot be written to."""

    status = 503


@dataclass(frozen=True)
class Head:
    """Everything that is kept of a session but its moves."""

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
class Kept:
    """A move as it is kept: who made it, and what was left on the clocks after it."""

    move: int
    record: MoveRecord
    player: str
    left: Sequence[float]


class Store:
    """The file of sessions in a folder; it is used by one thread."""

    def __init__(self, folder: Path):
        self.path = folder / "sessions.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(folder / "lock")
            self._file = _opened(self.path)
            (version,) = self._file.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                raise BadStore(f"{self.path} is of another version of plies; use another --data")
            self._file.execute("PRAGMA wal_autocheckpoint=0")  # see `checkpoint`
            self._file.executescript(SCHEMA)
            self._file.execute(f"PRAGMA user_version={VERSION}")
        except InUse as error:
            raise BadStore(
                f"another server keeps its games in {folder}; choose another folder by --data"
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise BadStore(f"{self.path} cannot be used: {error}") from error

    def close(self) -> None:
        self._file.close()
        self._lock.close()

    def checkpoint(self) -> None:
        """Tidy the file up, which may wait for the disk: from any thread, now and then."""
        with closing(_opened(self.path)) as other:
            other.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def save(self, name: str, head: Head, is_over: bool, now: float) -> None:
        """A session that is new or has changed; its moves are left as they are."""
        row = (name, json.dumps(vars(head)), int(is_over), now)
        self._file.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?)", row)

    def create(self, name: str, head: Head, moves: Sequence[Kept], now: float) -> None:
        """A new session, whole or not at all."""
        with self._file:
            self._file.execute("BEGIN")
            self.save(name, head, is_over=False, now=now)
            for ply, kept in enumerate(moves):
                self.append(name, ply, kept)

    def append(self, name: str, ply: int, kept: Kept) -> None:
        """The move that was played in the position after `ply` moves."""
        content = [vars(kept.record), kept.player, list(kept.left)]
        row = (name, ply, kept.move, json.dumps(content))
        try:
            self._file.execute("INSERT OR REPLACE INTO moves VALUES (?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise BadStore(f"the move cannot be kept: {error}") from error

    def cut(self, name: str, ply: int) -> None:
        """Keep the first `ply` moves."""
        self._file.execute("DELETE FROM moves WHERE session = ? AND ply >= ?", (name, ply))

    def load(self, name: str) -> tuple[Head, list[Kept]] | None:
        """A session and its moves, None where there is none of that name."""
        found = self._file.execute("SELECT head FROM sessions WHERE id = ?", (name,)).fetchone()
        if found is None:
            return None
        rows = self._file.execute(
            "SELECT move, content FROM moves WHERE session = ? ORDER BY ply", (name,)
        )
        return Head(**json.loads(found[0])), [_kept(move, content) for move, content in rows]

    def delete(self, name: str) -> None:
        self._file.execute("DELETE FROM sessions WHERE id = ?", (name,))
        self._file.execute("DELETE FROM moves WHERE session = ?", (name,))

    def count(self) -> int:
        return self._file.execute("SELECT count(*) FROM sessions").fetchone()[0]

    def touch(self, names: Sequence[str], now: float) -> None:
        """Note that these sessions are in use."""
        with self._file:
            self._file.execute("BEGIN")
            rows = [(now, name) for name in names]
            self._file.executemany("UPDATE sessions SET touched = ? WHERE id = ?", rows)

    def prune(self, most: int, oldest: float, latest: float) -> None:
        """Delete what nobody has touched since `oldest` and, finished ones first, all beyond
        the `most` that are kept, but none that was touched at `latest` or later.
        """
        rows = self._file.execute("SELECT id FROM sessions WHERE touched < ?", (oldest,))
        gone = [name for (name,) in rows]
        if (extra := self.count() - len(gone) - most) > 0:
            rows = self._file.execute(
                "SELECT id FROM sessions WHERE touched >= ? AND touched < ?"
                " ORDER BY is_over DESC, touched LIMIT ?",
                (oldest, latest, extra),
            )
            gone += [name for (name,) in rows]
        for name in gone:
            self.delete(name)


def _opened(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    file.execute("PRAGMA journal_mode=WAL")
    file.execute("PRAGMA synchronous=NORMAL")
    return file


def _kept(move: int, content: str) -> Kept:
    record, player, left = json.loads(content)
    record["line"] = tuple(record["line"])
    return Kept(move, MoveRecord(**record), player, left)
