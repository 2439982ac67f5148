"""How others are served while somebody holds connections that never finish a request.

    python benchmarks/web_halfopen.py --held 1500 --seconds 60 --from one

Starts `plies serve` on this machine, opens so many connections to it and sends on each only a
part of a request, a byte at a time; what the server closes is opened again.  Meanwhile visitors
ask for the page, the list of games, and play, on a new connection for every request.  All
addresses are of this machine (127.0.0.0/8), and the visitors are in a process of their own, so
that they wait only for the server.  The connections come `--from`

    one    one address, the visitors from others
    many   an address of its own for every connection: no limit of an address helps
    same   one address, and the visitors from the same

Exit status 1 if 95 % of the visitors' requests are not answered within `--most-ms`, or if more
than one in a hundred of them is not answered at all.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

MOST_HELD, MOST_SECONDS = 5000, 600
VISITORS = 8
PAUSE = 0.1  # seconds from one request of a visitor to the next
DRIP_SECONDS = 1.0  # from one byte of a request that is never finished to the next
AGAIN_SECONDS = 1.0  # until a connection that was closed is opened again, on average
PATIENCE = 10.0  # seconds that a visitor waits for an answer
LAST_SHARE = 0.95
HEAD = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Never-Ends: "
GAME = json.dumps({"game": "tictactoe", "seats": ["", ""]}).encode()


@dataclass
class Trial:
    """What is done to a server, and what visitors have seen of it."""

    port: int
    end: float
    source: str
    latencies: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    opened: int = 0
    open_now: int = 0
    most_open: int = 0

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.end

    def address(self, number: int) -> str:
        """Where a held connection comes from."""
        return f"127.1.{number // 250}.{number % 250 + 1}" if self.source == "many" else "127.0.0.2"

    def visitor(self, number: int) -> str:
        return "127.0.0.2" if self.source == "same" else f"127.0.2.{number + 1}"


async def hold(trial: Trial, number: int) -> None:
    """A connection that sends a byte now and then; opened again when the server closes it."""
    while not trial.is_over:
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", trial.port, local_addr=(trial.address(number), 0)
            )
        except OSError:
            await asyncio.sleep(AGAIN_SECONDS)
            continue
        trial.opened += 1
        trial.open_now += 1
        trial.most_open = max(trial.most_open, trial.open_now)
        try:
            writer.write(HEAD)
            while not trial.is_over:
                writer.write(b"x")
                await writer.drain()
                try:
                    if not await asyncio.wait_for(reader.read(1000), DRIP_SECONDS):
                        break
                except TimeoutError:
                    continue
        except OSError:
            pass
        finally:
            trial.open_now -= 1
            writer.close()
        await asyncio.sleep(AGAIN_SECONDS * (0.5 + random.random()))


async def ask(trial: Trial, number: int, request: bytes) -> None:
    """One request on a connection of its own; how long its answer takes, or why there is none."""
    began = time.monotonic()
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", trial.port, local_addr=(trial.visitor(number), 0)
            )
            writer.write(request)
            status = (await reader.read()).split(b" ")[1:2]
            writer.close()
    except (OSError, TimeoutError) as error:
        trial.failures[type(error).__name__] += 1
        return
    if status and status[0] in (b"200", b"201"):
        trial.latencies.append(time.monotonic() - began)
    else:
        trial.failures[status[0].decode() if status else "closed"] += 1


async def visit(trial: Trial, number: int) -> None:
    """Ask for one thing after the other."""
    last = f"Host: 127.0.0.1:{trial.port}\r\nConnection: close\r\n"
    begin = (
        f"POST /api/sessions HTTP/1.1\r\n{last}Content-Type: application/json\r\n"
        f"Content-Length: {len(GAME)}\r\n\r\n"
    ).encode() + GAME
    requests = [f"GET {path} HTTP/1.1\r\n{last}\r\n".encode() for path in ("/", "/api/games")]
    while not trial.is_over:
        for request in (*requests, begin):
            await ask(trial, number, request)
            await asyncio.sleep(PAUSE)


async def hold_all(trial: Trial, held: int) -> None:
    await asyncio.gather(*(hold(trial, number) for number in range(held)))


async def visit_all(trial: Trial) -> None:
    await asyncio.gather(*(visit(trial, number) for number in range(VISITORS)))


def measure(port: int, held: int, seconds: float, source: str) -> tuple[Trial, list[int]]:
    """Hold connections and let visitors ask, both for so long."""
    warm = Trial(port, time.monotonic() + 0.01, source)
    asyncio.run(visit(warm, 0))  # which compiles the game
    trial = Trial(port, time.monotonic() + seconds, source)
    answers: Any = get_context("fork").SimpleQueue()
    holding = get_context("fork").Process(target=hold_apart, args=(trial, held, answers))
    holding.start()
    asyncio.run(visit_all(trial))
    holding.join()
    return trial, answers.get()


def hold_apart(trial: Trial, held: int, answers: Any) -> None:
    """Hold the connections; in a process of its own."""
    asyncio.run(hold_all(trial, held))
    answers.put([trial.opened, trial.most_open])


def serve(folder: str) -> tuple[subprocess.Popen[str], int]:
    """A server in a process of its own, and its port."""
    command = [sys.executable, "-m", "plies", "serve", "tictactoe", "--port", "0", "--no-browser"]
    server = subprocess.Popen(
        [*command, "--no-warm", "--data", folder], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    address = server.stdout.readline().split()[1]
    return server, int(address.rstrip("/").rpartition(":")[2])


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--held", type=int, default=1500)
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--from", dest="source", choices=("one", "many", "same"), default="one")
    options.add_argument("--most-ms", type=float, default=200.0)
    chosen = options.parse_args()
    if not (0 <= chosen.held <= MOST_HELD and 0 < chosen.seconds <= MOST_SECONDS):
        options.error(f"at most {MOST_HELD} connections and {MOST_SECONDS} seconds")
    with tempfile.TemporaryDirectory() as folder:
        server, port = serve(folder)
        try:
            trial, held = measure(port, chosen.held, chosen.seconds, chosen.source)
            cpu = cpu_seconds(server.pid)
        finally:
            server.terminate()
            server.wait()
    print(
        f"{chosen.held} connections from {chosen.source} for {chosen.seconds:g} s:"
        f" {held[0]} opened, {held[1]} at once, {cpu:.1f} s of the server's processor"
    )
    lost = trial.failures.total()
    print(f"visitors: {len(trial.latencies)} answered, {lost} not {dict(trial.failures)}")
    if not trial.latencies:
        return 1
    ordered = [1000 * seconds for seconds in sorted(trial.latencies)]
    middle, most_of = ordered[len(ordered) // 2], ordered[int(len(ordered) * LAST_SHARE)]
    print(f"p50 {middle:.0f} ms, p95 {most_of:.0f} ms, max {ordered[-1]:.0f} ms")
    return int(most_of > chosen.most_ms or lost > len(ordered) / 100)


if __name__ == "__main__":
    sys.exit(main())
