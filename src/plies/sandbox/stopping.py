"""All processes of a program stand still while it is not its turn.

A frozen control group is exact.  Without one they are sent the signal to stop: all at once if
they cannot leave their process group, else one after the other until none is left, and then one
that runs nevertheless is looked for.
"""

import os
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from plies.sandbox import family
from plies.sandbox.cgroup import Groups

# Until a process that was sent the signal has stopped: on a busy machine it may wait long.
STOPPING_SECONDS = 2.0
LEAST_LOOKS = 10  # at a program before it is at fault: it may be the judge who was held up


class NotStopped(Exception):
    """A program runs although it was stopped."""


class Frozen:
    """Stops a program by its control group."""

    def __init__(self, groups: Groups):
        self._groups = groups
        self.go_on = groups.thaw

    def stop(self) -> float:
        self._groups.freeze()
        return 0.0


class Signalled:
    """Stops a program by signals to the processes that `list_processes` finds.

    `list_group` finds the process group that they cannot leave, nothing if they can.
    """

    def __init__(
        self, list_processes: Callable[[], list[int]], list_group: Callable[[], list[int]]
    ):
        self._list_processes, self._list_group = list_processes, list_group
        self._stopped: set[int] | None = None  # those that were sent the signal to stop

    def stop(self) -> float:
        """Stop it; for how many seconds it ran on in processes that were not there at first."""
        began = time.perf_counter()
        self._stopped = set()
        calm_rounds = looks = 0
        ran_on = 0.0
        # One that was told to stop may be about to start another, and one that ends and leaves
        # another behind can be overlooked: look until all have stood still for a while.
        while calm_rounds < family.CALM_ROUNDS:
            if time.perf_counter() > began + STOPPING_SECONDS and looks >= LEAST_LOOKS:
                raise NotStopped
            looks += 1
            is_group_stopped = self._stop_group()
            processes = self._list_processes()
            if is_group_stopped:
                self._stopped.update(processes)
                return ran_on
            family.send_signal(processes, signal.SIGSTOP)
            has_new = not self._stopped.issuperset(processes)
            if has_new and self._stopped:
                ran_on = time.perf_counter() - began
            is_calm = not has_new and not are_running(processes)
            calm_rounds = calm_rounds + 1 if is_calm else 0
            self._stopped.update(processes)
            time.sleep(family.ROUND_SECONDS)
        return ran_on

    def go_on(self) -> None:
        """Let it go on; raises `NotStopped` if any of it has done so by itself."""
        if self._stopped is not None:
            self._check_stopped(self._stopped)
            self._stopped = None
        family.send_signal(self._list_processes(), signal.SIGCONT)

    def _stop_group(self) -> bool:
        """Stop a whole process group, which leaves out nothing that is being started."""
        for group in self._list_group():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGSTOP)
                return True
        return False

    def _check_stopped(self, stopped: set[int]) -> None:
        deadline = time.perf_counter() + STOPPING_SECONDS
        looks = 0
        while running := [pid for pid in self._list_processes() if family.is_running(pid)]:
            looks += 1
            is_late = time.perf_counter() > deadline and looks >= LEAST_LOOKS
            if not stopped.issuperset(running) or is_late:
                raise NotStopped
            time.sleep(family.ROUND_SECONDS)


def are_running(processes: Iterable[int]) -> bool:
    return any(family.is_running(pid) for pid in processes)
