"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plies.core.errors import PliesError


class CannotWrite(PliesError):
    """A file that could not be written; what was there before is still there."""


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
