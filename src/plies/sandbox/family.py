"""The processes that descend from one process, as Linux tells them."""

import os
import signal
import time
from pathlib import Path

MOST_ROUNDS = 2000
ROUND_SECONDS = 0.001
RUNNING_STATES = ("R", "S")  # as Linux writes them


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


def resident_bytes(pids: list[int]) -> int:
    """The memory that these processes hold; what several share counts several times."""
    return sum(_resident_pages(pid) for pid in pids) * os.sysconf("SC_PAGE_SIZE")


def send_signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def end_descendants(pid: int) -> None:
    """Kill all that descend from a process that adopts orphans.

    Those that are stopped start nothing more, so this comes to an end; what this user may not
    kill is left after a while.
    """
    for _ in range(MOST_ROUNDS):
        running = [child for child in descendants(pid) if not _is_dead(child)]
        if not running:
            return
        send_signal(running, signal.SIGSTOP)
        send_signal(running, signal.SIGKILL)
        time.sleep(ROUND_SECONDS)


def children(pid: int) -> list[int]:
    """The children of every thread of a process."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []
    texts = [_read(thread / "children") for thread in threads]
    return [int(child) for text in texts for child in text.split()]


def _resident_pages(pid: int) -> int:
    fields = _read(Path(f"/proc/{pid}/statm")).split()
    return int(fields[1]) if fields else 0


def is_running(pid: int) -> bool:
    """Does any of its threads run, or wait for something that would let it run?

    Those that are stopped or dead do not, nor those that the kernel holds until another, which
    may be stopped, has done something.
    """
    stats = Path(f"/proc/{pid}/task").glob("*/stat")
    try:
        return any(_state(stat) in RUNNING_STATES for stat in stats)
    except OSError:
        return False


def _is_dead(pid: int) -> bool:
    """Has it ended, whether or not its parent has noticed?"""
    return _state(Path(f"/proc/{pid}/stat")) in ("", "Z", "X")


def _state(stat: Path) -> str:
    """The letter for the state of a process or thread, empty when it has gone."""
    return _read(stat).rpartition(")")[2].strip()[:1]


def _read(path: Path) -> str:
    """The text of a file, empty when the process that it tells of has gone."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
