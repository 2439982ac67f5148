"""Parts of a long work, kept beside the file that they are for until all are there."""

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from plies.agents import read_spec
from plies.agents.spec import SUFFIX as FILE_SUFFIX
from plies.errors import PliesError
from plies.files import CannotWrite, new_file
from plies.models.files import SUFFIX
from plies.registry import FILE_SPEC

PLAN = "plan.json"
LONGEST = 80  # characters of a value that a complaint shows

T = TypeVar("T")


class OtherWork(PliesError):
    """A file, or the parts of one, is there already and is of no use for what is asked."""


class Parts:
    """The folder `FILE.parts`; its plan says what the parts belong to."""

    def __init__(self, path: Path, plan: Mapping[str, Any]):
        """Make the folder, or go on with one whose plan is the same or that has no parts."""
        self.folder = folder_of(path)
        if has_parts(path) and (found := self._difference(plan)):
            raise OtherWork(
                f"{self.folder} holds parts of another work ({found});"
                " delete it or choose another --out"
            )
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise CannotWrite(f"{self.folder} cannot be made: {error.strerror}") from error
        with new_file(self.folder / PLAN) as part:
            part.write_text(json.dumps(plan, indent=1), encoding="utf-8")

    def __contains__(self, name: str) -> bool:
        return self.path(name).is_file()

    def path(self, name: str) -> Path:
        return self.folder / name

    def read(self, name: str, reader: Callable[[Path], T]) -> T:
        """What the reader makes of a part; whatever it fails by, the part is damaged."""
        try:
            return reader(self.path(name))
        except Exception as error:
            raise OtherWork(f"{self.path(name)} is damaged; delete it") from error

    def remove(self) -> None:
        """All that the parts are for is done."""
        shutil.rmtree(self.folder)

    def _difference(self, plan: Mapping[str, Any]) -> str:
        try:
            kept = json.loads((self.folder / PLAN).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return "it has no plan"
        return difference(kept, plan)


def folder_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.parts")


def has_parts(path: Path) -> bool:
    """Whether something of the work for a file is kept; a plan alone is nothing."""
    folder = folder_of(path)
    return folder.is_dir() and any(
        part.name != PLAN and not part.name.startswith(".") for part in folder.iterdir()
    )


def remove_empty(path: Path) -> None:
    """Leave no folder behind that was made for parts and has nothing but their plan."""
    folder = folder_of(path)
    if folder.is_dir() and [part.name for part in folder.iterdir()] == [PLAN]:
        shutil.rmtree(folder)


def difference(kept: Any, wanted: Mapping[str, Any]) -> str:
    """`seed 1, not 2`: where what is there differs from what is wanted; empty if nowhere."""
    if not isinstance(kept, dict):
        return "it has no plan"
    for name, value in json.loads(json.dumps(wanted)).items():
        there = kept.get(name)
        if there == value:
            continue
        if name == "files":
            return changed_file(there, value) or "other files"
        if isinstance(there, dict) and isinstance(value, dict):
            return f"{name}: {difference(there, value) or 'fewer'}"
        is_short = max(len(str(there)), len(str(value))) <= LONGEST
        return f"{name} {there}, not {value}" if is_short else f"other {name}"
    return ""


def changed_file(then: Any, now: Mapping[str, str]) -> str:
    """The first file whose digest is not among those of then; empty where there is none."""
    kept = then.values() if isinstance(then, dict) else ()
    return next((f"{path} has changed since" for path in now if now[path] not in kept), "")


def digests(game: str, *agents: str) -> dict[str, str]:
    """Of each file that the specs of a game and of agents name, by its path as it is written.

    What is made with a file is of no use once the file has changed.
    """
    match = FILE_SPEC.fullmatch(game.strip())
    specs = [read_spec(spec) for spec in filter(None, agents)]
    texts = [text for spec in specs for text in (spec.name, *spec.options.values())]
    named = [match["path"]] if match else []
    named += [text for text in texts if text.endswith((SUFFIX, FILE_SUFFIX))]
    return {path: digest(path) for path in named}


def digest(path: str | Path) -> str:
    """A short name of what a file holds."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise OtherWork(f"{path} cannot be read: {error.strerror or error}") from error
