"""Checks of what may never return: rules of a game, an agent, an evaluator.

Nothing can interrupt compiled code, not even Ctrl-C.  So the checks run in a thread of their
own, and this one watches: where that thread hangs, its stack shows which rule was called in
which state.  It is a daemon, which ends with the process.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from plies.core.contract import Game
from plies.core.diagnosis import compile_rules
from plies.core.states import state_text
from plies.testing import CHECKS, CheckResult, checks
from plies.testing.sentences import at_position

GLANCE = 0.05  # seconds between two looks; a longer wait would delay Ctrl-C
GAME_MODULES = ("plies.core.verbs", "plies.core.contract", "plies.core.appearance")
FILE_MODULES = ("plies.agents.agent", "plies.evaluators.files", "plies.testing.evaluators")
COMPILERS = ("numba", "llvmlite")

Item = TypeVar("Item")


class Call(NamedTuple):
    """A call of a game that has not returned yet, and the frames inside it."""

    frame: FrameType
    inner: list[FrameType]


def watched_checks(game: Game, seed: int, games: int, patience: float) -> Iterator[CheckResult]:
    """The results one by one; the last one fails where a rule takes more than `patience` seconds.

    The time of the compiler does not count.
    """

    def compiled_first() -> Iterator[CheckResult]:
        compile_rules(game)
        yield from checks(game, seed, games)

    results = _run_in_a_thread(compiled_first(), patience)
    for name, item in zip(CHECKS, results, strict=False):
        if isinstance(item, Call):
            where = _line(Path(game.source).name, item)
            position, problem = _describe(game, item)
            problem += f" within {patience:g} seconds{where}"
            item = CheckResult(name, False, at_position(position, problem))
        yield item


def watched_file_checks(
    results: Iterable[CheckResult], path: Path, patience: float
) -> Iterator[CheckResult]:
    """The same for an agent or an evaluator in a file."""
    for item in _run_in_a_thread(results, patience, FILE_MODULES):
        if isinstance(item, Call):
            line = _line(path.name, item)
            problem = f"it does not return within {patience:g} seconds{line}"
            item = CheckResult("answers", False, at_position(_position(item), problem))
        yield item


def _position(call: Call) -> str:
    """The position in which an agent or an evaluator was asked; empty if that is not known."""
    names = call.frame.f_locals
    if task := names.get("task"):
        return f"{task.game.position_text(task.state)} of {task.game.spec}"
    return state_text(names["state"]) if "state" in names else ""


def _run_in_a_thread(
    items: Iterable[Item], patience: float, modules: Sequence[str] = GAME_MODULES
) -> Iterator[Item | Call]:
    """The items; the last one is the call from these modules that does not return, if any."""
    done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def work() -> None:
        try:
            for item in items:
                done.put((item, None))
            done.put((None, StopIteration()))
        except BaseException as error:  # the watching thread raises it again
            done.put((None, error))

    thread = Thread(target=work, daemon=True)
    thread.start()
    frame, since = None, time.monotonic()
    while True:
        try:
            item, error = done.get(timeout=GLANCE)
        except Empty:
            call = _call_of(thread, modules)
            if call is None or call.frame is not frame:
                frame, since = call and call.frame, time.monotonic()
            elif time.monotonic() - since > patience:
                yield call
                return
            continue
        if isinstance(error, StopIteration):
            return
        if error is not None:
            raise error
        yield item


def _call_of(thread: Thread, modules: Sequence[str]) -> Call | None:
    """The innermost call from these modules in a thread; None while it compiles."""
    frame = sys._current_frames().get(thread.ident or 0)
    inner: list[FrameType] = []
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] in COMPILERS:
            return None
        if module in modules:
            return Call(frame, inner)
        inner.append(frame)
        frame = frame.f_back
    return None


def _describe(game: Game, call: Call) -> tuple[str, str]:
    """The position, if there is one, and `play of move 2 does not return`."""
    names = call.frame.f_locals
    rule = names.get("name") or call.frame.f_code.co_name
    state: Any
    state, *more = names.get("arguments") or (names.get("state"), names.get("choice"))
    move = f" of move {more[0]}" if more and isinstance(more[0], int) else ""
    problem = f"{rule}{move} does not return"
    if not hasattr(state, "_fields"):  # initial, or text that is read
        return "", problem
    fields = tuple(state)
    return _in_time(lambda: game.position_text(game.State(*fields))) or repr(state), problem


def _line(file: str, call: Call) -> str:
    """Where plain Python is: compiled code shows no lines."""
    # The name alone is compared: the folder may be written in several ways.
    inner = (frame for frame in call.inner if Path(frame.f_code.co_filename).name == file)
    return next((f" ({file}, line {frame.f_lineno})" for frame in inner), "")


def _in_time(answer: Callable[[], str], seconds: float = 1) -> str:
    """The answer of a function of the game; "" where that fails or hangs, too."""
    texts: SimpleQueue[str] = SimpleQueue()
    Thread(target=lambda: texts.put(answer()), daemon=True).start()
    try:
        return texts.get(timeout=seconds)
    except Empty:
        return ""
