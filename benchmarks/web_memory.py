"""How much memory the server takes: analyses of several games at once, and searches of many.

    python benchmarks/web_memory.py
    python benchmarks/web_memory.py --sessions 30

Starts `plies serve` on this machine, first with nothing compiled and then with everything.
Somebody plays each of the games against an agent with analysis switched on, all at once; then
they leave.  Prints the memory of the server (resident, in megabytes), and of the process in
which it compiles.  Exit status 1 if the server takes more than `--most` megabytes, or
does not fall below what it had at most when all have left for `--idle` seconds.

With `--sessions` it begins so many games of chess besides, against agents that ask for the largest
tables there may be, ten at once.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any

from websockets.sync.client import connect

GAMES = ("chess", "morris", "quixo", "seega", "examples/connect_four.py")
OPPONENT = "engine:seconds=0.5"
AGENTS = ("engine:seconds=2,table=128", "mcts:seconds=2,table=128", "deepening:seconds=2,table=128")
AT_ONCE = 10  # who wait for an agent at the same time
LOOK_SECONDS = 0.1
ANALYSIS_SECONDS = 600  # that an analysis may take, with what is compiled before it


class Server:
    """A server, and how much memory it and its compiler have had at most."""

    def __init__(self, process: int, address: str):
        self.process, self.address = process, address
        self.most = self.most_of_compiler = 0
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def megabytes(self) -> int:
        return resident(self.process)

    def _watch(self) -> None:
        with suppress(OSError):  # it has ended
            while True:
                self.most = max(self.most, self.megabytes)
                children = sum(map(resident, children_of(self.process)))
                self.most_of_compiler = max(self.most_of_compiler, children)
                sleep(LOOK_SECONDS)

    def post(self, path: str, content: dict[str, Any], key: str = "") -> Any:
        headers = {"Content-Type": "application/json", "X-Plies-Key": key}
        address = f"{self.address}api/sessions{path}"
        request = urllib.request.Request(address, json.dumps(content).encode(), headers)
        with urllib.request.urlopen(request, timeout=ANALYSIS_SECONDS) as answer:
            return json.loads(answer.read())


def resident(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].partition("kB")[0] or 0) // 1024


def children_of(process: int) -> Iterator[int]:
    """The processes that the threads of one have started."""
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            yield from map(int, path.read_text().split())


@contextmanager
def serving(cache: Path, *games: str) -> Iterator[Server]:
    """A server with a cache of compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "plies", "serve", *games, "--port", "0", "--no-browser"]
        server = subprocess.Popen(
            [*command, "--data", folder],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PLIES_CACHE_DIR": str(cache), "PLIES_QUIET": "1"},
        )
        try:
            assert server.stdout is not None
            yield Server(server.pid, server.stdout.readline().split()[1])
        finally:
            server.terminate()
            server.wait()


def analyse(server: Server, begun: dict[str, Any], plies: int, are_done: threading.Barrier) -> None:
    """Look inside two positions of a game; in between one plays, and the agent answers."""
    session, key = begun["session"], begun["key"]
    path = f"/{session['id']}"
    there = f"{server.address.replace('http', 'ws', 1)}api/sessions{path}/live?key={key}"
    with connect(there, max_size=None) as socket:
        for ply in range(session["ply"], session["ply"] + plies):
            socket.send(json.dumps({"type": "inside", "ply": session["ply"], "on": True}))
            while True:
                news = json.loads(socket.recv(timeout=ANALYSIS_SECONDS))
                if news["type"] == "problem":
                    raise SystemExit(f"{session['game']}: {news['error']}")
                if news["type"] == "inside" and news["inside"]["is_done"]:
                    break
            move = session["position"]["moves"][0]["text"]
            move = {"ply": session["ply"], "move": move, "wait": True}
            session = server.post(f"{path}/moves", move, key)
            assert session["ply"] > ply
        begun["session"] = session
        are_done.wait()  # all tabs stay open


def analyses(server: Server, games: list[str], idle: float) -> list[tuple[str, int]]:
    """The memory from the start of the server until all players have left and come back."""
    figures = [("started", server.megabytes)]
    with urllib.request.urlopen(f"{server.address}api/games") as answer:
        cards = json.loads(answer.read())
    wanted = [{"game": card["spec"], "seats": ["", OPPONENT]} for card in cards]
    begun = [server.post("", each) for each in wanted]
    figures.append((f"{len(games)} boards are open", server.megabytes))
    for plies, name in ((2, "analyses"), (1, "analyses after that")):
        server.most, are_done = 0, threading.Barrier(len(begun))
        with ThreadPoolExecutor(len(begun)) as pool:
            for ended in [pool.submit(analyse, server, each, plies, are_done) for each in begun]:
                ended.result()
        figures += [(f"{name}, at most", server.most), (f"{name}, done", server.megabytes)]
        sleep(idle)
        figures.append((f"all tabs are closed for {idle:g} s", server.megabytes))
    return figures


def play(server: Server, number: int, moves: int) -> None:
    """A session in which one agent plays both sides."""
    agent = AGENTS[number % len(AGENTS)]
    begun = server.post("", {"game": "chess", "seats": [agent] * 2, "is_paused": True})
    session, key = begun["session"], begun["key"]
    while session["ply"] < moves:
        session = server.post(f"/{session['id']}/step", {"ply": session["ply"]}, key)


def searches(server: Server, sessions: int, moves: int) -> str:
    """The memory after the agents are compiled, at most, and at the end."""
    for number in range(len(AGENTS)):
        play(server, number, 1)
    before, server.most = server.megabytes, 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda number: play(server, number, moves), range(sessions)))
    return f"{before} MB before, {server.most} MB at most, {server.megabytes} MB at the end"


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--games", nargs="+", default=GAMES)
    options.add_argument("--idle", type=float, default=60.0)
    options.add_argument("--most", type=int, default=400)
    options.add_argument("--sessions", type=int, default=0)
    options.add_argument("--moves", type=int, default=1)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache, columns = Path(folder), []
        for _ in range(2):
            with serving(cache, *chosen.games) as server:
                columns.append(analyses(server, chosen.games, chosen.idle))
                columns[-1].append(("the compiler, at most", server.most_of_compiler))
        print(f"{'resident memory, MB':32}{'compiling':>12}{'compiled':>12}")
        for (name, cold), (_, warm) in zip(*columns, strict=True):
            print(f"{name:32}{cold:12}{warm:12}")
        if chosen.sessions:
            with serving(cache, "chess") as server:
                print(
                    f"{chosen.sessions} sessions: {searches(server, chosen.sessions, chosen.moves)}"
                )
    figures = [[size for _, size in column[:-1]] for column in columns]
    is_small = all(max(column) < chosen.most and column[-1] < max(column) for column in figures)
    return 0 if is_small else 1


if __name__ == "__main__":
    sys.exit(main())
