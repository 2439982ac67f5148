"""What guards cost, and how processor time is shared beside a program that takes all it can.

    python benchmarks/sandbox.py                          # this source tree
    python benchmarks/sandbox.py --other FOLDER           # beside another one, such as an older src

Samples of both trees alternate in one run; medians are printed.  A move is: go on, a question, an
answer, stop.  For the share, an honest program and one with 15 busy processes, each in a session
of its own where it may, run at the same time for some seconds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1] / "src"
MOVES = 40
ECHO = "while True: print(input())"
HOG = """
import os, signal
input()
for _ in range(14):
    if os.fork() == 0:
        try: os.setsid()
        except OSError: pass
        break
signal.alarm(60)
while True: pass
"""
# Says how much processor time it had while so many seconds went by.
HONEST = """
import time
seconds = float(input())
began = time.monotonic()
while time.monotonic() - began < seconds: pass
print(time.process_time() / (time.monotonic() - began))
"""


def cost() -> dict[str, float]:
    """Milliseconds of one program's life."""
    from plies.sandbox.confined import Confined

    began = time.perf_counter()
    program = Confined([sys.executable, "-S", "-c", ECHO])
    play(program)
    started = time.perf_counter()
    for _ in range(MOVES):
        play(program)
    moved = time.perf_counter()
    program.close()
    ended = time.perf_counter()
    seconds = {
        "start and first move, ms": started - began,
        "move, ms": (moved - started) / MOVES,
        "end, ms": ended - moved,
    }
    return {name: 1000 * value for name, value in seconds.items()}


def play(program: Any) -> None:
    program.resume()
    program.send("a question")
    program.receive(time.perf_counter() + 60)
    program.suspend()


def share(seconds: float) -> dict[str, float]:
    """Of one processor, in percent, and for how many milliseconds too long the judge slept."""
    from plies.sandbox.confined import Confined

    hog = Confined([sys.executable, "-S", "-c", HOG])
    honest = Confined([sys.executable, "-S", "-c", HONEST])
    try:
        hog.send("")
        time.sleep(0.5)
        honest.send(str(seconds))
        late = []
        for _ in range(int(100 * seconds)):
            began = time.perf_counter()
            time.sleep(0.005)
            late.append(1000 * (time.perf_counter() - began) - 5)
        answer = honest.receive(time.perf_counter() + 60)
    finally:
        hog.close()
        honest.close()
    return {
        "honest program, %": 100 * float(answer),
        "judge late on average, ms": statistics.mean(late),
    }


def serve() -> None:
    """Answer one request a line, in the tree that this process imports."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = cost() if request["what"] == "cost" else share(request["seconds"])
        print(json.dumps(answer), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="What guards cost, and how time is shared.")
    parser.add_argument("--other", type=Path, help="Another source folder to measure.")
    parser.add_argument("--repetitions", type=int, default=40)
    parser.add_argument("--shares", type=int, default=5, help="Repetitions of the shares.")
    parser.add_argument("--seconds", type=float, default=2.0, help="Of each share.")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        serve()
        return
    trees = {"this": HERE} | ({"other": chosen.other} if chosen.other else {})
    workers = {name: start(tree) for name, tree in trees.items()}
    requests: list[dict[str, Any]] = [{"what": "cost"}] * chosen.repetitions
    requests += [{"what": "share", "seconds": chosen.seconds}] * chosen.shares
    samples: dict[tuple[str, str], list[float]] = {}
    for request in requests:
        for name, worker in workers.items():
            for what, value in ask(worker, request).items():
                samples.setdefault((what, name), []).append(value)
    for (what, name), values in sorted(samples.items()):
        middle, least, most = statistics.median(values), min(values), max(values)
        print(f"{what:26} {name:6} median {middle:8.2f}  from {least:8.2f} to {most:8.2f}")
    for worker in workers.values():
        worker.communicate()


def start(tree: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, str(Path(__file__)), "--serve"]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)


def ask(worker: "subprocess.Popen[str]", request: dict[str, Any]) -> dict[str, float]:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(json.dumps(request) + "\n")
    worker.stdin.flush()
    return json.loads(worker.stdout.readline())


if __name__ == "__main__":
    main()
