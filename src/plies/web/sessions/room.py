"""A session in memory: who may do what, who listens, and the session as each of them sees it."""

import asyncio
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from plies.agents import Agent
from plies.compiling.compile_time import CompileTime
from plies.core.result_text import player_name
from plies.match import Match
from plies.web.problems import Forbidden, Stale
from plies.web.sessions.session import PERSON, Session
from plies.web.sessions.store import Change, Head, StoredMove
from plies.web.sessions.visitors import OWNER, WATCHER, Listener, Visitor, hashed
from plies.web.shares import Scale
from plies.web.view import Viewer, dumps


@dataclass
class Pacing:
    """Whether agents wait to be told to move, and the least seconds from move to move."""

    is_paused: bool = False
    seconds: float = 0.5
    steps: int = 0  # moves that they may make although they are paused
    problem: str = ""  # why an agent has paused the game, if it has


@dataclass
class Draft:
    """Everything of a session that is stored and can change.

    A change is made on a draft; only once that is stored does the room adopt it.
    """

    session: Session
    pacing: Pacing
    taken: set[int]

    @property
    def match(self) -> Match:
        return self.session.match

    def take_seat(self, visitor: Visitor) -> None:
        """Somebody who was invited to a seat has come."""
        if visitor.role == "player":
            self.taken.add(visitor.seat)


@dataclass
class Room:
    """One session with everybody who has to do with it."""

    name: str
    spec: str
    viewer: Viewer
    session: Session
    keys: dict[str, int]  # hash of a key -> its seat
    pacing: Pacing = field(default_factory=Pacing)
    taken: set[int] = field(default_factory=set)
    listeners: set[Listener] = field(default_factory=set)
    waiting: int = 0  # requests that wait for agents
    agents: dict[str, Agent] = field(default_factory=dict)
    scales: dict[str, Scale] = field(default_factory=dict)
    turn: asyncio.Task[None] | None = None
    flag: asyncio.TimerHandle | None = None
    is_thinking: bool = False
    is_away: bool = False  # out of memory: whoever still has it must not keep it again
    is_unsure: bool = False  # whether the file is as the room is: something could not be stored
    touched: float = 0.0
    compile_time: CompileTime = field(default_factory=CompileTime)  # that this game waited for
    moved: float = field(default_factory=lambda: time.monotonic())  # the last move, by `now`
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # held from draft to adoption
    _played: list[str] = field(default_factory=list)
    _position: tuple[int, bool, str] | None = None

    def now(self) -> float:
        """The time of the clocks, which stands still while the compiler works for this game."""
        return time.monotonic() - self.compile_time.seconds

    def touch(self) -> None:
        """Somebody has to do with it."""
        self.touched = time.monotonic()

    @property
    def match(self) -> Match:
        """The game, which changes only by `adopt`."""
        return self.session.match

    @cached_property
    def start(self) -> str:
        """The position that the game began with."""
        return self.match.game.position_text(self.match.states[0])

    # Who may do what

    def visitor(self, key: str) -> Visitor:
        """Whoever has this key."""
        seat = self.keys.get(hashed(key)) if key else None
        if seat is None:
            return WATCHER
        return Visitor("owner") if seat == OWNER else Visitor("player", seat)

    def seats_of(self, visitor: Visitor) -> list[int]:
        """The seats that somebody may move for."""
        persons = self.session.persons
        if visitor.role == "owner":
            return [seat for seat in persons if seat not in self.taken]
        return [seat for seat in persons if visitor.role == "player" and seat == visitor.seat]

    def check_seat(self, visitor: Visitor, seat: int) -> None:
        """Refuse whoever may not move for a seat."""
        if seat in self.seats_of(visitor):
            return
        name = player_name(self.match.game, seat)
        if visitor.role == "watcher":
            raise Forbidden("you are watching this game: only its players may do that")
        if self.session.seats[seat] != PERSON:
            raise Forbidden(f"{name} is played by an agent")
        raise Forbidden(f"it is for {name} to do that")

    def check_owner(self, visitor: Visitor) -> None:
        if visitor.role != "owner":
            raise Forbidden("only who began this game may do that")

    def check_ply(self, ply: int) -> None:
        """Refuse what concerns another position than the one on the board."""
        if ply != self.match.ply:
            raise Stale(f"the game has gone on: {self.match.ply} moves are played, not {ply}")

    # What is shown

    @property
    def is_attended(self) -> bool:
        """Whether anybody listens or waits."""
        return bool(self.listeners or self.waiting)

    @property
    def has_clock(self) -> bool:
        """Whether there is time left that must be stored when nobody is there any more."""
        return bool(self.match.clocks.credit) and self.match.end is None

    def view(self, visitor: Visitor, now: float) -> str:
        """The session as JSON of a `SessionView`.

        What was shown before is kept as text: a long game costs no more than a short one.
        """
        match, clocks, end = self.match, self.match.clocks, self.match.end
        clock = {"credit": clocks.credit, "increment": clocks.increment} if clocks.credit else None
        pace = {"is_paused": self.pacing.is_paused, "seconds": self.pacing.seconds}
        ending = "null" if end is None else self.viewer.ending(end, match.state).model_dump_json()
        about = {"id": self.name, "game": self.spec, "title": match.game.title}
        parts = (
            dumps(about)[1:-1],
            f'"start":{dumps(self.start)}',
            f'"seats":{dumps(self._seats(now))}',
            f'"ply":{match.ply}',
            f'"position":{self._position_text()}',
            f'"played":[{",".join(self._played_texts())}]',
            f'"ending":{ending}',
            f'"pace":{dumps(pace)}',
            f'"problem":{dumps(self.pacing.problem)}',
            f'"clock":{dumps(clock)}',
            f'"is_thinking":{dumps(self.is_thinking)}',
            f'"role":"{visitor.role}"',
            f'"yours":{self.seats_of(visitor)}',
        )
        return "{" + ",".join(parts) + "}"

    def _seats(self, now: float) -> list[dict[str, Any]]:
        session = self.session
        left = session.seconds_left(now)
        return [
            {
                "name": self.viewer.table.sides[seat],
                "agent": who,
                "is_taken": seat in self.taken,
                "left": round(left[seat], 2) if self.match.clocks.credit else None,
            }
            for seat, who in enumerate(session.seats)
        ]

    def _position_text(self) -> str:
        match = self.match
        known = (match.ply, match.end is None)
        if self._position is None or self._position[:2] != known:
            shown = self.viewer.at(match, match.ply, self.session.offers()).model_dump_json()
            self._position = (*known, shown)
        return self._position[2]

    def _played_texts(self) -> list[str]:
        match = self.match
        for ply in range(len(self._played), match.ply):
            scale = self.scales.get(self.session.players[ply])
            record = match.records[ply]
            shown = self.viewer.played(match.states[ply], match.moves[ply], record, scale)
            self._played.append(shown.model_dump_json())
        return self._played

    def tell_all(self, now: float) -> None:
        """Show everybody the session as it is now."""
        shown: dict[Visitor, str] = {}
        for listener in list(self.listeners):
            who = listener.visitor
            if who not in shown:
                shown[who] = f'{{"type":"session","session":{self.view(who, now)}}}'
            listener.tell(shown[who])
        self.changed.set()
        self.changed = asyncio.Event()

    def dismiss(self) -> None:
        """Let everybody go who listens or waits."""
        for listener in list(self.listeners):
            listener.leave()
        self.changed.set()

    # Changes

    def draft(self) -> Draft:
        return Draft(self.session.copy(), replace(self.pacing), set(self.taken))

    def adopt(self, draft: Draft) -> None:
        """Be as the draft is, which is stored."""
        before, after = self.match, draft.match
        del self._played[_moves_in_common(before, after) :]
        if after.ply != before.ply:
            self.moved = self.now()
        elif after.end is None:  # it may have been started or stopped while this was stored
            draft.session.continue_clock(self.session)
        self._position = None
        self.session, self.pacing, self.taken = draft.session, draft.pacing, draft.taken

    def change_to(self, draft: Draft) -> Change:
        """What has to be stored for the room to become as the draft is."""
        match = draft.match
        ply = 0 if self.is_unsure else _moves_in_common(self.match, match)
        moves = _moves_from(ply, draft.session)
        head = None if self._is_only_move(draft) else self._head(draft)
        return Change(self.name, head, match.end is not None, ply, moves)

    def as_new(self) -> Change:
        """The whole of it."""
        moves = _moves_from(0, self.session)
        is_over = self.match.end is not None
        return Change(self.name, self._head(self.draft()), is_over, 0, moves)

    def _is_only_move(self, draft: Draft) -> bool:
        """Whether nothing has changed but by a move, which tells what is left on the clocks."""
        before, after = self.match, draft.match
        return (
            not self.is_unsure
            and after.ply == before.ply + 1
            and after.end is None
            and draft.session.seats == self.session.seats
            and draft.taken == self.taken
            and draft.pacing.is_paused == self.pacing.is_paused
            and draft.pacing.seconds == self.pacing.seconds
        )

    def _head(self, draft: Draft) -> Head:
        match, end = draft.match, draft.match.end
        is_given_up = end is not None and bool(end.faults)
        return Head(
            game=self.spec,
            start=self.start,
            seats=list(draft.session.seats),
            keys=self.keys,
            taken=sorted(draft.taken),
            clock=(match.clocks.credit, match.clocks.increment),
            left=list(match.left[-1]),
            ply=match.ply,
            is_paused=draft.pacing.is_paused,
            seconds=draft.pacing.seconds,
            ending=vars(end) if is_given_up and end is not None else None,
        )


def _moves_in_common(one: Match, other: Match) -> int:
    """With how many moves a game and a changed copy of it both begin."""
    ply = min(one.ply, other.ply)
    while ply and one.records[ply - 1] is not other.records[ply - 1]:
        ply -= 1
    return ply


def _moves_from(ply: int, session: Session) -> list[StoredMove]:
    """The moves of a session as they are stored, from the one after `ply` on."""
    match = session.match
    return [
        StoredMove(match.moves[at], match.records[at], session.players[at], match.left[at + 1])
        for at in range(ply, match.ply)
    ]
