"""Tells those who listen to a session what is being compiled while its agents wait for that."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from plies.compiling.progress import Activity
from plies.web.messages import Compiling, CompilingNews
from plies.web.sessions.room import Room
from plies.web.warming import Warmer

TELL_SECONDS = 0.25  # from one news to the next, and before the first


class Waiting:
    """Of every session, how many wait, and the task that tells its listeners."""

    def __init__(self, warmer: Warmer):
        self.warmer = warmer
        self._counts: dict[str, int] = {}
        self._telling: dict[str, asyncio.Task[None]] = {}

    @contextmanager
    def shown(self, room: Room) -> Iterator[None]:
        """Within it the room hears what is being compiled; afterwards, that nothing is."""
        name = room.name
        self._counts[name] = self._counts.get(name, 0) + 1
        if name not in self._telling:
            self._telling[name] = asyncio.ensure_future(self._tell(room))
        try:
            yield
        finally:
            self._counts[name] -= 1
            if not self._counts[name]:
                del self._counts[name]
                self._telling.pop(name).cancel()

    async def _tell(self, room: Room) -> None:
        is_told = False
        try:
            while True:
                await asyncio.sleep(TELL_SECONDS)
                activity = self.warmer.activity()
                if activity or is_told:
                    tell(room, activity)
                    is_told = activity is not None
        finally:
            if is_told:
                tell(room, None)


def tell(room: Room, activity: Activity | None) -> None:
    message = CompilingNews(compiling=compiling_view(activity)).model_dump_json()
    for listener in list(room.listeners):
        listener.tell(message)


def compiling_view(activity: Activity | None) -> Compiling | None:
    """What is being compiled as a page shows it."""
    if activity is None:
        return None
    return Compiling(
        subject=activity.subject,
        done=activity.done,
        expected=activity.expected,
        share=round(activity.share, 3),
        seconds=round(activity.seconds, 1),
    )
