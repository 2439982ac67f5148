"""What a game costs beside its agents: 1000 games of tic-tac-toe between random players.

    python benchmarks/arena.py

The whole command is timed, from the start of the interpreter to the last line, as a user
waits for it, with a warm cache of compiled code.  Exit status 1 if the best of the runs is
slower than the floor, or if a count is not as it must be.
"""

import json
import subprocess
import sys
import time

COMMAND = ("match", "tictactoe", "random", "random", "--pairs", "500", "--seed", "1", "--json")
GAMES, MOVES = 1000, 3658  # the seed decides all of it
FLOOR_SECONDS = 5.0
RUNS = 3


def run(workers: int) -> tuple[float, int, int]:
    """Seconds, games and moves of one command."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "plies", *COMMAND, "--workers", str(workers)],
        check=True,
        capture_output=True,
    )
    seconds = time.perf_counter() - began
    found = json.loads(done.stdout)
    return seconds, found["games"], sum(row["moves"] for row in found["standings"])


def main() -> int:
    run(1)  # compiles, if it must
    status = 0
    for workers in (1, 2):
        runs = [run(workers) for _ in range(RUNS)]
        seconds = min(each[0] for each in runs)
        is_exact = all(each[1:] == (GAMES, MOVES) for each in runs)
        is_good = is_exact and (seconds <= FLOOR_SECONDS or workers == 1)
        counts = f"{GAMES} games, {MOVES} moves" if is_exact else "COUNTS DIFFER"
        remark = "" if is_good else f", more than {FLOOR_SECONDS:g} s"
        print(f"{workers} workers: {counts} in {seconds:.2f} s{remark}", flush=True)
        status |= not is_good
    return status


if __name__ == "__main__":
    sys.exit(main())
