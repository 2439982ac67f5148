"""Connections: how many there are, whose they are, and how long they may wait for a request.

All of this is decided before a request is read, so that nobody needs a token for it.  Three
rules keep a server open to everybody while somebody holds connections that ask for nothing:

    time      a connection without a complete request head is closed after `HEAD_SECONDS`,
              however many bytes of it have come; one whose answers are not read as well
    address   one address (of IPv6: one network of 64 bits) has a limit of its own
    room      where a limit is reached, the connection that has waited longest for a request makes
              room for the new one, whether it has ever sent one or not: who comes in honesty
              sends a request at once
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from math import inf

from plies.web import limits

FORWARDED = b"x-forwarded-for"


@dataclass(eq=False)
class Held:
    """One connection.

    `address` is whom it is counted for, `deadline` when it is closed unless a request head has
    come.  `unsent` bytes were left to be read by the other end at the last look at it, and by
    `stalled` some of them must have been.
    """

    transport: asyncio.Transport
    address: str
    deadline: float
    is_socket: bool = False
    visitor: str = ""  # whom a web socket is counted for
    unsent: int = 0
    stalled: float = inf


class Refusal(Exception):
    """A connection that is not taken: the status and the line that say why."""

    def __init__(self, status: int, error: str):
        super().__init__(error)
        self.status = status


class Connections:
    """All connections of a server; `proxy` is an address that is trusted to limit its visitors."""

    def __init__(self, proxy: str = "", most: int = limits.CONNECTIONS):
        self.proxy = address_of(proxy)
        self.most = most
        self._held: dict[asyncio.Transport, Held] = {}
        self._waiting: dict[Held, None] = {}  # for a request, the longest first
        self._by_address: Counter[str] = Counter()
        self._sockets: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._held)

    def add(self, transport: asyncio.Transport, peer: str) -> None:
        """Take a new connection; `Refusal` where all that might make room for it are in use."""
        address = address_of(peer)
        is_many = self._by_address[address] >= limits.ADDRESS_CONNECTIONS
        if is_many and address != self.proxy and not self._make_room(address):
            raise Refusal(429, "too many connections are open from your address; close some pages")
        if len(self._held) >= self.most and not self._make_room():
            raise Refusal(503, "all connections of this server are in use; try again in a moment")
        self._held[transport] = held = Held(transport, address, inf)
        self._by_address[address] += 1
        self._wait(held)

    def expect_request(self, transport: asyncio.Transport) -> None:
        """An answer is complete: another request may come."""
        if (held := self._held.get(transport)) is not None:
            self._wait(held)

    def note_head(self, transport: asyncio.Transport) -> None:
        """The head of a request is there; its body is waited for, but not for long."""
        if (held := self._held.get(transport)) is not None:
            held.deadline = inf

    def note_request(self, transport: asyncio.Transport) -> None:
        """All of a request is there: from now on this connection makes room for no other."""
        if (held := self._held.get(transport)) is not None:
            held.deadline = inf
            self._waiting.pop(held, None)

    def upgrade(
        self, transport: asyncio.Transport, headers: Iterable[tuple[bytes, bytes]] = ()
    ) -> None:
        """Let a connection become a web socket, or say why not."""
        held = self._held.get(transport)
        if held is None:
            return
        visitor = held.address
        if visitor == self.proxy:  # which names the visitor last
            values = [value for name, value in headers if name == FORWARDED]
            visitor = address_of(values[-1].decode("latin-1").split(",")[-1]) if values else visitor
        if self._sockets[visitor] >= limits.ADDRESS_SOCKETS:
            raise Refusal(429, "too many pages are open from your address; close some")
        if self._sockets.total() >= limits.SOCKETS:
            raise Refusal(503, "too many pages are open on this server; try again in a moment")
        self._sockets[visitor] += 1
        held.is_socket, held.visitor = True, visitor
        self.note_request(transport)

    def remove(self, transport: asyncio.Transport) -> None:
        """A connection has ended."""
        held = self._held.pop(transport, None)
        if held is None:
            return
        self._waiting.pop(held, None)
        _count_down(self._by_address, held.address)
        if held.is_socket:
            _count_down(self._sockets, held.visitor)

    def sweep(self, now: float) -> list[asyncio.Transport]:
        """Connections whose time is over; now and then."""
        return [held.transport for held in self._held.values() if _is_over(held, now)]

    def _wait(self, held: Held) -> None:
        held.deadline = time.monotonic() + limits.HEAD_SECONDS
        self._waiting.pop(held, None)
        self._waiting[held] = None

    def _make_room(self, address: str | None = None) -> bool:
        """Close a connection (of an address) that waits for a request, if there is one."""
        waiting = (held for held in self._waiting if address in (None, held.address))
        if (found := next(waiting, None)) is None:
            return False
        self.remove(found.transport)  # the transport itself says so only later
        found.transport.abort()
        return True


def address_of(peer: str) -> str:
    """Whom a connection is counted for: an address, or the network of an IPv6 address."""
    try:
        address = ip_address(peer.strip().partition("%")[0])
    except ValueError:  # a socket of this machine, or none at all
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, limits.ADDRESS_BITS), strict=False))


def _is_over(held: Held, now: float) -> bool:
    """Whether a connection has waited too long, for a request or for its answer to be read."""
    unsent = held.transport.get_write_buffer_size()
    if not unsent:
        held.unsent, held.stalled = 0, inf
        return now >= held.deadline
    if now < held.stalled and held.unsent:
        return False
    is_stalled = bool(held.unsent) and unsent > held.unsent - limits.LEAST_READ
    held.unsent, held.stalled = unsent, now + limits.READ_SECONDS
    return is_stalled


def _count_down(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
