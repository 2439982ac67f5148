"""Reads one page of every two megabytes of 512 GB: the tables that map them take 1 GB."""

import json
import mmap

GB, STEP = 1 << 30, 1 << 21
NO_RESERVE = 0x4000  # of <linux/mman.h>
input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
held = []
for _ in range(16):
    flags = mmap.MAP_PRIVATE | NO_RESERVE
    pages = mmap.mmap(-1, 32 * GB, flags=flags, prot=mmap.PROT_READ)
    pages.madvise(mmap.MADV_NOHUGEPAGE)
    held.append(pages)
    for start in range(0, 32 * GB, STEP):
        pages[start]
print(json.dumps({"move": question["legal"][0]}), flush=True)
