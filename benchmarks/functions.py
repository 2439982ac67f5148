"""How many functions the usual parts of a game have: what progress of the compiler begins with.

    python benchmarks/functions.py [GAME...]

Compiles these games (tictactoe, nim, quixo if none is named) with an empty cache, which takes a
minute, and writes the median of each part to `src/plies/compiling/functions.json`.  Run it after a
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

GAMES = ("tictactoe", "nim", "quixo")


def main(games: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PLIES_CACHE_DIR": folder}
        subprocess.run([sys.executable, "-m", "plies", "warm", *games], env=environment, check=True)
        stored = json.loads(Path(folder, MEMORY).read_text())
    counts = defaultdict(list)
    for name, count in stored.items():
        game, _, part = name.rpartition(" ")
        if game in games:
            counts[part].append(count)
    usual = {part: median_high(each) for part, each in counts.items() if len(each) == len(games)}
    DEFAULTS.write_text(json.dumps(usual, indent=1, sort_keys=True) + "\n")
    print(DEFAULTS.read_text(), end="")


if __name__ == "__main__":
    main(sys.argv[1:] or list(GAMES))
