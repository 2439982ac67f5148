"""What a user's agent does wrong in this process, in one line and as `AgentFault`.

The package trusts its own searches.  Whatever a user's file or package raises or answers is a
fault of that agent, which loses the game but never ends a tournament.
"""

import sysconfig
import threading
import traceback
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba

from plies.core.author_lines import is_of_compiler
from plies.core.compiler_errors import reason_text
from plies.core.diagnosis import error_text, explaining, raise_shortage
from plies.errors import AgentFault, BadGame, OutOfResources, PliesError, shorten
from plies.search.decision import Decision, Depth
from plies.search.runner import NoLegalMove

if TYPE_CHECKING:
    from plies.core.contract import Game

PACKAGE = "plies."
MOST = 2**53  # whole numbers up to here are exact in every language
MOST_PLIES = 100  # of a line
COUNTS = ("depth", "nodes", "leaves", "evaluations", "cutoffs", "table_hits", "simulations")
PLIES, NUMBA = Path(__file__).parents[1], Path(numba.__file__).parent
PYTHON = Path(sysconfig.get_path("stdlib"))
TIMES = ("seconds", "cpu_seconds")


def is_foreign(kind: type) -> bool:
    """Whether a search does not come with the package."""
    return not f"{kind.__module__}.".startswith(PACKAGE)


class AgentErrors:
    """Within it, errors of a game's rules become `BadGame`, those of a user's agent `AgentFault`.

    `foreign` names the user's file or package, if there is one; `is_forgiving` ignores its
    faults.  A class, not a generator: one whose thread is given up would hear `GeneratorExit`,
    which an agent may raise as well.
    """

    def __init__(self, game: "Game", foreign: str, is_forgiving: bool = False):
        self.game, self.foreign, self.is_forgiving = game, foreign, is_forgiving

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        if isinstance(error, NoLegalMove):
            where = self.game.position_text(error.state)
            complaint = f"{where} has no legal move although the game goes on"
            raise BadGame(f"{self.game.name}: {complaint}") from error
        if not self.foreign:
            explaining(self.game).__exit__(kind, error, trace)
            return False
        if error is None or isinstance(error, OutOfResources) or _is_ctrl_c(error):
            return False
        if not isinstance(error, (AgentFault, MemoryError)):
            raise_shortage(error)
        if not (self.is_forgiving or isinstance(error, AgentFault)):
            termination = "memory" if isinstance(error, MemoryError) else "crash"
            raise AgentFault(termination, crash_text(self.foreign, error)) from error
        return self.is_forgiving


def _is_ctrl_c(error: BaseException) -> bool:
    """Only the main thread hears Ctrl-C: elsewhere an agent has raised it."""
    is_main = threading.current_thread() is threading.main_thread()
    return isinstance(error, KeyboardInterrupt) and is_main


def crash_text(name: str, error: BaseException) -> str:
    """`mine.py, line 12: ZeroDivisionError: division by zero`."""
    trace = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in trace if not _is_between(frame.filename)]
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else name
    if is_of_compiler(error) and not isinstance(error, (PliesError, MemoryError)):
        return f"{name} does not compile: {reason_text(error)}"
    reason = error_text(error).partition("\n")[0]
    kind = "" if isinstance(error, PliesError) else f"{type(error).__name__}: "
    return f"{where}: {kind}{reason}".removesuffix(": ")


def _is_between(file: str) -> bool:
    """Whether a file is of Python's library, the compiler or this package, not of the agent."""
    folders = Path(file).parents
    is_of_python = PYTHON in folders and "site-packages" not in Path(file).parts
    return is_of_python or file.startswith("<") or bool({PLIES, NUMBA} & {*folders})


def checked_decision(decision: Any, game: "Game", state: Any, name: str) -> Decision:
    """The decision if its move is legal and its reasons are numbers, else `AgentFault`."""
    if not isinstance(decision, Decision):
        raise AgentFault("bad output", f"decide of {name} answers {decision!r:.80}, not a Decision")
    move = _legal_move(decision.move, game, state, name)
    value = decision.value
    try:
        return replace(
            decision,
            move=move,
            value=None if value is None else _number(value),
            line=playable_line(game, state, move, tuple(decision.line)),
            payoffs=tuple(map(_number, decision.payoffs)),
            history=tuple(each for each in decision.history if isinstance(each, Depth)),
            **{count: _number(getattr(decision, count)) for count in COUNTS},
            **{time: max(float(_finite(getattr(decision, time))), 0.0) for time in TIMES},
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
        wrong = f"{name} answers {move!r:.80}, not a move, which is a whole number{hint}"
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


def playable_line(
    game: "Game", state: Any, move: int, line: Sequence[Any], *, is_text: bool = False
) -> tuple[int, ...]:
    """The expected line, of moves or their texts, as far as it can be played after `move`."""
    played: list[int] = []
    for each in line[:MOST_PLIES]:
        moves = game.moves(state)
        known = game.move_texts(state) if is_text else moves
        if each not in known:
            break
        played.append(moves[known.index(each)])
        state = game.play(state, played[-1])
    return tuple(played) if played[:1] == [move] else (move,)
