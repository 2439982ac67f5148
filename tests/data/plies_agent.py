"""An agent written with plies that says on its standard error what the judge's cache did for it.

Its words are folders to import from, for a judge whose Python has no plies installed.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = sys.argv[1:]

import plies  # noqa: E402
from plies.compiling.cache import folders_to_read  # noqa: E402
from plies.search.perft import perft  # noqa: E402


def ways_to_change(folder: Path) -> dict[str, Callable[[], object]]:
    file = next(folder.glob("*.bin"), folder / "none.bin")
    return {
        "create": lambda: (folder / "new.bin").write_bytes(b"new"),
        "write": lambda: file.write_bytes(b"changed"),
        "rename": lambda: file.rename(folder / "renamed.bin"),
        "remove": file.unlink,
        "link": lambda: (folder / "link.bin").symlink_to(file),
        "mode": lambda: folder.chmod(0o777),
    }


def changes(folder: Path) -> list[str]:
    """The ways that work."""
    working = []
    for name, change in ways_to_change(folder).items():
        try:
            change()
        except OSError:
            continue
        working.append(name)
    return working


def report() -> dict[str, object]:
    kernel: Any = perft
    hits, misses = (sum(each.values()) for each in kernel.stats[1:])
    own = os.environ["HOME"]
    shared = [folder for folder in folders_to_read() if not folder.is_relative_to(own)]
    return {"hits": hits, "misses": misses, "changed": [changes(folder) for folder in shared]}


def main() -> None:
    game: Any = None
    for line in sys.stdin:
        message = json.loads(line)
        answer: dict[str, object] = {"type": "ready"}
        if message["type"] == "start":
            game = plies.game(message["game"])
        elif message["type"] == "move":
            state = game.parse_position(message["position"])
            answer = {"move": message["legal"][0], "nodes": int(plies.perft(game, state, 2))}
            print(json.dumps(report()), file=sys.stderr)
        else:
            break
        print(json.dumps(answer), flush=True)


main()
