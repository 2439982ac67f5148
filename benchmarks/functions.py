"""How many functions the parts of games have: what progress of the compiler begins with.

    python benchmarks/functions.py

Compiles every game with an empty cache of its own, which takes some minutes, and writes the
numbers, and the median of each part, to `src/plies/compiling/functions.json`.  Run it after a
change of how functions are compiled; until then the estimates on a new machine are only worse.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median_high

from plies.compiling.progress import DEFAULTS, MEMORY
from plies.registry import game_names


def main() -> None:
    counts, parts = {}, defaultdict(list)
    for game in game_names():
        for name, count in counts_of(game).items():
            owner, _, part = name.rpartition(" ")
            if owner == game:
                counts[name] = count
                parts[part].append(count)
    counts |= {part: median_high(each) for part, each in parts.items()}
    DEFAULTS.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n")
    print(DEFAULTS.read_text(), end="")


def counts_of(game: str) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PLIES_CACHE_DIR": folder}
        subprocess.run([sys.executable, "-m", "plies", "warm", game], env=environment, check=True)
        return json.loads(Path(folder, MEMORY).read_text())


if __name__ == "__main__":
    main()
