"""Writes 64 MB to its standard error, then moves."""

import json
import sys

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
for _ in range(64):
    sys.stderr.write("x" * (1 << 20))
print(json.dumps({"move": question["legal"][0]}))
