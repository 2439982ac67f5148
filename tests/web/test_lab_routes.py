"""The laboratory as the page asks for it."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import plies
from plies.web.app import Site, make_api
from plies.web.lab.search import AT_ONCE, WAITING
from web_samples import wait_until


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("site")
    with TestClient(make_api(Site([plies.game("tictactoe")], folder))) as client:
        yield client


def test_the_page_begins_with_the_tree_of_28_leaves(client: TestClient) -> None:
    offered = client.get("/api/lab").json()
    assert {"minimax", "alphabeta", "branch", "beam", "deepening", "mcts", "maxn", "paranoid"} == {
        algorithm["name"] for algorithm in offered["algorithms"]
    }
    trace = client.post("/api/lab/trace", json={"tree": offered["tree"]}).json()
    assert (trace["leaves"], trace["all_leaves"]) == (20, 28)


def test_a_position_of_the_tree_can_be_drawn(client: TestClient) -> None:
    asked = {"game": "tictactoe", "position": "XOX/OXO/... X", "algorithm": "minimax:depth=1"}
    trace = client.post("/api/lab/trace", json=asked).json()
    child = {"game": "tictactoe", "position": trace["tree"][1]["position"]}
    position = client.post("/api/lab/position", json=child).json()
    assert len(position["pieces"]) == 7


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"tree": "M(3"}, 400),
        ({"game": "chess"}, 404),
        ({"game": "tree:file=secret.tree"}, 404),
        ({"tree": "M(3)", "order": "best of all"}, 422),
        ({"tree": "M(3)", "surprise": 1}, 422),
        ({"tree": "1" * 30_000}, 422),
    ],
)
def test_what_cannot_be_searched_is_answered_by_one_line(
    client: TestClient, asked: dict[str, Any], status: int
) -> None:
    answer = client.post("/api/lab/trace", json=asked)
    assert answer.status_code == status
    assert "\n" not in answer.json()["error"]


def test_too_many_searches_at_once_are_refused(client: TestClient) -> None:
    threads, go = client.app.state.site.lab, threading.Event()  # type: ignore[attr-defined]
    assert client.portal is not None
    with ExitStack() as stack:
        stack.callback(go.set)
        for _ in range(AT_ONCE):
            client.portal.start_task_soon(threads.run, go.wait)
        wait_until(lambda: len(threads._threads) == AT_ONCE and threads.waiting == 0)
        for _ in range(WAITING):
            client.portal.start_task_soon(threads.run, go.wait)
        wait_until(lambda: threads.waiting == WAITING)
        assert client.post("/api/lab/trace", json={"tree": "M(3)"}).status_code == 429
    wait_until(lambda: threads.waiting == 0)
    assert client.post("/api/lab/trace", json={"tree": "M(3)"}).status_code == 200
