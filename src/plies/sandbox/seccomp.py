"""A filter of system calls: what no player of a game needs is refused.

Refused are sockets, looking into other processes, new namespaces and mounts, memory that
belongs to no process and so escapes the limits, signals by which a stopped program would go
on, and what Landlock does not cover of files: changes to them and notices of changes.  The
filter is a program for the kernel's classic BPF machine.
"""

import ctypes
import errno
import platform
import struct

from plies.sandbox.kernel import PR_SET_PDEATHSIG, PR_SET_SECCOMP, no_new_privileges, prctl

MODE_FILTER = 2
ALLOW = 0x7FFF0000
REFUSE = 0x00050000  # plus the number of the error that the caller sees

# Offsets in what the filter is told: struct seccomp_data, little-endian.
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16
LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
OTHER_X86_CALLS = 0x40000000  # the second set of numbers (x32) begins here

# Name -> number on x86_64, on aarch64 (None: it has no such call).
REFUSED: dict[str, tuple[int, int | None]] = {
    "socket": (41, 198),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "perf_event_open": (298, 241),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setsid": (112, 157),  # whoever is in no other group is stopped with all the rest,
    "setpgid": (109, 154),  # and the scheduler gives a new session a share of its own
    "timer_create": (222, 107),  # its signal may be the one that continues
    # the kernel's own affairs
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "syslog": (103, 116),
    "landlock_create_ruleset": (444, 444),  # holds memory for every file that it names
    # namespaces, mounts, files by number
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "open_by_handle_at": (304, 265),
    # memory that belongs to no process
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "vmsplice": (278, 75),  # a pipe keeps what a process gives back
    "splice": (275, 76),
    "tee": (276, 77),
    "io_setup": (206, 0),
    "setsockopt": (54, 208),  # the buffers of a pair of sockets keep their size
    # what Landlock does not cover
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "truncate": (76, 45),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
# Name -> number on x86_64, on aarch64, and which argument is the signal.
SENDING: dict[str, tuple[int, int, int]] = {
    "kill": (62, 129, 1),
    "tkill": (200, 130, 1),
    "tgkill": (234, 131, 2),
    "rt_sigqueueinfo": (129, 138, 1),
    "rt_tgsigqueueinfo": (297, 240, 2),
    "pidfd_send_signal": (424, 424, 1),
}
CLONE, MMAP, PRLIMIT, CLONE3 = (56, 220), (9, 222), (302, 261), (435, 435)
FCNTL, PRCTL = (72, 25), (157, 167)
CONTINUE = 18  # SIGCONT, which undoes a stop that is being sent to the whole group
EXIT_SIGNAL = 0xFF  # of the flags of clone: the signal that tells a parent of the end of a child
SAME_FILES, THREAD = 0x400, 0x10000  # CLONE_FILES, CLONE_THREAD
SCHED_CORE = 62  # PR_SCHED_CORE: keeps others off the other half of a processor's core
CHOOSE_SIGNAL = 10  # F_SETSIG: the signal that tells of a file, such as the one that continues
RESIZE_PIPE = 1031  # F_SETPIPE_SZ
NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW... flag
SHARED_WITHOUT_FILE = 0x21  # MAP_SHARED and MAP_ANONYMOUS
ANY = 0xFFFFFFFF  # the number of another process; one's own is 0

Program = list[tuple[int, int, int, int]]  # operation, jump if true, jump if false, operand


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


def enter() -> None:
    """Put the filter into force for this process and all it starts."""
    steps = program(platform.machine())
    packed = b"".join(struct.pack("=HBBI", *step) for step in steps)
    no_new_privileges()
    prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(_Filter(len(steps), packed)))


def program(machine: str) -> Program:
    """The filter for one kind of machine."""
    if machine not in MACHINES:
        raise OSError(errno.ENOSYS, f"the system calls of {machine} are not listed")
    column = list(MACHINES).index(machine)
    steps: Program = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, MACHINES[machine]), _refuse()]
    steps += [(LOAD, 0, 0, NUMBER)]
    if machine == "x86_64":
        steps += [(AT_LEAST, 0, 1, OTHER_X86_CALLS), _refuse()]
    for numbers in REFUSED.values():
        if (number := numbers[column]) is not None:
            steps += [(EQUAL, 0, 1, number), _refuse()]
    # Its flags lie in memory, where no filter can look; who is told that it does not exist
    # uses clone.
    steps += [(EQUAL, 0, 1, CLONE3[column]), _refuse(errno.ENOSYS)]
    steps += _with_flags(MMAP[column], 3, SHARED_WITHOUT_FILE, are_all_wanted=True)
    steps += _with_flags(CLONE[column], 0, NEW_NAMESPACES, are_all_wanted=False)
    # A thread with open files of its own: so many of them hold much in pipes and sockets.
    steps += _with_bits(CLONE[column], 0, THREAD | SAME_FILES, THREAD)
    steps += _with_bits(CLONE[column], 0, EXIT_SIGNAL, CONTINUE)
    steps += _with_flags(PRLIMIT[column], 0, ANY, are_all_wanted=False)
    for *numbers, argument in SENDING.values():
        steps += _with_bits(numbers[column], argument, ANY, CONTINUE)
    for command in (CHOOSE_SIGNAL, RESIZE_PIPE):
        steps += _with_bits(FCNTL[column], 1, ANY, command)
    for option in (PR_SET_PDEATHSIG, SCHED_CORE):
        steps += _with_bits(PRCTL[column], 0, ANY, option)
    return [*steps, (RETURN, 0, 0, ALLOW)]


def _refuse(error: int = errno.EPERM) -> tuple[int, int, int, int]:
    return (RETURN, 0, 0, REFUSE | error)


def _with_flags(number: int, argument: int, flags: int, *, are_all_wanted: bool) -> Program:
    """Refuse a call when all (or any) of these flags are in one of its arguments."""
    found = (EQUAL, 0, 1, flags) if are_all_wanted else (EQUAL, 1, 0, 0)
    return _when(number, argument, [(AND, 0, 0, flags), found])


def _with_bits(number: int, argument: int, mask: int, value: int) -> Program:
    """Refuse a call when what a mask leaves of one of its arguments has this value."""
    return _when(number, argument, [(AND, 0, 0, mask), (EQUAL, 0, 1, value)])


def _when(number: int, argument: int, test: Program) -> Program:
    """Refuse a call unless a test of one of its arguments skips the refusal."""
    look = [(LOAD, 0, 0, FIRST_ARGUMENT + 8 * argument), *test, _refuse()]
    # Beyond the refusal the number is in the machine again, for the steps that follow.
    return [(EQUAL, 0, len(look) + 1, number), *look, (LOAD, 0, 0, NUMBER)]
