"""Calls to the Linux kernel for which Python has no names; a refusal raises OSError."""

import ctypes
import os
import signal
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)

# Of <linux/prctl.h>.
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

# Of <linux/sched.h>: a child that begins in a control group.
CLONE3 = 435
INTO_CGROUP = 0x200000000
CLONE_FIELDS, SIGNAL_FIELD, GROUP_FIELD = 11, 4, 10  # of struct clone_args; flags come first


def call(name: str, *arguments: Any) -> int:
    """A function of the C library that tells a failure by -1 and errno."""
    return _checked(name, getattr(_libc, name)(*map(_long, arguments)))


def syscall(number: int, *arguments: Any) -> int:
    """A system call by its number; those above 423 are the same on every machine."""
    _libc.syscall.restype = ctypes.c_long
    return _checked(f"system call {number}", _libc.syscall(*map(_long, (number, *arguments))))


def prctl(option: int, *arguments: Any) -> int:
    """All unused arguments must be zero."""
    return call("prctl", option, *arguments, *([0] * (4 - len(arguments))))


def fork_into(group: int) -> int:
    """As `os.fork`, with the child in a control group of version 2, given by its open folder.

    To move it there afterwards takes the kernel some 10 ms.  Only for a process of one thread
    whose child soon becomes another program: Python is not told of the fork.
    """
    fields = (ctypes.c_uint64 * CLONE_FIELDS)(INTO_CGROUP)
    fields[SIGNAL_FIELD], fields[GROUP_FIELD] = signal.SIGCHLD, group
    return syscall(CLONE3, ctypes.byref(fields), ctypes.sizeof(fields))


def no_new_privileges() -> None:
    """No program started from here on gains rights by being started."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def _long(argument: Any) -> Any:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def _checked(name: str, result: int) -> int:
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result
