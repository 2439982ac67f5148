"""What is wrong is refused with one clear line, and loses nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import plies
from plies.web import limits
from plies.web.app import Site, make_app

HERE = "http://127.0.0.1"
HTML = "<img src=x onerror=alert(1)>"
JSON = {"content-type": "application/json"}


@dataclass(frozen=True)
class Played:
    """A game of tic-tac-toe after one move, and who began it."""

    client: TestClient
    address: str
    key: str

    def ask(self, method: str, path: str, **more: Any) -> Any:
        headers = {"X-Plies-Key": self.key, **more.pop("headers", {})}
        return self.client.request(method, f"{self.address}{path}", headers=headers, **more)

    def view(self) -> dict[str, Any]:
        return self.ask("GET", "").json()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    site = Site([plies.game("tictactoe")], tmp_path_factory.mktemp("serve"))
    with TestClient(make_app(site), base_url=HERE) as client:
        yield client


@pytest.fixture(scope="module")
def played(client: TestClient) -> Played:
    begun = client.post("/api/sessions", json={"game": "tictactoe"}).json()
    played = Played(client, f"/api/sessions/{begun['session']['id']}", begun["key"])
    assert played.ask("POST", "/moves", json={"ply": 0, "move": "b2"}).status_code == 200
    return played


def told(answer: Any, status: int) -> str:
    """The one line that a refusal says."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error
    assert "\n" not in error
    assert len(error) < 500
    return error


MOVES = [
    ({"ply": 1, "move": "b2"}, 422, "b2"),
    ({"ply": 1, "move": "z9"}, 422, "z9"),
    ({"ply": 1, "move": HTML}, 422, "onerror"),
    ({"ply": 1, "move": "a" * 201}, 422, "move"),
    ({"ply": 1, "move": "a1", "player": 2}, 422, "player"),
    ({"ply": 0, "move": "a1"}, 409, "1 moves are played, not 0"),
    ({"ply": 2, "move": "a1"}, 409, "1 moves are played, not 2"),
    ({"ply": -1, "move": "a1"}, 422, "ply"),
    ({"ply": "1", "move": "a1"}, 422, "ply"),
    ({"move": "a1"}, 422, "ply"),
    ([], 422, "dictionary"),
]


@pytest.mark.parametrize(("body", "status", "part"), MOVES, ids=str)
def test_a_move_that_cannot_be_made_is_refused(
    played: Played, body: Any, status: int, part: str
) -> None:
    before = played.view()
    answer = played.ask("POST", "/moves", json=body)
    assert part in told(answer, status)
    assert played.view() == before


def test_an_illegal_move_is_answered_with_the_legal_ones(played: Played) -> None:
    answer = played.ask("POST", "/moves", json={"ply": 1, "move": "b2"})
    assert answer.json()["legal"] == [move["text"] for move in played.view()["position"]["moves"]]


def test_a_stale_move_is_answered_with_the_game_as_it_is(played: Played) -> None:
    answer = played.ask("POST", "/moves", json={"ply": 0, "move": "a1"})
    assert answer.json()["session"] == played.view()


BROKEN = [b"", b"{", b"nothing", b"\xff\xfe", b'{"ply": 1, "move": ', b"[" * 10_000]


@pytest.mark.parametrize("body", BROKEN, ids=lambda body: repr(body[:20]))
def test_broken_json_is_refused(played: Played, body: bytes) -> None:
    before = played.view()
    answer = played.ask("POST", "/moves", content=body, headers=JSON)
    assert answer.status_code in (400, 422)
    told(answer, answer.status_code)
    assert played.view() == before


DIGITS = "9" * 5000
HEAVY = {
    "digits": DIGITS,
    "a number": f'{{"ply": -{DIGITS}, "seconds": 1e{DIGITS[:300]}, "seed": {DIGITS}}}',
    "names": "{" + ",".join(f'"{number:x}":1' for number in range(7000)) + "}",
    "lists": "[" * 60_000,
    "closed lists": "[" * 30_000 + "]" * 30_000,
    "objects": '{"ply":' * 9000,
    "50 000 names": "{" + ",".join(f'"{number:x}":1' for number in range(50_000)) + "}",
}


@pytest.mark.parametrize("body", HEAVY.values(), ids=HEAVY)
def test_every_route_refuses_bodies_that_are_hard_to_read(played: Played, body: str) -> None:
    asked = 0
    name = played.address.rpartition("/")[2]
    for path, methods in played.client.get("/api/openapi.json").json()["paths"].items():
        for method in (method for method, about in methods.items() if "requestBody" in about):
            there = path.replace("{seat}", "0").replace("{name}", name)
            key = {"X-Plies-Key": played.key, **JSON}
            answer = played.client.request(method, there, content=body, headers=key)
            assert answer.status_code in (400, 413, 422), there
            told(answer, answer.status_code)
            asked += 1
    assert asked >= 12


@pytest.mark.parametrize("body", [each[:4000] for each in HEAVY.values()], ids=HEAVY)
def test_a_message_that_is_hard_to_read_is_refused(played: Played, body: str) -> None:
    address = f"ws://127.0.0.1{played.address}/live?key={played.key}"
    with played.client.websocket_connect(address) as socket:
        assert socket.receive_json()["type"] == "session"
        socket.send_text(body)
        assert socket.receive_json() == {
            "type": "problem",
            "error": "that is no message of this page",
        }


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_huge_body_is_refused_before_it_is_read(played: Played, is_announced: bool) -> None:
    part = b" " * 10_000
    count = limits.BODY_BYTES // len(part) + 2
    body: Any = part * count if is_announced else (part for _ in range(count))
    answer = played.ask("POST", "/moves", content=body, headers=JSON)
    assert str(limits.BODY_BYTES) in told(answer, 413)


@pytest.mark.parametrize("game", ["go", "./rules.py", "/etc/passwd", HTML, "chess"])
def test_a_game_that_is_not_here_is_refused(client: TestClient, game: str) -> None:
    assert "tictactoe" in told(client.post("/api/sessions", json={"game": game}), 404)
    answer = client.get("/api/agents", params={"game": game})
    told(answer, 404)


@pytest.mark.parametrize(
    "seat", [HTML, "human", "process:/bin/sh", "uci:sh", "random:x=1", "mi_pred:/etc/passwd"]
)
def test_an_agent_that_may_not_play_here_is_refused(
    client: TestClient, played: Played, seat: str
) -> None:
    begin = {"game": "tictactoe", "seats": ["", seat]}
    told(client.post("/api/sessions", json=begin), 400)
    before = played.view()
    told(played.ask("PUT", "/seats/1", json={"agent": seat}), 400)
    assert played.view() == before


@pytest.mark.parametrize("text", [HTML, "XXX/XXX/XXX X", "1. e4 e5", "\x00"])
def test_a_text_that_is_no_position_and_no_game_is_refused(client: TestClient, text: str) -> None:
    told(client.post("/api/sessions", json={"game": "tictactoe", "text": text}), 400)


def test_options_that_ask_for_too_much_are_refused(client: TestClient) -> None:
    for seat in ("engine:seconds=1e9", "engine:table=1000000", "engine:threads=500"):
        begin = {"game": "tictactoe", "seats": ["", seat]}
        told(client.post("/api/sessions", json=begin), 400)


def test_a_session_that_is_gone_is_told_so(client: TestClient) -> None:
    begun = client.post("/api/sessions", json={"game": "tictactoe"}).json()
    address, key = f"/api/sessions/{begun['session']['id']}", {"X-Plies-Key": begun["key"]}
    assert client.delete(address).status_code == 403  # not without the key
    assert client.delete(address, headers=key).status_code == 204
    for path in ("", "/text", "/positions/0"):
        assert "expired" in told(client.get(address + path, headers=key), 404)
    move = client.post(f"{address}/moves", json={"ply": 0, "move": "a1"}, headers=key)
    assert "expired" in told(move, 404)


@pytest.mark.parametrize("ply", [-1, 2, 10**9])
def test_a_position_beyond_the_game_is_not_there(played: Played, ply: int) -> None:
    assert "0 to 1" in told(played.ask("GET", f"/positions/{ply}"), 404)


def test_nobody_moves_with_a_wrong_key(client: TestClient, played: Played) -> None:
    for key in ("", "wrong", "é".encode("latin-1"), played.key.lower()):
        answer = client.post(
            f"{played.address}/moves", json={"ply": 1, "move": "a1"}, headers={"X-Plies-Key": key}
        )
        assert "watching" in told(answer, 403)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1"])
def test_another_name_of_this_machine_is_refused(client: TestClient, host: str) -> None:
    told(client.get("/api/games", headers={"host": host}), 403)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://[", "x"]
)
def test_a_page_of_another_site_changes_nothing_and_hears_nothing(
    client: TestClient, played: Played, origin: str
) -> None:
    headers = {"origin": origin}
    before = played.view()
    told(played.ask("POST", "/moves", json={"ply": 1, "move": "a1"}, headers=headers), 403)
    assert played.view() == before
    assert "access-control-allow-origin" not in played.ask("GET", "", headers=headers).headers
    address = f"ws://127.0.0.1{played.address}/live"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(address, headers=headers),
    ):
        pytest.fail("it may listen")


FILES = [
    *("/../pyproject.toml", "/%2e%2e/app.py", "/js/..%2f..%2fapp.py", "/..%5capp.py", "/%00"),
    *("//etc/passwd", "/etc/passwd", "/js", "/js/", "/app.py", "/js/none.js"),
]


@pytest.mark.parametrize("path", FILES)
def test_only_files_of_the_page_can_be_read(client: TestClient, path: str) -> None:
    answer = client.get(f"{HERE}{path}")
    told(answer, 404)


@pytest.mark.parametrize("path", ["/", "/api/games", "/api/none", "/none", "/js/main.js"])
def test_every_answer_forbids_what_a_page_does_not_need(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize(
    ("method", "path"), [("PATCH", "/api/games"), ("POST", "/"), ("DELETE", "/api/sessions")]
)
def test_what_nobody_can_do_is_told_in_a_line(client: TestClient, method: str, path: str) -> None:
    told(client.request(method, path), 405)
