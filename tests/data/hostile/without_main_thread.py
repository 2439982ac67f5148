"""Its main thread ends, and with it what most of /proc tells; a thread takes 1 GB."""

import ctypes
import json
import platform
import threading

EXIT = {"x86_64": 60, "aarch64": 93}[platform.machine()]  # of one thread


def play():
    input()
    print(json.dumps({"type": "ready"}), flush=True)
    question = json.loads(input())
    taken = [bytearray(b"x") * (1 << 22) for _ in range(256)]
    print(json.dumps({"move": question["legal"][0]}), len(taken), flush=True)


threading.Thread(target=play).start()
ctypes.CDLL(None).syscall(EXIT, 0)
