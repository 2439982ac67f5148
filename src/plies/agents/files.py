"""Agents of users: a Python file, or an installed package by its entry point.

A file holds a function, or one public class that is a `plies.Search`; `AGENT = ...` says which,
if there are several.  The function

    def choose(game, state, depth: int = 3): ...

answers a legal move or a `Decision`.  Its further parameters are the options, with their
defaults; one that is named `task` gets the `Task`.
"""

import difflib
import inspect
import sys
from collections.abc import Callable
from dataclasses import MISSING, field, fields, is_dataclass, make_dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from plies import game_files
from plies.core.spec import misnamed
from plies.errors import BadSpec, reporting
from plies.search.decision import Decision
from plies.search.runner import Stopwatch, first_move
from plies.search.search import Search
from plies.search.task import Task

ENTRY_POINTS = "plies.agents"
TASK = "task"
RIGHT = "write def choose(game, state, ...) with a default for every further option"
OPTION = "an option is a whole number, a number, True or False, or a text"
NUMBERS = (tuple[int, ...], tuple[float, ...])
NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
HOOKS = {
    hook: tuple(inspect.signature(getattr(Search, hook)).parameters)
    for hook in ("decide", "check", "prepare", "begin", "finish")
}
FLAGS = ("for_any_game", "is_exact", "leading", "any_option", "example", "measures_seconds")
ALIKE = 0.85  # the ratio of difflib from which a name is nearly a hook's
NONE_THERE = "an agent is def choose(game, state): ..., or a class that is a plies.Search"


def search_in(path: Path) -> type[Search]:
    """The search class of an agent's file, as the file is now."""
    return _search_in_module(game_files.load(path, (BadSpec, BadSpec)), path.name)


def installed() -> dict[str, EntryPoint]:
    """Agents that other installed packages offer, by name."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def installed_search(name: str) -> type[Search]:
    """The search class behind an entry point: a module, a class or a function."""
    with reporting(BadSpec, f"agent {name} cannot be imported"):
        thing = installed()[name].load()
    is_module = isinstance(thing, ModuleType)
    return _search_in_module(thing, name) if is_module else search_of(thing, name)


def search_of(thing: Any, name: str, *, is_prepared: bool = True) -> type[Search]:
    """The search class that a class is, or that serves a function."""
    if isinstance(thing, type) and issubclass(thing, Search):
        _check_class(thing, name)
        return thing
    if callable(thing) and not isinstance(thing, type):
        return _wrap_function(thing, name, is_prepared)
    raise BadSpec(f"{name} is {thing!r:.80}, no agent; {NONE_THERE}")


def _search_in_module(module: ModuleType, name: str) -> type[Search]:
    names = vars(module)
    if "AGENT" in names:
        return search_of(names["AGENT"], name)
    classes = searches_in(module)
    if len(classes) > 1:
        both = ", ".join(each.__name__ for each in classes)
        raise BadSpec(f"{name} has {len(classes)} searches, {both}; write AGENT = one of them")
    if classes:
        return search_of(classes[0], name)
    if callable(names.get("choose")):
        return search_of(names["choose"], name)
    near = misnamed(names, "choose")
    raise BadSpec(f"{name} has no agent; {NONE_THERE}{near or _other_kind(names, name)}")


def searches_in(module: ModuleType) -> list[type[Search]]:
    """The public search classes that a file itself defines."""
    return [
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Search)
        and each.__module__ == module.__name__
        and not each.__name__.startswith("_")
    ]


def _other_kind(names: dict[str, Any], name: str) -> str:
    if "evaluate" in names:
        return f". It is an evaluator: write eval={name}"
    return ". It is a game: name it as one" if "GAME" in names else ""


def _check_class(kind: type[Search], name: str) -> None:
    """`BadSpec` where a class cannot be a search."""
    for attribute in vars(kind):
        if not attribute.startswith("_"):
            _check_attribute(f"{name}: {kind.__name__}", attribute, kind)
    if kind.decide is Search.decide:
        raise BadSpec(f"{name}: {kind.__name__} does not define decide(self, task)")
    has_options = inspect.get_annotations(kind) or "__init__" in vars(kind)
    if has_options and not is_dataclass(kind):
        raise BadSpec(f"{name}: write @dataclass(frozen=True) above class {kind.__name__}")
    try:
        hints = get_type_hints(kind)
    except (NameError, TypeError) as error:
        raise BadSpec(f"{name}: {kind.__name__}: {error}") from error
    for each in fields(kind) if is_dataclass(kind) else ():
        if hasattr(Search, each.name):
            right = f"write {each.name} = ... without a type, or rename the option"
            raise BadSpec(f"{name}: {each.name} means something else in a search; {right}")
        made = each.default if each.default_factory is MISSING else each.default_factory()
        if each.init and made is not MISSING:
            _check_option(name, each.name, hints[each.name], made)


def _check_attribute(where: str, name: str, kind: type[Search]) -> None:
    """`BadSpec` where a hook, a flag or an option is not written as it should be."""
    value = vars(kind)[name]
    if inspect.isfunction(value):
        _check_hook(where, name, value, kind)
    elif name not in inspect.get_annotations(kind) and not hasattr(Search, name):
        for flag in difflib.get_close_matches(name, FLAGS, n=1, cutoff=ALIKE):
            raise BadSpec(f"{where}.{name} means nothing to a search; did you mean {flag}?")
        if is_dataclass(kind) and name.islower() and type(value) in (int, float, bool, str):
            raise BadSpec(f"{where}.{name} has no type; write {name}: {type(value).__name__} = ...")


def _check_hook(where: str, method: str, function: Any, kind: type[Search]) -> None:
    """`BadSpec` where a method is a hook with other parameters, or nearly called like one."""
    signature = inspect.signature(function)
    if method in HOOKS:
        try:
            signature.bind(*HOOKS[method])
        except TypeError:
            right = f"write def {method}({', '.join(HOOKS[method])})"
            raise BadSpec(f"{where}.{method} takes {signature}; {right}") from None
        return
    missing = [hook for hook in HOOKS if getattr(kind, hook) is getattr(Search, hook)]
    for hook in difflib.get_close_matches(method, missing, n=1, cutoff=ALIKE):
        if len(signature.parameters) == len(HOOKS[hook]):
            raise BadSpec(f"{where}.{method} is never called; did you mean {hook}?")


def _check_option(name: str, option: str, kind: Any, default: Any) -> None:
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


class Choosing(Search):
    """The move that a function answers."""

    for_any_game: ClassVar[bool] = True
    function: ClassVar[Callable[..., Any]]
    takes_task: ClassVar[bool]
    is_prepared: ClassVar[bool]  # call it once before the game, so that it compiles then

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


def _wrap_function(function: Callable[..., Any], name: str, is_prepared: bool) -> type[Choosing]:
    """The search class of a function; `name` stands in errors."""
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
        if is_prepared:  # what Python hands over may have any default
            _check_option(name, each.name, kind, each.default)
        options.append((each.name, kind, field(default=each.default)))
    module = getattr(function, "__module__", None) or type(function).__module__
    namespace = {
        "__doc__": inspect.getdoc(function) or _first_line(module) or f"Moves of {name}.",
        "__module__": module,
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


def _first_line(module: str) -> str:
    """The first line of a module's docstring."""
    return (inspect.getdoc(sys.modules.get(module)) or "").partition("\n")[0]
