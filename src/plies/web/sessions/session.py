"""A match as a browser plays it: its seats, its clocks, and the moves that are offered."""

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

from plies.core.contract import Game
from plies.drawing.notation import steps_text
from plies.match import Clocks, Match
from plies.match.match import NO_CLOCKS
from plies.records import MoveRecord
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.web.problems import NotNow

PERSON = ""
MOST_LOOKED_AT = 20_000  # pieces, to see which of them moves would take away


class Offer(NamedTuple):
    """A legal move: its number, its text, what is clicked for it, and what it takes away.

    `gone` holds points only where the game itself says what is clicked.
    """

    move: int
    text: str
    clicks: tuple[str, ...]
    gone: tuple[str, ...] = ()


class Session:
    """A match in the browser: who plays, who made each move, and whether the clock runs.

    `seats[player]` is the spec of the agent that plays there, or `PERSON`; `players[ply]` is
    who made a move, as `seats` had it then.  All moves come from outside: agents think in
    threads, and a move that cannot be stored has not been played.

    Nothing here waits, writes or looks at the time: whoever calls says what time it is.
    """

    def __init__(
        self, game: Game, seats: Sequence[str], state: Any, clocks: Clocks = NO_CLOCKS
    ) -> None:
        self.match = Match(game, state, [None] * len(seats), clocks=clocks)
        self.seats = list(seats)
        self.players: list[str] = []
        self._began: float | None = None  # when the clock that runs was started
        self._offers: tuple[Any, list[Offer]] = (None, [])  # with the state that they are of

    def copy(self) -> "Session":
        """The same game, to be changed apart from this one."""
        other = copy.copy(self)
        other.match = self.match.copy()
        other.seats, other.players = self.seats.copy(), self.players.copy()
        return other

    @property
    def is_agents_turn(self) -> bool:
        mover = self.match.mover
        return mover is not None and self.seats[mover] != PERSON

    @property
    def persons(self) -> list[int]:
        return [player for player, who in enumerate(self.seats) if who == PERSON]

    def offers(self) -> list[Offer]:
        """The legal moves, none when the game has ended."""
        state = self.match.state
        if self.match.end:
            return []
        if self._offers[0] is not state:
            self._offers = (state, offers_in(self.match.game, state))
        return self._offers[1]

    def find(self, text: str) -> int:
        """The legal move that a text names."""
        for offer in self.offers():
            if offer.text == text:
                return offer.move
        return self.match.game.parse_move(self.match.state, text)

    # What happens

    def play(self, decision: Decision, seconds: float, now: float) -> None:
        """The player to move has decided, after some seconds."""
        mover = self.match.mover
        self.match.play(decision, seconds, self._used(now))
        assert mover is not None  # else the match has refused
        self._began = None
        self.players.append(self.seats[mover])

    def restore(self, move: int, record: MoveRecord, player: str, left: Sequence[float]) -> None:
        """Play a move that was played once before, and leave the clocks as they were then."""
        self.match.append(move, record, left)
        self.players.append(player)

    def undo(self) -> None:
        """Take moves back to the last position in which a person was to move.

        Where several persons play that is one move; where none does it is refused.
        """
        if not self.match.undo(self.persons):
            raise NotNow("there is no move of a person to take back")
        del self.players[self.match.ply :]
        self._began = None

    def resign(self, player: int, now: float) -> None:
        """A player gives the game up."""
        self.stop_clock(now)
        self.match.resign(player)

    def lose_on_time(self, now: float) -> None:
        """The flag of the player to move has fallen."""
        self.stop_clock(now)
        self.match.lose_on_time()

    # Clocks

    @property
    def is_running(self) -> bool:
        """Whether the clock of the player to move runs."""
        return self._began is not None

    def start_clock(self, now: float) -> None:
        """The time of the player to move begins to run."""
        match = self.match
        if match.clocks.credit and match.end is None and self._began is None:
            self._began = now

    def stop_clock(self, now: float) -> None:
        """It stops, and what is left stays left."""
        if self._began is not None:
            self.match.left[-1] = self.seconds_left(now)
            self._began = None

    def continue_clock(self, other: "Session") -> None:
        """The clock goes on as that of the same position in another copy of the game does."""
        self.match.left[-1], self._began = other.match.left[-1], other._began

    def clock(self, now: float) -> Clock | None:
        """What an agent that is to move may use."""
        mover = self.match.mover
        return None if mover is None else self.match.clock(mover, self._used(now))

    def has_run_out(self, now: float) -> bool:
        """Whether the flag of the player to move has fallen, or is about to be noticed."""
        mover = self.match.mover
        has_credit = self.match.clocks.credit > 0
        return mover is not None and has_credit and self.seconds_left(now)[mover] <= 0

    def seconds_left(self, now: float) -> tuple[float, ...]:
        """What each player has left, 0 once the flag has fallen."""
        left = list(self.match.left[-1])
        if self.match.mover is not None:
            left[self.match.mover] -= self._used(now)
        return tuple(max(each, 0.0) for each in left)

    def _used(self, now: float) -> float:
        """For how long the clock has run since it was started."""
        return 0.0 if self._began is None else max(now - self._began, 0.0)


def offers_in(game: Game, state: Any) -> list[Offer]:
    """The legal moves of a position."""
    moves, own = game.moves(state), game.defines("clicks")
    is_told = own and len(moves) * len(game.pieces(state)) <= MOST_LOOKED_AT
    if own or game.defines("move_text"):
        return [
            Offer(
                move,
                game.move_text(state, move),
                game.clicks(state, move),
                gone(game, state, move) if is_told else (),
            )
            for move in moves
        ]
    steps = [game.steps(state, move) for move in moves]  # asked once: both follow from them
    return [Offer(move, steps_text(made), made) for move, made in zip(moves, steps, strict=True)]


def gone(game: Game, state: Any, move: int) -> tuple[str, ...]:
    """The points whose pieces vanish by a move."""
    after = game.pieces(game.play(state, move))
    return tuple(point for point in game.pieces(state) if point not in after)
