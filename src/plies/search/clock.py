"""How long a search may think."""

from dataclasses import dataclass

from plies.errors import BadSpec
from plies.search.limits import MAX_SECONDS

# Reserved for what happens around a search: the move must be there before the flag falls.
OVERHEAD_SECONDS = 0.02
MOVES_AHEAD = 25  # how many moves a game is expected to go on
MOST = 0.35  # of what is left, for one move
LEAST_SECONDS = 0.001  # of a search, however little is left


@dataclass(frozen=True)
class Clock:
    """What is left of a player's time for the game.

    `increment` seconds are added after every move; after `moves_to_go` moves (0: never)
    there is new time; one move may take `per_move` seconds (0: as many as are left).  Less
    than nothing is left when the flag has fallen.
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

    @property
    def for_this_move(self) -> float:
        """How many seconds may go by before the flag falls."""
        return min(self.remaining, self.per_move or self.remaining)


@dataclass(frozen=True)
class TimeBudget:
    """Seconds for one move: begin nothing new after `soft`, be done at `hard`."""

    soft: float
    hard: float


def time_budget(clock: Clock) -> TimeBudget:
    """A fair share of the time that is left, and how far it may be exceeded in need."""
    left = max(clock.remaining - OVERHEAD_SECONDS, LEAST_SECONDS)
    moves = min(clock.moves_to_go or MOVES_AHEAD, MOVES_AHEAD)
    share = left / moves + 0.8 * clock.increment
    most = left if clock.moves_to_go == 1 else MOST * left
    hard = min(4 * share, most)
    if clock.per_move:
        hard = min(hard, max(clock.per_move - OVERHEAD_SECONDS, LEAST_SECONDS))
    return TimeBudget(min(0.6 * share, hard), hard)


def fixed_share(clock: Clock, share: float) -> float:
    """Seconds for a search, so that the whole move takes this share of the time that is left.

    What is left shrinks by the same factor with every move and is never used up.
    """
    seconds = min(share * clock.remaining, clock.for_this_move)
    return max(seconds - OVERHEAD_SECONDS, LEAST_SECONDS)
