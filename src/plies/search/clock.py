"""Clocks of players, and the time for one move."""

from dataclasses import dataclass

from plies.errors import BadSpec
from plies.search.limits import MAX_SECONDS

# Reserved for what happens around a search, so that the move is there before the flag falls.
OVERHEAD_SECONDS = 0.02
MOVES_AHEAD = 25  # moves that a game is expected to go on
MAX_SHARE = 0.35  # of the remaining time, for one move
MIN_SECONDS = 0.001  # for a search, however little is left


@dataclass(frozen=True)
class Clock:
    """A player's remaining time for the game, in seconds.

    `increment` seconds are added after every move; after `moves_to_go` moves (0: never)
    there is new time; one move may take `per_move` seconds (0: all that remain).  `remaining`
    is 0 once the flag has fallen (less than that counts as 0), and MAX_SECONDS where only moves
    are timed.
    """

    remaining: float = MAX_SECONDS
    increment: float = 0.0
    moves_to_go: int = 0
    per_move: float = 0.0

    def __post_init__(self) -> None:
        is_sound = abs(self.remaining) <= MAX_SECONDS and 0 <= self.increment <= MAX_SECONDS
        if not is_sound or self.moves_to_go < 0 or not 0 <= self.per_move <= MAX_SECONDS:
            limit = f"seconds are at most {MAX_SECONDS:.0f}"
            raise BadSpec(f"{limit}, increment, moves_to_go, per_move at least 0, not {self}")
        object.__setattr__(self, "remaining", max(self.remaining, 0.0))

    @property
    def for_this_move(self) -> float:
        """The seconds until the flag falls."""
        return min(self.remaining, self.per_move or self.remaining)


@dataclass(frozen=True)
class TimeBudget:
    """Seconds for one move: no new depth after `soft`, and an end at `hard`."""

    soft: float
    hard: float


def time_budget(clock: Clock) -> TimeBudget:
    """A fair share of the remaining time, and how far it may be exceeded in need."""
    left = max(clock.remaining - OVERHEAD_SECONDS, MIN_SECONDS)
    moves = min(clock.moves_to_go or MOVES_AHEAD, MOVES_AHEAD)
    # Most of the increment can be spent: it comes back after the move.
    share = left / moves + 0.8 * clock.increment
    most = left if clock.moves_to_go == 1 else MAX_SHARE * left
    hard = min(4 * share, most)
    if clock.per_move:
        hard = min(hard, max(clock.per_move - OVERHEAD_SECONDS, MIN_SECONDS))
    # The next depth costs a multiple of all before it, so none begins after 60 % of the share.
    return TimeBudget(min(0.6 * share, hard), hard)


def fixed_share(clock: Clock, share: float) -> float:
    """Seconds for a search, so that the whole move takes this share of the remaining time.

    The rest shrinks by the same factor with every move and is never used up.
    """
    seconds = min(share * clock.remaining, clock.for_this_move)
    return max(seconds - OVERHEAD_SECONDS, MIN_SECONDS)
