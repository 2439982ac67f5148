"""What stands before the application: who may ask at all, how much, and what every answer says.

A page of another site must not use this server through somebody's browser: the name in the
address must be one of this machine (a name that was pointed here is none), and what changes
something, or listens, must come from a page of this server.  On an address that others can
reach there is a token besides.
"""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from plies.web import limits
from plies.web.problems import log_problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")
READING = ("GET", "HEAD")
WENT_WRONG = "something went wrong here"
TOKEN_FIRST = "this server asks for its token: open the address that it showed when it was started"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


@dataclass(frozen=True)
class Access:
    """Where the server listens, and the token that it asks for there, if any."""

    host: str = "127.0.0.1"
    token: str = ""

    def address(self, port: int) -> str:
        """What to open in a browser here; the token is in it."""
        host = LOOPBACK[0] if self.host in EVERYWHERE else self.host
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{port}/" + (f"?token={self.token}" if self.token else "")

    @property
    def cookie(self) -> str:
        """The name under which a browser keeps the token: servers do not share one."""
        return f"plies-{hashlib.sha256(self.token.encode()).hexdigest()[:8]}"

    def is_known(self, host: str) -> bool:
        """Whether a `Host` header names this server; a token makes up for any name."""
        name = _address(f"//{host}").hostname or ""
        is_open = bool(self.token) and self.host in EVERYWHERE and bool(name)
        return is_open or name in LOOPBACK or name == self.host.lower()

    def is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self.token.encode())


class SecurityMiddleware:
    """An application that lets only those requests through that may come in."""

    def __init__(self, app: App, access: Access):
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope)
        if scope["type"] == "websocket":
            if problem:
                await send({"type": "websocket.close", "code": 1008})
            else:
                await self._passed(scope, receive, send)
            return
        send = _with_headers(send)
        if problem and (location := self._after_token(scope)):
            await _redirect(send, location, self.access)
        elif problem:
            await answer(send, *problem)
        elif scope["method"] in READING:
            await self._passed(scope, receive, send)
        else:
            body = await _body(receive, _header(scope, b"content-length"))
            if isinstance(body, bytes):
                await self._passed(scope, _again(body, receive), send)
            else:
                await answer(send, *body)

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is not let in."""
        host = _header(scope, b"host")
        if not self.access.is_known(host):
            return 403, "this server answers only under its own name"
        origin = _header(scope, b"origin")
        is_reading = scope["type"] == "http" and scope["method"] in READING
        if origin and not is_reading and _address(origin).netloc != host:
            return 403, "a page of another site may not do that"
        if self.access.token and not self._has_token(scope):
            return 403, TOKEN_FIRST
        return None

    def _has_token(self, scope: Scope) -> bool:
        bearer = _header(scope, b"authorization").removeprefix("Bearer ")
        return self.access.is_token(bearer) or self.access.is_token(self._kept(scope))

    def _kept(self, scope: Scope) -> str:
        """The token in a cookie, whatever the cookies of other servers on this machine are."""
        for part in _header(scope, b"cookie").split(";"):
            name, _, value = part.partition("=")
            if name.strip() == self.access.cookie:
                return value.strip()
        return ""

    def _after_token(self, scope: Scope) -> str:
        """Where to go from an address that holds the token; empty where it does not."""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        is_first = scope["method"] in READING and scope["path"] == "/"
        is_ours = self.access.is_known(_header(scope, b"host")) and bool(self.access.token)
        return (
            "/"
            if is_first and is_ours and self.access.is_token(query.get("token", [""])[0])
            else ""
        )

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it in; what goes wrong there is one line here and says nothing outside."""
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except asyncio.CancelledError:  # whoever is still waiting when the server ends
            if not has_begun and scope["type"] == "http":
                await answer(send, 503, "the server is closing")
        except Exception as error:
            said = " ".join(str(error).split())[:300]
            log_problem(f"{scope['path']}: {type(error).__name__}: {said}")
            if not has_begun and scope["type"] == "http":
                await answer(send, 500, WENT_WRONG)


def _address(text: str) -> SplitResult:
    """The parts of an address; of one that is none, nothing."""
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("")


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {key.lower() for key, _ in message.get("headers", ())}
            more = [header for header in RAW_HEADERS if header[0] not in own]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return sending


async def answer(send: Send, status: int, error: str) -> None:
    """A status and one line."""
    body = json.dumps({"error": error}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _redirect(send: Send, location: str, access: Access) -> None:
    """To the page, with the token in a cookie instead of the address."""
    cookie = f"{access.cookie}={access.token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000"
    headers = [
        (b"location", location.encode()),
        (b"set-cookie", cookie.encode()),
        (b"content-length", b"0"),
    ]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _body(receive: Receive, length: str) -> bytes | tuple[int, str]:
    """The whole body, or why it is not taken."""
    too_large = (413, f"a request has at most {limits.BODY_BYTES} bytes")
    if length.isdecimal() and int(length) > limits.BODY_BYTES:
        return too_large
    body = bytearray()
    try:
        async with asyncio.timeout(limits.BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return 400, "the request was not finished"
                body += message.get("body", b"")
                if len(body) > limits.BODY_BYTES:
                    return too_large
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        return 408, "the request took too long to arrive"


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more."""
    is_read = False

    async def reading() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return reading
