"""Starts up to 200 processes that sleep for a minute."""

import json
import os
import time

input()
print(json.dumps({"type": "ready"}), flush=True)
for _ in range(200):
    if os.fork() == 0:
        break
time.sleep(60)
