"""The processes that descend from one process, as Linux tells them."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

MOST_ROUNDS = 2000  # of killing, and of waiting until a control group is empty
ROUND_SECONDS = 0.001
CALM_ROUNDS = 3  # one who ends and leaves another behind may be overlooked in a single one
RUNNING_STATES, DEAD_STATES = ("R", "S"), ("", "Z", "X")  # as Linux writes them
HELD = ("VmRSS", "VmSwap", "VmPTE")  # in /proc/PID/status, in kilobytes


def check_visible() -> None:
    """Raise OSError where the processes of the machine cannot be seen."""
    Path(f"/proc/self/task/{os.getpid()}/children").read_text()


def descendants(pid: int) -> list[int]:
    """Children, their children and so on; those that nobody has waited for included."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        born = children(waiting.pop())
        found += born
        waiting += born
    return found


def memory_bytes(pids: list[int]) -> int:
    """The memory that these processes hold; what several share counts several times."""
    return sum(_memory_kb(pid) for pid in pids) << 10


def send_signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def end_descendants(pid: int) -> None:
    """Kill all that descend from a process that adopts orphans.

    Whole process groups at once, which leaves out nothing that is being started.  Those that are
    stopped start nothing more, so this comes to an end also where everyone has a group of its
    own; what this user may not kill is left after a while.
    """
    calm_rounds = 0
    spared = _groups([pid, os.getpid()])
    for _ in range(MOST_ROUNDS):
        found = descendants(pid)
        running = [child for child in found if not _is_dead(child)]
        calm_rounds = 0 if running else calm_rounds + 1
        for group in _groups(found) - spared:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        if calm_rounds == CALM_ROUNDS:
            return
        send_signal(running, signal.SIGSTOP)
        send_signal(running, signal.SIGKILL)
        time.sleep(ROUND_SECONDS)


def _groups(pids: list[int]) -> set[int]:
    """The process groups that these are in; also those that have ended are in one."""
    groups = set()
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            groups.add(os.getpgid(pid))
    return groups


def children(pid: int) -> list[int]:
    """The processes that any of its threads has started."""
    texts = [_read(thread / "children") for thread in _threads(pid)]
    return [int(child) for text in texts for child in text.split()]


def _memory_kb(pid: int) -> int:
    """What one process holds: pages in memory and swapped out, and the tables that map them.

    Its threads share it; one that has ended, also the first one, tells nothing.
    """
    for thread in _threads(pid):
        fields = dict(line.split(":", 1) for line in _read(thread / "status").splitlines())
        if HELD[0] in fields:
            return sum(int(fields[name].split()[0]) for name in HELD if name in fields)
    return 0


def is_running(pid: int) -> bool:
    """Does any of its threads run, or wait for something that would let it run?

    Those that are stopped or dead do not, nor those that the kernel holds until another, which
    may be stopped, has done something.
    """
    return any(_state(thread / "stat") in RUNNING_STATES for thread in _threads(pid))


def _is_dead(pid: int) -> bool:
    """Has it ended, with all its threads, whether or not its parent has noticed?"""
    return all(_state(thread / "stat") in DEAD_STATES for thread in _threads(pid))


def _threads(pid: int) -> list[Path]:
    """The folders of its threads, none when it has gone."""
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def _state(stat: Path) -> str:
    """The letter for the state of a process or thread, empty when it has gone."""
    return _read(stat).rpartition(")")[2].strip()[:1]


def _read(path: Path) -> str:
    """The text of a file, empty when the process that it tells of has gone."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
