"""`Search`: the base class of every search and agent, the package's own and yours."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from plies.search.decision import Decision
from plies.search.task import Task

if TYPE_CHECKING:
    from plies.core.contract import Game


class Search:
    """A way to choose a move.

    Subclass it as a frozen dataclass: its fields are its options, its docstring is what
    `plies agents` prints, and `decide` is all that it must define.  One object serves many
    games and threads: what it remembers from move to move belongs into `task.memory`.
    """

    for_any_game: ClassVar[bool] = False  # not only for two-player zero-sum games
    leading: ClassVar[str] = ""  # the option whose value may stand first in a spec, without its key
    any_option: ClassVar[str] = ""  # how options of any name are shown; none where it is empty
    example: ClassVar[Mapping[str, Any]] = {}  # options of the example in `plies agents`
    is_outside: ClassVar[bool] = False  # a person or a program: never played from the browser
    is_exact: ClassVar[bool] = False  # values are those of minimax: `plies check` compares them
    measures_seconds: ClassVar[bool] = False  # `Decision.seconds` is what the clock charges

    def decide(self, task: Task) -> Decision:
        """The move to play in `task.state`, and what was thought of it."""
        raise NotImplementedError(f"{type(self).__name__} does not define decide(self, task)")

    def check(self, game: "Game") -> None:
        """Raise `BadSpec` where these options do not fit together, or do not fit the game."""

    @property
    def needs_evaluator(self) -> bool:
        """Whether it plays weakly in a game that has no evaluator."""
        return hasattr(self, "eval")

    def prepare(self, task: Task) -> None:
        """Compile what deciding needs, before any clock runs; `task.stop` is set already."""
        if self.is_outside:
            task.game.prepare(task.state)
        else:
            self.decide(task)

    def begin(self, task: Task, seconds: float) -> None:
        """A game begins: get ready within this time."""

    def finish(self, task: Task, payoffs: tuple[int, ...], reason: str) -> None:
        """The game has ended."""
