"""Tries to see, to stop and to look into others: `victim=PID`, and what started it."""

import ctypes
import fcntl
import json
import os
import platform
import resource
import signal
import sys
import threading
from pathlib import Path

victim = int(next(word for word in sys.argv if word.startswith("victim="))[7:])
libc = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206
F_SETSIG = 10
PR_SET_PDEATHSIG = 1
CLONE = {"x86_64": 56, "aarch64": 220}[platform.machine()]


def checked(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def see():
    if b"sleep" not in Path(f"/proc/{victim}/cmdline").read_bytes():
        raise PermissionError("somebody else has that number")


def trace():
    checked(libc.ptrace(PTRACE_SEIZE, victim, 0, 0))


def told_of_a_childs_end():
    child = libc.syscall(CLONE, signal.SIGCONT, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    checked(child)


attempts = {
    "see": see,
    "memory of its parent": lambda: Path(f"/proc/{os.getppid()}/mem").open("rb").close(),
    "memory": lambda: Path(f"/proc/{victim}/mem").open("rb").close(),
    "signal": lambda: os.kill(victim, signal.SIGCONT),
    "trace": trace,
    "slow down": lambda: os.setpriority(os.PRIO_PROCESS, victim, 19),
    "limit": lambda: resource.prlimit(victim, resource.RLIMIT_CPU, (9999, 9999)),
    "namespace": lambda: checked(libc.unshare(0x10000000)),
    "chosen signal": lambda: fcntl.fcntl(0, F_SETSIG, signal.SIGCONT),
    # While a stop is on its way to all processes, each of these lets some go on.
    "go on": lambda: os.kill(0, signal.SIGCONT),
    "go on as a thread": lambda: signal.pthread_kill(threading.get_ident(), signal.SIGCONT),
    "go on at a parent's end": lambda: checked(libc.prctl(PR_SET_PDEATHSIG, signal.SIGCONT)),
    "go on at a child's end": told_of_a_childs_end,
}

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
escaped = []
for name, attempt in attempts.items():
    try:
        attempt()
        escaped.append(name)
    except OSError as refusal:
        print(refusal, file=sys.stderr)
if escaped:
    sys.exit(f"escaped: {', '.join(escaped)}")
print(json.dumps({"move": question["legal"][0]}))
