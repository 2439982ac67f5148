"""Connections are counted by address, wait for a request for a limited time, and make room."""

import asyncio
import json
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, cast

import pytest
from starlette.responses import PlainTextResponse

from plies.web import limits
from plies.web.access import Access, SecurityMiddleware
from plies.web.connections import Connections, Refusal, address_of
from plies.web.server import Server, connections_possible
from web_samples import wait_until

HALF = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Never-Ends: "
WHOLE = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Line:
    """What a connection needs of a transport."""

    def __init__(self) -> None:
        self.is_closed = False
        self.unsent = 0

    def abort(self) -> None:
        self.is_closed = True

    def get_write_buffer_size(self) -> int:
        return self.unsent


class Lines:
    """Connections over lines that lead nowhere."""

    def __init__(self, proxy: str = "", most: int = limits.CONNECTIONS):
        self.held = Connections(proxy, most)

    def open(self, peer: str = "192.0.2.1") -> Any:
        line = cast(Any, Line())
        self.held.add(line, peer)
        return line

    def busy(self, peer: str = "192.0.2.1") -> Any:
        """One whose request is being answered."""
        line = self.open(peer)
        self.held.note_request(line)
        return line


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("127.0.0.9", "127.0.0.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("/run/socket", ""),
    ],
)
def test_whom_a_connection_is_counted_for(peer: str, counted: str) -> None:
    assert address_of(peer) == counted


def test_an_address_at_its_limit_loses_its_own_connection_that_has_waited_longest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "ADDRESS_CONNECTIONS", 3)
    lines = Lines()
    other = lines.open("192.0.2.2")
    idle, silent, busy = lines.open(), lines.open(), lines.busy()
    lines.held.expect_request(idle)  # it has been answered
    new = lines.open()
    assert (silent.is_closed, idle.is_closed) == (True, False)
    lines.busy()  # who has just come is spared, though others have asked before
    assert (idle.is_closed, new.is_closed) == (True, False)
    lines.busy()
    assert new.is_closed
    with pytest.raises(Refusal, match="from your address") as refused:
        lines.open()
    assert refused.value.status == 429
    assert not busy.is_closed
    assert not other.is_closed
    lines.held.remove(busy)
    lines.open()


def test_a_full_server_closes_who_waits_and_refuses_when_nobody_does() -> None:
    lines = Lines(most=3)
    first, second, busy = lines.open("192.0.2.1"), lines.open("192.0.2.2"), lines.busy("192.0.2.3")
    lines.busy("192.0.2.4")
    assert (first.is_closed, second.is_closed) == (True, False)
    lines.busy("192.0.2.5")
    assert second.is_closed
    assert len(lines.held) == 3
    with pytest.raises(Refusal, match="all connections") as refused:
        lines.open("192.0.2.6")
    assert refused.value.status == 503
    assert not busy.is_closed


def test_a_body_that_has_not_come_makes_room_but_a_whole_request_does_not() -> None:
    lines = Lines(most=1)
    line = lines.open()
    lines.held.note_head(line)
    lines.busy("192.0.2.2")
    assert line.is_closed


def test_web_sockets_have_limits_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ADDRESS_SOCKETS", 1)
    monkeypatch.setattr(limits, "SOCKETS", 2)
    lines = Lines()
    first = lines.open()
    lines.held.upgrade(first)
    with pytest.raises(Refusal, match="from your address"):
        lines.held.upgrade(lines.open())
    lines.held.upgrade(lines.open("192.0.2.2"))
    with pytest.raises(Refusal, match="on this server"):
        lines.held.upgrade(lines.open("192.0.2.3"))
    lines.held.remove(first)
    lines.held.upgrade(lines.open())


def test_a_proxy_may_hold_many_connections_and_its_visitors_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "ADDRESS_CONNECTIONS", 2)
    monkeypatch.setattr(limits, "ADDRESS_SOCKETS", 1)
    lines = Lines(proxy="127.0.0.1")
    busy = [lines.busy("127.0.0.1") for _ in range(5)]

    def forwarded(text: bytes) -> list[tuple[bytes, bytes]]:
        return [(b"x-forwarded-for", text)]

    lines.held.upgrade(busy[0], forwarded(b"192.0.2.1"))
    # Only what the proxy has added last is believed.
    with pytest.raises(Refusal):
        lines.held.upgrade(busy[1], forwarded(b"192.0.2.7, 192.0.2.1"))
    lines.held.upgrade(busy[1], forwarded(b"192.0.2.1, 192.0.2.2"))
    stranger = lines.open("192.0.2.9")
    lines.held.upgrade(stranger)
    with pytest.raises(Refusal):  # from elsewhere the header means nothing
        lines.held.upgrade(lines.open("192.0.2.9"), forwarded(b"192.0.2.3"))


def test_time_is_over_without_a_head_and_without_reading() -> None:
    lines, now = Lines(), time.monotonic()
    waiting, asked, reading, stalled = lines.open(), lines.open(), lines.busy(), lines.busy()
    lines.held.note_head(asked)
    later = now + limits.HEAD_SECONDS + 1
    assert lines.held.sweep(now) == []
    assert lines.held.sweep(later) == [waiting]
    lines.held.remove(waiting)
    reading.unsent, stalled.unsent = 200_000, 200_000
    assert lines.held.sweep(later) == []
    reading.unsent, stalled.unsent = 200_000 - limits.LEAST_READ, 199_999
    assert lines.held.sweep(later + 1) == []
    assert lines.held.sweep(later + limits.READ_SECONDS) == [stalled]
    reading.unsent = 0
    assert lines.held.sweep(later + 3 * limits.READ_SECONDS) == [stalled]


# With a server


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Says hello, slowly where it is asked to."""
    if scope["type"] == "lifespan":
        while True:
            said = await receive()
            await send({"type": f"{said['type']}.complete"})
            if said["type"] == "lifespan.shutdown":
                return
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        await receive()
        await receive()
        return
    if scope["path"] == "/slow":
        await asyncio.sleep(1)
    await PlainTextResponse("hello")(scope, receive, send)


@contextmanager
def serving(most: int = 50) -> Iterator[int]:
    """The port of a server in a thread."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = Server(SecurityMiddleware(app, Access()), Connections(most=most), lambda: None)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def connect(port: int, number: int = 1) -> socket.socket:
    return socket.create_connection(
        ("127.0.0.1", port), 20, source_address=(f"127.0.3.{number}", 0)
    )


def ask(line: socket.socket, request: bytes) -> bytes:
    """The answer, up to where the server hangs up or has said it all."""
    line.sendall(request)
    answer = b""
    while not answer.endswith(b"hello") and (more := line.recv(65536)):
        answer += more
    return answer


def test_half_a_request_is_ended_by_time_however_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.5)
    with serving() as port, ExitStack() as stack:
        silent, half, dripping, bodiless = (stack.enter_context(connect(port)) for _ in range(4))
        half.sendall(HALF)
        dripping.sendall(HALF)
        bodiless.sendall(UPGRADE.replace(b"\r\n\r\n", b"\r\nContent-Length: 1000\r\n\r\n"))
        again = stack.enter_context(connect(port))
        assert ask(again, WHOLE).startswith(b"HTTP/1.1 200")
        again.sendall(b"\r\n")  # which is no request, and no end of the time for one either
        slow = stack.enter_context(connect(port))  # the time is for a request, not its answer
        assert ask(slow, WHOLE.replace(b"/ ", b"/slow ", 1)).endswith(b"hello")
        with suppress(ConnectionError):
            while True:  # a byte now and then makes no difference
                dripping.sendall(b"x")
                time.sleep(0.02)
        answer = half.recv(65536)
        assert answer.startswith(b"HTTP/1.1 408")
        error = json.loads(answer.partition(b"\r\n\r\n")[2])
        assert error == {"error": "the request took too long to arrive"}
        assert again.recv(65536).startswith(b"HTTP/1.1 408")
        assert silent.recv(1) == b""
        assert bodiless.recv(65536).startswith(b"HTTP/1.1 400")


def test_more_half_open_connections_than_there_may_be_keep_nobody_out() -> None:
    with serving(most=20) as port:
        held = [connect(port, number) for number in range(1, 61)]  # no two from one address
        for line in held:
            line.sendall(HALF)
        for number in (1, 100, 101):
            with connect(port, number) as line:
                assert ask(line, WHOLE).startswith(b"HTTP/1.1 200")
        with connect(port, 102) as line:
            line.sendall(UPGRADE)
            assert line.recv(65536).startswith(b"HTTP/1.1 101")
        for line in held:
            line.close()


def test_one_connection_takes_no_more_memory_than_requests_need() -> None:
    with serving() as port:
        with connect(port) as line:
            head = WHOLE[:-2] + b"A: b\r\n" * limits.HEADERS + b"\r\n"
            answer = ask(line, head)
        assert answer.startswith(b"HTTP/1.1 431")
        assert b"a request has at most 100 headers" in answer
        with connect(port) as line, suppress(ConnectionError):  # one that asks and does not wait
            assert ask(line, WHOLE.replace(b"/ ", b"/slow ", 1) * 100) == b""
        with connect(port) as line:
            answer = ask(line, WHOLE * limits.PIPELINED)
            assert answer.startswith(b"HTTP/1.1 200")


def test_a_request_that_is_too_large_is_refused_before_it_is_read() -> None:
    with serving() as port:
        with connect(port) as line:
            head = HALF.ljust(limits.HEAD_BYTES + 1, b"x")  # nothing is left
            answer = ask(line, head)
        assert answer.startswith(b"HTTP/1.1 413")
        assert f"its head {limits.HEAD_BYTES}".encode() in answer
        with connect(port) as line:
            assert ask(line, WHOLE).startswith(b"HTTP/1.1 200")


def test_web_sockets_beyond_the_limit_are_refused_with_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "ADDRESS_SOCKETS", 2)
    with serving() as port:
        lines = [connect(port) for _ in range(3)]
        for line in lines[:2]:
            line.sendall(UPGRADE)
            assert line.recv(65536).startswith(b"HTTP/1.1 101")
        answer = ask(lines[2], UPGRADE)
        assert answer.startswith(b"HTTP/1.1 429")
        assert b"too many pages are open from your address" in answer
        lines[0].close()

        def has_room() -> bool:
            with connect(port) as line:
                line.sendall(UPGRADE)
                return line.recv(65536).startswith(b"HTTP/1.1 101")

        wait_until(has_room)
        for line in lines:
            line.close()


def test_there_are_files_enough_for_all_connections() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = limits.CONNECTIONS if hard == resource.RLIM_INFINITY else hard - limits.SPARE_FILES
    assert connections_possible() == min(limits.CONNECTIONS, files)
