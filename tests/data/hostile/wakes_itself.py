"""Has the kernel tell it to go on soon after it has answered: it thinks on others' time."""

import contextlib
import ctypes
import json
import os
import signal
import sys

libc = ctypes.CDLL(None, use_errno=True)
DELAY = 100_000_000  # nanoseconds; again and again, whenever it is stopped


class Event(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("how", ctypes.c_int),
        ("rest", ctypes.c_int * 12),
    )


class Times(ctypes.Structure):
    _fields_ = (("every", ctypes.c_long * 2), ("first", ctypes.c_long * 2))


def checked(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def arm():
    timer = ctypes.c_void_p()
    event = Event(None, signal.SIGCONT, 0)
    checked(libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer)))
    times = Times((0, DELAY), (0, DELAY))
    checked(libc.timer_settime(timer, 0, ctypes.byref(times), None))


for line in sys.stdin:
    question = json.loads(line)
    with contextlib.suppress(OSError):
        arm()
    ready = {"type": "ready"}
    print(json.dumps({"move": question["legal"][0]} if "legal" in question else ready), flush=True)
