"""What a process may do: the user it runs as, its capabilities and its limits."""

import ctypes
import os
import resource
from pathlib import Path

from plies.sandbox.kernel import PR_CAP_AMBIENT, PR_SET_KEEPCAPS, call, prctl

# Of <linux/capability.h>; the first one is enough, the second one is what containers give.
CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE = 2, 1
VERSION_3 = 0x20080522
AMBIENT_RAISE = 2

# Users without a name, one for every process that a judge who is root starts; the second
# range is for containers that know only 65 536 users.
FIRST_USER = 2_000_000_000
FEW_USERS, HOW_MANY = 60_000, 5_000


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    """Effective, permitted and inheritable ones, the lower 32 and then the upper."""

    _fields_ = (("words", ctypes.c_uint32 * 6),)


def unnamed_user() -> int:
    """A user that nobody else is, for the process that asks."""
    user = FIRST_USER + os.getpid()
    for known in Path("/proc/self/uid_map").read_text().splitlines():
        first, _, count = map(int, known.split())
        if first <= user < first + count:
            return user
    return FEW_USERS + os.getpid() % HOW_MANY


def become(user: int, reads_everything: bool) -> None:
    """Give up root for a user of one's own.

    Programs and interpreters may lie in folders that only root can enter, so reading
    regardless of permissions can be kept, for the programs started later as well: only
    where something else bounds what can be read.
    """
    kept = _reading_capability() if reads_everything else None
    if kept is not None:
        prctl(PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    _keep_capabilities(0 if kept is None else 1 << kept)
    if kept is not None:
        prctl(PR_CAP_AMBIENT, AMBIENT_RAISE, kept)


def drop_capabilities() -> None:
    """Keep none, not even those of a user namespace."""
    _keep_capabilities(0)


def limit(limits: dict[str, int], counts_processes: bool, bounds_tables: bool) -> None:
    """Limits that the kernel enforces on every process from here on.

    Processes are counted for each user, so that limit is only for those that are alone.  A limit
    of addresses is to bound the tables of pages, which a control group for memory counts.
    """
    chosen = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_DATA: limits["data_bytes"],
        resource.RLIMIT_FSIZE: limits["file_bytes"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_CPU: limits["cpu_seconds"],
    }
    if bounds_tables:
        chosen[resource.RLIMIT_AS] = limits["address_bytes"]
    if counts_processes:
        chosen[resource.RLIMIT_NPROC] = limits["tasks"]
    for what, most in chosen.items():
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def _reading_capability() -> int | None:
    held = _Capabilities()
    call("capget", ctypes.byref(_Header(VERSION_3, 0)), ctypes.byref(held))
    permitted = held.words[1]
    wanted = (CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE)
    return next((one for one in wanted if permitted >> one & 1), None)


def _keep_capabilities(kept: int) -> None:
    chosen = _Capabilities((ctypes.c_uint32 * 6)(kept, kept, kept, 0, 0, 0))
    call("capset", ctypes.byref(_Header(VERSION_3, 0)), ctypes.byref(chosen))
