"""Namespaces: processes, a network and mounts of its own.

The numbers are those of <linux/sched.h> and <linux/mount.h>.
"""

import ctypes
import errno
import os
from pathlib import Path

from plies.sandbox.kernel import call, syscall

NEW_MOUNTS, NEW_IPC, NEW_USER = 0x00020000, 0x08000000, 0x10000000
NEW_PROCESSES, NEW_NETWORK = 0x20000000, 0x40000000

NO_SETUID, NO_DEVICES, NO_EXECUTION = 2, 4, 8
BIND, RECURSIVE, PRIVATE = 0x1000, 0x4000, 1 << 18
MOUNT_SETATTR = 442
CURRENT_FOLDER, WHOLE_TREE = -100, 0x8000
READ_ONLY, NOT_SETUID = 1, 2
MAX_FILES = 4096

NOTHING = b"/dev/null"
# Under /proc, besides processes: what runtimes and libraries look at when they start.
SHOWN = ("cgroups", "cpuinfo", "filesystems", "loadavg", "meminfo", "stat")
SHOWN += ("sys", "uptime", "version", "vmstat")


class _MountAttributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "spread", "user"))


def leave_for(namespace: int) -> None:
    """A new namespace for this process; one of processes begins with the next child."""
    call("unshare", namespace)


def become_own_user() -> None:
    """A user namespace in which an ordinary user may make the other namespaces.

    User and group stay what they are; there are no others in it.
    """
    user, group = os.getuid(), os.getgid()
    call("unshare", NEW_USER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def private_folder(folder: str, megabytes: int, user: int, group: int) -> None:
    """Mount a small file system that is gone with its last process."""
    options = f"size={megabytes}m,nr_inodes={MAX_FILES},mode=700,uid={user},gid={group}"
    _mount("tmpfs", folder, NO_SETUID | NO_DEVICES, options)


def own_processes_only() -> None:
    """Show only this namespace's processes under /proc, and of the kernel what programs ask for.

    The rest is covered: a program that may read regardless of permissions could read it.
    """
    _mount("proc", "/proc", NO_SETUID | NO_DEVICES | NO_EXECUTION)
    empty = ""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() or entry.name in SHOWN or entry.is_symlink():
            continue
        if not entry.is_dir():
            call("mount", NOTHING, os.fsencode(entry.path), None, BIND, None)
        elif empty:
            call("mount", os.fsencode(empty), os.fsencode(entry.path), None, BIND, None)
        else:
            empty = entry.path
            _mount("tmpfs", empty, NO_SETUID | NO_DEVICES | NO_EXECUTION, "size=4k,mode=555")


def keep_mounts_private() -> None:
    """Nobody else sees what is mounted from here on."""
    call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)


def read_only(except_for: str) -> None:
    """Nothing can be written anywhere but in one mounted folder."""
    _set_mount("/", WHOLE_TREE, _MountAttributes(set=READ_ONLY | NOT_SETUID))
    _set_mount(except_for, 0, _MountAttributes(clear=READ_ONLY))


def _mount(kind: str, target: str, flags: int, options: str = "") -> None:
    name = kind.encode()
    call("mount", name, os.fsencode(target), name, flags, options.encode())


def _set_mount(path: str, flags: int, attributes: _MountAttributes) -> None:
    pointer, size = ctypes.byref(attributes), ctypes.sizeof(attributes)
    try:
        syscall(MOUNT_SETATTR, CURRENT_FOLDER, os.fsencode(path), flags, pointer, size)
    except OSError as error:
        reason = "mounts cannot be made read-only" if error.errno == errno.ENOSYS else error
        raise OSError(error.errno, f"{path}: {reason}") from error
