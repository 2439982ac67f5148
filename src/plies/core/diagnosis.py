"""Errors of the compiler in one line: the rule, the line of the user's file, and the reason.

Numba explains a typing error over a page, starting from the outermost caller.
"""

import errno
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba import typeof
from numba.core import types

from plies.compiling.compiler import is_interpreting
from plies.core import verbs
from plies.core.answers import check_answer, place
from plies.core.rules import RULE
from plies.errors import BadGame, OutOfResources, PliesError, text_of

PLACE = re.compile(r'File "([^"]+)", line (\d+)')
CLASS_NAME = re.compile(r"\w+_(\w+)_[0-9a-f]{16}(?:_\d+)?(\([^()]*\))?")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
FLOAT = "/ makes one; use //, or int(...)"
BITS = "i?and_?|i?or_?|i?xor|i?lshift|i?rshift|invert"
# Messages of the compiler about common mistakes -> what to tell the author.
TRANSLATIONS = {
    r".*Untyped global name '(\w+)'.*<class 'function'>.*": (
        r"\1 is plain Python; write @compiled above def \1"
    ),
    r"No definition for lowering .*_State_.*\.(\w+) = .*": (
        r"it assigns to \1 of a state; states never change: answer a new State(...)"
    ),
    r".*>>> setitem\(readonly array.*": "it writes into a global array, which is a constant here",
    r".*>>> (?:static_)?[gs]etitem\(.*, float64.*": "an index is a float; use // or int(...)",
    rf".*>>> (?:{BITS})\(.*float64.*": f"a bit operation got a float: {FLOAT}",
    r"No implementation of function .*>>> (.*)": r"there is no compiled \1",
    r".*type of variable '(\w+)', have imprecise type: (list|DictType|set).*": (
        r"the empty \1 has no type; use an array, such as np.empty(n, np.int64)"
    ),
    r".*unsupported keyword arguments when calling .*\.(\w+)'>.*": (
        r"\1(...) takes its fields in order, without their names"
    ),
    r".*\.(\w+)'>': missing a required argument: '(\w+)'.*": r"\1 lacks its field \2",
    r"Unknown attribute '_replace' of type (\w+).*": r"answer a new \1(...); there is no _replace",
    r".*Untyped global name '(\w+)'.*Cannot determine Numba type of <class '(\w+)'>.*": (
        r"\1 is a \2; use a tuple or an array"
    ),
    r".*reflected (list|set)\(.*assigned to variable '(\w+)' in globals.*": (
        r"\2 is a \1; use a tuple or an array"
    ),
    r"Type of variable '(\w+)' cannot be determined.*": r"the type of \1 is not known",
    r"Cannot unify (.*) and (.*) for '(\w+)(?:\.\d+)?', .*": r"\3 is \1 or \2; use one type",
    r"The use of yield in a closure is unsupported.*": "it uses (... for ...); write a loop",
    r"Literal\[(\w+)\]\([^()]*\)": r"\1",
}
# How the compiler names a function of the package that the author's code calls.
CALLED = re.compile(
    r"resolving callee type: \S*\(<function (\w+) at \w+>\)*\s+"
    r"During: typing of call at (.+) \((\d+)\)"
)
PACKAGE = ("plies/core/", "plies/compiling/")
NOISE = ("During:", "File ", "Failed in", "<source", "Overload", "def ", "There are", "Of which")


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
    return _short(text_of(error))


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
    of_compiler = type(error).__module__.startswith("numba.")
    reason = f"{type(error).__name__}: {reason_text(error)}" if of_compiler else ""
    otherwise = f"{game.name}: a rule fails: {reason or failure_text(game, error)}"
    return next(_complaints(game), otherwise)


def _complaints(game: Any) -> Iterator[str]:
    """Compile each rule alone, so that a complaint is about that rule."""
    if is_interpreting():
        return
    state = typeof(game.initial())
    for name, rule in verbs.rules_of[game.State].items():
        if not hasattr(rule, "compile"):  # a game loaded as plain Python
            continue
        arguments = (state, types.int64)[: len(RULE[name].takes)]
        try:
            check_answer(RULE[name].answers, rule, *arguments)
        except BadGame as wrong:
            yield f"{game.name}: {_short(str(wrong))}"
        except Exception as failure:
            yield f"{game.name}: {name} does not compile: {reason_text(failure, rule)}"


def reason_text(error: BaseException, rule: Any = None) -> str:
    """The innermost complaint of the compiler, and the author's line that led to it."""
    text = COLOURS.sub("", str(error))
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(NOISE)]
    lines = lines or [type(error).__name__]
    reason = " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]
    for pattern, translation in TRANSLATIONS.items():
        reason = re.sub(pattern, translation, reason)
    places = PLACE.findall(text)
    if places and _is_ours(places[0][0]):
        # The compiler repeats an error with all callers: name the one in the rule's file.
        file = Path(rule.py_func.__code__.co_filename).name if rule is not None else ""
        called = [call for call in CALLED.findall(text) if not _is_ours(call[1])]
        by_file = sorted(called, key=lambda call: Path(call[1]).name != file)
        for (name, *_), (_, path, line) in zip(called[:1], by_file, strict=False):
            cause = f" got a float: {FLOAT}" if "float" in reason else f" fails: {reason}"
            return f"{_short(name + cause)} ({Path(path).name}, line {line})"
    own = [each for each in places if not _is_ours(each[0])] or places
    if own:
        return f"{_short(reason)} ({Path(own[0][0]).name}, line {own[0][1]})"
    return f"{_short(reason)} ({place(rule)})" if rule is not None else _short(reason)


def _is_ours(path: str) -> bool:
    """Whether a file belongs to the package, not to a game."""
    return any(folder in path.replace("\\", "/") for folder in PACKAGE)


def _short(text: str) -> str:
    """A text with the class names as their author wrote them."""
    return CLASS_NAME.sub(lambda match: match[1], text)
