"""Plays one move and ends."""

import json

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
print(json.dumps({"move": question["legal"][0]}), flush=True)
question = json.loads(input())
print(question["opponent"])
