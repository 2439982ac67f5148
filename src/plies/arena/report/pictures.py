"""Pictures kept in little room: what many of them share is kept once.

A picture is SVG.  It is taken apart between its tags: what has nothing but text in it stays
whole.  Every distinct part has a number, a picture is a list of numbers, and a picture that
follows another is told by what differs.  No game is known here: put together again, the
parts are what the game drew.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

# Left out: room between tags, what is read out but not drawn and differs in every picture,
# and namespaces, of which a page needs none.
ROOM = re.compile(r"(?<=>)\s+(?=<)")
UNSEEN = re.compile(r"<title>[^<]*</title>|<desc>.*?</desc>", re.DOTALL)
NAMESPACE = re.compile(r' xmlns(:\w+)?="[^"]*"')


class Pictures:
    """The parts and the first pictures of many games."""

    def __init__(self) -> None:
        self._parts: dict[str, int] = {}
        self._openings: dict[tuple[int, ...], int] = {}

    @property
    def parts(self) -> list[str]:
        """Every part under its number."""
        return list(self._parts)

    @property
    def openings(self) -> list[tuple[int, ...]]:
        """Every picture with which a game begins, under its number."""
        return list(self._openings)

    def numbers(self, svg: str) -> tuple[int, ...]:
        """A picture as the numbers of its parts."""
        return tuple(self._parts.setdefault(part, len(self._parts)) for part in parts_of(svg))

    def opening(self, picture: tuple[int, ...]) -> int:
        """The number of a picture with which a game begins."""
        return self._openings.setdefault(picture, len(self._openings))


def parts_of(svg: str) -> list[str]:
    """What is drawn of a picture, taken apart."""
    drawn = UNSEEN.sub("", ROOM.sub("", svg.strip()))
    first, *others = drawn.replace("><", ">\0<").split("\0")
    return [NAMESPACE.sub("", first), *others]


def edits(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """What turns one picture into another: `place, removed, added, *numbers`, repeated.

    Places count in the first picture and rise, so that edits are made from the last to the
    first.
    """
    first, last = _same_ends(before, after)
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    found: list[int] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            found += [first + start, end - start, new_end - new_start, *new[new_start:new_end]]
    return found


def _same_ends(before: Sequence[int], after: Sequence[int]) -> tuple[int, int]:
    """How many parts are the same at the beginning, and how many of the rest at the end."""
    shorter = min(len(before), len(after))
    first = 0
    while first < shorter and before[first] == after[first]:
        first += 1
    last = 0
    while last < shorter - first and before[-1 - last] == after[-1 - last]:
        last += 1
    return first, last


def edited(picture: Sequence[int], changes: Sequence[int]) -> list[int]:
    """The picture after the changes that `edits` has found."""
    result, index, shift = list(picture), 0, 0
    while index < len(changes):
        place, removed, added = changes[index : index + 3]
        numbers = changes[index + 3 : index + 3 + added]
        result[place + shift : place + shift + removed] = numbers
        shift += added - removed
        index += 3 + added
    return result
