"""Reads what the kernel shows under /proc to root alone, or of itself to everybody."""

import json
import os
import sys
from pathlib import Path

OF_ROOT = 0o004  # the right that files for root alone do not give to others
NAMED = ("kallsyms", "kcore", "kmsg", "modules", "iomem", "config.gz", "keys")


def is_readable(path):
    """Some of these files would let a reader wait for ever."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        return bool(os.read(opened, 16))
    except OSError:
        return False
    finally:
        os.close(opened)


def of_the_kernel():
    for folder, inner, names in os.walk("/proc"):
        inner[:] = [name for name in inner if not name.isdigit()]
        for path in (Path(folder, name) for name in names):
            is_named = folder == "/proc" and path.name in NAMED
            if is_named or not path.lstat().st_mode & OF_ROOT:
                yield path


input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
escaped = [str(path) for path in of_the_kernel() if is_readable(path)]
if escaped:
    sys.exit(f"escaped: {', '.join(escaped)}"[:180])
print(json.dumps({"move": question["legal"][0]}))
