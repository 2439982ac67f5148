"""What a match adds to the rules of a game: clocks, draws, adjudication, the cost of faults."""

from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, Literal

from plies.core.contract import Game
from plies.errors import BadSpec
from plies.search.limits import MAX_SECONDS

MAX_PLIES = 1000
REPETITIONS = 3


@dataclass(frozen=True)
class Clocks:
    """How long the players may think, in seconds; 0 means no limit of that kind.

    `credit` is for the whole game and grows by `increment` with every move; `per_move` limits a
    single move.  Before the game every agent has `startup` seconds to get ready.  The judge
    allows `margin` seconds more, because messages take time.
    """

    credit: float = 0.0
    increment: float = 0.0
    per_move: float = 0.0
    startup: float = 10.0
    margin: float = 0.05

    def __post_init__(self) -> None:
        for field in fields(self):
            number = getattr(self, field.name)
            if not isinstance(number, (int, float)) or not isfinite(number):
                raise BadSpec(f"{field.name} is a number of seconds, not {number!r}")
            if not 0 <= number <= MAX_SECONDS:
                raise BadSpec(f"{field.name} is 0 to {MAX_SECONDS:.0f} seconds, not {number}")
        if self.increment and not self.credit:
            raise BadSpec("an increment needs a credit for the game to grow")

    @property
    def are_running(self) -> bool:
        """Whether there is any time limit."""
        return bool(self.credit or self.per_move)


@dataclass(frozen=True)
class Rules:
    """When a match ends a game that could go on by its own rules, and what a fault costs.

    Draws: a game of `max_plies` (unless `at_length` names an evaluator, which then decides),
    a position that arises for the `repetitions`-th time (0: never), and with `cycles` a
    sequence of 2 to 7 moves that is repeated at once.

    Adjudication of two-player games, 0 moves meaning never: when both agents see one of them
    ahead by `resign_value` for `resign_moves` moves in a row, that one wins; after `draw_moves`
    moves of each within `draw_value` of 0, not before ply `draw_after`, it is drawn.

    A fault is a move too late, an illegal move, a crash and the like.  It loses the game
    (`forfeit`), or the judge plays a random move instead: every time (`random`), or `warnings`
    times in a game, before the next one loses (`warnings`).
    """

    max_plies: int = MAX_PLIES
    repetitions: int = REPETITIONS
    cycles: bool = False
    at_length: str = "draw"
    resign_moves: int = 0
    resign_value: int = 1000
    draw_moves: int = 0
    draw_value: int = 10
    draw_after: int = 40
    faults: Literal["forfeit", "random", "warnings"] = "forfeit"
    warnings: int = 3

    def __post_init__(self) -> None:
        _check_whole(self, "max_plies", 1)
        for name in ("resign_moves", "resign_value", "draw_moves", "draw_value", "draw_after"):
            _check_whole(self, name, 0)
        _check_whole(self, "repetitions", 0)
        _check_whole(self, "warnings", 1)
        if self.repetitions == 1:
            raise BadSpec("repetitions is 0 (never) or at least 2: every position arises once")
        if self.faults not in ("forfeit", "random", "warnings"):
            raise BadSpec(f"faults is forfeit or random or warnings, not {self.faults}")

    def check(self, game: Game, players: int) -> None:
        """`BadSpec` for rules that do not fit this game."""
        if self.at_length != "draw":
            if players != 2:
                raise BadSpec(f"at_length is draw with {players} players: evaluators are for two")
            game.evaluator(self.at_length)

    @property
    def forgiven(self) -> int | None:
        """The number of faults of a player that cost only a random move; None: all of them."""
        return {"forfeit": 0, "random": None, "warnings": self.warnings}[self.faults]

    @property
    def policy(self) -> str:
        """What a fault costs, in words."""
        return {
            "forfeit": "a fault loses the game",
            "random": "a random move is played for an agent that commits a fault",
            "warnings": f"for up to {self.warnings} faults in a game a random move is played, the"
            " next one loses it",
        }[self.faults]


def _check_whole(rules: Rules, name: str, least: int) -> None:
    number: Any = getattr(rules, name)
    if not isinstance(number, int) or isinstance(number, bool) or number < least:
        raise BadSpec(f"{name} is a whole number from {least} on, not {number!r}")
