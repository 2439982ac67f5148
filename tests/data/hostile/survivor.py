"""Leaves a process behind that has a session of its own and lives for a minute."""

import contextlib
import json
import os
import signal
import time

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
if os.fork() == 0:
    with contextlib.suppress(OSError):
        os.setsid()
    if os.fork() != 0:
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(60)
    os._exit(0)
print(json.dumps({"move": question["legal"][0]}), flush=True)
