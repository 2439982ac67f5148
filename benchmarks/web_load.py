"""How many people can play at once: a server, many games on it, an agent that answers each move.

    python benchmarks/web_load.py --players 200 --moves 10000

Starts `plies serve` on this machine and lets so many players begin a game each, in the games
named, against a small agent.  A player moves at random, waits for the answer, thinks for
`--think` seconds (0: not at all) and goes on; who has finished a game begins another.  The time
of a move is from the request until the agent's reply is there.  The client's own work is in it:
both share the machine.  Exit status 1 if 95 % of the moves do not come within `--most-ms`, or
if the server ends with more memory than `--most-growth` megabytes above its size half way.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

GAMES = ("tictactoe", "quixo", "chess")
AGENT = "alphabeta:depth=2"


@dataclass
class Load:
    """What is asked of the server, and what has been measured so far."""

    port: int
    process: int
    moves: int
    think: float
    games: list[str]
    latencies: list[float] = field(default_factory=list)
    sizes: list[tuple[int, float]] = field(default_factory=list)  # moves, megabytes
    finished: int = 0

    @property
    def is_done(self) -> bool:
        return len(self.latencies) >= self.moves

    def note(self, seconds: float) -> None:
        self.latencies.append(seconds)
        if len(self.latencies) % max(self.moves // 10, 1) == 0:
            self.sizes.append((len(self.latencies), megabytes(self.process)))


class Connection:
    """Requests one after the other on one connection that stays open."""

    def __init__(self, port: int):
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, content: dict[str, Any], key: str = "") -> dict[str, Any]:
        """What the server answers; anything but success ends the measurement."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        body = json.dumps(content).encode()
        head = (
            f"POST /api{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX-Plies-Key: {key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        said = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(said.partition(b"content-length:")[2].partition(b"\r\n")[0])
        answer = json.loads(await reader.readexactly(length))
        if said.split()[1] not in (b"200", b"201"):
            raise RuntimeError(f"POST {path}: {answer}")
        return answer

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()


async def player(load: Load, number: int) -> None:
    """Plays one game after the other until there are moves enough."""
    chance = random.Random(number)
    connection = Connection(load.port)
    await asyncio.sleep(chance.random() * load.think)
    while not load.is_done:
        await one_game(load, connection, chance, load.games[number % len(load.games)])
        load.finished += 1
    connection.close()


async def one_game(load: Load, connection: Connection, chance: random.Random, game: str) -> None:
    seats = {"game": game, "seats": ["", AGENT], "seconds": 0.0}
    begun = await connection.post("/sessions", seats)
    session, key = begun["session"], begun["key"]
    while session["ending"] is None and not load.is_done:
        choice = chance.choice(session["position"]["moves"])["text"]
        began = time.perf_counter()
        session = await connection.post(
            f"/sessions/{session['id']}/moves",
            {"ply": session["ply"], "move": choice, "wait": True},
            key,
        )
        while session["is_thinking"]:  # the agent is being compiled, longer than a request waits
            path = f"/sessions/{session['id']}/step"
            session = await connection.post(path, {"ply": session["ply"]}, key)
        load.note(time.perf_counter() - began)
        if load.think:
            await asyncio.sleep(load.think * (0.5 + chance.random()))


def megabytes(process: int) -> float:
    """The memory that a process has now."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


async def measured(load: Load, players: int) -> tuple[float, float]:
    """Play; the seconds that it took, and those of the server's processor."""
    warm = Connection(load.port)
    for game in load.games:  # compiled before anything is measured
        await one_game(Load(load.port, load.process, 2, 0.0, [game]), warm, random.Random(0), game)
    warm.close()
    began, spent = time.perf_counter(), cpu_seconds(load.process)
    load.sizes.append((0, megabytes(load.process)))
    await asyncio.gather(*(player(load, number) for number in range(players)))
    return time.perf_counter() - began, cpu_seconds(load.process) - spent


def told(load: Load, players: int, seconds: float, cpu: float) -> None:
    ordered = sorted(load.latencies)
    count = len(ordered)
    middle, most_of = ordered[count // 2], ordered[int(count * 0.95)]
    print(f"{players} players, {load.think:g} s to think, {', '.join(load.games)} against {AGENT}")
    print(f"{count} moves in {seconds:.1f} s ({count / seconds:.0f}/s), {load.finished} games")
    print(
        f"p50 {1000 * middle:.0f} ms, p95 {1000 * most_of:.0f} ms, max {1000 * ordered[-1]:.0f} ms"
    )
    print(f"server: {1000 * cpu / count:.1f} ms of processor a move")
    print("memory: " + ", ".join(f"{size:.0f} MB at {moves}" for moves, size in load.sizes))


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--players", type=int, default=200)
    options.add_argument("--moves", type=int, default=10_000)
    options.add_argument("--think", type=float, default=1.0)
    options.add_argument("--games", nargs="+", default=list(GAMES))
    options.add_argument("--most-ms", type=float, default=300.0)
    options.add_argument("--most-growth", type=float, default=30.0)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "plies", "serve", "--port", "0", "--no-browser"]
        server = subprocess.Popen(
            [*command, "--no-warm", "--data", folder],
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[1]
            port = int(address.rstrip("/").rpartition(":")[2])
            load = Load(port, server.pid, chosen.moves, chosen.think, chosen.games)
            seconds, cpu = asyncio.run(measured(load, chosen.players))
        finally:
            server.terminate()
            server.wait()
    told(load, chosen.players, seconds, cpu)
    half, end = load.sizes[len(load.sizes) // 2][1], load.sizes[-1][1]
    is_quick = sorted(load.latencies)[int(len(load.latencies) * 0.95)] * 1000 <= chosen.most_ms
    return int(not (is_quick and end - half <= chosen.most_growth))


if __name__ == "__main__":
    sys.exit(main())
