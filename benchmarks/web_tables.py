"""How much memory the searches of many sessions take.

    python benchmarks/web_tables.py --sessions 30

Starts `plies serve` on this machine and begins so many sessions against agents that ask for the
largest tables there may be.  In each of them the agents make a few moves, all sessions at once.
Prints the memory of the server (resident, all of its threads) before, at most, and at the end.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

GAME = "chess"
AGENTS = ("engine:seconds=2,table=128", "mcts:seconds=2,table=128", "deepening:seconds=2,table=128")
AT_ONCE = 10  # who wait for an agent at the same time
LOOK_SECONDS = 0.1


def post(address: str, content: dict[str, Any], key: str = "") -> Any:
    headers = {"Content-Type": "application/json", "X-Plies-Key": key}
    request = urllib.request.Request(address, json.dumps(content).encode(), headers)
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.loads(answer.read())


def play(address: str, number: int, moves: int) -> None:
    """A session in which one agent plays both sides."""
    agent = AGENTS[number % len(AGENTS)]
    begun = post(f"{address}api/sessions", {"game": GAME, "seats": [agent] * 2, "is_paused": True})
    session, key = begun["session"], begun["key"]
    while session["ply"] < moves:
        there = f"{address}api/sessions/{session['id']}/step"
        session = post(there, {"ply": session["ply"]}, key)


def megabytes(process: int) -> int:
    """The memory that a process has now."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def measure(address: str, process: int, sessions: int, moves: int) -> list[int]:
    """The memory after the agents are compiled, at most, and at the end."""
    for number in range(len(AGENTS)):
        play(address, number, 1)
    sizes, is_over = [megabytes(process)], threading.Event()

    def look() -> None:
        while not is_over.wait(LOOK_SECONDS):
            sizes.append(megabytes(process))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda number: play(address, number, moves), range(sessions)))
    finally:
        is_over.set()
        looking.join()
    return [sizes[0], max(sizes), megabytes(process)]


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--sessions", type=int, default=30)
    options.add_argument("--moves", type=int, default=1)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "plies", "serve", GAME, "--port", "0", "--no-browser"]
        server = subprocess.Popen(
            [*command, "--no-warm", "--data", folder], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[1]
            began = time.monotonic()
            before, most, after = measure(address, server.pid, chosen.sessions, chosen.moves)
        finally:
            server.terminate()
            server.wait()
    seconds = time.monotonic() - began
    print(f"{chosen.sessions} sessions of {GAME} in {seconds:.0f} s, agents: {' '.join(AGENTS)}")
    print(f"resident: {before} MB before, {most} MB at most, {after} MB at the end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
