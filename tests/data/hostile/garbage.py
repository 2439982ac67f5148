"""Prints 64 MB without the end of a line."""

import json
import sys

input()
print(json.dumps({"type": "ready"}), flush=True)
input()
for _ in range(64):
    sys.stdout.write("x" * (1 << 20))
