"""Tries to write everywhere but in its own folder: , with victim.txt in it."""

import json
import os
import sys
from pathlib import Path

folder = Path(next(word for word in sys.argv if word.startswith("where="))[6:])
victim = folder / "victim.txt"


def append(path):
    with path.open("a") as file:
        file.write("#")


attempts = {
    "a new file": lambda: (folder / "new.txt").write_text("x"),
    "a new folder": lambda: (folder / "new").mkdir(),
    "a link": lambda: (folder / "link").symlink_to("/"),
    "overwrite": lambda: victim.write_text("x"),
    "append": lambda: append(victim),
    "truncate": lambda: os.truncate(victim, 0),
    "times": lambda: os.utime(victim, (0, 0)),
    "mode": lambda: victim.chmod(0),
    "rename": lambda: victim.rename(folder / "other.txt"),
    "remove": lambda: (folder / "second.txt").unlink(),
    "own file": lambda: append(Path(__file__)),
    "shared memory": lambda: Path("/dev/shm", folder.name).write_text("x"),
}

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
(Path(os.environ["TMPDIR"]) / "allowed.txt").write_text("x")
escaped = []
for name, attempt in attempts.items():
    try:
        attempt()
        escaped.append(name)
    except OSError as refusal:
        print(refusal, file=sys.stderr)
if escaped:
    sys.exit(f"escaped: {', '.join(escaped)}")
print(json.dumps({"move": question["legal"][0]}))
