"""The server: uvicorn with connections that are counted and do not wait for ever.

uvicorn reads requests with httptools, which this program depends on; it has a limit of time for
what comes after an answer, but none for the head of a request, and none of size or number.
"""

import asyncio
import json
import time
from collections.abc import Callable
from http import HTTPStatus
from socket import socket as Socket  # noqa: N812
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from plies.web import limits
from plies.web.access import RAW_HEADERS, SecurityMiddleware
from plies.web.connections import Connections, Refusal

BACKLOG = 2048  # connections that wait to be taken
TAKEN_AT_ONCE = 64  # of them, before the requests of others are read
SWEEP_TICKS = 5  # of a tenth of a second
TOO_LARGE = f"a request has at most {limits.BODY_BYTES} bytes, and its head {limits.HEAD_BYTES}"


class State(ServerState):
    """What all connections of a server share."""

    def __init__(self, connections: Connections):
        super().__init__()
        self.held = connections


class Enough(Exception):
    """Ends the reading of what has arrived; who has sent it was refused."""


class HttpConnection(HttpToolsProtocol):
    """A connection that is counted, and whose requests have a limited size."""

    def __init__(self, config: Any, server_state: State, app_state: Any, _loop: Any = None):
        super().__init__(config, server_state, app_state, _loop)
        self.held = server_state.held
        self.received = 0  # bytes of a request so far
        self.is_before_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        try:
            self.held.add(transport, self.client[0] if self.client else "")
        except Refusal as refusal:
            self.refuse(refusal)

    def connection_lost(self, exc: Exception | None) -> None:
        self.held.remove(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        if self.is_before_head and self.received > limits.HEAD_BYTES:
            self.refuse(Refusal(413, TOO_LARGE))
        elif self.received > limits.IGNORED_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= limits.PIPELINED:
            self.transport.abort()
            raise Enough
        self.is_before_head = False
        self.held.note_head(self.transport)
        super().on_headers_complete()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.is_before_head:
            return  # it follows a body: nobody asks for it
        if len(self.headers) >= limits.HEADERS:
            self.refuse(Refusal(431, f"a request has at most {limits.HEADERS} headers"))
            raise Enough
        super().on_header(name, value)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.received, self.is_before_head = 0, True
        if self.cycle is not None and not self.cycle.response_complete:
            self.held.note_request(self.transport)

    def on_response_complete(self) -> None:
        is_last = not self.pipeline
        super().on_response_complete()
        if is_last:
            self.held.expect_request(self.transport)

    def handle_websocket_upgrade(self) -> None:
        try:
            self.held.upgrade(self.transport, self.headers)
        except Refusal as refusal:
            self.refuse(refusal)
        else:
            super().handle_websocket_upgrade()
            socket = self.transport.get_protocol()
            if isinstance(socket, SocketConnection) and not socket.handshake_initiated:
                # Such as a request with a body, which would be left open without an answer.
                self.refuse(Refusal(400, "this is no request for a web socket"))

    def refuse(self, refusal: Refusal) -> None:
        """Say why, unless an answer to something else is under way, and hang up."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(response(refusal))
        self.transport.abort()


class SocketConnection(WebSocketsSansIOProtocol):
    """A web socket that was counted when it was a connection."""

    def __init__(self, config: Any, server_state: State, app_state: Any, _loop: Any = None):
        super().__init__(config, server_state, app_state, _loop)
        self.held = server_state.held

    def connection_lost(self, exc: Exception | None) -> None:
        self.held.remove(self.transport)
        super().connection_lost(exc)


class Server(uvicorn.Server):
    """Serves an application until it is interrupted; `stop` is called before it waits for those
    who are connected."""

    def __init__(self, app: SecurityMiddleware, connections: Connections, stop: Callable[[], None]):
        super().__init__(
            uvicorn.Config(
                app,
                http=HttpConnection,
                ws=SocketConnection,
                backlog=TAKEN_AT_ONCE,
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                ws_max_size=limits.MESSAGE_BYTES,
                timeout_graceful_shutdown=1,
                lifespan="on",
                proxy_headers=False,
            )
        )
        self.held = connections
        self.stop = stop
        self.server_state = State(connections)

    async def startup(self, sockets: list[Socket] | None = None) -> None:
        await super().startup(sockets)
        for socket in sockets or ():
            socket.listen(BACKLOG)  # the server has made it as short as what it takes at once

    async def on_tick(self, counter: int) -> bool:
        if counter % SWEEP_TICKS == 0:
            for transport in self.held.sweep(time.monotonic()):
                expire(transport)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[Socket] | None = None) -> None:
        self.stop()
        await super().shutdown(sockets)


def expire(transport: asyncio.Transport) -> None:
    """Hang up on somebody who takes too long; who has begun a request is told so."""
    protocol = transport.get_protocol()
    if isinstance(protocol, HttpConnection) and protocol.received:
        protocol.refuse(Refusal(408, "the request took too long to arrive"))
    else:
        transport.abort()


def response(refusal: Refusal) -> bytes:
    """The answer to somebody who is not asked what for."""
    body = json.dumps({"error": str(refusal)}).encode()
    headers = [
        *RAW_HEADERS,
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    status = f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}".encode()
    return b"\r\n".join((status, *(b": ".join(header) for header in headers), b"", body))


def connections_possible() -> int:
    """How many connections this process may have, with as many open files as it is allowed."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return limits.CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.CONNECTIONS + limits.SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return limits.CONNECTIONS
    return max(min(limits.CONNECTIONS, soft - limits.SPARE_FILES), 1)
