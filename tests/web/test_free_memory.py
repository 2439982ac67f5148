"""What is freed goes back to the system, where the C library can be asked to."""

import subprocess
import sys

import pytest

from plies.web.free_memory import _c_library

# Blocks are freed below one that stays.  Prints the resident megabytes with all and with one.
FREEING = """
from pathlib import Path
from plies.web.free_memory import give_back, keep_little

def resident():
    return int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0]) // 1024

{before}
for _ in range(2):  # the first one teaches the library how large blocks are
    blocks = [bytearray(b"x") * {size} for _ in range({count})]
    most = resident()
    del blocks[:-1]
{after}
print(most, resident())
"""


def freed(size: int, before: str = "", after: str = "") -> int:
    """How many of a hundred megabytes the process has given back."""
    script = FREEING.format(size=size, count=100 * 2**20 // size, before=before, after=after)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    most, least = map(int, done.stdout.split())
    return most - least


@pytest.mark.skipif(_c_library() is None, reason="the C library keeps memory as it likes")
def test_freed_tables_vanish_at_once() -> None:
    size = 5 * 2**20
    assert freed(size) < 50 < freed(size, before="keep_little()")


@pytest.mark.skipif(_c_library() is None, reason="the C library keeps memory as it likes")
def test_small_blocks_are_given_back_when_asked_for() -> None:
    size = 2**16
    assert freed(size) < 50 < freed(size, after="give_back()")
