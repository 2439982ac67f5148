"""Memory that is free goes back to the system, where the C library is glibc.

Left alone it keeps what tables and the compiler have freed: once a large block was freed, blocks
of up to that size come from its heaps from then on, of which each thread may have one, and a heap
shrinks only at its end.
"""

import ctypes
import sys
from functools import cache
from typing import Any

from plies.web.limits import CORES

# Names and numbers of <malloc.h>
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
OWN_BLOCK = 2**20  # bytes: so large a block is apart from the heaps, and vanishes when freed
HEAPS = max(2, CORES)  # searches that run at the same moment do not wait for each other


@cache
def _c_library() -> Any:
    """The C library, if it is one whose memory can be looked after."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def keep_little() -> None:
    """Let freed tables vanish at once; to be called before threads begin."""
    library = _c_library()
    if library is not None:
        library.mallopt(M_MMAP_THRESHOLD, OWN_BLOCK)
        library.mallopt(M_ARENA_MAX, HEAPS)


def give_back() -> None:
    """Give back whatever is free."""
    library = _c_library()
    if library is not None:
        library.malloc_trim(0)
