"""The record of a game, and of each of its moves."""

from dataclasses import dataclass

# How a game can end: by the rules or a draw of the match, by a fault of an agent, by the judge,
# or by a person who resigns.
NORMAL = "normal"
ADJUDICATED = "adjudicated"
RESIGNED = "resigned"
FAULTS = ("time", "illegal", "crash", "memory", "bad output")
TERMINATIONS = (NORMAL, *FAULTS, ADJUDICATED, RESIGNED)


@dataclass(frozen=True)
class MoveRecord:
    """One move and what its player thought of it: `line` is what it expects, this move first.

    `seconds` is what the judge's clock measured.  Where the player committed a fault and
    the judge moved for it, `fault` says what it did.
    """

    player: int
    text: str
    value: int | None
    depth: int
    nodes: int
    seconds: float
    line: tuple[str, ...] = ()
    fault: str = ""


@dataclass(frozen=True)
class GameRecord:
    """One finished game.

    Three things are apart.  `payoffs` is the result: what each player got.
    `termination` is the kind of end, one of `TERMINATIONS`.  `reason` says why: `rules`, why
    the match is drawn (`repetition`, `cycle`, `length`, or what the game's `draw_claim`
    says), how a judge decided, or what an agent did wrong.

    `faults` says by player whose fault it was, where it was one: the kind, or nothing.
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    moves: tuple[MoveRecord, ...]
    payoffs: tuple[int, ...]
    reason: str
    start: str
    final: str
    termination: str = NORMAL
    faults: tuple[str, ...] = ()

    @property
    def winner(self) -> int | None:
        """The player with the highest payoff, None if it is shared."""
        best = max(self.payoffs)
        return self.payoffs.index(best) if self.payoffs.count(best) == 1 else None
