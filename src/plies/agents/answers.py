"""Reads the answers of a program without trusting them."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from plies.agents.faults import MOST, playable_line
from plies.errors import AgentFault, shorten
from plies.sandbox.ending import quoted
from plies.search.decision import Decision

if TYPE_CHECKING:
    from plies.core.contract import Game

MOST_MOVES = 8  # of a list in a message
ELSEWHERE = "debugging output belongs on standard error"


def read_ready(text: str) -> None:
    """The answer to `start`."""
    if _read_object(text).get("type") != "ready":
        raise AgentFault("bad output", f'answered {quoted(text)} to start, not {{"type": "ready"}}')


def read_answer(
    text: str, game: "Game", state: Any, legal: Mapping[str, int], seconds: float
) -> Decision:
    """The answer to `move`: a decision with those of its reasons that make sense.

    A move that is missing or not legal is a fault.  A reason that is not a number in range, and
    the part of a line that cannot be played, are left out.
    """
    answer = _read_object(text)
    if "move" not in answer:
        example = json.dumps({"move": next(iter(legal))})
        raise AgentFault("bad output", f"answered {quoted(text)}, without a move; write {example}")
    name = answer["move"]
    if not isinstance(name, str):
        raise AgentFault("bad output", f"its move is {quoted(json.dumps(name))}, not a text")
    if name not in legal:
        texts = shorten(list(legal), MOST_MOVES)
        raise AgentFault("illegal", f"played {quoted(name)}; legal are {texts}")
    line = answer.get("line")
    texts = line if isinstance(line, list) else []
    return Decision(
        legal[name],
        value=_whole(answer.get("value"), -MOST),
        depth=_whole(answer.get("depth"), 0) or 0,
        nodes=_whole(answer.get("nodes"), 0) or 0,
        seconds=seconds,
        line=playable_line(game, state, legal[name], texts, is_text=True),
    )


def _read_object(text: str) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        answer = json.loads(text)
        if isinstance(answer, dict):
            return answer
    message = f"printed {quoted(text)} instead of a JSON object; {ELSEWHERE}"
    raise AgentFault("bad output", message)


def _whole(number: Any, least: int) -> int | None:
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    return number if is_whole and least <= number <= MOST else None
