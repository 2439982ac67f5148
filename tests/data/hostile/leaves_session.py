"""Leaves its process group and its session, each of which may have processor time of its own."""

import json
import os
import sys

escaped = []


def leave(name, change):
    """In a process of its own, which leads no group yet."""
    child = os.fork()
    if child == 0:
        try:
            change()
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        escaped.append(name)


input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
leave("session", os.setsid)
leave("group", lambda: os.setpgid(0, 0))
if escaped:
    sys.exit(f"escaped: {', '.join(escaped)}")
print(json.dumps({"move": question["legal"][0]}))
