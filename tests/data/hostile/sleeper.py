"""Sleeps for a minute and listens to no signal."""

import json
import signal
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
    signal.signal(number, signal.SIG_IGN)
input()
print(json.dumps({"type": "ready"}), flush=True)
time.sleep(60)
