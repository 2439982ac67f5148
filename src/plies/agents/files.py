"""Agents of users: a Python file, or an installed package by its entry point.

A file holds one of the two: a function `choose(game, state, ...)`, or one public class that is
a `plies.Search`.  `AGENT = ...` says which, where there are several.
"""

import inspect
from dataclasses import MISSING, fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from plies import game_files
from plies.agents.choosing import check_option, choosing
from plies.errors import BadSpec
from plies.search.search import Search

ENTRY_POINTS = "plies.agents"
NONE_THERE = "an agent is def choose(game, state): ..., or a class that is a plies.Search"


def search_in(path: Path) -> type[Search]:
    """The search class of an agent's file, as the file is now."""
    return _of_module(game_files.load(path, (BadSpec, BadSpec)), path.name)


def installed() -> dict[str, EntryPoint]:
    """Agents that other installed packages offer, by name."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def installed_search(name: str) -> type[Search]:
    """The search class behind an entry point: a module, a class or a function."""
    with game_files.importing(f"agent {name}", BadSpec):
        found = installed()[name].load()
    return _of_module(found, name) if isinstance(found, ModuleType) else search_of(found, name)


def search_of(thing: Any, name: str, *, is_prepared: bool = True) -> type[Search]:
    """The search class that a class or a function is or makes."""
    if isinstance(thing, type) and issubclass(thing, Search):
        _check_class(thing, name)
        return thing
    if callable(thing) and not isinstance(thing, type):
        return choosing(thing, name, is_prepared=is_prepared)
    raise BadSpec(f"{name} is {thing!r:.80}, no agent; {NONE_THERE}")


def _of_module(module: ModuleType, name: str) -> type[Search]:
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
    raise BadSpec(f"{name} has no agent; {NONE_THERE}{_other_kind(names, name)}")


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
            check_option(name, each.name, hints[each.name], made)
