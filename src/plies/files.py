"""Files: reading without waiting, writing whole or not at all, locks, and the data folder."""

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

MOST_BYTES = 64 << 20  # default limit of a file that is read whole
DATA_IN_HOME = {"win32": "AppData/Roaming", "darwin": "Library/Application Support"}


class CannotWrite(PliesError):
    """A file that could not be written; its old content is still there."""


class InUse(PliesError):
    """A file that another process has locked."""


class Lock:
    """A lock on a file, for one process at a time; it ends with the process."""

    def __init__(self, path: Path):
        self._file: int | None = None
        try:
            import fcntl
        except ImportError:
            return  # there is no such lock on Windows: the user must take care
        # Do not wait for the writer of a pipe.
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
    """A regular file, open for reading; `OSError` for pipes and devices, which may never end."""
    # Do not wait for the writer of a pipe.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")


def read_file(path: str | Path, most_bytes: int = MOST_BYTES) -> bytes:
    """The content of a regular file; `OSError` if it is longer than `most_bytes`."""
    with open_file(path) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is too large: at most {most_bytes // 1000} kB are read")
    return content


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A file to write to, which becomes `path` once it is complete."""
    with _part_of(path) as part:
        yield part
        part.replace(path)


def check_writable(path: Path) -> None:
    """`CannotWrite` where a file could not be written, before any work begins."""
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
    """The folder for a user's own data: `$PLIES_DATA_DIR`, or the system's."""
    in_home = DATA_IN_HOME.get(sys.platform, ".local/share")
    if folder := user_folder("PLIES_DATA_DIR", "XDG_DATA_HOME", in_home):
        return folder
    raise CannotWrite("there is no home folder to keep games in; set PLIES_DATA_DIR")
