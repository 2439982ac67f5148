"""How good the estimate of a dry run is: predicted and needed seconds of different tournaments.

    python benchmarks/estimates.py [NAME...] [--runs N]

Each is estimated by `plies ... --dry-run` and then played by the same command, as a user would,
with a warm cache of compiled code.  Exit status 1 if any is off by more than a factor of two.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "examples" / "agents" / "chance.py"
FACTOR = 2.0
GAMES = ("--game", "tictactoe", "--game", "nim", "--game", "quixo")
FIELD = ("--agent", "random", "--agent", "alphabeta:depth=3", "--agent", "mcts:simulations=300")
TOURNAMENTS = {
    "confined Python programs": (
        *("tournament", "--game", "tictactoe", "--agent", "random", "--pairs", "10"),
        *("--agent", f"process:{PROGRAM}", "--agent", f"process:{PROGRAM},memory=256"),
    ),
    "engine by seconds": (
        *("match", "chess", "engine:seconds=0.1", "engine:seconds=0.05", "--pairs", "2"),
    ),
    "alphabeta of fixed depth": (
        *("match", "quixo", "alphabeta:depth=4", "alphabeta:depth=3", "--pairs", "12"),
    ),
    "the same, one worker": (
        *("match", "quixo", "alphabeta:depth=4", "alphabeta:depth=3", "--pairs", "6"),
        *("--workers", "1"),
    ),
    "mcts": ("match", "quixo", "mcts:simulations=2000", "mcts:simulations=1000", "--pairs", "4"),
    "clock of 10+0.1": ("match", "chess", "engine", "engine:exact=true", "--clock", "10+0.1",
                        "--pairs", "1"),
    "three games, three agents": ("tournament", *GAMES, *FIELD, "--pairs", "5"),
    "swiss": ("tournament", "--kind", "swiss", "--game", "quixo", *FIELD, "--agent", "greedy",
              "--pairs", "5"),
}  # fmt: skip


def plies(words: tuple[str, ...], folder: str) -> tuple[float, dict[str, float]]:
    """The seconds that a command takes, and what it says."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "plies", *words, "--json"],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    return time.perf_counter() - began, json.loads(done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(TOURNAMENTS), metavar="NAME")
    parser.add_argument("--runs", type=int, default=1)
    options = parser.parse_args()
    worst = 1.0
    print("| tournament | games | estimating, s | predicted, s | needed, s | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in options.names:
        for _ in range(options.runs):
            with tempfile.TemporaryDirectory() as folder:
                words = TOURNAMENTS[name]
                own, said = plies((*words, "--dry-run"), folder)
                needed, _ = plies(words, folder)
            ratio = said["seconds"] / needed
            worst = max(worst, ratio, 1 / ratio)
            print(
                f"| {name} | {said['games']} | {own:.0f} | {said['seconds']:.0f} |"
                f" {needed:.0f} | {ratio:.2f} |",
                flush=True,
            )
    print(f"\noff by a factor of {worst:.2f} at most")
    return int(worst > FACTOR)


if __name__ == "__main__":
    sys.exit(main())
