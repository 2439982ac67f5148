"""Each of four processes takes a quarter of 2 GB."""

import json
import os
import time

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
for _ in range(3):
    if os.fork() == 0:
        break
taken = [bytearray(b"x") * (1 << 22) for _ in range(128)]
time.sleep(60)
