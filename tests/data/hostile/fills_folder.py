"""Writes up to 256 MB into its own folder."""

import json
import os
import sys
from pathlib import Path

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
written = 0
try:
    for number in range(64):
        path = Path(os.environ["TMPDIR"], f"{number}")
        path.write_bytes(bytes(4 << 20))
        written += 4
except OSError as refusal:
    print(refusal, file=sys.stderr)
if written > 16:
    sys.exit(f"escaped: wrote {written} MB")
print(json.dumps({"move": question["legal"][0]}))
