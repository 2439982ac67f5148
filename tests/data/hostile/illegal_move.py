"""Plays a move that no game knows."""

import json

input()
print(json.dumps({"type": "ready"}), flush=True)
input()
print(json.dumps({"move": "z99\x1b[2J\ud800"}))
