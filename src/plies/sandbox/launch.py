"""Start a program behind guards: `main` in a fresh Python, its settings in JSON.

Three processes: this one waits; its child, the keeper, is the first process of a new
namespace, or adopts what its descendants leave behind; the keeper's child becomes the program.
The keeper tells the judge through a pipe which guards are up, and later how the program ended:
one JSON object a line.  It lives no longer than the judge, who holds the other end of the
lifeline, and no longer than the program; with it all that the program has started ends.

Everything imported here must be cheap: this runs once for every game and player.
"""

import json
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from plies.sandbox import landlock, namespaces, privileges, seccomp
from plies.sandbox.cgroup import Groups
from plies.sandbox.family import check_visible, end_descendants
from plies.sandbox.guards import GUARDS
from plies.sandbox.kernel import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    no_new_privileges,
    prctl,
)
from plies.sandbox.membership import Membership

DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")
CANNOT_RUN = 127  # the exit status that shells use for it
WHY_NOT = "where Landlock is missing, what root starts can read only what everybody may read"
Settings = dict[str, Any]


class Guards:
    """Which guards are up, and why the others are not."""

    def __init__(self, wanted: list[str]):
        self.wanted = wanted
        self.up: list[str] = []
        self.missing = {name: "switched off" for name in GUARDS if name not in wanted}

    def put_up(self, name: str, work: Callable[..., Any], *arguments: Any) -> Any:
        """What the work answers, None where it is not wanted or not possible here."""
        if name not in self.wanted:
            return None
        try:
            answer = work(*arguments)
        except (OSError, AttributeError) as error:
            self.missing[name] = str(error)
            return None
        self.up.append(name)
        return answer


def main() -> None:
    settings = json.loads(sys.argv[1])
    for pipe in (settings["status"], settings["lifeline"]):
        os.set_inheritable(pipe, False)
    guards = Guards(settings["guards"])
    groups = Groups(**settings["groups"])
    membership = Membership(groups)
    guards.missing |= settings["missing"] | membership.missing
    guards.put_up("watch", check_visible)
    is_root = os.geteuid() == 0
    settings["user"], settings["group"] = os.getuid(), os.getgid()
    if is_root and "user" in guards.wanted:
        settings["user"] = settings["group"] = privileges.unnamed_user()
    if not is_root:
        guards.put_up("user", namespaces.become_own_user)
    guards.put_up("processes", namespaces.leave_for, namespaces.NEW_PROCESSES)
    network = namespaces.NEW_NETWORK | namespaces.NEW_IPC
    guards.put_up("network", namespaces.leave_for, network)
    if sys.platform == "linux":
        prctl(PR_SET_DUMPABLE, 0)  # its pipes are not for the program to find
    keeper = os.fork()
    if keeper == 0:
        _exit_after(settings, keep, settings, guards, membership)
    tell(settings, keeper=keeper)
    leave_pipes_to_others(settings["status"])
    os.waitpid(keeper, 0)
    os.read(settings["lifeline"], 1)  # until the judge lets go, or is no more
    with suppress(OSError):  # for a judge who was killed; what is in it only a judge removes
        Path(settings["folder"]).rmdir()
    groups.remove()


def keep(settings: Settings, guards: Guards, membership: Membership) -> None:
    """Start the program, report how it ends, and end what it leaves behind."""
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    guards.put_up("mounts", arrange_mounts, settings, guards)
    if "proc" in guards.wanted and "proc" not in guards.up:
        guards.missing.setdefault("proc", "needs processes and mounts of its own")
    alarm, ring = os.pipe()
    os.set_blocking(ring, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ring)
    program = membership.fork()
    if program == 0:
        _exit_after(settings, become_program, settings, guards, membership)
    leave_pipes_to_others()
    while not is_over(settings, program, alarm):
        pass
    membership.end_all()
    if "processes" not in guards.up:
        end_descendants(os.getpid())


def is_over(settings: Settings, program: int, alarm: int) -> bool:
    """Wait until something happens: has the program ended, or the judge let go?"""
    waiting = select.poll()
    for pipe in (settings["lifeline"], alarm):
        waiting.register(pipe, select.POLLIN)
    if settings["lifeline"] in dict(waiting.poll()):
        return True
    os.read(alarm, 4096)
    while True:
        pid, code, usage = os.wait4(-1, os.WNOHANG)
        if pid == program:
            tell(settings, exit=os.waitstatus_to_exitcode(code), max_kb=usage.ru_maxrss)
            return True
        if pid == 0:
            return False


def arrange_mounts(settings: Settings, guards: Guards) -> None:
    namespaces.leave_for(namespaces.NEW_MOUNTS)
    namespaces.keep_mounts_private()
    megabytes = settings["limits"]["file_bytes"] >> 20
    folder, user, group = (settings[key] for key in ("folder", "user", "group"))
    namespaces.private_folder(folder, megabytes, user, group)
    if "processes" in guards.up:
        guards.put_up("proc", namespaces.own_processes_only)
    namespaces.read_only(folder)


def become_program(settings: Settings, guards: Guards, membership: Membership) -> NoReturn:
    """Put up the guards that hold for the program only, and become it."""
    for guard in membership.guards:
        guards.put_up(guard, membership.enter, guard)
    os.setsid()  # signals to its own process group reach nobody else
    os.umask(0o077)
    os.chdir(settings["directory"])
    if "mounts" not in guards.up:
        os.chown(settings["folder"], settings["user"], settings["group"])
    readable = [*settings["readable"], *DEVICES]
    if "proc" in guards.up:
        readable.append("/proc")
    rules = guards.put_up("landlock", landlock.prepare, readable, [settings["folder"], "/dev/null"])
    is_root = os.geteuid() == 0
    is_alone = "user" in (guards.wanted if is_root else guards.up)
    is_counted = "memory" in guards.up
    guards.put_up("limits", privileges.limit, settings["limits"], is_alone, not is_counted)
    if is_root:
        guards.put_up("user", privileges.become, settings["user"], rules is not None)
    elif "user" in guards.up:
        privileges.drop_capabilities()
    if guards.wanted:
        no_new_privileges()
    if rules is not None:
        landlock.enter(rules)
    guards.put_up("seccomp", seccomp.enter)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_DFL)
    tell(settings, guards=guards.up, missing=guards.missing)
    command = settings["command"]
    try:
        os.execve(command[0], command, os.environ)
    except PermissionError as error:
        if is_root and rules is None:
            raise PermissionError(f"{error}; {WHY_NOT}") from error
        raise


def tell(settings: Settings, **news: Any) -> None:
    """Tell the judge; a judge who has gone needs no news."""
    try:
        os.write(settings["status"], json.dumps(news).encode() + b"\n")
    except BrokenPipeError:
        return


def leave_pipes_to_others(*more: int) -> None:
    """Close what only the program should hold, so that its end is seen."""
    for number in (0, 1, 2, *more):
        os.close(number)


def _exit_after(settings: Settings, work: Callable[..., None], *arguments: Any) -> NoReturn:
    """The whole life of a child: nothing of its parent's goes on in it."""
    try:
        work(*arguments)
    except BaseException as error:
        tell(settings, failed=str(error))
        os._exit(CANNOT_RUN)
    os._exit(0)
