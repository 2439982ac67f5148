"""Those who look inside: analyses of positions, and the values of a whole game.

One analysis of a position serves everybody who looks at it; it stops with the last of them.
"""

import asyncio
from functools import partial

from plies.errors import PliesError
from plies.search.runner import StopFlag
from plies.web import limits
from plies.web.messages import Hint, Inside, InsideNews, ProblemNews, ValuesNews
from plies.web.problems import Forbidden, NotNow, TooMany
from plies.web.sessions.inside import PositionAnalysis, hint, quick_share, searchers_of
from plies.web.sessions.room import Room
from plies.web.sessions.turns import Turns
from plies.web.sessions.visitors import Listener, Visitor
from plies.web.shares import share_of
from plies.web.worker_threads import WorkerThreads

ANALYSES_KEPT = 500
VALUED_AT_ONCE = 8  # plies
Place = tuple[str, str]  # a game's spec and the text of a position


class Analysis:
    """The analyses that run, and the results of those that have ended."""

    def __init__(self, turns: Turns):
        self.turns = turns
        self.threads = WorkerThreads("analysis", limits.ANALYSES)
        self._running: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._valuing: dict[str, asyncio.Task[None]] = {}
        self._hinting: set[str] = set()  # rooms in which somebody waits for a hint
        self._results: dict[Place, Inside] = {}
        self._shares: dict[Place, float | None] = {}

    def look(self, room: Room, listener: Listener, ply: int | None) -> None:
        """A listener looks at another position, or no longer at any."""
        before, listener.inside = listener.inside, ply
        if before is not None and before != ply:
            self._leave(room, before)
        if ply is None:
            return
        if ply > room.match.ply:
            listener.inside = None
            return
        if known := self._results.get(place_of(room, ply)):
            listener.tell(_news(known, ply))
        elif (room.name, ply) not in self._running:
            task = asyncio.ensure_future(self._analyse(room, ply))
            self._running[room.name, ply] = task
        self.changed(room)

    def changed(self, room: Room) -> None:
        """A session has gone on or back: those who look inside see the values of all plies."""
        for name, ply in list(self._running):
            if name == room.name and ply > room.match.ply:
                self._running.pop((name, ply)).cancel()
        if not any(listener.inside is not None for listener in room.listeners):
            return
        if room.viewer.is_zero_sum and room.name not in self._valuing:
            self._valuing[room.name] = asyncio.ensure_future(self._value(room))

    def leave(self, room: Room, listener: Listener) -> None:
        """A listener has gone."""
        self.look(room, listener, None)
        is_looked_at = any(other.inside is not None for other in room.listeners)
        if not is_looked_at and (valuing := self._valuing.get(room.name)):
            valuing.cancel()

    def _leave(self, room: Room, ply: int) -> None:
        if (room.name, ply) in self._running and not self._watchers(room, ply):
            self._running.pop((room.name, ply)).cancel()

    def _watchers(self, room: Room, ply: int) -> list[Listener]:
        return [listener for listener in room.listeners if listener.inside == ply]

    async def _analyse(self, room: Room, ply: int) -> None:
        """Search one position, and tell whoever looks at it."""
        match, stop, loop = room.match, StopFlag(), asyncio.get_running_loop()
        state, place = match.states[ply], place_of(room, ply)

        def send(inside: Inside) -> None:
            for listener in self._watchers(room, ply):
                listener.tell(_news(inside, ply))

        def tell(inside: Inside) -> None:
            if not stop.is_set:
                loop.call_soon_threadsafe(send, inside)

        try:
            if match.game.is_over(state):
                send(Inside(ply=ply, is_done=True, thinking=None, depth=0, values=[]))
                return
            for agent in searchers_of(room.viewer).all(room.viewer):
                await self.turns.warm(room, agent, state)
            seconds = limits.ANALYSIS_SECONDS / (1 + self.threads.waiting)
            past, tables = match.keys[:ply], self.turns.tables
            analysis = PositionAnalysis(room.viewer, state, ply, past, stop, tell, seconds, tables)
            result = await self.threads.run(analysis.run)
            if len(self._results) >= ANALYSES_KEPT:
                self._results.clear()
            self._results[place] = result
            send(result)
        except PliesError as error:
            problem = ProblemNews(error=f"nothing can be seen inside: {error}").model_dump_json()
            for listener in self._watchers(room, ply):
                listener.tell(problem)
        finally:
            stop.stop()
            if self._running.get((room.name, ply)) is asyncio.current_task():
                del self._running[room.name, ply]

    async def _value(self, room: Room) -> None:
        """Value every position of a game, and tell it as far as it is known."""
        stop = StopFlag()
        try:
            while any(listener.inside is not None for listener in room.listeners):
                plies = range(room.match.ply + 1)
                places = [place_of(room, ply) for ply in plies]
                unknown = [ply for ply in plies if places[ply] not in self._shares]
                values = [self._shares.get(place) for place in places]
                if room.match.end is not None and values[-1] is not None:
                    values[-1] = share_of(room.match.end.payoffs)
                message = ValuesNews(values=values).model_dump_json()
                for listener in room.listeners:
                    if listener.inside is not None:
                        listener.tell(message)
                if not unknown:
                    return
                await self._value_some(room, unknown[-VALUED_AT_ONCE:], stop)
        except PliesError:
            return  # the analysis says what is wrong
        finally:
            stop.stop()
            self._valuing.pop(room.name, None)

    async def _value_some(self, room: Room, plies: list[int], stop: StopFlag) -> None:
        viewer, states = room.viewer, [room.match.states[ply] for ply in plies]
        places = [place_of(room, ply) for ply in plies]
        await self.turns.warm(room, searchers_of(viewer).line(viewer, 1), states[0])
        tables = self.turns.tables
        shares = await self.threads.run(
            lambda: [quick_share(viewer, state, stop, tables) for state in states]
        )
        if len(self._shares) >= limits.VALUES_KEPT:
            self._shares.clear()
        self._shares.update(zip(places, shares, strict=True))

    async def hint(self, room: Room, visitor: Visitor, ply: int) -> Hint:
        """A good move in the position on the board."""
        room.check_ply(ply)
        match, stop = room.match, StopFlag()
        if visitor.role == "watcher":
            raise Forbidden("you are watching this game: only its players may do that")
        if match.mover is None:
            raise NotNow("the game is over")
        if room.name in self._hinting:
            raise TooMany("a hint is on its way already")
        self._hinting.add(room.name)
        try:
            agent = searchers_of(room.viewer).line(room.viewer, limits.HINT_SECONDS)
            await self.turns.warm(room, agent, match.state)
            about = (room.viewer, match.state, ply, match.keys[:-1])
            return await self.turns.threads.run(partial(hint, *about, stop, self.turns.tables))
        finally:
            stop.stop()
            self._hinting.discard(room.name)

    def close(self) -> None:
        for task in (*self._running.values(), *self._valuing.values()):
            task.cancel()
        self.threads.close()


def place_of(room: Room, ply: int) -> Place:
    return room.spec, room.match.game.position_text(room.match.states[ply])


def _news(inside: Inside, ply: int) -> str:
    """A result, of whichever game the position was, with its ply in this one."""
    own = inside.thinking.model_copy(update={"ply": ply}) if inside.thinking else None
    shown = inside.model_copy(update={"ply": ply, "thinking": own})
    return InsideNews(inside=shown).model_dump_json()
