"""Leaves a process behind whose main thread has ended while another lives for a minute."""

import contextlib
import ctypes
import json
import os
import platform
import threading
import time

EXIT = {"x86_64": 60, "aarch64": 93}[platform.machine()]  # of one thread

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
told, telling = os.pipe()
if os.fork() == 0:
    with contextlib.suppress(OSError):
        os.setsid()
    if os.fork() != 0:
        os._exit(0)
    threading.Thread(target=time.sleep, args=(60,)).start()
    os.write(telling, b"x")
    ctypes.CDLL(None).syscall(EXIT, 0)
os.read(told, 1)
print(json.dumps({"move": question["legal"][0]}), flush=True)
