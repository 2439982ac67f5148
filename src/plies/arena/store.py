"""The record of truth: one SQLite file holds a run, every game of it from the moment it ends.

A game is written in one transaction.  A process that is killed loses nothing that was
written, and what was not written is simply played again.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plies.arena.plan import Planned
from plies.errors import PliesError
from plies.files import InUse, Lock
from plies.records import GameRecord, MoveRecord

FORMAT = 1
JOURNAL = "PRAGMA journal_mode = WAL"
SCHEMA = """
CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    number INTEGER PRIMARY KEY, round INTEGER, pair INTEGER, game TEXT, seats TEXT, opening TEXT,
    seed INTEGER, agents TEXT, payoffs TEXT, termination TEXT, faults TEXT, reason TEXT, start TEXT,
    final TEXT, plies INTEGER, seconds REAL, ended TEXT, worker TEXT
);
CREATE TABLE moves (
    number INTEGER REFERENCES games, ply INTEGER, player INTEGER, text TEXT, value INTEGER,
    depth INTEGER, nodes INTEGER, seconds REAL, line TEXT, fault TEXT, PRIMARY KEY (number, ply)
) WITHOUT ROWID;
"""
GAME_COLUMNS = (
    "number, round, pair, game, seats, opening, seed, agents, payoffs, termination, faults,"
    " reason, start, final, seconds, ended, worker"
)


# Games that were played and no longer count, such as those of a program that has changed since.
# They have the columns of the games and moves, and which of several times it was.
SET_ASIDE = (
    "CREATE TABLE IF NOT EXISTS games_aside AS SELECT 0 AS batch, '' AS why, * FROM games WHERE 0",
    "CREATE TABLE IF NOT EXISTS moves_aside AS SELECT 0 AS batch, * FROM moves WHERE 0",
    "CREATE INDEX IF NOT EXISTS games_aside_at ON games_aside (number, why)",
    "CREATE INDEX IF NOT EXISTS moves_aside_at ON moves_aside (number, batch)",
)


class BadStore(PliesError):
    """A file that holds no run, or one that cannot be gone on with or written to."""


@dataclass(frozen=True)
class Finished:
    """A game that has been played: by which worker, how long it took, and when it ended."""

    planned: Planned
    record: GameRecord
    seconds: float = 0.0
    ended: str = ""
    worker: str = ""
    errors: tuple[str, ...] = field(default=(), compare=False)  # by seat; for the logs alone


@dataclass(frozen=True)
class Played:
    """That a game has been played, by whom and when, without its moves."""

    number: int
    seats: tuple[str, ...]
    ended: str


class Store:
    """An open run: `about` holds what it says of itself (`tournament`, `version`, ...)."""

    def __init__(self, path: str | Path, connection: sqlite3.Connection):
        self.path = path
        self._connection = connection
        self._lock: Lock | None = None
        with self._explaining():
            rows = connection.execute("SELECT name, value FROM run").fetchall()
        self.about: dict[str, Any] = {name: json.loads(value) for name, value in rows}

    @classmethod
    def create(cls, path: Path | None, about: Mapping[str, Any]) -> "Store":
        """A new run at `path`, or, without one, in memory only."""
        if path is not None and not is_blank(path):
            raise BadStore(f"{path} exists already")
        if path is not None and not path.parent.is_dir():
            raise BadStore(f"there is no folder {path.parent} for {path.name}")
        connection = _connect(path or ":memory:", is_new=True)
        try:
            with _explained(path), connection:
                connection.execute("BEGIN IMMEDIATE")
                for statement in filter(None, map(str.strip, SCHEMA.split(";"))):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {FORMAT}")
                facts = [(name, json.dumps(value)) for name, value in about.items()]
                connection.executemany("INSERT INTO run VALUES (?, ?)", facts)
        except BaseException:
            connection.close()
            raise
        return cls(path or ":memory:", connection)._locked()

    @classmethod
    def open(cls, path: str | Path, *, is_for_writing: bool = False) -> "Store":
        """The run that a file holds; for writing, nobody else may write to it meanwhile."""
        path = Path(path)
        if not path.is_file():
            raise BadStore(f"there is no run {path}; plies tournament --out {path} makes one")
        connection = _connect(path)
        try:
            with _explained(path):
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                query = "SELECT count(*) FROM sqlite_master WHERE name IN ('run', 'games', 'moves')"
                if connection.execute(query).fetchone()[0] != 3:
                    raise BadStore(f"{path} is a database, but not of a run of plies")
                if version != FORMAT:
                    raise BadStore(
                        f"{path} has format {version}, this version of plies reads format"
                        f" {FORMAT}; use the plies that wrote it, or another file"
                    )
            store = cls(path, connection)
            return store._locked()._ready_to_write() if is_for_writing else store
        except BaseException:
            connection.close()
            raise

    def _locked(self) -> "Store":
        """Refuse to write where another process does; the lock ends with the process."""
        if self.path == ":memory:":
            return self
        try:
            self._lock = Lock(Path(self.path))
        except InUse as error:
            raise BadStore(str(error)) from error
        return self

    def _ready_to_write(self) -> "Store":
        with self._explaining():
            self._connection.execute(JOURNAL)
        return self

    def copy(self) -> "Store":
        """The same run in memory, where changes leave the file as it is."""
        connection = _connect(":memory:")
        with self._explaining():
            self._connection.backup(connection)
        return Store(":memory:", connection)

    def close(self) -> None:
        """A run that was written to needs no file beside it afterwards."""
        if self._lock is not None:
            with suppress(sqlite3.Error):  # somebody reads it
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def say(self, name: str, value: Any) -> None:
        """Note something about the run."""
        with self._explaining(), self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO run VALUES (?, ?)", (name, json.dumps(value))
            )
        self.about[name] = value

    def add(self, finished: Finished) -> None:
        """Keep a game that has just ended."""
        planned, record = finished.planned, finished.record
        game = (
            *(planned.number, planned.round, planned.pair, planned.game),
            *(json.dumps(planned.seats), planned.opening, planned.seed),
            *(json.dumps(record.agents), json.dumps(record.payoffs)),
            *(record.termination, json.dumps(record.faults), record.reason),
            *(record.start, record.final),
            *(finished.seconds, finished.ended, finished.worker, len(record.moves)),
        )
        moves = [
            (
                *(planned.number, ply, move.player, move.text, move.value, move.depth),
                *(move.nodes, move.seconds, json.dumps(move.line), move.fault),
            )
            for ply, move in enumerate(record.moves)
        ]
        with self._explaining(), self._connection:
            self._connection.execute(
                f"INSERT INTO games ({GAME_COLUMNS}, plies) VALUES ({', '.join('?' * 18)})", game
            )
            self._connection.executemany(f"INSERT INTO moves VALUES ({', '.join('?' * 10)})", moves)

    def numbers(self) -> set[int]:
        """Which games have been played."""
        with self._explaining():
            return {number for (number,) in self._connection.execute("SELECT number FROM games")}

    def played(self) -> list[Played]:
        """The games that have been played, without their moves."""
        with self._explaining():
            rows = self._connection.execute("SELECT number, seats, ended FROM games").fetchall()
        return [Played(number, tuple(json.loads(seats)), ended) for number, seats, ended in rows]

    def aside(self, why: str) -> list[Played]:
        """The games that were set aside for a reason, the last ones that have their number."""
        query = "SELECT number, seats, ended FROM games_aside WHERE why = ? ORDER BY batch"
        with self._explaining():
            has_any = self._connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'games_aside'"
            ).fetchone()[0]
            rows = self._connection.execute(query, (why,)).fetchall() if has_any else []
        last = {number: (tuple(json.loads(seats)), ended) for number, seats, ended in rows}
        return [Played(number, *rest) for number, rest in last.items()]

    def revise(
        self,
        *,
        set_aside: Mapping[int, str],
        relabel: Mapping[int, tuple[str, str]],
        bring_back: Mapping[int, str],
        facts: Mapping[str, Any],
    ) -> None:
        """Change what counts and what the run says about itself, all of it or nothing.

        The mappings are from numbers of games to why they are, or were, set aside; to `relabel`
        a game is to give another reason for it, from the first to the second.
        """
        with self._explaining(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            run = self._connection.execute
            for statement in SET_ASIDE:
                run(statement)
            batch = run("SELECT coalesce(max(batch), 0) + 1 FROM games_aside").fetchone()[0]
            for number, why in set_aside.items():
                run("INSERT INTO games_aside SELECT ?, ?, * FROM games WHERE number = ?",
                    (batch, why, number))  # fmt: skip
                run("INSERT INTO moves_aside SELECT ?, * FROM moves WHERE number = ?",
                    (batch, number))  # fmt: skip
                run("DELETE FROM moves WHERE number = ?", (number,))
                run("DELETE FROM games WHERE number = ?", (number,))
            for number, (old, new) in relabel.items():
                run("UPDATE games_aside SET why = ? WHERE number = ? AND why = ?",
                    (new, number, old))  # fmt: skip
            for number, why in bring_back.items():
                self._bring_back(number, why)
            run_facts = [(name, json.dumps(value)) for name, value in facts.items()]
            self._connection.executemany("INSERT OR REPLACE INTO run VALUES (?, ?)", run_facts)
        self.about |= facts

    def _bring_back(self, number: int, why: str) -> None:
        run = self._connection.execute
        query = "SELECT max(batch) FROM games_aside WHERE number = ? AND why = ?"
        which = (run(query, (number, why)).fetchone()[0], number)
        moves = "number, ply, player, text, value, depth, nodes, seconds, line, fault"
        for table, columns in (("games", f"{GAME_COLUMNS}, plies"), ("moves", moves)):
            where = f"FROM {table}_aside WHERE batch = ? AND number = ?"
            run(f"INSERT INTO {table} ({columns}) SELECT {columns} {where}", which)
            run(f"DELETE {where}", which)

    def games(self) -> list[Finished]:
        """All games with their moves, by number."""
        with self._explaining(), self._connection:
            self._connection.execute("BEGIN")  # both queries see the same games
            moves: dict[int, list[MoveRecord]] = {}
            columns = "number, player, text, value, depth, nodes, seconds, line, fault"
            for row in self._connection.execute(
                f"SELECT {columns} FROM moves ORDER BY number, ply"
            ):
                number, player, text, value, depth, nodes, seconds, line, fault = row
                texts = tuple(json.loads(line))
                move = MoveRecord(player, text, value, depth, nodes, seconds, texts, fault)
                moves.setdefault(number, []).append(move)
            query = f"SELECT {GAME_COLUMNS} FROM games ORDER BY number"
            return [
                _finished(row, tuple(moves.get(row[0], ())))
                for row in self._connection.execute(query)
            ]

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        with _explained(self.path):
            yield


def is_blank(path: Path) -> bool:
    """Whether a run can be made at `path`: nothing is there, or one whose making was cut short."""
    if not path.exists() or not path.stat().st_size:
        return True
    with _explained(path), closing(_connect(path)) as connection:
        return connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0


def _finished(row: tuple[Any, ...], moves: tuple[MoveRecord, ...]) -> Finished:
    number, round_, pair, game, seats, opening, seed, agents, payoffs, termination = row[:10]
    faults, reason, start, final, seconds, ended, worker = row[10:]
    planned = Planned(number, game, tuple(json.loads(seats)), opening, seed, round_, pair)
    record = GameRecord(
        game=game,
        agents=tuple(json.loads(agents)),
        seed=seed,
        moves=moves,
        payoffs=tuple(json.loads(payoffs)),
        reason=reason,
        start=start,
        final=final,
        termination=termination,
        faults=tuple(json.loads(faults)),
    )
    return Finished(planned, record, seconds, ended, worker)


def _connect(path: Path | str, *, is_new: bool = False) -> sqlite3.Connection:
    """Commits survive the death of this process at any moment."""
    with _explained(path):
        connection = sqlite3.connect(path, isolation_level=None, timeout=10)
        try:
            connection.isolation_level = "IMMEDIATE"
            if is_new:
                connection.execute(JOURNAL)
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def _explained(path: Path | str | None) -> Iterator[None]:
    """What SQLite complains of, in one line."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise BadStore(f"{path} is not a run of plies") from error
        hint = "free some space and run the command again" if "full" in str(error) else ""
        kept = "; the games that had ended are safe" if "full" in str(error) else ""
        raise BadStore(f"{path}: {error}{kept}{'; ' if hint else ''}{hint}") from error
