"""A server in this process, for tests."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import plies
from plies.web.app import Site, make_app

ADDRESS = "http://127.0.0.1:8000"
SOCKETS = "ws://127.0.0.1:8000"
SMALL = "alphabeta:depth=2"


class Player:
    """Somebody who plays by requests, with a key or without."""

    def __init__(self, client: TestClient, name: str, key: str = ""):
        self.client = client
        self.name = name
        self.key = key

    def ask(self, method: str, path: str = "", **content: Any) -> Any:
        """The answer of the server, its status in `status`."""
        address = f"/api/sessions/{self.name}{path}"
        body = {"json": content} if method in ("POST", "PUT") else {}
        answer = self.client.request(method, address, headers={"X-Plies-Key": self.key}, **body)
        said = answer.json() if answer.content else {}
        return {"status": answer.status_code, **said}

    def move(self, text: str, ply: int | None = None, wait: bool = True) -> Any:
        at = self.ask("GET")["ply"] if ply is None else ply
        return self.ask("POST", "/moves", ply=at, move=text, wait=wait)

    def listen(self) -> Any:
        """A web socket; to be used in `with`."""
        address = f"{SOCKETS}/api/sessions/{self.name}/live?key={self.key}"
        return self.client.websocket_connect(address)


@contextmanager
def serving(folder: Path, *specs: str) -> Iterator[TestClient]:
    """A server of some games that keeps its sessions in a folder."""
    site = Site([plies.game(spec) for spec in specs or ("tictactoe", "nim")], folder)
    with TestClient(make_app(site), base_url=ADDRESS) as client:
        yield client


def begin(client: TestClient, *seats: str, game: str = "tictactoe", **more: Any) -> Player:
    """The owner of a new game."""
    wanted = {"game": game, "seats": list(seats), "seconds": 0.0, **more}
    answer = client.post("/api/sessions", json=wanted)
    assert answer.status_code == 201, answer.text
    begun = answer.json()
    owner = Player(client, begun["session"]["id"], begun["key"])
    owner.invites = [Player(client, owner.name, key) for key in begun["invites"]]  # type: ignore
    return owner


def next_news(socket: Any, kind: str) -> Any:
    """The next message of a kind, whatever comes before it."""
    while True:
        message = socket.receive_json()
        if message["type"] == kind:
            return message


def wait_until(is_so: Callable[[], object]) -> None:
    """Something that another thread is about to do."""
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)
