"""What the compiler did not like, in one line.

Numba explains a typing error over a page, starting from the outermost caller.
A game's author needs the function, the line and the reason.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba import typeof
from numba.core import types

from plies.core import verbs
from plies.core.compiler import is_interpreting
from plies.core.errors import BadGame, PliesError

PLACE = re.compile(r'File "([^"]+)", line (\d+)')
CLASS_NAME = re.compile(r"\w+_(\w+)_[0-9a-f]{16}(\([^()]*\))?")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
PLAIN_FUNCTION = re.compile(r"Untyped global name '(\w+)'.*<class 'function'>")
NOISE = ("During:", "File ", "Failed in", "<source", "Overload", "def ", "There are", "Of which")

# What the rules must answer; a whole number where nothing else is said.
ANSWERS = {"legal_moves": "int64 array", "play": "State", "symmetries": "tuple of State"}


@contextmanager
def explaining(game: Any) -> Iterator[None]:
    """Turn whatever a game's rules make the compiler or the machine say into `BadGame`."""
    try:
        yield
    except PliesError:
        raise
    except Exception as error:
        raise BadGame(diagnose(game, error)) from error


def compile_rules(game: Any) -> None:
    """Compile every rule now; the `BadGame` of one that does not compile says why."""
    if not is_interpreting():
        for name, complaint in _complaints(game):
            raise BadGame(f"{game.name}: {name} {complaint}")


def diagnose(game: Any, error: Exception) -> str:
    """Which rule is at fault, where, and why."""
    if not is_interpreting():
        for name, complaint in _complaints(game):
            return f"{game.name}: {name} {complaint}"
    return f"{game.name}: a rule fails: {type(error).__name__}: {_reason(error)}"


def _complaints(game: Any) -> Iterator[tuple[str, str]]:
    """Compile each rule by itself, so that every complaint is about it alone."""
    state = game.initial()
    binary = ("play", "is_noisy", "payoff")
    for name, rule in verbs.rules_of[game.State].items():
        if not hasattr(rule, "compile"):  # a game loaded as plain Python
            continue
        arguments = tuple(typeof(value) for value in ((state, 0) if name in binary else (state,)))
        try:
            rule.compile(arguments)
        except Exception as failure:
            yield name, f"does not compile: {_reason(failure, rule)}"
            continue
        answered = rule.overloads[arguments].signature.return_type
        wanted = ANSWERS.get(name, "whole number")
        if _kind(answered, typeof(state)) != wanted:
            yield name, f"must answer a {wanted}, not {_short(str(answered))}{_where(rule)}"


def _kind(answered: Any, state: Any) -> str:
    """What a rule's answer is, in the words of `ANSWERS`."""
    if answered == state:
        return "State"
    if isinstance(answered, types.Array):
        return "int64 array" if answered.dtype == types.int64 and answered.ndim == 1 else "other"
    if isinstance(answered, types.BaseTuple):
        return "tuple of State" if set(answered) == {state} else "other"
    is_whole = isinstance(answered, types.Integer | types.Boolean)
    return "whole number" if is_whole else "other"


def _reason(error: Exception, rule: Any = None) -> str:
    """The innermost complaint and where it points to."""
    text = COLOURS.sub("", str(error))
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith(NOISE)] or [type(error).__name__]
    reason = " ".join(said[:2]) if said[0].endswith(":") else said[0]
    if plain := PLAIN_FUNCTION.search(reason):
        reason = f"{plain[1]} is plain Python; write @compiled above def {plain[1]}"
    place = PLACE.search(text)
    where = f" ({Path(place[1]).name}, line {place[2]})" if place else _where(rule)
    return f"{_short(reason)}{where}"


def _short(text: str) -> str:
    """Class names as their author wrote them."""
    return CLASS_NAME.sub(lambda match: match[1], text)


def _where(rule: Any) -> str:
    """Where a rule begins, for complaints that point nowhere."""
    if rule is None:
        return ""
    code = rule.py_func.__code__
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})"
