"""The SQLite file of the sessions: private to its user, and looked after while it is in use.

A change counts as stored only if it will be there after a restart.  So before and after every
transaction the files are compared with how the last one left them: a file that was removed is
written anew (its content is still open here), one that was replaced or damaged stores nothing.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from plies.files import InUse, Lock
from plies.web import limits
from plies.web.problems import Refused, log_problem

FILE = "sessions.sqlite"
LOG = f"{FILE}-wal"
INDEX = f"{FILE}-shm"  # of the log
SIDE_FILES = (LOG, INDEX, f"{FILE}-journal")
LOCK = "lock"
RUNS = "runs"  # the folder of tournaments, beside the sessions
COPY = f"{FILE}.new"
READ_WRITE = 0o600
# Whoever opens the games without this index, or begins to serve without this lock, writes and
# knows nothing of us.
WATCHED = (FILE, LOG, INDEX, LOCK)


class BadStore(Refused):
    """Sessions that cannot be stored or read now."""

    status = 503


class Missing(BadStore):
    """A session that is not in the file any more."""


class FileStates(NamedTuple):
    """Tells whether files are the same ones, and whether somebody has written to them.

    `identities` are device and inode of each that is watched, `contents` size and time of the
    games and of their log; None stands for a file that is not there.
    """

    identities: tuple[tuple[int, int] | None, ...]
    contents: tuple[tuple[int, int] | None, ...]

    @property
    def log_bytes(self) -> int:
        log = self.contents[1]
        return log[0] if log else 0


class Database:
    """A connection to the file in a folder, used by one thread at a time."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.path = folder / FILE
        self._watched = [str(folder / name) for name in WATCHED]
        self.problem = ""  # why nothing can be stored, until the files change again
        try:
            make_private(folder)
            self._lock = Lock(folder / LOCK)
            self.connection = self._connect_first()
        except InUse as error:
            raise BadStore(
                f"another server keeps its games in {folder}; choose another folder by --data"
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise BadStore(f"{self.path} cannot be used: {error}") from error
        self._known = self._states()
        self._next_size = limits.LOG_BYTES  # of the log: then it is emptied
        self._is_patient = True
        self._checkpoint: threading.Thread | None = None  # moves the log into the file
        self._written_back = self.connection.total_changes  # how many changes of rows it has moved
        with suppress(sqlite3.Error):  # a server that was killed has left its log
            self.empty_log()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is done within is stored, or nothing; `BadStore` says why nothing is.

        Once somebody has waited in vain for the file, nobody waits until it is free again.
        """
        with _refusing("stored"):
            self._check_files()
            try:
                self.connection.execute("BEGIN IMMEDIATE")
                self._wait_for_locks(True)
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    if self.connection.in_transaction:
                        self.connection.execute("ROLLBACK")
                    if isinstance(error, sqlite3.Error):
                        self._wait_for_locks(False)
                        self.empty_log()  # which may be what fills the disk
                raise
            finally:
                is_ours = self._accept_own_writes(to_log_alone=self._checkpoint is None)
            if not is_ours:  # removed meanwhile: what was written is rescued now
                self._check_files()
            if self._known.log_bytes >= self._next_size and not self._is_writing_back():
                with suppress(sqlite3.Error):  # what was written is in the log
                    self.empty_log()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """For queries; `BadStore` where the file cannot be read."""
        with _refusing("read"):
            yield self.connection

    def write_back(self) -> None:
        """Move the log into the file itself, so that a loss of power loses only seconds.

        That waits for the disk, for half a second now and then, so it is done in a thread of its
        own meanwhile.  Where nothing has come since the last time, the log is emptied.
        """
        if self._is_writing_back():
            return
        if self.connection.total_changes != self._written_back:
            self._written_back = self.connection.total_changes
            self._checkpoint = threading.Thread(target=self._move_log, daemon=True)
            self._checkpoint.start()
        elif self._known.log_bytes >= limits.QUIET_LOG_BYTES:
            with _refusing("stored"):
                self.empty_log()

    def _move_log(self) -> None:
        with suppress(sqlite3.Error), closing(self._open_again()) as other:
            other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()  # which holds up nobody

    def _is_writing_back(self) -> bool:
        if self._checkpoint is not None and not self._checkpoint.is_alive():
            self._checkpoint = None
            self._accept_own_writes()
        return self._checkpoint is not None

    def empty_log(self) -> None:
        """Move the log into the file, after which it takes no space; not now if somebody else
        reads it.
        """
        is_patient = self._is_patient
        self._wait_for_locks(False)
        try:
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            self._wait_for_locks(is_patient)
            self._accept_own_writes()
            self._next_size = max(limits.LOG_BYTES, 2 * self._known.log_bytes)

    def _wait_for_locks(self, is_patient: bool) -> None:
        """Whether a file that another program has locked is waited for."""
        if is_patient != self._is_patient:
            self._is_patient = is_patient
            most = round(limits.LOCKED_SECONDS * 1000) if is_patient else 0
            self.connection.execute(f"PRAGMA busy_timeout={most}")

    def close(self) -> None:
        self._await_checkpoint()
        self.connection.close()
        self._lock.close()

    def _connect_first(self) -> sqlite3.Connection:
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, READ_WRITE))
            return self._connect()
        except (OSError, sqlite3.Error):
            self._lock.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path,
            isolation_level=None,
            check_same_thread=False,
            timeout=limits.LOCKED_SECONDS,
        )
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA wal_autocheckpoint=0")  # see `write_back`, `empty_log`
            connection.execute("SELECT count(*) FROM sqlite_master")  # makes the log
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _open_again(self) -> sqlite3.Connection:
        """Another connection to the file, which must be there."""
        address = f"{self.path.absolute().as_uri()}?mode=rw"
        return sqlite3.connect(address, uri=True, timeout=limits.LOCKED_SECONDS)

    def _await_checkpoint(self) -> None:
        if self._checkpoint is not None:
            self._checkpoint.join()
            self._checkpoint = None

    # Whether the files are still ours

    def _states(self) -> FileStates:
        found = [_stat(path) for path in self._watched]
        return FileStates(
            tuple(each and (each.st_dev, each.st_ino) for each in found),
            tuple(each and (each.st_size, each.st_mtime_ns) for each in found[:2]),
        )

    def _accept_own_writes(self, *, to_log_alone: bool = False) -> bool:
        """Note sizes and times as this server has left them, if the files are still the same.

        While it has written `to_log_alone`, a change of the games themselves is somebody else's,
        and is still to be looked into.
        """
        states = self._states()
        is_ours = states.identities == self._known.identities
        if is_ours:
            games, log = states.contents
            self._known = states._replace(
                contents=(self._known.contents[0] if to_log_alone else games, log)
            )
        return is_ours

    def _check_files(self) -> None:
        is_writing = self._is_writing_back()  # then size and time change by themselves
        states = self._states()
        if states != self._known and not (
            is_writing and states.identities == self._known.identities
        ):
            self._look_into(states)
        if self.problem:
            raise BadStore(self.problem)

    def _look_into(self, states: FileStates) -> None:
        """Somebody else has done something to the files."""
        file, known = states.identities[0], self._known.identities[0]
        if file is not None and file != known:
            self.problem = (
                "the file of games was replaced by another one: the server must be restarted"
            )
        elif states.identities != self._known.identities:
            self._rescue()
        else:
            self.problem = self._damage()
            self._known = states

    def _rescue(self) -> None:
        """Write the file anew from the one that is still open, though it has no name any more."""
        self._await_checkpoint()
        try:
            make_private(self.folder)
            self._lock.close()
            self._lock = Lock(self.folder / LOCK)
            copy = self.folder / COPY
            copy.unlink(missing_ok=True)
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, READ_WRITE))
            with closing(sqlite3.connect(copy)) as target:
                self.connection.backup(target)
            for name in SIDE_FILES:  # they would be taken for those of the new file
                (self.folder / name).unlink(missing_ok=True)
            copy.replace(self.path)
            old, self.connection = self.connection, self._connect()
            self._is_patient = True
            old.close()
        except (OSError, sqlite3.Error, InUse) as error:
            raise BadStore(
                f"the file of games was removed, and cannot be rewritten: {error}"
            ) from (error)
        self._known = self._states()
        self.problem = self._damage()
        log_problem(f"{self.path}, or a file beside it, was removed; all games are stored anew")

    def _damage(self) -> str:
        """What is wrong with the content of the file, read afresh."""
        try:
            with closing(self._open_again()) as other:
                (found,) = other.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError as error:
            raise BadStore(f"the file of games cannot be read now ({error}); try again") from error
        except sqlite3.DatabaseError as error:
            found = str(error)
        if found == "ok":
            return ""
        return "the file of games is damaged: the server must be stopped and the file be restored"


def make_private(folder: Path) -> None:
    """A folder whose games nobody else can read, though they were readable before."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    ours = {FILE, *SIDE_FILES, COPY, LOCK, RUNS}
    if all(path.name in ours for path in folder.iterdir()):  # not a folder for other things too
        folder.chmod(0o700)
    for path in (folder / name for name in (FILE, *SIDE_FILES, LOCK)):
        if path.is_symlink():  # whose target is perhaps none of ours, and has a log elsewhere
            raise BadStore(f"{path} is a link: name the folder of the file itself by --data")
        if path.is_file() and path.stat().st_mode & 0o077:
            path.chmod(READ_WRITE)


@contextmanager
def _refusing(done: str) -> Iterator[None]:
    """An error of the file as one line for whoever has asked."""
    try:
        yield
    except sqlite3.Error as error:
        raise BadStore(f"games cannot be {done} now ({error}); try again in a moment") from error


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)  # done eight times a change; a Path is slower
    except OSError:
        return None
