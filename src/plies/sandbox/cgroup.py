"""Control groups: the kernel itself counts, freezes and kills all processes of a program.

Each guard is the controller of the same name.  Version 2, where one group has all controllers,
is the first choice; of version 1, where each controller has folders of its own, comes what
version 2 lacks.  The judge makes the groups of a program and removes them; those of a judge
who was killed the launcher removes, or else the next judge.
"""

import errno
import itertools
import os
import signal
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from plies.sandbox.family import MOST_ROUNDS, ROUND_SECONDS

GUARDS = ("freezer", "memory", "pids", "cpu")  # the one that ends what others hold first
BOUNDING = {"freezer", "memory", "pids"}  # "cpu" is not worth a place further up
UNIFIED = ""  # stands for version 2 where version 1 has names of controllers
FREEZE = {True: ("cgroup.freeze", "1", "0"), False: ("freezer.state", "FROZEN", "THAWED")}
OUT_OF_MEMORY = {True: "memory.events", False: "memory.oom_control"}

_numbers = itertools.count()
_swept: set[Path] = set()


class Groups:
    """The groups of one program: for each guard that is to be had here, a folder."""

    def __init__(self, folders: Mapping[str, str], unified: str):
        self.folders = {guard: Path(folder) for guard, folder in folders.items()}
        self.unified = Path(unified) if unified else None

    def for_launcher(self) -> dict[str, object]:
        """The arguments that make these groups in another process."""
        folders = {guard: str(folder) for guard, folder in self.folders.items()}
        return {"folders": folders, "unified": str(self.unified or "")}

    def is_unified(self, guard: str) -> bool:
        return self.folders[guard] == self.unified

    def freeze(self) -> None:
        """Nothing in it runs from now on, also nothing that is being started."""
        name, frozen, _ = FREEZE[self.is_unified("freezer")]
        write(self.folders["freezer"] / name, frozen)

    def thaw(self) -> None:
        name, _, thawed = FREEZE[self.is_unified("freezer")]
        write(self.folders["freezer"] / name, thawed)

    def processes(self) -> list[int]:
        """All that are in the group that can be frozen."""
        text = (self.folders["freezer"] / "cgroup.procs").read_text(encoding="ascii")
        return [int(pid) for pid in text.split()]

    def kill(self) -> None:
        """End everything in the group that can be frozen, frozen or not."""
        if self.is_unified("freezer"):
            with suppress(FileNotFoundError):  # before Linux 5.14
                write(self.folders["freezer"] / "cgroup.kill", "1")
                return
        for _ in range(MOST_ROUNDS):
            self.freeze()  # what does not run starts nothing
            processes = self.processes()
            for pid in processes:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self.thaw()  # in version 1 the frozen do not even die
            if not processes:
                return
            time.sleep(ROUND_SECONDS)

    def is_out_of_memory(self) -> bool:
        """Has the kernel ended any of its processes for want of memory, whosever it was?"""
        name = OUT_OF_MEMORY[self.is_unified("memory")]
        return self._memory_counts(name).get("oom_kill", 0) > 0

    def has_reached_limit(self) -> bool:
        """Was it its own limit?  Else the machine, or a group above, had no memory left."""
        if self.is_unified("memory"):
            return self._memory_counts("memory.events").get("oom", 0) > 0
        return int((self.folders["memory"] / "memory.failcnt").read_text(encoding="ascii")) > 0

    def _memory_counts(self, name: str) -> dict[str, int]:
        text = (self.folders["memory"] / name).read_text(encoding="ascii")
        pairs = (line.split() for line in text.splitlines())
        return {event: int(count) for event, count in pairs}

    def remove(self) -> None:
        """Remove the groups, as soon as they are empty; what cannot be emptied is left."""
        for folder in set(self.folders.values()):
            for _ in range(MOST_ROUNDS):
                try:
                    folder.rmdir()
                except OSError as error:
                    if error.errno == errno.EBUSY:
                        time.sleep(ROUND_SECONDS)
                        continue
                break


def make_groups(guards: Iterable[str], limits: Mapping[str, int]) -> tuple[Groups, dict[str, str]]:
    """Groups for a new program, and why the other guards are missing."""
    wanted = [guard for guard in GUARDS if guard in guards]
    places, missing = _places(wanted) if wanted else ({}, {})
    if not places:
        return Groups({}, ""), missing
    name = f"{_prefix()}{os.getpid()}-{_began(os.getpid())}-{next(_numbers)}"
    unified = places[UNIFIED] / name if UNIFIED in places else None
    groups = Groups({}, str(unified or ""))
    for guard in wanted:
        if guard in missing:
            continue
        folder = places[guard] / name
        try:
            _sweep(places[guard])
            folder.mkdir(exist_ok=True)  # that of version 2 is for several guards
            groups.folders[guard] = folder
            _set_limits(folder, guard, limits, is_unified=groups.is_unified(guard))
        except OSError as error:
            missing[guard] = f"{error.strerror or error}: {folder}"
            groups.folders.pop(guard, None)
            if folder not in groups.folders.values():
                with suppress(OSError):
                    folder.rmdir()
    return groups, missing


def write(path: Path, text: str) -> None:
    """Write to a file of the kernel, which must be there."""
    opened = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(opened, text.encode())
    finally:
        os.close(opened)


def _set_limits(folder: Path, guard: str, limits: Mapping[str, int], *, is_unified: bool) -> None:
    """Write the limits of a new group; its weight stays that of everybody."""
    if guard == "pids":
        write(folder / "pids.max", str(limits["tasks"]))
    elif guard == "memory":
        most = "memory.max" if is_unified else "memory.limit_in_bytes"
        write(folder / most, str(limits["memory_bytes"]))
        # Not to be had in every kernel: no swapping in either version, all end together.
        for name, text in (
            ("memory.swap.max", "0"),
            ("memory.swappiness", "0"),
            ("memory.oom.group", "1"),
        ):
            with suppress(FileNotFoundError):
                write(folder / name, text)


def _places(wanted: list[str]) -> tuple[dict[str, Path], dict[str, str]]:
    """The folder in which the group of a guard can be made, or why there is none."""
    places: dict[str, Path] = {}
    controllers: set[str] = set()
    try:
        own, tops = _own_groups()
        if UNIFIED in own:
            place, controllers = _unified_place(own[UNIFIED], tops[UNIFIED], wanted)
            if place is not None:
                places[UNIFIED] = place
    except OSError as error:
        return {}, dict.fromkeys(wanted, str(error))
    missing = {}
    for guard in wanted:
        if UNIFIED in places and guard in controllers:
            places[guard] = places[UNIFIED]
        elif guard not in own:
            missing[guard] = f"no control group of this process has the controller {guard}"
        elif not _is_ours(own[guard]):
            missing[guard] = f"this user may not make groups in {own[guard]}"
        else:
            places[guard] = own[guard]
    return places, missing


def _own_groups() -> tuple[dict[str, Path], dict[str, Path]]:
    """For each controller the folder of this process's group, and the top of its tree."""
    paths = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        paths |= dict.fromkeys(names.split(","), path)
    own: dict[str, Path] = {}
    tops: dict[str, Path] = {}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, kind = line.partition(" - ")
        root, top = fields.split()[3:5]
        system, *_, options = kind.split()
        versions = {"cgroup2": [UNIFIED], "cgroup": options.split(",")}
        for name in versions.get(system, []):
            inside = os.path.relpath(paths[name], root) if name in paths else ".."
            if name not in own and not inside.startswith(".."):
                own[name], tops[name] = Path(top, inside), Path(top)
    return own, tops


def _unified_place(own: Path, top: Path, wanted: list[str]) -> tuple[Path | None, set[str]]:
    """The group above this process in which those of programs are made, and what it hands out.

    It is the nearest one that hands out all that bounds a program, so that what bounds this
    process bounds its programs as far as possible, or else the nearest that hands out most.  A
    group with processes in it hands out nothing, except the topmost one.
    """
    best: tuple[Path | None, set[str]] = (None, set())
    for folder in (own, *own.parents):
        if not _is_ours(folder):
            break
        text = (folder / "cgroup.subtree_control").read_text(encoding="ascii")
        controllers = {"freezer", *(name for name in text.split() if name in wanted)}
        if len(controllers) > len(best[1]):
            best = folder, controllers
        if folder == top or controllers.issuperset(BOUNDING.intersection(wanted)):
            break
    return best


def _is_ours(folder: Path) -> bool:
    """May this user make groups here and move processes between them?"""
    return os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)


def _sweep(place: Path) -> None:
    """Remove what judges who were killed have left here; once for every judge is enough."""
    if place in _swept:
        return
    _swept.add(place)
    for folder in place.glob(f"{_prefix()}*"):
        numbers = folder.name.removeprefix(_prefix()).split("-")
        if len(numbers) != 3 or not all(number.isdecimal() for number in numbers):
            continue  # not one of ours
        if _began(int(numbers[0])) == numbers[1]:
            continue
        is_unified = (folder / "cgroup.freeze").exists()
        left = Groups({"freezer": str(folder)}, str(folder) if is_unified else "")
        with suppress(OSError):  # those of other controllers kill nothing
            left.kill()
        left.remove()


@cache
def _prefix() -> str:
    """Of the names of groups that belong to processes which can be seen from here."""
    return f"plies-{Path('/proc/self/ns/pid').stat().st_ino}-"


def _began(pid: int) -> str:
    """When a process began, as the kernel counts; empty when there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
