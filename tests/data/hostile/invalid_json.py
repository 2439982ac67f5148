"""Says what it thinks before it answers."""

import json

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
print("thinking about", question["position"])
print(json.dumps({"move": question["legal"][0]}))
