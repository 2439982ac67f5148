"""What a user's agent does wrong in this process, in one line and as `AgentFault`.

The package trusts its own searches.  Whatever a user's file or package raises or answers is a
fault of that agent, which loses the game but never ends a tournament.
"""

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plies.core.diagnosis import raise_shortage, reason_text
from plies.errors import AgentFault, OutOfResources, PliesError, shorten
from plies.search.decision import Decision
from plies.search.runner import NoLegalMove

if TYPE_CHECKING:
    from plies.core.contract import Game

PACKAGE = "plies."
MOST_PLIES = 100  # of a line
PASSED_ON = (AgentFault, OutOfResources, NoLegalMove)


def is_foreign(kind: type) -> bool:
    """Whether a search does not come with the package."""
    return not f"{kind.__module__}.".startswith(PACKAGE)


@contextmanager
def blaming_agent(name: str) -> Iterator[None]:
    """Turn whatever a user's agent raises into `AgentFault`."""
    try:
        yield
    except PASSED_ON:
        raise
    except (Exception, SystemExit) as error:
        raise_shortage(error)
        raise AgentFault("crash", crash_text(name, error)) from error


def crash_text(name: str, error: BaseException) -> str:
    """`mine.py, line 12: ZeroDivisionError: division by zero`."""
    # The last line that is neither of Python's library nor of this package.
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not {"plies", "numba", "importlib"} & set(Path(frame.filename).parts[-4:-1])
        and not frame.filename.startswith("<")
    ]
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else name
    if type(error).__module__.startswith("numba."):
        return f"{Path(name).name} does not compile: {reason_text(error)}"  # type: ignore[arg-type]
    reason = str(error).strip().partition("\n")[0]
    kind = "" if isinstance(error, PliesError) else f"{type(error).__name__}: "
    return f"{where}: {kind}{reason}".removesuffix(": ")


def checked_decision(decision: Any, game: "Game", state: Any) -> Decision:
    """The decision if its move is legal and its reasons are numbers, else `AgentFault`."""
    if not isinstance(decision, Decision):
        raise AgentFault("bad output", f"decide answers {decision!r:.80}, not a Decision")
    check_move(decision.move, game, state)
    value = decision.value
    try:
        return replace(
            decision,
            move=int(decision.move),
            value=None if value is None else int(value),
            depth=int(decision.depth),
            nodes=int(decision.nodes),
            seconds=float(decision.seconds),
            line=playable_line(game, state, int(decision.move), decision.line),
        )
    except (TypeError, ValueError) as error:
        raise AgentFault("bad output", f"its decision holds what is no number: {error}") from error


def check_move(move: Any, game: "Game", state: Any) -> int:
    """`AgentFault` unless it is a legal move."""
    if isinstance(move, bool) or not hasattr(move, "__index__"):
        hint = "; game.parse_move(state, text) reads a text" if isinstance(move, str) else ""
        raise AgentFault("bad output", f"answers {move!r:.80}, not a move, which is a number{hint}")
    if move not in game.moves(state):
        legal = shorten([str(each) for each in game.moves(state)])
        raise AgentFault("illegal", f"answers {int(move)}, which is not legal; legal are {legal}")
    return int(move)


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
