"""Takes up to 1 GB in ways that do not show as memory of a process."""

import json
import mmap
import os
import socket
import sys

MB = 1 << 20
escaped = []
held = []


def by_shared_pages():
    """The pages stay, although the process gives them back."""
    pages = mmap.mmap(-1, 512 * MB)
    held.append(pages)
    for start in range(0, 512 * MB, 16 * MB):
        pages[start : start + 16 * MB] = bytes(16 * MB)
        pages.madvise(mmap.MADV_DONTNEED, start, 16 * MB)


def by_files_without_a_name():
    for number in range(32):
        file = os.memfd_create(str(number))
        held.append(file)
        os.write(file, bytes(16 * MB))


def by_large_buffers():
    """What waits in sockets belongs to the kernel; 8 MB are enough to show it."""
    for _ in range(2):
        pair = socket.socketpair()
        held.append(pair)
        for end in pair:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * MB)
            end.setblocking(False)
            end.send(bytes(2 * MB))


input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
for attempt in (by_shared_pages, by_files_without_a_name, by_large_buffers):
    try:
        attempt()
        escaped.append(attempt.__name__)
    except OSError as refusal:
        print(refusal, file=sys.stderr)
if escaped:
    sys.exit(f"escaped: {', '.join(escaped)}")
print(json.dumps({"move": question["legal"][0]}))
