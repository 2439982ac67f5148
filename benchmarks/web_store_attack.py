"""Whether games survive what can happen to their file: a server, people who play, and an attack.

    python benchmarks/web_store_attack.py --kills 40

Starts `plies serve` on this machine and lets people play on it by requests: begin, move, take back,
give up, delete.  Meanwhile the server is killed again and again, its database is locked, its disk
is full, its files are removed or damaged.  After each attack the server is killed, started again,
and every game compared with what was acknowledged.

    lost    an act that was acknowledged, and is not there any more
    ghosts  moves that are there, though they were never acknowledged or were taken back
    unbound  what was shown after a refusal is not what was acknowledged
    failed  any other answer than success or 503
    stall   the longest time that `GET /` took meanwhile

A request without an answer (the server was killed) may have happened or not.  Exit status 1 if
anything is lost, a ghost, unbound or failed.  The full disk is a small tmpfs where it may be
mounted (as root), otherwise a limit on the size of files.
"""

import argparse
import http.client
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SQUARES = [f"{column}{row}" for column in "abc" for row in "123"]
DELETED = ("deleted",)
State = tuple[str, ...]  # the moves, and RESIGNED at the end
RESIGNED = "resigned"
ATTACKS = ("calm", "locked", "full", "removed", "damaged")
DISK_BYTES = 24_000_000  # of the small disk
FILE_BYTES = 2_000_000  # of a file, where no disk can be mounted


@dataclass
class Game:
    """A game as far as its player knows."""

    name: str
    key: str
    state: State = ()  # acknowledged
    asked: State | None = None  # what it becomes by the act that is under way
    is_over: bool = False


@dataclass
class Tally:
    """What has been found."""

    acknowledged: int = 0
    refused: int = 0
    failed: int = 0
    lost: int = 0
    ghosts: int = 0
    unbound: int = 0
    stall: float = 0.0
    lines: set[str] = field(default_factory=set)  # of refusals

    def text(self) -> str:
        return (
            f"{self.acknowledged} acts acknowledged, {self.refused} refused (503), {self.failed}"
            f" failed; lost {self.lost}, ghosts {self.ghosts}, unbound {self.unbound};"
            f" longest GET / {1000 * self.stall:.0f} ms"
        )


class Server:
    """`plies serve` in a process of its own."""

    def __init__(self, folder: Path, file_bytes: int = 0):
        def limit() -> None:
            if file_bytes:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))

        command = (sys.executable, "-m", "plies", "serve", "tictactoe", "--port", "0")
        self.process = subprocess.Popen(
            [*command, "--no-browser", "--no-warm", "--data", str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=limit,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if "http://" not in line:
            raise RuntimeError(f"the server did not start: {line!r}")
        self.port = int(line.split()[1].rstrip("/").rpartition(":")[2])

    def ask(self, method: str, path: str, content: Any = None, key: str = "") -> tuple[int, Any]:
        """Status and content of an answer; `OSError` where none comes."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            body = None if content is None else json.dumps(content)
            headers = {"Content-Type": "application/json", "X-Plies-Key": key}
            try:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                text = answer.read()
            except http.client.HTTPException as error:
                raise OSError(str(error)) from error
        is_json = answer.headers.get_content_type() == "application/json"
        return answer.status, json.loads(text) if text and is_json else {}

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


class Player(threading.Thread):
    """Somebody who acts at random until nobody answers any more."""

    def __init__(self, server: Server, games: list[Game], tally: Tally, chance: random.Random):
        super().__init__(daemon=True)
        self.server, self.games, self.tally, self.chance = server, games, tally, chance

    def run(self) -> None:
        """Until the server is killed."""
        with suppress(OSError):
            while True:
                self.act()

    def act(self) -> None:
        open_games = [game for game in self.games if not game.is_over]
        if len(open_games) < 3 or self.chance.random() < 0.05:
            self.begin()
            return
        game = self.chance.choice(open_games)
        free = [square for square in SQUARES if square not in game.state]
        act = self.chance.choices(["move", "undo", "resign", "delete"], [60, 35, 4, 1])[0]
        there, ply = f"/api/sessions/{game.name}", {"ply": len(game.state)}
        if act == "delete":
            self.ask(game, DELETED, "DELETE", there, None)
        elif act == "resign":
            self.ask(game, (*game.state, RESIGNED), "POST", f"{there}/resign", ply)
        elif act == "undo" and game.state:
            self.ask(game, game.state[:-1], "POST", f"{there}/undo", ply)
        elif free:
            move = self.chance.choice(free)
            content = {**ply, "move": move}
            self.ask(game, (*game.state, move), "POST", f"{there}/moves", content)

    def begin(self) -> None:
        status, begun = self.server.ask(
            "POST", "/api/sessions", {"game": "tictactoe", "seats": ["", ""]}
        )
        if status == 201:
            self.games.append(Game(begun["session"]["id"], begun["key"]))
        self.note(status, begun)

    def ask(self, game: Game, after: State, method: str, path: str, content: Any) -> None:
        game.asked = after
        status, answer = self.server.ask(method, path, content, game.key)
        game.asked = None
        self.note(status, answer)
        if status in (200, 204):
            game.state = after
            game.is_over = after == DELETED or after[-1:] == (RESIGNED,) or bool(answer["ending"])
        elif status == 503:
            shown = state_of(*self.server.ask("GET", f"/api/sessions/{game.name}", key=game.key))
            self.tally.unbound += shown is not None and shown != game.state
            time.sleep(0.02)
        else:
            game.is_over = True  # played no more, but compared

    def note(self, status: int, answer: Any) -> None:
        if status in (200, 201, 204):
            self.tally.acknowledged += 1
        elif status == 503:
            self.tally.refused += 1
            self.tally.lines.add(answer["error"])
        else:
            self.tally.failed += 1
            self.tally.lines.add(f"status {status}: {answer.get('error', '')}")


def state_of(status: int, session: Any) -> State | None:
    """What an answer shows; None where it shows nothing."""
    if status == 404:
        return DELETED
    if status != 200:
        return None
    moves = tuple(move["text"] for move in session["played"])
    ending = session["ending"]
    return (*moves, RESIGNED) if ending and "resigns" in ending["reason"] else moves


class Prober(threading.Thread):
    """Asks for the page again and again, and notes the longest wait."""

    def __init__(self, server: Server, tally: Tally):
        super().__init__(daemon=True)
        self.server, self.tally, self.is_stopped = server, tally, False

    def run(self) -> None:
        with suppress(OSError):
            while not self.is_stopped:
                began = time.perf_counter()
                self.server.ask("GET", "/")
                self.tally.stall = max(self.tally.stall, time.perf_counter() - began)
                time.sleep(0.01)


class Attack:
    """People play on a server in a folder while something happens; then it is killed."""

    def __init__(self, folder: Path, players: int, seed: int):
        self.folder = folder
        self.games: list[list[Game]] = [[] for _ in range(players)]
        self.chance = random.Random(seed)
        self.tally = Tally()
        self.file_bytes = 0
        self.server: Server | None = None

    def during(self, happening: Callable[[], None]) -> None:
        """Play during the happening, kill the server, start it again, and compare."""
        server, self.server = self.server or Server(self.folder, self.file_bytes), None
        prober = Prober(server, self.tally)
        chances = [random.Random(self.chance.random()) for _ in self.games]
        players = [
            Player(server, games, self.tally, chance)
            for games, chance in zip(self.games, chances, strict=True)
        ]
        try:
            for thread in (prober, *players):
                thread.start()
            happening()
            prober.is_stopped = True
            prober.join()  # a killed server is no stall
        finally:
            server.kill()
        for player in players:
            player.join()
        self.server = Server(self.folder)
        self.compare(self.server)

    def compare(self, server: Server) -> None:
        """What is stored with what was acknowledged."""
        for game in [game for games in self.games for game in games]:
            answer = server.ask("GET", f"/api/sessions/{game.name}", key=game.key)
            found = state_of(*answer)
            if found not in (game.state, game.asked):
                is_longer = found is not None and found[: len(game.state)] == game.state
                self.tally.ghosts += is_longer
                self.tally.lost += not is_longer
            game.state, game.asked = found or (), None
            game.is_over = answer[0] != 200 or answer[1]["ending"] is not None

    def close(self) -> None:
        if self.server is not None:
            self.server.kill()

    @property
    def database(self) -> Path:
        return self.folder / "sessions.sqlite"

    def be_killed(self) -> None:
        """Once some acts are acknowledged, and others under way."""
        enough, end = (
            self.tally.acknowledged + 20 + self.chance.randrange(80),
            time.monotonic() + 60,
        )
        while self.tally.acknowledged < enough and time.monotonic() < end:
            time.sleep(0.001)

    def be_calm(self) -> None:
        """Nothing: what `GET /` takes on this machine anyway."""
        time.sleep(5.0)

    def be_locked(self) -> None:
        """Twice for six seconds: longer than anybody should wait."""
        for _ in range(2):
            time.sleep(1.0)
            with closing(sqlite3.connect(self.database, isolation_level=None, timeout=30)) as file:
                file.execute("BEGIN IMMEDIATE")
                time.sleep(6.0)
        time.sleep(0.5)

    def be_removed(self) -> None:
        for names in (("",), ("-wal",), ("-shm",), ("", "-wal", "-shm")):
            time.sleep(1.0)
            for name in names:
                self.database.with_name(self.database.name + name).unlink(missing_ok=True)
        time.sleep(1.0)

    def be_damaged(self) -> None:
        """Overwritten for two seconds, then as it was."""
        time.sleep(1.0)
        with self.database.open("r+b") as file:
            content = file.read()
            file.seek(0)
            file.write(b"\xa5" * len(content))
            file.flush()
            time.sleep(2.0)
            file.seek(0)
            file.write(content)
        time.sleep(1.0)

    def be_full(self, is_mounted: bool) -> None:
        """Full by the games themselves or by another file, then with place again."""
        time.sleep(1.0)
        filler = self.folder / "filler"
        if is_mounted:
            with suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(b"\0" * 4096)
        time.sleep(3.0)
        filler.unlink(missing_ok=True)
        time.sleep(1.0)


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A folder that is soon full, if one may be mounted."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    is_mounted = os.geteuid() == 0 and not subprocess.run(command, capture_output=True).returncode
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", str(folder)], check=True)


def attack_by_kills(folder: Path, kills: int, players: int = 4, seed: int = 0) -> Tally:
    """Kill a server so many times."""
    attack = Attack(folder, players, seed)
    with closing(attack):
        for _ in range(kills):
            attack.during(attack.be_killed)
    return attack.tally


def attack_by(name: str, folder: Path, players: int) -> Tally:
    """One of the other attacks."""
    attack = Attack(folder, players, seed=1)
    if name == "full":
        with small_disk(folder) as is_mounted, closing(attack):
            attack.file_bytes = 0 if is_mounted else FILE_BYTES
            attack.during(lambda: attack.be_full(is_mounted))
    else:
        with closing(attack):
            attack.during(attack.be_calm)  # so that most of the file is not in the log
            attack.during(getattr(attack, f"be_{name}"))
    return attack.tally


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--kills", type=int, default=40)
    options.add_argument("--players", type=int, default=4)
    options.add_argument("--only", nargs="+", default=list(ATTACKS))
    chosen = options.parse_args()
    failures = 0
    for name in [*chosen.only, f"killed {chosen.kills} times"]:
        folder = Path(tempfile.mkdtemp(prefix="plies-attack-"))
        try:
            if name.startswith("killed"):
                tally = attack_by_kills(folder, chosen.kills, chosen.players)
            else:
                tally = attack_by(name, folder, chosen.players)
        except RuntimeError as error:
            print(f"{name}: {error}", flush=True)
            failures += 1
            continue
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        print(f"{name}: {tally.text()}", *sorted(tally.lines), sep="\n    ", flush=True)
        failures += tally.failed + tally.lost + tally.ghosts + tally.unbound
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
