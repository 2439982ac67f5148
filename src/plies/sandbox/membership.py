"""How a program gets into the control groups that its judge has made.

Their files are opened before the file system becomes read-only for the program, and are closed
when it starts.
"""

import os
from contextlib import suppress
from pathlib import Path

from plies.sandbox.cgroup import FREEZE, Groups
from plies.sandbox.kernel import fork_into


class Membership:
    """The opened files of a program's groups, in its launcher."""

    def __init__(self, groups: Groups):
        self.missing: dict[str, str] = {}
        self._groups = groups
        self._unified = -1  # the folder of the group of version 2
        self._is_inside = False
        self._lists: dict[str, int] = {}  # guard -> the file in which its members are written
        self._ending: list[tuple[int, str]] = []  # files, and what ends the members
        if groups.unified is not None and groups.unified in groups.folders.values():
            self._unified = os.open(groups.unified, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for guard, folder in groups.folders.items():
            # A thread alone gets into a group of version 1 at once, a process takes some 10 ms.
            name = "cgroup.procs" if groups.is_unified(guard) else "tasks"
            try:
                self._lists[guard] = _open(folder / name)
            except OSError as error:
                self.missing[guard] = str(error)
        if "freezer" in groups.folders:
            name, _, thawed = FREEZE[groups.is_unified("freezer")]
            for file, text in (("cgroup.kill", "1"), (name, thawed)):
                with suppress(FileNotFoundError):  # version 1, or before Linux 5.14
                    self._ending.append((_open(groups.folders["freezer"] / file), text))

    @property
    def guards(self) -> list[str]:
        return list(self._lists)

    def fork(self) -> int:
        """As `os.fork`; where the kernel can, the child begins in the group of version 2."""
        if self._unified >= 0:
            with suppress(OSError):  # before Linux 5.7
                child = fork_into(self._unified)
                self._is_inside = child == 0
                return child
        return os.fork()

    def enter(self, guard: str) -> None:
        """Become a member of a guard's group, with everything that is started later."""
        if not (self._is_inside and self._groups.is_unified(guard)):
            os.write(self._lists[guard], b"0")

    def end_all(self) -> None:
        """End the members, or at least let them end: those frozen in version 1 do not."""
        for file, text in self._ending:
            with suppress(OSError):
                os.write(file, text.encode())


def _open(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CLOEXEC)
