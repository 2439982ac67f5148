"""Errors of a game's rules in one line: the rule, the line of the user's file, and the reason."""

import errno
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba import typeof
from numba.core import types

from plies.compiling.compiler import is_interpreting
from plies.core import verbs
from plies.core.answers import check_answer
from plies.core.author_lines import endless_loop, is_of_compiler
from plies.core.compiler_errors import ENDLESS, own_names, reason_text
from plies.core.rules import RULE
from plies.errors import BadGame, OutOfResources, PliesError, text_of


class Explanation:
    """What `explaining` enters.  A class, because every question to a game passes through it."""

    __slots__ = ("game", "name")

    def __init__(self, game: Any, name: str):
        self.game = game
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        is_fault = isinstance(error, (Exception, SystemExit))
        if is_fault and not isinstance(error, PliesError):
            raise_shortage(error)  # the game is not at fault
            if not self.name:
                raise BadGame(diagnose(self.game, error)) from error
            failure = failure_text(self.game, error)
            raise BadGame(f"{self.game.name}: {self.name} fails: {failure}") from error


def explaining(game: Any, name: str = "") -> Explanation:
    """Turn what a game's rules make the compiler or the machine raise into `BadGame`.

    `name` is that of a plain Python function of the game's file; empty for compiled rules.
    """
    return Explanation(game, name)


def raise_shortage(error: BaseException) -> None:
    """Raise `OutOfResources` where an error says that the machine lacks something just now."""
    if isinstance(error, OSError):
        is_shortage = error.errno in (errno.EAGAIN, errno.ENOMEM)
    else:
        is_shortage = isinstance(error, MemoryError) or "can't start new thread" in error_text(
            error
        )
    if is_shortage:
        message = f"the machine is short of threads, processes or memory: {error!r}"
        raise OutOfResources(message) from error


def error_text(error: BaseException) -> str:
    """What an error says, with class names as their author wrote them."""
    return own_names(text_of(error))


def failure_text(game: Any, error: BaseException) -> str:
    """An error of Python with the line of the game's file, if known."""
    line = line_of(error, game.source)
    where = f" ({Path(game.source).name}, line {line})" if line else ""
    return f"{type(error).__name__}: {' '.join(error_text(error).split())}{where}"


def line_of(error: BaseException, path: str) -> int:
    """The last line of a file in the traceback of an error; 0 if there is none."""
    file = Path(path).name  # the folder may be written in several ways
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno or 0 for frame in frames if Path(frame.filename).name == file]
    return lines[-1] if lines else 0


def compile_rules(game: Any) -> None:
    """Compile every rule now; `BadGame` says why one does not compile."""
    for complaint in _complaints(game):
        raise BadGame(complaint)


def diagnose(game: Any, error: BaseException) -> str:
    """The rule at fault, its line, and the reason."""
    reason = f"{type(error).__name__}: {reason_text(error)}" if is_of_compiler(error) else ""
    otherwise = f"{game.name}: a rule fails: {reason or failure_text(game, error)}"
    return next(_complaints(game), otherwise)


def _complaints(game: Any) -> Iterator[str]:
    """Compile each rule alone, so that a complaint is about that rule."""
    if is_interpreting():
        return
    state = typeof(game.initial())
    rules: dict[str, Any] = verbs.rules_of[game.State]
    for name, rule in rules.items():
        if not hasattr(rule, "compile"):  # a game loaded as plain Python
            continue
        arguments = (state, types.int64)[: len(RULE[name].takes)]
        try:
            check_answer(RULE[name].answers, rule, *arguments)
        except BadGame as wrong:
            loop = endless_loop(rule.py_func)  # nothing is answered after it
            complaint = f"{name}: {ENDLESS} ({loop})" if loop else own_names(str(wrong))
            yield f"{game.name}: {complaint}"
        except Exception as failure:
            yield f"{game.name}: {name} does not compile: {reason_text(failure, rule)}"
