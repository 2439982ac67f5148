"""Judges of hostile agents, and what they need."""

import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hostile_judge
import pytest

import plies
from plies.sandbox import cgroup, family
from plies.sandbox.guards import GUARDS

HOSTILE = Path(__file__).parents[1] / "data" / "hostile"
ORDINARY = 65_533  # a user and a group without a name
NAMES = (cgroup.UNIFIED, *cgroup.GUARDS)
NEEDED = ("__init__.py", "core/__init__.py", "errors.py", "sandbox", "version.py")


@dataclass(frozen=True)
class Court:
    """A judge, the user it is, and a folder that belongs to it, with copies of the agents."""

    ask: Callable[..., dict[str, Any]]
    user: int
    folder: Path
    has_groups: bool = True

    def __call__(
        self, agent: str, *words: str, needs: tuple[str, ...] = (), **options: Any
    ) -> dict[str, Any]:
        """Judge an agent, of which nothing is left afterwards.

        Without a guard that it needs it does not even run: nothing else may hold it.
        """
        if not self.has_groups and set(needs) & set(cgroup.GUARDS):
            pytest.skip("this user has no control groups here")
        if needs:
            missing = self._missing(options.get("guards", tuple(GUARDS)))
            for name in set(needs) & set(missing):
                pytest.skip(f"this machine has no guard {name}: {missing[name]}")
        mark = f"mark={uuid.uuid4().hex}"
        told = self.ask(self.folder / "hostile" / f"{agent}.py", *words, mark, **options)
        assert running_with(mark) == []
        assert groups_left(os.getpid()) == []
        assert list((self.folder / "temporary").iterdir()) == []
        return told

    def _missing(self, guards: tuple[str, ...]) -> dict[str, str]:
        """Which of these guards this judge lacks, and why; a harmless agent finds out."""
        asked = (self.user, self.has_groups, guards)
        if asked not in _missing:
            told = self.ask(self.folder / "hostile" / "harmless.py", guards=guards, moves=0)
            # One that cannot even be started, for the want of one of them, says no more.
            _missing[asked] = told.get("missing", dict.fromkeys(guards, told["message"]))
        return _missing[asked]


_missing: dict[tuple[int, bool, tuple[str, ...]], dict[str, str]] = {}


def running_with(mark: str) -> list[str]:
    """The commands that run with a word in them, in any thread: the first one may have ended."""
    commands = []
    for process in Path("/proc").glob("[0-9]*"):
        for thread in family._threads(int(process.name)):
            with suppress(OSError):
                command = (thread / "cmdline").read_bytes().replace(b"\0", b" ")
                commands.append(command.decode(errors="replace"))
    return [command for command in commands if mark in command]


def groups_left(pid: int) -> list[Path]:
    """The control groups that programs of a judge still have."""
    own, _ = cgroup._own_groups()
    return [group for folder in own.values() for group in folder.glob(f"plies-*-{pid}-*")]


@contextmanager
def delegated_groups() -> Iterator[list[Path]]:
    """Control groups that are handed over to an ordinary user: a folder for each controller."""
    own, _ = cgroup._own_groups()
    named = {folder / f"delegated-{os.getpid()}" for name, folder in own.items() if name in NAMES}
    try:
        for folder in named:
            folder.mkdir()
            for path in (folder, folder / "cgroup.procs"):
                os.chown(path, ORDINARY, ORDINARY)
        yield sorted(named)
    finally:
        for folder in named:
            folder.rmdir()


def ordinary_judge(folder: Path, groups: Iterable[Path] = ()) -> Callable[..., dict[str, Any]]:
    """The judge as a user without privileges, who owns copies of all it needs.

    It runs in these control groups, one of each controller.
    """
    if os.geteuid() != 0:
        pytest.skip("whoever runs these tests is an ordinary user already")
    python = _python_of_everybody()
    package = Path(plies.__file__).parent
    for name in NEEDED:
        copy(package / name, folder / "src" / "plies" / name)
    copy(Path(hostile_judge.__file__), folder / "hostile_judge.py")
    subprocess.run(["chown", "-R", f"{ORDINARY}:{ORDINARY}", str(folder)], check=True)
    lists = [os.open(group / "cgroup.procs", os.O_WRONLY) for group in groups]
    environment = {"PYTHONPATH": str(folder / "src"), "TMPDIR": str(folder / "temporary")}

    def enter_groups() -> None:
        for opened in lists:
            os.write(opened, b"0")

    def ask(agent: Path, *words: str, **options: Any) -> dict[str, Any]:
        options.setdefault("guards", tuple(GUARDS))
        chosen = {"agent": str(agent), "words": words, "options": options}
        done = subprocess.run(
            [python, str(folder / "hostile_judge.py"), json.dumps(chosen)],
            user=ORDINARY,
            group=ORDINARY,
            extra_groups=[],
            env=environment,
            cwd="/",
            capture_output=True,
            text=True,
            timeout=120,
            preexec_fn=enter_groups,
        )
        assert done.stderr == ""
        return json.loads(done.stdout)

    return ask


def _python_of_everybody() -> str:
    """A Python that an ordinary user can run; that of the tests may lie in root's home."""
    script = "import sys; sys.exit(sys.version_info < (3, 11))"
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        try:
            done = subprocess.run([python, "-c", script], user=ORDINARY, group=ORDINARY, cwd="/")
        except OSError:
            continue
        if done.returncode == 0:
            return python
    pytest.skip("there is no Python 3.11 or newer here that an ordinary user can run")


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)
