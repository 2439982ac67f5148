"""Those who come to a session: by which key, in which role, and what they are sent."""

import asyncio
import hashlib
import secrets
from collections import deque
from dataclasses import dataclass
from typing import Literal

from plies.web import limits

OWNER = -1  # the seat of a key that is for all of them
KEY_BYTES = 16

Role = Literal["owner", "player", "watcher"]


@dataclass(frozen=True)
class Visitor:
    """Somebody who came with a key, or without."""

    role: Role
    seat: int = OWNER


WATCHER = Visitor("watcher")


class Listener:
    """Somebody at the other end of a web socket, who is told what happens."""

    def __init__(self, visitor: Visitor):
        self.visitor = visitor
        self.inside: int | None = None  # the ply that it looks inside
        self.is_gone = False
        self._unread: deque[str] = deque()
        self._news = asyncio.Event()

    def tell(self, message: str) -> None:
        """Send it soon; who reads too slowly is let go, and may come back."""
        if len(self._unread) >= limits.UNREAD:
            self.leave()
            return
        self._unread.append(message)
        self._news.set()

    def leave(self) -> None:
        self.is_gone = True
        self._news.set()

    async def next(self) -> str | None:
        """The next message, None when it is over."""
        while not self._unread and not self.is_gone:
            self._news.clear()
            await self._news.wait()
        return None if self.is_gone else self._unread.popleft()


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
