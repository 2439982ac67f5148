"""How a problem is told: in one line, with what went wrong before a long position."""

from pathlib import Path
from typing import Any

from plies.core.diagnosis import line_of

LINE_LENGTH = 300
SHORT_POSITION = 100  # characters; a FEN of chess is shorter
SHORT_ANSWER = 60


def one_line(text: object, most: int = LINE_LENGTH) -> str:
    """A text as one line, cut after `most` characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= most else f"{line[:most]} ..."


def at_position(position: object, problem: str) -> str:
    """`at POSITION: PROBLEM`; a long position comes last, so that nobody overlooks the problem."""
    where = one_line(position)
    if not where:  # not known
        return problem
    return f"at {where}: {problem}" if len(where) <= SHORT_POSITION else f"{problem}; at {where}"


def error_problem(asked: str, error: BaseException, source: str) -> str:
    """What plain Python raises where compiled code answers, and the line of the source file.

    That is most often a wrong index, which compiled code does not notice.
    """
    line = line_of(error, source)
    where = f" ({Path(source).name}, line {line})" if line else ""
    if isinstance(error, IndexError):
        return f"{asked} goes beyond the end of an array{where}: {error}"
    return f"{asked} raises {type(error).__name__} as interpreted{where}: {error}"


def first_difference(answer: Any, expected: Any, path: str = "") -> tuple[str, str, str]:
    """Where two different answers differ, and what they are there: `cells[5]`, `1`, `0`.

    Records are dictionaries here.  Sequences that are short enough are shown whole.
    """
    pairs: list[tuple[str, Any, Any]] = []
    if isinstance(answer, dict) and isinstance(expected, dict):
        pairs = [(f".{name}", answer[name], expected[name]) for name in answer]
    elif _is_sequence(answer) and _is_sequence(expected) and not _are_short(answer, expected):
        if len(answer) != len(expected):
            name = path.removeprefix(".")
            length = f"the length of {name}" if name else "the length"
            return length, str(len(answer)), str(len(expected))
        both = enumerate(zip(answer, expected, strict=True))
        pairs = [(f"[{index}]", one, other) for index, (one, other) in both]
    for step, one, other in pairs:
        if one != other:
            return first_difference(one, other, path + step)
    return path.removeprefix("."), one_line(answer, SHORT_ANSWER), one_line(expected, SHORT_ANSWER)


def _is_sequence(answer: Any) -> bool:
    return isinstance(answer, (list, tuple))


def _are_short(*answers: Any) -> bool:
    return all(len(str(answer)) <= SHORT_ANSWER for answer in answers)
