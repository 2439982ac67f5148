"""`plies serve` as a program: it starts, outlives a kill, and ends when it is told to."""

import json
import re
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plies.cli.main import main

SERVE = (sys.executable, "-m", "plies", "serve", "tictactoe", "--port", "0", "--no-browser")


@contextmanager
def server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    with subprocess.Popen(
        [*SERVE, "--no-warm", "--data", str(folder)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
            assert found is not None
            yield process, found[0]
        finally:
            process.kill()


def ask(address: str, content: Any = None, key: str = "") -> Any:
    body = None if content is None else json.dumps(content).encode()
    headers = {"Content-Type": "application/json", "X-Plies-Key": key}
    with urllib.request.urlopen(
        urllib.request.Request(address, body, headers), timeout=60
    ) as answer:
        assert "server" not in {name.lower() for name in answer.headers}
        return json.loads(answer.read())


def test_a_move_survives_half_open_connections_and_a_kill_and_hanging_up_ends_a_search(
    tmp_path: Path,
) -> None:
    with server(tmp_path) as (process, address):
        seats = ["", "engine:seconds=30"]
        large = "tictactoe:width=8,height=6,k=5"
        begun = ask(f"{address}/api/sessions", {"game": large, "seats": seats, "seconds": 0.0})
        name, key = begun["session"]["id"], begun["key"]
        there = f"/api/sessions/{name}"
        move = {"ply": 0, "move": "d4"}
        with half_open(address, 1100):  # more than the server has room for
            assert ask(f"{address}{there}/moves", move, key)["ply"] == 1
        process.kill()
    with server(tmp_path) as (process, address):
        session = ask(f"{address}{there}", key=key)
        assert (session["ply"], session["role"]) == (1, "owner")
        assert main(["serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]) == 2
        step = asking_for_step(address, there, key)
        step.kill()  # who has hung up waits for nothing
        step.wait()
        while ask(f"{address}{there}", key=key)["is_thinking"]:
            time.sleep(0.05)
        assert ask(f"{address}{there}", key=key)["ply"] == 1
        step = asking_for_step(address, there, key)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=25)  # sooner than the search would end
        assert process.returncode == 130
        assert said.splitlines()[-1:] == ["plies: interrupted"]
        assert "Traceback" not in said
        step.kill()
        step.wait()


@contextmanager
def half_open(address: str, count: int) -> Iterator[None]:
    """So many connections from another address that have begun a request."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 2 * count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * count, hard), hard))
    host, port = address.removeprefix("http://").split(":")
    with ExitStack() as stack:
        for _ in range(count):
            line = socket.create_connection((host, int(port)), 60, source_address=("127.0.0.2", 0))
            stack.enter_context(line)
            with suppress(ConnectionError):  # the server may have closed it at once
                line.sendall(b"GET / HTTP/1.1\r\n")
        yield


def asking_for_step(address: str, there: str, key: str) -> subprocess.Popen[bytes]:
    """Somebody who waits for a search of 30 seconds, which has begun."""
    command = [sys.executable, "-c", ASK_FOR_STEP, f"{address}{there}/step", key]
    step = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not ask(f"{address}{there}", key=key)["is_thinking"]:
        assert step.poll() is None
        time.sleep(0.05)
    return step


ASK_FOR_STEP = """
import sys, urllib.request
headers = {"Content-Type": "application/json", "X-Plies-Key": sys.argv[2]}
urllib.request.urlopen(urllib.request.Request(sys.argv[1], b'{"ply": 1}', headers), timeout=60)
"""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "70000"], "--port is 0 to 65535, not 70000"),
        (["--token", "short"], "--token has at least 12 characters"),
        (["--token", "with spaces in it"], "letters, digits, - and _"),
        (["chequers"], "there is no game chequers"),
        (["--tables", "3"], "--tables is at least "),
        (["--proxy", "nobody"], "--proxy is an address such as 127.0.0.1 or ::1, not 'nobody'"),
        (["--host", "no.such.host.invalid"], "cannot be used"),
    ],
)
def test_what_cannot_be_served_is_one_line_and_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-browser", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("plies: ")
    assert said in error
    assert error.count("\n") == 1


def test_a_port_that_is_taken_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "tictactoe", "--no-browser", "--port", port]) == 2
    assert f"port {port} of 127.0.0.1 cannot be used" in capsys.readouterr().err


def test_data_that_cannot_be_used_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    arguments = ["--port", "0", "--data", str(tmp_path / "file")]
    assert main(["serve", "tictactoe", "--no-browser", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_another_address_has_a_token_in_the_address_that_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr("plies.cli.serve._serve", lambda app, *_: served.append(app))
    arguments = ["--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path)]
    assert main(["serve", "tictactoe", "--no-browser", *arguments]) == 0
    (app,) = served
    found = re.search(r"http://127\.0\.0\.1:\d+/\?token=([\w-]{20,})", capsys.readouterr().out)
    assert found is not None
    assert app.access.token == found[1]
    client = TestClient(app, base_url="http://here.example")
    assert client.get("/api/games").status_code == 403
    app.app.state.site.close()
    assert (tmp_path / "sessions.sqlite").exists()
