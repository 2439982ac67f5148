"""What can be chosen about Q-learning, under the names that a command line gives it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Literal

from plies.core.spec import option_text, read_options
from plies.errors import BadSpec
from plies.match.rules import MAX_PLIES

Ramp = tuple[float, ...]  # the reward of the first and of the last own move
MOST_STATES = 20_000_000


@dataclass(frozen=True)
class Settings:
    """The options of the learner.

    A value moves by `rate` of the way to what was found out, at first; after `fade` visits by
    half as much, after 2 * `fade` by a third (0: always by as much).  What comes one decision
    later counts `discount`.  With the chance `exploration` any move is played, all equally
    likely.

    `rewards=result`: the last own move of a game gets 1 for a win, 0 for a draw, -1 for a loss.
    `rewards=ramp`: every own move gets a share, from the first to the last along the square of
    a straight line between these: `win`, `loss` (subtracted), `draw_first` for the player who
    began, `draw_second` for the other.

    `bonus` names a pattern that an evaluator of the game counts for both players (its features
    own_NAME and other_NAME), such as lines_4 in Quixo.  A move after which its player has more
    of them gets `make_bonus` on top, one after which the other has fewer `block_bonus`.

    With `symmetry` equivalent positions share a place in the table, which has at most `states`
    of them.  A game of `max_plies` ends as a draw.
    """

    rate: float = 0.5
    fade: float = 30.0
    discount: float = 0.9
    exploration: float = 0.9
    rewards: Literal["result", "ramp"] = "result"
    win: Ramp = (0.1, 1.0)
    loss: Ramp = (0.01, 0.1)
    draw_first: Ramp = (0.01, 0.1)
    draw_second: Ramp = (0.01, 0.3)
    bonus: str = ""
    make_bonus: float = 0.1
    block_bonus: float = 0.1
    symmetry: bool = True
    states: int = 2_000_000
    max_plies: int = MAX_PLIES

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise BadSpec(f"rate is above 0 and at most 1, not {self.rate}")
        _check_number("fade", self.fade, 0, 1e9)
        _check_number("discount", self.discount, 0, 1)
        _check_number("exploration", self.exploration, 0, 1)
        for name in ("make_bonus", "block_bonus"):
            _check_number(name, getattr(self, name), 0, 1)
            if not self.bonus and getattr(self, name) != getattr(Settings, name):
                raise BadSpec(f"{name} needs bonus=PATTERN, such as bonus=lines_4 in quixo")
        _check_number("states", self.states, 2, MOST_STATES)
        _check_number("max_plies", self.max_plies, 1, MAX_PLIES)
        for name in ("win", "loss", "draw_first", "draw_second"):
            ramp: Ramp = getattr(self, name)
            if len(ramp) != 2:
                raise BadSpec(f"{name} is two numbers such as 0.1-1, not {option_text(ramp)}")
            for number in ramp:
                _check_number(name, number, 0, 1)

    @property
    def text(self) -> str:
        """What differs from the defaults, as `read_settings` reads it."""
        ordinary = asdict(Settings())
        own = {name: value for name, value in asdict(self).items() if value != ordinary[name]}
        return ",".join(f"{name}={option_text(value)}" for name, value in own.items())


def _check_number(name: str, number: float, low: float, high: float) -> None:
    if not isfinite(number) or not low <= number <= high:
        raise BadSpec(f"{name} is {low:g} to {high:g}, not {number}")


def read_settings(texts: Mapping[str, str]) -> Settings:
    """Settings from texts such as {"rate": "0.5", "win": "0.1-1"}."""
    return Settings(**read_options("q", texts, Settings))


def as_card(settings: Settings) -> dict[str, Any]:
    """The settings as JSON can hold them."""
    return {name: option_text(value) for name, value in asdict(settings).items()}
