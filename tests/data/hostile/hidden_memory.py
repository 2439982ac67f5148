"""Takes 288 MB, or as many as it is told, in each of several ways.

None of them shows as memory of a process.
"""

import ctypes
import fcntl
import json
import mmap
import os
import socket
import sys
import tempfile

MB = 1 << 20
F_SETPIPE_SZ = 1031
THREAD = 0x10000 | 0x800 | 0x100  # CLONE_THREAD, CLONE_SIGHAND, CLONE_VM: not CLONE_FILES
PIPE_MB = 32  # that a pipe of 16 pages holds on to
PART = 8 * MB  # at a time, so that little shows
TOTAL = MB * next((int(word[10:]) for word in sys.argv if word.startswith("megabytes=")), 288)
escaped = []
held = []


def by_shared_pages():
    """The pages stay, although the process gives them back."""
    pages = mmap.mmap(-1, TOTAL)
    held.append(pages)
    for start in range(0, TOTAL, PART):
        pages[start : start + PART] = bytes(PART)
        pages.madvise(mmap.MADV_DONTNEED, start, PART)


def by_files_without_a_name():
    for number in range(TOTAL // PART):
        file = os.memfd_create(str(number))
        held.append(file)
        os.write(file, bytes(PART))


def by_large_buffers():
    """What waits in sockets belongs to the kernel; 8 MB are enough to show it."""
    for _ in range(2):
        pair = socket.socketpair()
        held.append(pair)
        for end in pair:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * MB)
            end.setblocking(False)
            end.send(bytes(2 * MB))


def by_spliced_pages():
    """A pipe holds on to a page of every two megabytes, and so to all of them."""
    splice = ctypes.CDLL(None, use_errno=True).vmsplice
    for _ in range(-(-TOTAL // (PIPE_MB * MB))):
        ends = os.pipe()
        held.append(ends)
        for _ in range(16):  # as many as a pipe takes
            pages = mmap.mmap(-1, 4 * MB, flags=mmap.MAP_PRIVATE)
            pages.madvise(mmap.MADV_HUGEPAGE)
            address = ctypes.addressof(ctypes.c_char.from_buffer(pages))
            whole = -(-address // (2 * MB)) * 2 * MB
            ctypes.memset(whole, 1, 2 * MB)
            if splice(ends[1], (ctypes.c_ulong * 2)(whole, 4096), 1, 0) == -1:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def by_moved_pages():
    """From a file to a pipe, and from that to another; the file can be emptied."""
    with tempfile.TemporaryFile() as file:
        file.write(bytes(MB))
        file.flush()
        first, second = os.pipe(), os.pipe()
        held.extend((first, second))
        os.splice(file.fileno(), first[1], 4096, offset_src=0)
        os.splice(first[0], second[1], 4096)


def by_wide_pipes():
    """16 MB are enough to show it."""
    for _ in range(16):
        ends = os.pipe()
        held.append(ends)
        fcntl.fcntl(ends[1], F_SETPIPE_SZ, MB)
        os.write(ends[1], bytes(MB))


def by_open_files_of_threads():
    """A thread with open files of its own holds as much as a process; one is enough to show it."""
    libc = ctypes.CDLL(None, use_errno=True)
    stack = mmap.mmap(-1, 1 << 16, flags=mmap.MAP_PRIVATE)
    held.append(stack)
    top = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(stack)) + len(stack))
    if libc.clone(libc.pause, top, THREAD, None) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


ATTEMPTS = (
    by_shared_pages,
    by_files_without_a_name,
    by_large_buffers,
    by_spliced_pages,
    by_moved_pages,
    by_wide_pipes,
    by_open_files_of_threads,
)
input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
for attempt in ATTEMPTS:
    try:
        attempt()
        escaped.append(attempt.__name__)
    except OSError as refusal:
        print(refusal, file=sys.stderr)
if escaped:
    sys.exit(f"escaped: {', '.join(escaped)}")
print(json.dumps({"move": question["legal"][0]}))
