"""What somebody else's agent may do wrong in this process, in one line and as `AgentFault`.

The package's own searches are trusted; whatever a user's file or package raises or answers is
a fault of that agent.  It ends a game as any fault does, never a tournament.
"""

import sysconfig
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import isfinite
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba

from plies.agents.answers import MOST, MOST_PLIES
from plies.core.diagnosis import error_text, is_shortage, reason_text
from plies.errors import AgentFault, OutOfResources, PliesError, shorten
from plies.search.decision import Decision, Depth
from plies.search.runner import NoLegalMove

if TYPE_CHECKING:
    from plies.core.contract import Game

PACKAGE = "plies."
COUNTS = ("depth", "nodes", "leaves", "evaluations", "cutoffs", "table_hits", "simulations")
PLIES, NUMBA = Path(__file__).parents[1], Path(numba.__file__).parent
PYTHON = Path(sysconfig.get_path("stdlib"))
TIMES = ("seconds", "cpu_seconds")
PASSED_ON = (AgentFault, OutOfResources, NoLegalMove)


def is_foreign(kind: type) -> bool:
    """Whether a search does not come with the package."""
    return not f"{kind.__module__}.".startswith(PACKAGE)


@contextmanager
def blaming_agent(name: str) -> Iterator[None]:
    """Turn whatever somebody else's agent raises into `AgentFault`."""
    try:
        yield
    except PASSED_ON:
        raise
    except MemoryError as error:
        raise AgentFault("memory", crash_text(name, error)) from error
    except BaseException as error:
        # Ctrl-C is heard by the main thread only: elsewhere the agent has raised it.
        is_main = threading.current_thread() is threading.main_thread()
        if isinstance(error, KeyboardInterrupt) and is_main:
            raise
        if isinstance(error, Exception) and is_shortage(error):
            raise OutOfResources(
                f"the machine is short of threads, processes or memory: {error!r}"
            ) from error
        raise AgentFault("crash", crash_text(name, error)) from error


def crash_text(name: str, error: BaseException) -> str:
    """`mine.py, line 12: ZeroDivisionError: division by zero`."""
    trace = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in trace if not _is_between(frame.filename)]
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else name
    if type(error).__module__.startswith("numba."):
        return f"{name} does not compile: {reason_text(error)}"  # type: ignore[arg-type]
    reason = error_text(error).partition("\n")[0]
    kind = "" if isinstance(error, PliesError) else f"{type(error).__name__}: "
    return f"{where}: {kind}{reason}".removesuffix(": ")


def _is_between(file: str) -> bool:
    """Whether a file is of Python's library, the compiler or this package, not of the agent."""
    folders = Path(file).parents
    is_of_python = PYTHON in folders and "site-packages" not in Path(file).parts
    return is_of_python or file.startswith("<") or bool({PLIES, NUMBA} & {*folders})


def checked(decision: Any, game: "Game", state: Any, name: str) -> Decision:
    """A decision that everybody can rely on: its move is legal, its reasons are numbers."""
    if not isinstance(decision, Decision):
        raise AgentFault("bad output", f"decide of {name} answers {decision!r:.80}, not a Decision")
    move = _legal_move(decision.move, game, state, name)
    value = decision.value
    try:
        return replace(
            decision,
            move=move,
            value=None if value is None else _number(value),
            line=_line(decision, game, state),
            payoffs=tuple(map(_number, decision.payoffs)),
            history=tuple(each for each in decision.history if isinstance(each, Depth)),
            **{count: _number(getattr(decision, count)) for count in COUNTS},
            **{time: float(_finite(getattr(decision, time))) for time in TIMES},
        )
    except (TypeError, ValueError, OverflowError) as error:
        wrong = f"the decision of {name} holds what is no number: {error}"
        raise AgentFault("bad output", wrong) from error


def _legal_move(move: Any, game: "Game", state: Any, name: str) -> int:
    """`AgentFault` unless it is a legal move."""
    try:
        number = None if isinstance(move, bool) else index(move)
    except TypeError:
        number = None
    if number is None:
        hint = "; game.parse_move(state, text) reads a text" if isinstance(move, str) else ""
        wrong = f"{name} answers {move!r:.80}, not a move, which is a number{hint}"
        raise AgentFault("bad output", wrong)
    if number not in game.moves(state):
        legal = shorten([str(each) for each in game.moves(state)])
        raise AgentFault("illegal", f"{name} answers {number}, not legal; legal are {legal}")
    return number


def _number(given: Any) -> int:
    """A whole number that can be stored; fractions are cut off."""
    if abs(number := int(_finite(given))) > MOST:
        raise ValueError(f"{number} is beyond {MOST}")
    return number


def _finite(given: Any) -> Any:
    if not isfinite(given):
        raise ValueError(f"{given}")
    return given


def _line(decision: Decision, game: "Game", state: Any) -> tuple[int, ...]:
    """The expected line as far as it can be played; it begins with the move."""
    line: list[int] = []
    for move in tuple(decision.line)[:MOST_PLIES]:
        if move not in game.moves(state):
            break
        line.append(int(move))
        state = game.play(state, line[-1])
    return tuple(line) if line[:1] == [decision.move] else (int(decision.move),)
