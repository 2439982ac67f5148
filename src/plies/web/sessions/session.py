"""One game that is being played: who sits where, what has happened, what the clocks say.

Nothing here waits, writes or looks at the time: whoever calls says what time it is.
"""

import copy
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from plies.core.contract import Game
from plies.core.result_text import line_texts, player_name
from plies.drawing.notation import steps_text
from plies.errors import AgentFault, BadSpec
from plies.match.endings import Ending, ending, forfeited
from plies.match.rules import Clocks, Rules
from plies.records import MoveRecord
from plies.search.decision import Decision
from plies.web.problems import NotNow

RULES = Rules()
NO_CLOCKS = Clocks()
PERSON = ""
MOST_LOOKED_AT = 20_000  # pieces, to see which of them moves would take away
RESIGNED = "resigned"  # a kind of end, as `time` is one


class Offer(NamedTuple):
    """A legal move: its number, its text, what is clicked for it, and what it takes away.

    The points in `gone` are told only where the game says itself what is clicked.
    """

    move: int
    text: str
    clicks: tuple[str, ...]
    gone: tuple[str, ...] = ()


class Session:
    """A game from its start to where it is.

    `seats[player]` is the spec of the agent that plays there, or `PERSON`.  `states` holds every
    position so far, `moves` and `played` what led from each to the next, and `left` what was left
    on the clocks when each position came on the board.
    """

    def __init__(
        self, game: Game, seats: Sequence[str], state: Any, clocks: Clocks = NO_CLOCKS
    ) -> None:
        players = game.players(state)
        if len(seats) != players:
            raise BadSpec(f"{game.spec} has {players} players, not {len(seats)}")
        self.game = game
        self.seats = list(seats)
        self.clocks = clocks
        self.states = [state]
        self.moves: list[int] = []
        self.played: list[MoveRecord] = []
        self.players: list[str] = []  # who made each move, as `seats` tells it
        self.left = [(clocks.credit,) * players]
        self.keys = [game.key(state)]
        self._seen = Counter(self.keys)
        self._began: float | None = None  # when the clock that runs was started
        self._offers: tuple[int, list[Offer]] | None = None
        self.end: Ending | None = None
        self.mover: int | None = None  # whose turn it is; nobody's when the game has ended
        self._look()

    def copy(self) -> "Session":
        """The same game, to be changed apart from this one."""
        other = copy.copy(self)
        for name in ("seats", "states", "moves", "played", "players", "left", "keys", "_seen"):
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def state(self) -> Any:
        """The position on the board."""
        return self.states[-1]

    @property
    def is_agents_turn(self) -> bool:
        return self.mover is not None and self.seats[self.mover] != PERSON

    @property
    def persons(self) -> list[int]:
        return [seat for seat, who in enumerate(self.seats) if who == PERSON]

    def offers(self) -> list[Offer]:
        """The legal moves, none when the game has ended."""
        if self.end:
            return []
        if self._offers is None or self._offers[0] != self.ply:
            self._offers = (self.ply, offers_in(self.game, self.state))
        return self._offers[1]

    def find(self, text: str) -> int:
        """The legal move that a text names."""
        for offer in self.offers():
            if offer.text == text:
                return offer.move
        return self.game.parse_move(self.state, text)

    # What happens

    def play(self, decision: Decision, seconds: float, now: float) -> None:
        """The player to move has decided, after so many seconds."""
        state, seat = self.state, self._mover()
        text = self.game.move_text(state, decision.move)
        after = self.game.play(state, decision.move)
        line = line_texts(self.game, state, decision.line) if len(decision.line) > 1 else [text]
        thought = (decision.value, decision.depth, decision.nodes)
        self._append(
            decision.move, after, MoveRecord(seat, text, *thought, seconds, tuple(line)), now
        )

    def _append(self, move: int, after: Any, record: MoveRecord, now: float) -> None:
        left = list(self.seconds_left(now))
        self._began = None
        if self.clocks.credit:
            left[record.player] += self.clocks.increment
        self.left.append(tuple(left))
        self.moves.append(move)
        self.played.append(record)
        self.players.append(self.seats[record.player])
        self.states.append(after)
        self.keys.append(self.game.key(after))
        self._seen[self.keys[-1]] += 1
        self._look()

    def restore(self, move: int, record: MoveRecord, player: str, left: Sequence[float]) -> None:
        """Play a move that was played once before, and leave the clocks as they were then."""
        if self.mover is None or record.player != self.mover:
            raise BadSpec("the moves do not fit the game")
        self._append(move, self.game.play(self.state, move), record, now=0.0)
        self.players[-1] = player
        self.left[-1] = tuple(left)

    def undo(self) -> None:
        """Take moves back to the last position in which a person was to move.

        Where several persons play that is one move; where none does it is refused.
        """
        for ply in range(self.ply - 1, -1, -1):
            if self.seats[self.game.mover(self.states[ply])] == PERSON:
                self.go_back(ply)
                return
        raise NotNow("there is no move of a person to take back")

    def go_back(self, ply: int) -> None:
        """Let the game go on from an earlier position."""
        self._seen.subtract(self.keys[ply + 1 :])
        del self.states[ply + 1 :], self.keys[ply + 1 :], self.left[ply + 1 :]
        del self.moves[ply:], self.played[ply:], self.players[ply:]
        self._began = self._offers = self.end = None
        self._look()

    def resign(self, seat: int) -> None:
        """A player gives the game up."""
        self._mover()
        self._forfeit(seat, RESIGNED, f"{player_name(self.game, seat)} resigns")

    def lose_on_time(self, now: float) -> None:
        """The flag of the player to move has fallen."""
        seat = self._mover()
        self.stop_clock(now)
        self._forfeit(seat, "time", f"{player_name(self.game, seat)} has no time left")

    def hand_over(self, seat: int, who: str) -> None:
        """Another agent, or a person, plays a seat from now on."""
        self.seats[seat] = who

    def _forfeit(self, seat: int, kind: str, reason: str) -> None:
        self.finish(forfeited({seat: AgentFault(kind, reason)}, len(self.seats)))

    def finish(self, end: Ending) -> None:
        """The game has ended like this."""
        self.end, self.mover = end, None

    def _look(self) -> None:
        """Whether the game goes on, and whose turn it is."""
        self.end = ending(self.game, RULES, self.states, self._seen[self.keys[-1]], self.played)
        self.mover = None if self.end else self.game.mover(self.state)

    def _mover(self) -> int:
        if self.mover is None:
            raise NotNow("the game is over")
        return self.mover

    # Clocks

    @property
    def is_running(self) -> bool:
        """Whether the clock of the player to move runs."""
        return self._began is not None

    def start_clock(self, now: float) -> None:
        """The time of the player to move begins to run."""
        if self.clocks.credit and self.end is None and self._began is None:
            self._began = now

    def stop_clock(self, now: float) -> None:
        """It stops, and what is left stays left."""
        if self._began is not None:
            self.left[-1] = self.seconds_left(now)
            self._began = None

    def continue_clock(self, other: "Session") -> None:
        """The clock goes on as that of the same position in another copy of the game does."""
        self.left[-1], self._began = other.left[-1], other._began

    def has_run_out(self, now: float) -> bool:
        """Whether the flag of the player to move has fallen, or is about to be noticed."""
        return (
            self.mover is not None
            and self.clocks.credit > 0
            and self.seconds_left(now)[self.mover] <= 0
        )

    def seconds_left(self, now: float) -> tuple[float, ...]:
        """What each player has left; less than nothing where the flag has fallen."""
        left = list(self.left[-1])
        if self._began is not None and self.mover is not None:
            left[self.mover] -= now - self._began
        return tuple(left)


def offers_in(game: Game, state: Any) -> list[Offer]:
    """The legal moves of a position."""
    moves, own = game.moves(state), game.says("clicks")
    is_told = own and len(moves) * len(game.pieces(state)) <= MOST_LOOKED_AT
    if own or game.says("move_text"):
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
