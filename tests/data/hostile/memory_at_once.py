"""Asks for 2 GB at once."""

import json

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
taken = bytearray(1 << 31)
print(json.dumps({"move": question["legal"][0]}))
