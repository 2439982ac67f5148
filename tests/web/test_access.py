"""What stands before the application lets in only what may come in."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from plies.web import limits
from plies.web.access import HEADERS, Access, SecurityMiddleware

TOKEN = "a-long-enough-token"


async def inner(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the size of what came in."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close"})
        return
    if scope["path"] == "/broken":
        raise ValueError("/home/somebody/secret.py went wrong")
    size = len((await receive()).get("body", b""))
    await PlainTextResponse(f"{size}")(scope, receive, send)


def client(access: Access, host: str = "localhost:8000") -> TestClient:
    return TestClient(
        SecurityMiddleware(inner, access), base_url=f"http://{host}", follow_redirects=False
    )


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_a_name_of_this_machine_is_answered_with_every_header(host: str) -> None:
    answer = client(Access(), host).get("/")
    assert answer.status_code == 200
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "server" not in answer.headers


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example"]
)
def test_any_other_name_is_refused(host: str) -> None:
    answer = client(Access(), host).get("/")
    assert answer.status_code == 403
    assert answer.json() == {"error": "this server answers only under its own name"}
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9000"])
def test_a_page_of_another_site_changes_nothing_and_hears_nothing(origin: str) -> None:
    page = client(Access())
    assert page.post("/", headers={"origin": origin}).status_code == 403
    assert page.get("/", headers={"origin": origin}).status_code == 200
    with (
        pytest.raises(WebSocketDisconnect),
        page.websocket_connect("/", headers={"origin": origin}),
    ):
        pass


def test_a_page_of_this_server_may_do_both() -> None:
    page = client(Access())
    own = {"origin": "http://localhost:8000"}
    assert page.post("/", content=b"abc", headers=own).text == "3"
    with page.websocket_connect("ws://localhost:8000/", headers=own):
        pass


def test_a_body_that_is_too_large_is_refused_however_it_comes() -> None:
    page = client(Access())
    most = b"x" * limits.BODY_BYTES
    assert page.post("/", content=most).text == str(limits.BODY_BYTES)
    assert page.post("/", content=most + b"x").status_code == 413

    def chunks() -> Iterator[bytes]:
        for _ in range(10):
            yield most

    assert page.post("/", content=chunks()).status_code == 413


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.01)
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost")]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    asyncio.run(SecurityMiddleware(inner, Access())(scope, receive, send))
    assert sent[0]["status"] == 408


def test_an_error_says_nothing_outside_and_one_line_here(capsys: pytest.CaptureFixture) -> None:
    answer = client(Access()).get("/broken")
    assert answer.status_code == 500
    assert answer.json() == {"error": "something went wrong here"}
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "ValueError" in said


def test_with_a_token_nobody_comes_in_without_it() -> None:
    access = Access("0.0.0.0", TOKEN)
    page = client(access, "somewhere.example:8000")
    assert page.get("/").status_code == 403
    assert page.get("/?token=wrong").status_code == 403
    assert page.get("/api?token=" + TOKEN).status_code == 403  # only the first page takes it
    assert page.get("/", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    with pytest.raises(WebSocketDisconnect), page.websocket_connect("/"):
        pass


def test_the_token_goes_from_the_address_into_a_cookie() -> None:
    page = client(Access("0.0.0.0", TOKEN), "somewhere.example:8000")
    first = page.get(f"/?token={TOKEN}")
    assert first.status_code == 303
    assert first.headers["location"] == "/"
    assert "HttpOnly" in first.headers["set-cookie"]
    assert "SameSite=Lax" in first.headers["set-cookie"]
    assert page.get("/").status_code == 200


def test_on_one_address_only_its_name_is_known_even_with_a_token() -> None:
    access = Access("192.0.2.7", TOKEN)
    bearer = {"authorization": f"Bearer {TOKEN}"}
    assert client(access, "192.0.2.7:8000").get("/", headers=bearer).status_code == 200
    assert client(access, "evil.example").get("/", headers=bearer).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        [(b"host", b"[::1")],
        [(b"host", b"")],
        [],
        [(b"host", b"localhost"), (b"origin", b"http://[")],
        [(b"host", b"\xff\xfe")],
    ],
)
def test_what_is_no_name_at_all_is_refused_in_the_same_way(headers: list[Any]) -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    for access in (Access(), Access("0.0.0.0", TOKEN)):
        sent.clear()
        asyncio.run(SecurityMiddleware(inner, access)(scope, receive, send))
        assert sent[0]["status"] == 403
        assert (b"x-content-type-options", b"nosniff") in sent[0]["headers"]


@pytest.mark.parametrize("others", ['prefs={"a": [1, 2]}', "a b=c", "=", "x=1; ;"])
def test_cookies_of_other_servers_do_not_hide_the_token(others: str) -> None:
    access = Access("0.0.0.0", TOKEN)
    cookies = {"cookie": f"{others}; {access.cookie}={TOKEN}"}
    assert client(access).get("/", headers=cookies).status_code == 200
    wrong = {"cookie": f"{others}; {access.cookie}=wrong"}
    assert client(access).get("/", headers=wrong).status_code == 403


def test_who_still_waits_when_the_server_ends_is_told_so() -> None:
    sent: list[Any] = []

    async def waiting(*_: Any) -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    async def serve() -> None:
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
        request = asyncio.ensure_future(SecurityMiddleware(waiting, Access())(scope, waiting, send))
        await asyncio.sleep(0)
        request.cancel()
        await request

    asyncio.run(serve())
    assert sent[0]["status"] == 503
    assert b"the server is closing" in sent[1]["body"]
