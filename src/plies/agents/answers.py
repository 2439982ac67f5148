"""What a program answers, read without trusting it."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from plies.errors import AgentFault, shorten
from plies.sandbox.ending import quoted
from plies.search.decision import Decision

if TYPE_CHECKING:
    from plies.core.contract import Game

MOST = 2**53  # whole numbers up to here are exact in every language
MOST_PLIES = 100  # of a line
MOST_SHOWN = 8
ELSEWHERE = "debugging output belongs on standard error"


def read_ready(text: str) -> None:
    """The answer to `start`."""
    said = _object(text)
    if said.get("type") != "ready":
        raise AgentFault("bad output", f'answered {quoted(text)} to start, not {{"type": "ready"}}')


def read_answer(
    text: str, game: "Game", state: Any, legal: Mapping[str, int], seconds: float
) -> Decision:
    """The answer to `move`: a decision with what is sound of its reasons.

    A move that is missing or not legal is a fault; a reason that is not a number in range,
    or a line that cannot be played, only goes unrecorded.
    """
    said = _object(text)
    if "move" not in said:
        example = json.dumps({"move": next(iter(legal))})
        raise AgentFault("bad output", f"answered {quoted(text)}, without a move; write {example}")
    wanted = said["move"]
    if not isinstance(wanted, str):
        raise AgentFault("bad output", f"its move is {quoted(json.dumps(wanted))}, not a text")
    if wanted not in legal:
        shown = shorten(list(legal), MOST_SHOWN)
        raise AgentFault("illegal", f"played {quoted(wanted)}; legal are {shown}")
    return Decision(
        legal[wanted],
        value=_whole(said.get("value"), -MOST),
        depth=_whole(said.get("depth"), 0) or 0,
        nodes=_whole(said.get("nodes"), 0) or 0,
        seconds=seconds,
        line=_line(said.get("line"), game, state, legal[wanted]),
    )


def _object(text: str) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise AgentFault(
            "bad output", f"printed {quoted(text)} instead of a JSON object; {ELSEWHERE}"
        )
    return said


def _whole(number: Any, least: int) -> int | None:
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    return number if is_whole and least <= number <= MOST else None


def _line(texts: Any, game: "Game", state: Any, move: int) -> tuple[int, ...]:
    """The moves of a line as far as they can be played; it begins with the move."""
    line: list[int] = []
    for text in texts[:MOST_PLIES] if isinstance(texts, list) else ():
        legal = dict(zip(game.move_texts(state), game.moves(state), strict=True))
        if not isinstance(text, str) or text not in legal:
            break
        line.append(legal[text])
        state = game.play(state, line[-1])
    return tuple(line) if line[:1] == [move] else (move,)
