"""Whatever a listener says, it gets an answer, and nothing of it is left when it has gone."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

import plies
from plies.web.app import Site, make_app
from web_samples import wait_until

HERE = "http://127.0.0.1"
SOCKETS = "ws://127.0.0.1/api/sessions"
CONTESTS = "ws://127.0.0.1/api/tournaments"
PING = json.dumps({"type": "ping"})
KINDS = {"session", "thinking", "inside", "values", "problem", "pong"}

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)
almost_right = st.fixed_dictionaries(
    {"type": st.sampled_from(["inside", "ping", "session", ""]) | anything},
    optional={
        "on": st.booleans() | anything,
        "ply": st.integers(-1, 3) | anything,
        "more": anything,
    },
)
texts = st.one_of(
    st.builds(json.dumps, almost_right),
    st.builds(json.dumps, anything),
    st.text(max_size=50),
    st.sampled_from(["[" * 1000, '{"type":"inside","on":true,"ply":1e999}', "\x00", '"\\ud800"']),
)
messages = st.lists(texts | st.binary(max_size=50), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site([plies.game("nim:rows=1-2")], tmp_path_factory.mktemp("serve"))


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[TestClient]:
    with TestClient(make_app(site), base_url=HERE) as client:
        yield client


@pytest.fixture(scope="module")
def session(client: TestClient) -> Any:
    return client.post("/api/sessions", json={"game": "nim:rows=1-2", "seats": ["", ""]}).json()


def heard_until_pong(socket: WebSocketTestSession) -> list[dict[str, Any]]:
    """All that is told until a question whether anybody is there is answered."""
    socket.send_text(PING)
    heard: list[dict[str, Any]] = []
    while not heard or heard[-1]["type"] != "pong":
        heard.append(json.loads(socket.receive_text()))
    return heard


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(said=messages)
def test_every_message_is_answered_and_the_listener_stays(
    site: Site, client: TestClient, session: Any, said: list[str | bytes]
) -> None:
    name, key = session["session"]["id"], session["key"]
    with client.websocket_connect(f"{SOCKETS}/{name}/live?key={key}") as socket:
        assert json.loads(socket.receive_text())["type"] == "session"
        for message in said:
            if isinstance(message, bytes):
                socket.send_bytes(message)
            else:
                socket.send_text(message)
            heard = heard_until_pong(socket)
            assert {news["type"] for news in heard} <= KINDS
    assert client.get(f"/api/sessions/{name}").json()["ply"] == 0


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(kind=st.sampled_from([SOCKETS, CONTESTS]), name=st.text(max_size=40), key=st.text())
def test_whoever_asks_for_what_is_not_there_is_told_so_in_a_line(
    client: TestClient, kind: str, name: str, key: str
) -> None:
    address = f"{kind}/{quote(name, safe='')}/live?key={quote(key, safe='')}"
    try:
        with client.websocket_connect(address) as socket:
            news = json.loads(socket.receive_text())
            assert news["type"] == "problem"
            assert "\n" not in news["error"]
    except WebSocketDisconnect:
        pass  # an address that leads nowhere: it was never opened


def test_a_listener_that_has_gone_leaves_nothing_behind(
    site: Site, client: TestClient, session: Any
) -> None:
    name, key = session["session"]["id"], session["key"]
    for _ in range(5):
        with client.websocket_connect(f"{SOCKETS}/{name}/live?key={key}") as socket:
            socket.send_text(json.dumps({"type": "inside", "on": True, "ply": 0}))
            heard_until_pong(socket)
    room = site.manager.rooms[name]
    wait_until(lambda: not room.listeners)
    assert (room.listeners, room.waiting, room.turn) == (set(), 0, None)
