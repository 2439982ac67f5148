"""Thinks on others' time: chains of processes, each of which starts the next and ends.

They share this one's memory (CLONE_VM) and count in it.  To be counted on for half of the time
between two moves is an escape.
"""

import ctypes
import json
import mmap
import platform
import sys
import time

# A chain needs no stack: rdi is where to count, and what each one does is done in registers.
CODE = {
    "x86_64": bytes.fromhex(
        "4989f8"  # mov r8, rdi
        "b838000000"  # start: mov eax, clone
        "bf00010000"  # mov edi, CLONE_VM
        "31f631d24d31d2"  # xor esi, esi; xor edx, edx; xor r10, r10
        "0f05"  # syscall
        "85c0"  # test eax, eax
        "7401"  # jz link
        "c3"  # ret: this is whoever began the chain
        "b9204e0000"  # link: mov ecx, 20000
        "ffc975fc"  # work: dec ecx; jnz work
        "49ff00"  # inc qword [r8]
        "b838000000bf00010000"  # mov eax, clone; mov edi, CLONE_VM
        "31f631d24d31d20f05"
        "85c0"  # test eax, eax
        "74dd"  # jz link: the new one goes on
        "78e7"  # js: again, until there is room for another
        "b83c00000031ff0f05"  # mov eax, exit; xor edi, edi; syscall
    )
}
if platform.machine() not in CODE:
    sys.exit("no chain for this machine")
code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE, prot=7)  # to read, write and execute
code.write(CODE[platform.machine()])
count = ctypes.c_long()
begin = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(
    ctypes.addressof(ctypes.c_char.from_buffer(code))
)
input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
for _ in range(4):
    begin(ctypes.addressof(count))
began, first = time.monotonic(), count.value
time.sleep(0.2)
rate = max(count.value - first, 1) / (time.monotonic() - began)
while True:
    told, at = count.value, time.monotonic()
    print(json.dumps({"move": question["legal"][0]}), flush=True)
    question = json.loads(input())
    stolen = (count.value - told) / rate
    if stolen > (time.monotonic() - at) / 2:
        sys.exit("escaped: time of others")
