"""Answers every question twice."""

import json

input()
print(json.dumps({"type": "ready"}), flush=True)
while True:
    question = json.loads(input())
    answer = json.dumps({"move": question["legal"][0]})
    print(f"{answer}\n{answer}", flush=True)
