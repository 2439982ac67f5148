"""Takes memory in small pieces, up to 2 GB."""

import json

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
taken = [bytearray(b"x") * (1 << 22) for _ in range(512)]
print(json.dumps({"move": question["legal"][0]}))
