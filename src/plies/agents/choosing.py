"""A function that chooses moves, as a search.

    def choose(game, state, depth: int = 3): ...

The function takes the game and the state and answers a legal move, or a `Decision`.  Its other
parameters are the options, with their defaults; one that is named `task` gets the `Task`.
"""

import inspect
from collections.abc import Callable
from dataclasses import field, fields, make_dataclass
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from plies.errors import BadSpec
from plies.search.decision import Decision
from plies.search.runner import Stopwatch, first_move
from plies.search.search import Search
from plies.search.task import Task

TASK = "task"
RIGHT = "write def choose(game, state, ...) with a default for every further option"
OPTION = "an option is a whole number, a number, True or False, or a text"
NUMBERS = (tuple[int, ...], tuple[float, ...])
NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class Choosing(Search):
    """The move that a function answers."""

    for_any_game: ClassVar[bool] = True
    function: ClassVar[Callable[..., Any]]
    takes_task: ClassVar[bool]
    is_prepared: ClassVar[bool]  # called once before a game, so that what it compiles is compiled

    def decide(self, task: Task) -> Decision:
        watch = Stopwatch()
        first_move(task.state)
        options = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore
        if self.takes_task:
            options[TASK] = task
        answer = type(self).function(task.game, task.state, **options)
        if isinstance(answer, Decision):
            return answer
        return Decision(answer, seconds=watch.seconds, cpu_seconds=watch.cpu_seconds)

    def prepare(self, task: Task) -> None:
        if self.is_prepared:
            self.decide(task)


def choosing(
    function: Callable[..., Any], name: str, *, is_prepared: bool = False
) -> type[Choosing]:
    """The search class of a function; `name` is who is at fault where it is none."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
        hints = get_type_hints(function) if inspect.isroutine(function) else {}
    except (TypeError, ValueError, NameError) as error:
        raise BadSpec(f"{name}: {error}; {RIGHT}") from error
    own = [each for each in parameters[2:] if each.name != TASK]
    if len(parameters) < 2 or any(each.kind not in NAMED for each in parameters[2:]):
        raise BadSpec(f"{name}: choose takes {inspect.signature(function)}; {RIGHT}")
    options: list[Any] = []
    for each in own:
        if each.default is each.empty:
            raise BadSpec(f"{name}: option {each.name} of choose needs a default")
        if hasattr(Choosing, each.name):
            raise BadSpec(f"{name}: choose cannot have an option {each.name}; choose another name")
        kind = hints.get(each.name, type(each.default))
        if is_prepared:  # what Python hands over may keep anything there
            check_option(name, each.name, kind, each.default)
        options.append((each.name, kind, field(default=each.default)))
    namespace = {
        "__doc__": inspect.getdoc(function) or f"The move that {name} chooses.",
        "__module__": getattr(function, "__module__", None) or type(function).__module__,
        "function": staticmethod(function),
        "takes_task": len(own) < len(parameters) - 2,
        "is_prepared": is_prepared,
    }
    try:
        return make_dataclass(
            "Choose", options, bases=(Choosing,), namespace=namespace, frozen=True
        )
    except (TypeError, ValueError) as error:
        raise BadSpec(f"{name}: {error}") from error


def check_option(name: str, option: str, kind: Any, default: Any) -> None:
    """`BadSpec` where no text could be read as a value of this kind, or the default is another."""
    if get_origin(kind) is Literal:
        fits = default in get_args(kind)
    elif kind in NUMBERS:
        fits = isinstance(default, tuple)
    elif kind is float:
        fits = isinstance(default, (int, float)) and not isinstance(default, bool)
    else:
        fits = kind in (int, bool, str) and type(default) is kind
    if not fits:
        of_kind = getattr(kind, "__name__", kind) if isinstance(kind, type) else kind
        raise BadSpec(f"{name}: {option} is {default!r:.60}, declared as {of_kind}; {OPTION}")
