"""Tries to read another agent, `other=FILE`."""

import ctypes
import json
import os
import sys
from pathlib import Path

other = Path(next(word for word in sys.argv if word.startswith("other="))[6:])
own = Path(os.environ["TMPDIR"])
IN_ALL_EVENTS = 0xFFF


def by_symbolic_link():
    (own / "symbolic").symlink_to(other)
    (own / "symbolic").read_bytes()


def by_hard_link():
    (own / "hard").hardlink_to(other)
    (own / "hard").read_bytes()


def by_running_it():
    if os.spawnv(os.P_WAIT, str(other), [str(other)]) == 127:
        raise PermissionError(f"cannot run {other}")


def by_notices():
    """Learn when it is read, and how its folder changes."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.inotify_add_watch(libc.inotify_init1(0), bytes(other.parent), IN_ALL_EVENTS) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


attempts = {
    "open": other.read_bytes,
    "list": lambda: list(other.parent.iterdir()),
    "list /tmp": lambda: list(Path("/tmp").iterdir()),
    "symbolic link": by_symbolic_link,
    "hard link": by_hard_link,
    "root of a process": lambda: Path(f"/proc/self/root{other}").read_bytes(),
    "root of the first process": lambda: Path(f"/proc/1/root{other}").read_bytes(),
    "environment of the first process": lambda: Path("/proc/1/environ").read_bytes(),
    "run": by_running_it,
    "notice": by_notices,
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
