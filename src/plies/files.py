"""Files: read without waiting, written whole or not at all, held by one process, kept at home."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from plies.compiling.cache_files import user_folder
from plies.errors import PliesError

MOST_BYTES = 64 << 20  # of a file that is read whole, unless it is said
DATA_IN_HOME = {"win32": "AppData/Roaming", "darwin": "Library/Application Support"}


class CannotWrite(PliesError):
    """A file that could not be written; what was there before is still there."""


class InUse(PliesError):
    """A file that another process holds."""


class Lock:
    """Holds a file, as one process at a time can; when the process ends, so does its hold."""

    def __init__(self, path: Path):
        self._file: int | None = None
        try:
            import fcntl
        except ImportError:
            return  # on systems without this kind of lock it is up to the user
        # A pipe of that name would otherwise be waited for.
        self._file = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NONBLOCK, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise InUse(f"{path} is being written to by another process") from None

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def open_file(path: str | Path) -> BinaryIO:
    """A regular file, to be read; `OSError` for other things, some of which never end."""
    # A pipe that nobody writes to must not be waited for.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")


def read_file(path: str | Path, most_bytes: int = MOST_BYTES) -> bytes:
    """What a regular file holds; `OSError` where that is too much."""
    with open_file(path) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is too large: at most {most_bytes // 1000} kB are read")
    return content


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A place to write to that becomes `path` once it is complete, or nothing at all."""
    with _part_of(path) as part:
        yield part
        part.replace(path)


def check_writable(path: Path) -> None:
    """`CannotWrite`, before any work is done, where a file could not be written."""
    if path.is_dir():
        raise CannotWrite(f"{path} cannot be written: it is a folder")
    with _part_of(path) as part:
        part.touch()


@contextmanager
def _part_of(path: Path) -> Iterator[Path]:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def data_root() -> Path:
    """Where what a user makes is kept: `$PLIES_DATA_DIR`, or the user's data folder."""
    in_home = DATA_IN_HOME.get(sys.platform, ".local/share")
    if folder := user_folder("PLIES_DATA_DIR", "XDG_DATA_HOME", in_home):
        return folder
    raise CannotWrite("there is no home folder to keep games in; set PLIES_DATA_DIR")
