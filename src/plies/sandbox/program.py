"""From the text that names a program to the command that runs it and the files it may read."""

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from plies.errors import BadSpec
from plies.sandbox.readable import SYSTEM

NAMES = ("agent.py", "agent.js", "agent")  # of the file that runs, in a folder
PYTHONS = ("python", "python3")


@dataclass(frozen=True)
class Program:
    """A command, the files besides those of the system that it may read, where it runs.

    Without a `directory` it runs in a private folder.
    """

    command: tuple[str, ...]
    readable: tuple[Path, ...]
    directory: Path | None = None


def find_program(text: str) -> Program:
    """The program that a text names.

    One word is a file, or a folder with one of `NAMES` in it; several are a command, and
    those of its words that are paths are what it may read.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadSpec(f"{text!r} cannot be split into words: {error}") from error
    if not words:
        raise BadSpec("a program is a file, a folder or a command; write process:PATH")
    if len(words) > 1:
        return _command(words)
    path = Path(words[0]).expanduser().absolute()
    if path.is_dir():
        return Program(_run(_main_file(path)), (path,), path)
    if not path.exists():
        raise BadSpec(f"there is no file and no folder {words[0]}")
    return Program(_run(path), (path,))


def refuse_links(program: Program) -> None:
    """`BadSpec` where what is called somebody's program is a link to a file of somebody else.

    Within a folder of an agent, links may lead to its own files and to those of the system.
    """
    try:
        for path in program.readable:
            if path.is_symlink():
                raise BadSpec(f"{path} is a link to {path.readlink()}; name that, or copy it")
            _refuse_hard_link(path, path.parent)
        if (folder := program.directory) is not None:
            for path in folder.rglob("*"):
                if path.is_symlink() and not _is_within(path, (folder, *SYSTEM)):
                    raise BadSpec(f"{path} is a link to {path.readlink()}, outside its folder")
                _refuse_hard_link(path, folder)
    except OSError as error:
        raise BadSpec(f"{error.filename} cannot be read: {error.strerror}") from error


def _refuse_hard_link(path: Path, folder: Path) -> None:
    """Only another owner tells that a file with several names is at home elsewhere."""
    status = path.lstat()
    is_linked = stat.S_ISREG(status.st_mode) and status.st_nlink > 1
    if is_linked and status.st_uid != folder.stat().st_uid:
        raise BadSpec(f"{path} is a link to a file of another user; put a copy there")


def _is_within(path: Path, folders: Iterable[Path | str]) -> bool:
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(folder)) for folder in folders)


def _command(words: list[str]) -> Program:
    first, *others = words
    paths = {word: Path(word).expanduser().absolute() for word in others}
    found = {word: path for word, path in paths.items() if path.exists()}
    rest = tuple(str(found.get(word, word)) for word in others)
    return Program((_executable(first), *rest), tuple(found.values()))


def _main_file(folder: Path) -> Path:
    for name in NAMES:
        if (folder / name).is_file():
            return folder / name
    raise BadSpec(f"there is no {' and no '.join(NAMES)} in the folder {folder}")


def _run(path: Path) -> tuple[str, ...]:
    if path.suffix == ".py":
        return (sys.executable, str(path))
    if path.suffix == ".js":
        return (_executable("node"), str(path))
    if not os.access(path, os.X_OK):
        raise BadSpec(f"{path} cannot be executed; run chmod +x, or name it .py or .js")
    return (str(path),)


def _executable(name: str) -> str:
    """A program by its name; Python is the one that runs the judge."""
    if name in PYTHONS:
        return sys.executable
    found = shutil.which(Path(name).expanduser())
    if found is None:
        raise BadSpec(f"there is no program {name} on this machine")
    return str(Path(found).absolute())
