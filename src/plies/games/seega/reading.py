"""Reading positions of Seega; a text that is wrong is refused with one line of reason."""

import re
from typing import NamedTuple

from plies.core import grid, lowest_bit, popcount, read_rows
from plies.games.seega.cells import CENTRE, capturing_steps, has_step, name_of, numbers

MARKS = "XO"
PLACING = "place"
COUNT = re.compile(r"0|[1-9][0-9]{0,3}")


class Position(NamedTuple):
    """A text as numbers, not yet checked for whether it can arise."""

    mine: int  # the pieces of the mark to move, as bits
    theirs: int
    turn: int
    is_placing: bool
    quiet: int
    chaining: int  # the bit of the piece that may go on capturing, or 0


def read(text: str, size: int, limit: int) -> Position:
    """The position of a text, with no more pieces than the game has."""
    fields = text.split()
    if len(fields) not in (3, 4):
        raise ValueError(
            "write the rows from the top with X, O and . joined by /, the mark to move, and"
            f" {PLACING} or the number of steps since the last capture, such as"
            f" {'/'.join(size * ['.' * size])} X {PLACING}"
        )
    rows, mark, count, *chaining = fields
    if mark not in tuple(MARKS):
        raise ValueError(f"the mark to move is X or O, not {mark}")
    is_placing = count == PLACING
    quiet = 0 if is_placing else _read_quiet(count, limit)
    sides = _read_rows(rows, size)
    piece = _read_cell(chaining[0], size) if chaining else 0
    turn = MARKS.index(mark)
    return Position(sides[turn], sides[turn ^ 1], turn, is_placing, quiet, piece)


def _read_rows(text: str, size: int) -> tuple[int, int]:
    """The pieces of X and of O, as bits."""
    placed, cells = read_rows(text, grid(size, size), MARKS), numbers(size)
    x, o = (sum(1 << cells[name] for name in placed if placed[name] == mark) for mark in MARKS)
    most = size * size // 2
    for mark, pieces in zip(MARKS, (x, o), strict=True):
        if pieces.bit_count() > most:
            raise ValueError(f"{mark} has {pieces.bit_count()} pieces, at most {most}")
    return x, o


def _read_quiet(text: str, limit: int) -> int:
    if not COUNT.fullmatch(text) or int(text) > limit:
        raise ValueError(
            f"{text!r} is neither {PLACING} nor the number of steps since the last capture,"
            f" 0 to {limit}"
        )
    return int(text)


def _read_cell(text: str, size: int) -> int:
    cells = numbers(size)
    if text not in cells:
        last = name_of(size * (size + 1) - 2, size)
        raise ValueError(f"the piece that may go on is on a cell from a1 to {last}, not {text!r}")
    return 1 << cells[text]


def refuse_placing(position: Position, size: int) -> None:
    """Refuse positions that cannot arise while pieces are placed."""
    counts = [popcount(position.mine), popcount(position.theirs)]
    placed = sum(counts)
    _refuse_centre(position, size, "stays empty while pieces are placed")
    if placed == size * size - 1:
        raise ValueError(f"all pieces are placed: write 0 instead of {PLACING}")
    if position.chaining:
        raise ValueError("no piece can go on capturing while pieces are placed")
    turns = placed // 2
    turn = turns & 1
    expected = [(turns + 1) // 2 * 2, turns // 2 * 2]
    expected[turn] += placed & 1
    if position.turn != turn or counts != [expected[turn], expected[turn ^ 1]]:
        raise ValueError(
            f"two are placed in a turn: of {placed} pieces {expected[0]} are X and"
            f" {expected[1]} are O, and {MARKS[turn]} is to move"
        )


def refuse_moving(position: Position, size: int, is_chain: int) -> None:
    """Refuse counts and turns that contradict the pieces, once all have been placed."""
    mine, theirs = position.mine, position.theirs
    mark, other = MARKS[position.turn], MARKS[position.turn ^ 1]
    if not has_step(mine, theirs, size):
        raise ValueError(f"{mark} has no step: {other} is to move")
    if theirs == 0 and position.quiet:
        raise ValueError(f"{other} has no pieces: the last step was a capture, so write 0")
    if popcount(mine | theirs) == size * size - 1 and position.quiet == 0:
        _refuse_centre(position, size, "is empty before the first step")
        if position.turn == 0 and has_step(theirs, mine, size):
            raise ValueError("O has placed last and makes the first step")
    if position.chaining:
        _refuse_going(position, size, is_chain)


def _refuse_centre(position: Position, size: int, rule: str) -> None:
    centre = int(CENTRE[size])
    if (position.mine | position.theirs) & centre:
        raise ValueError(f"{name_of(lowest_bit(centre), size)} is the centre, which {rule}")


def _refuse_going(position: Position, size: int, is_chain: int) -> None:
    """The piece that may go on must have captured and must be able to capture again."""
    cell = name_of(lowest_bit(position.chaining), size)
    if not is_chain:
        raise ValueError(f"the piece on {cell} cannot go on: it needs the option chain=true")
    if not position.mine & position.chaining:
        raise ValueError(f"there is no {MARKS[position.turn]} on {cell} that could go on")
    if position.quiet or popcount(position.theirs) == size * size // 2:
        raise ValueError(f"the piece on {cell} cannot go on: the last step was no capture")
    if not capturing_steps(position.chaining, position.mine, position.theirs, size):
        raise ValueError(f"the piece on {cell} cannot go on: none of its steps captures")
