"""What visitors do with a session: move, take back, give up, hand over, watch, listen.

Everything here runs in the server's event loop.  Every change goes one way: it is made on a draft
and stored; only then the room adopts it and shows it to all.  What cannot be stored has not
happened.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from plies.compiling.compile_time import counting_into
from plies.errors import PliesError
from plies.search.decision import Decision
from plies.web import limits
from plies.web.messages import ProblemNews, SessionText
from plies.web.models import Models
from plies.web.problems import Closing, Forbidden, NotHere, NotNow, TooMany
from plies.web.sessions.analysis import Analysis
from plies.web.sessions.database import BadStore
from plies.web.sessions.exchange import game_text
from plies.web.sessions.room import Draft, Pacing, Room
from plies.web.sessions.session import PERSON
from plies.web.sessions.turns import Turns
from plies.web.sessions.visitors import OWNER, Listener, Visitor
from plies.web.sessions.writer import StoreWriter
from plies.web.warming import Warmer
from plies.web.worker_threads import IsGone, WorkerThreads

Edit = Callable[[Draft], None]


class Superseded(PliesError):
    """A move of an agent, or a fallen flag, of a position that is no longer on the board."""


class SessionService:
    """Knows who may do what; every change of a session is made, stored and shown by it."""

    def __init__(self, writer: StoreWriter, helpers: WorkerThreads, models: Models, warmer: Warmer):
        self.writer = writer
        self.helpers = helpers
        self.turns = Turns(helpers, models, self._play_for_agent, self._lose_on_time, warmer)
        self.analysis = Analysis(self.turns)
        self._changing: set[asyncio.Task[None]] = set()

    # The way of every change

    async def _change(self, room: Room, edit: Edit) -> None:
        """Change a session as `edit` changes a draft of it.

        Whatever `edit` refuses, or cannot be stored, leaves everything as it is.
        """
        await self.to_its_end(self._store_and_adopt(room, edit))

    async def _store_and_adopt(self, room: Room, edit: Edit) -> None:
        async with room.lock:
            if room.is_away:
                raise Closing("this game was just put away or deleted; try again")
            draft = room.draft()
            with counting_into(room.compile_time):
                edit(draft)
            await self._store(room, draft)
            if draft.session.seats != room.session.seats:
                self.turns.stop(room)  # who thinks may not play any more
            room.adopt(draft)
        room.touch()
        self.turns.go_on(room)
        room.tell_all(room.now())
        self.analysis.changed(room)

    async def to_its_end(self, work: Coroutine[Any, Any, None]) -> None:
        """Do it wholly, even if whoever waits for it goes: what is stored must be adopted."""
        await asyncio.shield(self._begin(work))

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let it run, whoever waits for it."""
        task = asyncio.ensure_future(work)
        self._changing.add(task)
        task.add_done_callback(self._changing.discard)
        return task

    async def save_clocks(self, room: Room) -> None:
        """Store what is left on the clocks, which nobody sees run."""
        async with room.lock:
            if not room.is_away:
                await self._store(room, room.draft())

    async def _store(self, room: Room, draft: Draft) -> None:
        """Store a draft; after a failure the whole session is stored the next time."""
        change = room.change_to(draft)
        room.is_unsure = True
        await self.writer.write(change)
        room.is_unsure = False

    # What people do

    async def play(self, room: Room, visitor: Visitor, ply: int, text: str) -> None:
        """A person moves."""
        now = room.now()

        def edit(draft: Draft) -> None:
            room.check_ply(ply)
            session, mover = draft.session, draft.match.mover
            if mover is None:
                raise NotNow("the game is over")
            room.check_seat(visitor, mover)
            if session.has_run_out(now):
                raise NotNow("your time is up")
            draft.take_seat(visitor)
            move = session.find(text)
            session.play(Decision(move, line=(move,)), max(now - room.moved, 0.0), now)

        await self._change(room, edit)

    async def undo(self, room: Room, visitor: Visitor, ply: int) -> None:
        """Take moves back: the owner any, a player those that follow a move of theirs."""

        def edit(draft: Draft) -> None:
            room.check_ply(ply)
            session, records = draft.session, draft.match.records
            if visitor.role != "owner":
                last = records[-1].player if records else OWNER
                if visitor.role == "watcher" or last != visitor.seat:
                    raise Forbidden(
                        "only who made the last move, or began the game, may take it back"
                    )
            if not session.persons:
                raise NotNow("nobody plays here who could take a move back")
            session.undo()

        await self._change(room, edit)

    async def resign(self, room: Room, visitor: Visitor, ply: int) -> None:
        """A person gives up: who is to move, if that is one of theirs, or the first of theirs."""

        def edit(draft: Draft) -> None:
            room.check_ply(ply)
            mover = draft.match.mover
            if mover is None:
                raise NotNow("the game is over")
            seats = room.seats_of(visitor)
            if not seats:
                raise Forbidden("only a person who plays may give up")
            draft.session.resign(mover if mover in seats else seats[0], room.now())

        await self._change(room, edit)

    async def hand_over(self, room: Room, visitor: Visitor, seat: int, spec: str) -> None:
        """Let an agent, or a person, play a seat from now on."""
        seats = room.session.seats
        if not 0 <= seat < len(seats):
            raise NotHere(f"there is no seat {seat}; they are 0 to {len(seats) - 1}")
        if not (visitor.role == "player" and visitor.seat == seat):
            room.check_owner(visitor)
        who = PERSON
        if spec:
            who = (await self.helpers.run(partial(self.turns.model, spec, room.match.game))).spec
            self.turns.measure(room, who)

        def edit(draft: Draft) -> None:
            draft.session.seats[seat] = who
            draft.taken.discard(seat)
            if draft.pacing.problem:
                draft.pacing = Pacing(False, draft.pacing.seconds)

        await self._change(room, edit)

    async def pace(self, room: Room, visitor: Visitor, is_paused: bool, seconds: float) -> None:
        """Let agents go on, or wait, or move faster or slower."""
        room.check_owner(visitor)

        def edit(draft: Draft) -> None:
            draft.pacing = Pacing(is_paused, seconds)

        await self._change(room, edit)

    # What happens by itself

    async def _play_for_agent(
        self, room: Room, state: Any, agent: str, decision: Decision, seconds: float
    ) -> None:
        """An agent has decided, after so many seconds, in a position."""
        now = room.now()

        def edit(draft: Draft) -> None:
            session, pacing, mover = draft.session, draft.pacing, draft.match.mover
            is_held = pacing.is_paused and not pacing.steps
            is_turn = mover is not None and session.seats[mover] == agent
            if draft.match.state is not state or not is_turn or is_held:
                raise Superseded("the game has gone on")
            if session.has_run_out(now):
                raise Superseded("its time is up, which is about to be stored")
            session.play(decision, seconds, now)
            pacing.steps = max(pacing.steps - 1, 0)

        with suppress(Superseded):
            await self._change(room, edit)

    async def _lose_on_time(self, room: Room) -> None:
        """A flag has fallen."""
        now, state = room.now(), room.match.state

        def edit(draft: Draft) -> None:
            if draft.match.state is not state or draft.match.mover is None:
                raise Superseded("the game has gone on")
            draft.session.lose_on_time(now)

        with suppress(Superseded, Closing):
            await self._change(room, edit)

    async def step(self, room: Room, visitor: Visitor, ply: int, is_gone: IsGone) -> None:
        """Let an agent make one move, paused or not, and wait for it."""
        room.check_owner(visitor)
        room.check_ply(ply)
        if not room.session.is_agents_turn:
            raise NotNow("it is no agent's turn")
        async with room.lock:
            room.check_ply(ply)  # a move may have been stored while this waited
            if room.pacing.is_paused:
                room.pacing.steps = 1
        await self._wait(room, lambda: room.match.ply != ply, is_gone)

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

    async def join(self, room: Room, visitor: Visitor) -> Listener:
        """Somebody begins to listen; who was invited to a seat takes it."""
        if len(room.listeners) >= limits.LISTENERS:
            raise TooMany(f"{limits.LISTENERS} people watch this game, as many as there may be")
        listener = Listener(visitor)
        room.listeners.add(listener)
        self._change_attendance(room)
        try:
            await self._seat(room, listener)
        except BaseException:
            self.leave(room, listener)
            raise
        return listener

    async def _seat(self, room: Room, listener: Listener) -> None:
        """Who was invited takes the seat, for the first time; everybody is shown the game."""
        visitor = listener.visitor
        if visitor.role == "player" and visitor.seat not in room.taken:
            try:
                await self._change(room, lambda draft: draft.take_seat(visitor))
                return
            except PliesError as error:
                listener.tell(ProblemNews(error=str(error)).model_dump_json())
        listener.tell(self.news(room, visitor))

    def leave(self, room: Room, listener: Listener) -> None:
        """Somebody listens no longer; where it was the last one, agents stop thinking."""
        listener.leave()
        room.listeners.discard(listener)
        self.analysis.leave(room, listener)
        self._change_attendance(room)

    def _change_attendance(self, room: Room) -> None:
        room.touch()
        self.turns.go_on(room)
        if not room.is_attended and room.has_clock:
            self._begin(self._save_clocks_quietly(room))

    async def _save_clocks_quietly(self, room: Room) -> None:
        with suppress(BadStore, Closing):  # the room stays in memory until they are stored
            await self.save_clocks(room)

    def news(self, room: Room, visitor: Visitor) -> str:
        return f'{{"type":"session","session":{room.view(visitor, room.now())}}}'

    def text(self, room: Room) -> SessionText:
        """The position and the game, to be copied."""
        match, end = room.match, room.match.end
        result = room.viewer.ending(end, match.state).text if end is not None else ""
        return SessionText(
            position=match.game.position_text(match.state),
            game=game_text(room.session, room.spec, result),
        )

    def close(self) -> None:
        """Stop all searches and begin no more."""
        self.analysis.close()
        self.turns.close()
