"""Moves as text, derived from the steps that a game declares.

A move's text is its steps joined by `-`.  Reading ignores case and accepts other separators.
It has an error each for a text that names nothing, for a move that the rules forbid, and for a
text that fits several moves.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from plies.errors import AmbiguousMove, IllegalMove, UnreadableMove, shorten

SEPARATORS = re.compile(r"[\s,;>-]+")
SIGN = re.compile(r"-[0-9]")
# How players are called, in order.
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def steps_text(steps: Sequence[str]) -> str:
    """`("a1", "a5")` -> `a1-a5`."""
    return "-".join(steps)


def is_same(text: str, other: str) -> bool:
    """Whether two texts differ in nothing but case and the space around them."""
    return text.strip().lower() == other.strip().lower()


def find_move(
    text: str,
    moves: Mapping[tuple[str, ...], int],
    words: Iterable[str],
    own_texts: Sequence[str] = (),
) -> int:
    """The legal move that a text names.

    `moves` maps the steps of every legal move to the move; `words` are all the
    names that may occur in a move of this game, legal here or not; numbers may too.
    `own_texts` are the moves as the game writes them, if that is not their steps.
    """
    by_text = {steps_text(steps).lower(): move for steps, move in moves.items()}
    if text.strip().lower() in by_text:
        return by_text[text.strip().lower()]
    steps_read = _words(text.strip().lower())
    legal = list(own_texts) or [steps_text(steps) for steps in moves]
    by_steps = {tuple(step.lower() for step in steps): move for steps, move in moves.items()}
    if steps_read in by_steps:
        return by_steps[steps_read]
    known = {word.lower() for word in words} | {step for steps in by_steps for step in steps}
    unknown = {word for word in steps_read if word not in known and not word.isdecimal()}
    if unknown or not known & set(steps_read):
        example = f"; a move looks like {legal[0]}" if legal else ""
        raise UnreadableMove(f"{text.strip()!r} is not a move of this game{example}")
    fitting = [own for own, steps in zip(legal, moves, strict=True) if _starts(steps, steps_read)]
    if fitting:
        message = f"{text.strip()} is not a whole move; it could be {shorten(fitting)}"
        raise AmbiguousMove(message, fitting)
    raise IllegalMove(f"{text.strip()} is not legal here; legal are {shorten(legal)}", legal)


def _words(text: str) -> tuple[str, ...]:
    """The steps that a text may mean; a minus before its first number is no separator."""
    words = tuple(part for part in SEPARATORS.split(text) if part)
    return (f"-{words[0]}", *words[1:]) if SIGN.match(text) else words


def _starts(steps: Sequence[str], steps_read: Sequence[str]) -> bool:
    return tuple(step.lower() for step in steps[: len(steps_read)]) == tuple(steps_read)
