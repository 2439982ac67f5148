"""What visitors do with a session: move, take back, give up, hand over, watch, listen.

Everything here runs in the server's one thread of control, and what has changed is in the file
before anybody is told.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial

from plies.search.decision import Decision
from plies.web import limits
from plies.web.messages import SessionText
from plies.web.models import Models
from plies.web.problems import Forbidden, NotHere, NotNow, TooMany
from plies.web.sessions.exchange import game_text
from plies.web.sessions.looking import Looking
from plies.web.sessions.room import OWNER, Listener, Pacing, Room, Visitor
from plies.web.sessions.session import PERSON
from plies.web.sessions.store import BadStore, Store
from plies.web.sessions.turns import Turns
from plies.web.thinking import Crew, IsGone


class Acts:
    """Changes sessions, keeps the changes in the file, and tells whoever listens."""

    def __init__(self, store: Store, helpers: Crew, models: Models):
        self.store = store
        self.helpers = helpers
        self.turns = Turns(helpers, models, self._moved, self._ended)
        self.looking = Looking(self.turns)

    async def move(self, room: Room, visitor: Visitor, ply: int, text: str) -> None:
        """A person moves."""
        room.check_ply(ply)
        session = room.session
        seat = session.mover
        if seat is None:
            raise NotNow("the game is over")
        room.check_seat(visitor, seat)
        self._sit_down(room, visitor)
        now = time.monotonic()
        move = session.find(text)
        session.play(Decision(move, line=(move,)), max(now - room.moved, 0.0), now)
        self._moved(room)

    def _moved(self, room: Room) -> None:
        """A move was made: keep it, tell it, go on.  What cannot be kept is not played."""
        session, ply = room.session, room.session.ply - 1
        try:
            self.store.append(room.name, ply, room.kept(ply))
        except BadStore:
            session.go_back(ply)
            self.turns.go_on(room)
            raise
        if session.end is not None:
            self.save(room)
        room.moved = time.monotonic()
        self._changed(room)

    def _ended(self, room: Room) -> None:
        """A game is over without a move."""
        self.save(room)
        self._changed(room)

    def _changed(self, room: Room) -> None:
        """Tell everybody, and let whoever is to move begin."""
        room.touch()
        self.turns.go_on(room)
        room.tell_all(time.monotonic())
        self.looking.changed(room)

    def save(self, room: Room) -> None:
        """Keep everything but the moves; a session that was put away is kept already."""
        if room.is_away:
            return
        over = room.session.end is not None
        self.store.save(room.name, room.head(), over, time.time())

    async def undo(self, room: Room, visitor: Visitor, ply: int) -> None:
        """Take moves back: the owner any, a player those that follow a move of theirs."""
        room.check_ply(ply)
        session = room.session
        if visitor.role != "owner":
            last = session.played[-1].player if session.played else OWNER
            if visitor.role == "watcher" or last != visitor.seat:
                raise Forbidden("only who made the last move, or began the game, may take it back")
        if not session.persons:
            raise NotNow("nobody plays here who could take a move back")
        session.undo()
        self.turns.stop(room)
        room.went_back()
        self.store.cut(room.name, session.ply)
        self.save(room)
        room.moved = time.monotonic()
        self._changed(room)

    async def resign(self, room: Room, visitor: Visitor, ply: int) -> None:
        """A person gives up: who is to move, if that is one of theirs, or the first of theirs."""
        room.check_ply(ply)
        session = room.session
        if session.end is not None:
            raise NotNow("the game is over")
        seats = room.seats_of(visitor)
        if not seats:
            raise Forbidden("only a person who plays may give up")
        self.turns.stop(room)
        session.stop_clock(time.monotonic())
        session.resign(session.mover if session.mover in seats else seats[0])
        self._ended(room)

    async def hand_over(self, room: Room, visitor: Visitor, seat: int, spec: str) -> None:
        """Let an agent, or a person, play a seat from now on."""
        session = room.session
        if not 0 <= seat < len(session.seats):
            raise NotHere(f"there is no seat {seat}; they are 0 to {len(session.seats) - 1}")
        if not (visitor.role == "player" and visitor.seat == seat):
            room.check_owner(visitor)
        who = PERSON
        if spec:
            who = (await self.helpers.run(partial(self.turns.model, spec, session.game))).spec
        self.turns.stop(room)
        session.hand_over(seat, who)
        room.taken.discard(seat)
        if room.pacing.problem:
            room.pacing = Pacing(False, room.pacing.seconds)
        self.turns.measure(room)
        self.save(room)
        self._changed(room)

    async def pace(self, room: Room, visitor: Visitor, is_paused: bool, seconds: float) -> None:
        """Let agents go on, or wait, or move faster or slower."""
        room.check_owner(visitor)
        if is_paused and not room.pacing.is_paused:
            self.turns.stop(room)
        room.pacing = Pacing(is_paused, seconds)
        self.save(room)
        self._changed(room)

    async def step(self, room: Room, visitor: Visitor, ply: int, is_gone: IsGone) -> None:
        """Let an agent make one move, paused or not, and wait for it."""
        room.check_owner(visitor)
        room.check_ply(ply)
        if not room.session.is_agents_turn:
            raise NotNow("it is no agent's turn")
        if room.pacing.is_paused:
            room.pacing.steps = 1
        await self._wait(room, lambda: room.session.ply != ply, is_gone)

    async def settle(self, room: Room, is_gone: IsGone) -> None:
        """Wait until it is a person's turn, or nothing more will happen by itself."""
        await self._wait(room, lambda: not self.turns.may_go_on(room), is_gone)

    async def _wait(self, room: Room, is_done: Callable[[], bool], is_gone: IsGone) -> None:
        end = time.monotonic() + limits.WAIT_SECONDS
        room.waiting += 1
        try:
            self.turns.go_on(room)
            while not is_done() and (left := end - time.monotonic()) > 0:
                if room.turn is None:
                    return  # the agent has failed, or the server is closing
                try:
                    async with asyncio.timeout(min(left, limits.GONE_SECONDS)):
                        await room.changed.wait()
                except TimeoutError:
                    if await is_gone():
                        return
        finally:
            room.waiting -= 1
            self.turns.go_on(room)

    # Listeners

    def join(self, room: Room, visitor: Visitor) -> Listener:
        """Somebody begins to listen."""
        if len(room.listeners) >= limits.LISTENERS:
            raise TooMany(f"{limits.LISTENERS} people watch this game, as many as there may be")
        listener = Listener(visitor)
        room.listeners.add(listener)
        self._changed_attendance(room)
        if not self._sit_down(room, visitor):
            listener.tell(self.news(room, visitor))
        return listener

    def leave(self, room: Room, listener: Listener) -> None:
        """Somebody listens no longer; where it was the last one, agents stop thinking."""
        listener.leave()
        room.listeners.discard(listener)
        self.looking.leave(room, listener)
        self._changed_attendance(room)

    def _changed_attendance(self, room: Room) -> None:
        room.touch()
        self.turns.go_on(room)
        if not room.is_attended and room.session.clocks.credit and room.session.end is None:
            self.save(room)

    def _sit_down(self, room: Room, visitor: Visitor) -> bool:
        """Whether somebody has come who was invited to a seat, for the first time."""
        if visitor.role != "player" or visitor.seat in room.taken:
            return False
        room.taken.add(visitor.seat)
        self.save(room)
        room.tell_all(time.monotonic())
        return True

    def news(self, room: Room, visitor: Visitor) -> str:
        return f'{{"type":"session","session":{room.view(visitor, time.monotonic())}}}'

    def text(self, room: Room) -> SessionText:
        """The position and the game, to be copied."""
        session = room.session
        end = session.end
        result = room.viewer.ending(end, session.state).text if end is not None else ""
        return SessionText(
            position=session.game.position_text(session.state),
            game=game_text(session, room.spec, result),
        )

    def close(self) -> None:
        """Stop all searches and begin no more."""
        self.looking.close()
        self.turns.close()
