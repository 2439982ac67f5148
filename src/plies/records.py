"""What is kept of a game."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MoveRecord:
    """One move and what its player thought of it."""

    player: int
    text: str
    value: int | None
    depth: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class GameRecord:
    """One finished game.

    `payoffs` holds what each player got; `reason` says why the game ended: `rules`, or
    why the match is drawn: `repetition`, `length`, or what the game's `draw_claim` says.
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    moves: tuple[MoveRecord, ...]
    payoffs: tuple[int, ...]
    reason: str
    start: str
    final: str

    @property
    def winner(self) -> int | None:
        """The player who got most, None when that is shared."""
        best = max(self.payoffs)
        return self.payoffs.index(best) if self.payoffs.count(best) == 1 else None
