"""Landlock: a process gives up, for good, every file outside a few folders.

The numbers are those of <linux/landlock.h>.  What Landlock does not know (changing the
mode or the times of a file one owns) `seccomp` forbids.
"""

import ctypes
import os
import stat
from collections.abc import Iterable

from plies.sandbox.kernel import no_new_privileges, syscall

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
FIRST_RIGHTS = (1 << 13) - 1
SINCE = {2: REFER, 3: TRUNCATE, 5: IOCTL_DEV}  # version -> the right it brought
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = EXECUTE | READ_FILE | READ_DIR

TCP = 0b11  # to listen, to connect; since version 4
SCOPES = 0b11  # abstract sockets, signals to others; since version 6


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def prepare(readable: Iterable[str], writable: Iterable[str]) -> int:
    """A set of rules, as a file descriptor; paths that do not exist are left out.

    Made while everything can still be opened; `enter` puts it into force.
    """
    version = syscall(CREATE_RULESET, None, 0, ASK_VERSION)
    rights = FIRST_RIGHTS
    for since, right in SINCE.items():
        rights |= right if version >= since else 0
    attributes = _Ruleset(rights, TCP, SCOPES)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = syscall(CREATE_RULESET, ctypes.byref(attributes), size, 0)
    for path in readable:
        _allow(rules, path, READ & rights)
    for path in writable:
        _allow(rules, path, rights & ~IOCTL_DEV)
    return rules


def enter(rules: int) -> None:
    """Put rules into force for this process and all it starts."""
    no_new_privileges()
    syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            rights &= OF_FILES
        beneath = _Beneath(rights, opened)
        syscall(ADD_RULE, rules, PATH_BENEATH, ctypes.byref(beneath), 0)
    finally:
        os.close(opened)
