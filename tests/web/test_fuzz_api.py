"""Whatever is asked of the API, it answers: no 5xx, only what it promises, and nothing leaks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

import plies
from plies.web import limits
from plies.web.app import Site, make_api, make_app

HERE = "http://127.0.0.1"
LIVE = 20  # sessions in memory, fewer than the examples ask for
GAMES = ["tictactoe", "nim:rows=1-2"]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
# What nobody outside should read: files, traces, names of modules and classes.
INTERNAL = re.compile(r"Traceback|site-packages|\.py\b|/(?:home|root|tmp|usr)/|plies\.|\w+Error\b")
FILE = "./x.py"
HOSTILE = ["<script>alert(1)</script>", "../../etc/passwd", "a' OR 1=1 --", "%00", "\u202e", "🂡"]
# Values that lead deeper into the server than what a schema can tell.
KNOWN: dict[str, st.SearchStrategy[Any]] = {
    "game": st.sampled_from([*GAMES, "chess", FILE, *HOSTILE]),
    "games": st.lists(st.sampled_from(GAMES), min_size=1, max_size=2),
    "seats": st.lists(st.sampled_from(["", "random", "alphabeta:depth=2", "human", *HOSTILE])),
    "agent": st.sampled_from(["", "random", "greedy", "process:/bin/sh", "uci:sh", *HOSTILE]),
    "text": st.sampled_from(["", "x", ".../.../... X", "X../.../... O", *HOSTILE]),
    "position": st.sampled_from(["", ".../.../... X", "XOX/OXO/XOX X", *HOSTILE]),
    "tree": st.sampled_from(["", "((3 12) (2 4))", "(" * 3000, "(1 (2 3)", *HOSTILE]),
    "algorithm": st.sampled_from(["minimax", "alphabeta:depth=2", "mcts:simulations=5", *HOSTILE]),
    "move": st.sampled_from(["a1", "b2", "a-1", "resign", *HOSTILE]),
    "ply": st.integers(0, 3),
}


@dataclass(frozen=True)
class Server:
    """A server in this process, and a session in it."""

    site: Site
    client: TestClient
    name: str
    key: str


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "LIVE_SESSIONS", LIVE)
        patch.setattr(limits, "WAIT_SECONDS", 1.0)
        site = new_site(tmp_path_factory.mktemp("serve"))
        with TestClient(make_app(site), base_url=HERE) as client:
            begun = client.post("/api/sessions", json={"game": "tictactoe"}).json()
            yield Server(site, client, begun["session"]["id"], begun["key"])
            for room in site.manager.rooms.values():
                assert (room.listeners, room.waiting, room.turn) == (set(), 0, None)


def new_site(folder: Path) -> Site:
    return Site([plies.game("tictactoe"), plies.game("nim")], folder)


NOWHERE: Any = None  # a site that is only asked what it could be asked
SCHEMA = schemathesis.openapi.from_dict(make_api(NOWHERE).openapi())
OPERATIONS: list[Any] = [found.ok() for found in SCHEMA.get_all_operations()]  # type: ignore[union-attr]


def grounded(case: Any, server: Server, data: st.DataObject) -> None:
    """Let a request concern what there is, in some of its parts."""
    if isinstance(case.path_parameters, dict) and data.draw(st.booleans(), "the session"):
        if "name" in case.path_parameters and "/sessions" in case.path:
            case.path_parameters["name"] = server.name
        case.headers = {**(case.headers or {}), "X-Plies-Key": server.key}
    if isinstance(case.body, dict):
        for field in KNOWN.keys() & case.body.keys():
            if data.draw(st.booleans(), field):
                case.body[field] = data.draw(KNOWN[field])


def asked(server: Server, case: Any) -> Any:
    parts = case.as_transport_kwargs(base_url=HERE)
    if "data" in parts:
        parts["content"] = parts.pop("data")
    parts["headers"] = {
        name: value.encode("utf-8", "replace") for name, value in parts["headers"].items()
    }
    del parts["cookies"]
    return server.client.request(**parts)


@pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda each: f"{each.method.upper()} {each.path}"
)
def test_every_request_is_answered_as_promised(operation: Any, server: Server) -> None:
    right, wrong = (operation.as_strategy(generation_mode=mode) for mode in GenerationMode)

    @settings(
        max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
    )
    @given(case=right | wrong, data=st.data())
    def check(case: Any, data: st.DataObject) -> None:
        grounded(case, server, data)
        answer = asked(server, case)
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            told = answer.json()["error"]
            assert told
            assert "\n" not in told
            assert not INTERNAL.search(told.replace(FILE, ""))  # what was asked for may be told
        assert len(server.site.manager.rooms) <= LIVE

    check()
