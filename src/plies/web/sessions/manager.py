"""All sessions of a server: created, looked up, put away when idle, loaded when needed again.

Everything here runs in the server's event loop; what may take long, such as to compile a game
or to search, is done by `WorkerThreads`, and only the `writer` touches files.
"""

import asyncio
import secrets
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from plies.core.contract import Game
from plies.errors import BadSpec, PliesError
from plies.match import Clocks, Match
from plies.web import limits
from plies.web.catalogue import Catalogue
from plies.web.connections import address_of
from plies.web.free_memory import give_back
from plies.web.messages import CreateSession
from plies.web.problems import Closing, NotHere, TooMany, log_problem
from plies.web.sessions.database import BadStore, Missing
from plies.web.sessions.exchange import LoadedGame, read, replay
from plies.web.sessions.restoring import restored_room
from plies.web.sessions.room import Pacing, Room
from plies.web.sessions.service import SessionService
from plies.web.sessions.session import PERSON, Session
from plies.web.sessions.store import LOCAL, Store
from plies.web.sessions.visitors import OWNER, Visitor, hashed, new_key
from plies.web.sessions.writer import StoreWriter
from plies.web.warming import Warmer
from plies.web.worker_threads import WorkerThreads

NAME_BYTES = 9
MOST_READY = 1000  # games, each with its options


class SessionManager:
    """The sessions in memory, and the file of all of them."""

    def __init__(self, catalogue: Catalogue, folder: Path, warmer: Warmer | None = None):
        self.catalogue = catalogue
        self.store = Store(folder)
        self.rooms: dict[str, Room] = {}
        self.helpers = WorkerThreads("helper", limits.HELPERS)  # for whatever may compile
        self.writer = StoreWriter(self.store)
        self.warmer = warmer or Warmer(catalogue)
        self.service = SessionService(self.writer, self.helpers, catalogue.models, self.warmer)
        self.turns = self.service.turns
        self.is_closing = False
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._ready: set[str] = set()  # games whose rules are compiled

    # Sessions

    async def create(
        self, request: CreateSession, address: str = ""
    ) -> tuple[Room, str, list[str]]:
        """A new session, the key of its owner, and a key for every seat.

        Sessions are counted by the address of their owner.
        """
        if self.is_closing:
            raise Closing("the server is closing")
        await self._make_room()
        source = await self._source(request)
        await self.prepare(request.game)
        session = await self.helpers.run(partial(self._begin, request, source))
        game = session.match.game
        owner, invites = new_key(), [new_key() for _ in session.seats]
        keys = {hashed(owner): OWNER} | {hashed(key): seat for seat, key in enumerate(invites)}
        viewer = self.catalogue.viewer(game)
        name = secrets.token_urlsafe(NAME_BYTES)
        room = Room(name, game.spec, viewer, session, keys)
        room.pacing = Pacing(request.is_paused, request.seconds)
        self.turns.measure(room)
        live = frozenset(self.rooms)
        await self.writer.run(partial(self.store.create, room.as_new(), visitor_at(address), live))
        self.rooms[name] = room
        room.touch()
        self.turns.prepare(room)
        return room, owner, invites

    async def _source(self, request: CreateSession) -> Match | None:
        """The game that a new one begins as a copy of."""
        if request.copy_of is None:
            return None
        if request.text:
            raise BadSpec("a game begins with a text or as a copy, not both")
        source = (await self.room(request.copy_of.session)).match
        if request.copy_of.ply > source.ply:
            raise BadSpec(f"there are {source.ply} moves to copy, not {request.copy_of.ply}")
        return source

    def _begin(self, request: CreateSession, source: Match | None) -> Session:
        """The new session; in a helper's thread, because rules may have to be compiled."""
        game = self.catalogue.find(request.game)
        self._prepare(game)
        loaded = LoadedGame(game.initial(), [])
        if request.text:
            loaded = read(game, request.text)
        elif source is not None and request.copy_of is not None:
            if source.game.State is not game.State:
                raise BadSpec(f"that is a game of {source.game.spec}, not of {game.spec}")
            loaded = LoadedGame(source.states[0], source.moves[: request.copy_of.ply])
        players = game.players(loaded.start)
        seats = request.seats or [PERSON] * players
        agents = {spec: self.turns.model(spec, game).spec for spec in seats if spec}
        clock = request.clock
        clocks = Clocks(credit=clock.credit, increment=clock.increment) if clock else Clocks()
        seats = [agents.get(spec, PERSON) for spec in seats]
        session = Session(game, seats, loaded.start, clocks)
        replay(session, loaded)
        return session

    async def prepare(self, spec: str) -> None:
        """Let the rules of a game be compiled."""
        if spec not in self._ready:
            job = self.warmer.rules(spec)
            await self.warmer.run(self.helpers, partial(self._find_and_prepare, spec), job)

    def _find_and_prepare(self, spec: str) -> None:
        self._prepare(self.catalogue.find(spec))

    def _prepare(self, game: Game) -> None:
        """Compile the rules, so that they answer at once from then on."""
        if game.spec not in self._ready:
            self.catalogue.viewer(game).prepare()
            if len(self._ready) >= MOST_READY:
                self._ready.clear()
            self._ready.add(game.spec)

    async def _make_room(self) -> None:
        """Put away the oldest session that nobody attends to, or refuse."""
        if len(self.rooms) < limits.LIVE_SESSIONS:
            return
        rooms = self.rooms.values()  # one whose lock is taken is being put away already, or used
        idle = [room for room in rooms if not room.is_attended and not room.lock.locked()]
        if not idle:
            raise TooMany(f"{len(self.rooms)} games are being played here, as many as there may be")
        await self.put_away(min(idle, key=lambda room: room.touched))

    async def room(self, name: str) -> Room:
        """The session of that name, from memory or from the file."""
        if self.is_closing:
            raise Closing("the server is closing")
        if name in self.rooms:
            return self.rooms[name]
        if name not in self._loading:
            self._loading[name] = asyncio.ensure_future(self._load(name))
        room = await asyncio.shield(self._loading[name])
        return await self.room(name) if room.is_away else room  # deleted or put away meanwhile

    async def _load(self, name: str) -> Room:
        try:
            stored = await self.writer.run(partial(self.store.load, name))
            if stored is None:
                raise NotHere("there is no such game here; it may have expired")
            await self._make_room()
            head, moves = stored

            def restore() -> Room:
                game = self.catalogue.find(head.game)
                self._prepare(game)
                viewer = self.catalogue.viewer(game)
                return restored_room(name, head, moves, viewer)

            try:
                await self.prepare(head.game)
                room = await self.helpers.run(restore)
            except PliesError as error:
                raise NotHere(f"this game cannot be opened any more: {error}") from error
            self.turns.measure(room)
            self.rooms[name] = room
            room.touch()
            return room
        finally:
            del self._loading[name]

    async def delete(self, room: Room, visitor: Visitor) -> None:
        """Forget a session for good."""
        room.check_owner(visitor)
        await self.service.to_its_end(self._delete(room))

    async def _delete(self, room: Room) -> None:
        async with room.lock:
            if not room.is_away:
                await self.writer.run(partial(self.store.delete, room.name))
                self._forget(room)
        room.dismiss()

    # Housekeeping

    async def put_away(self, room: Room) -> None:
        """Out of memory, unless somebody comes meanwhile; it stays in the file."""
        touched = room.touched
        if room.has_clock or room.is_unsure:
            with suppress(Missing):
                await self.service.save_clocks(room)
        if not room.lock.locked() and not room.is_attended and room.touched == touched:
            self._forget(room)

    def _forget(self, room: Room) -> None:
        if room.is_away:  # there may be another one of the same session by now
            return
        self.turns.stop(room)
        self.turns.forget(room)
        room.is_away = True
        self.rooms.pop(room.name, None)

    async def sweep(self) -> None:
        """Now and then: put idle sessions away, delete old ones, tidy the file up."""
        while True:
            await asyncio.sleep(limits.SWEEP_SECONDS)
            try:
                await self._put_idle_away(time.monotonic())
                await self._free_memory(time.monotonic())
                await self.writer.run(partial(self.store.tidy_up, frozenset(self.rooms)))
            except Exception as error:  # such as a full disk: the next time may do better
                if not self.is_closing:
                    log_problem(f"tidying up failed: {error}")

    async def _put_idle_away(self, now: float) -> None:
        for room in list(self.rooms.values()):
            is_over = room.match.end is not None
            most = limits.OVER_SECONDS if is_over else limits.IDLE_SECONDS
            if not room.is_attended and room.touched < now - most:
                with suppress(BadStore):  # it stays in memory until it is stored
                    await self.put_away(room)

    async def _free_memory(self, now: float) -> None:
        """Forget what agents remember of games that nobody attends to, or that wait for long."""
        for room in self.rooms.values():
            if not room.is_attended and room.touched < now - limits.LEFT_SECONDS:
                self.turns.forget(room)
        self.turns.tables.forget_unused(limits.UNUSED_SECONDS)
        await asyncio.to_thread(give_back)

    def stop(self) -> None:
        """Begin nothing more, stop all searches, and let those who listen or wait go."""
        self.is_closing = True
        for room in list(self.rooms.values()):
            self._forget(room)
            is_stored = not (room.has_clock or room.is_unsure)
            if not is_stored and not room.lock.locked():  # else what is being stored is newer
                self.writer.write_unwatched(room.change_to(room.draft()))
            room.dismiss()
        self.service.close()
        self.helpers.close()

    def close(self) -> None:
        """Stop everything; the file is complete at any time."""
        self.stop()
        self.writer.close()


def visitor_at(address: str) -> str:
    """Whom an address stands for: itself, all of a network of version 6, or this machine."""
    counted = address_of(address) or address
    is_local = not counted or counted.startswith("127.") or counted == address_of("::1")
    return LOCAL if is_local else counted
