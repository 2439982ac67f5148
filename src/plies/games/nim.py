"""Nim: take objects from one row; whoever takes the last object wins.

Objects lie in rows.  In your turn, take one or more objects, all from the same row, and
at most `k` of them if a bound `k` is set.  Whoever takes the last object wins; with
`misere` that player loses.

    a |                  rows=1-3-5-7, the usual start
    b | | |
    c | | | | |          a move is a row and a number: `c-3` takes three objects from c,
    d | | | | | | |      those farthest to the right

Three to nine may play, in turn.  Then whoever takes the last object gets 1 and the others
0; with `misere` the others get 1.

Where sources differ: the rows are 1, 3, 5, ... by default, and normal play (the last
object wins) is the default although the game of matches is often played the other way.

A position is what is left in each row and whose turn it is: `1-0-5-7 second`.
"""

import re
from functools import reduce
from operator import xor
from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, SCORED, Board, Game, compiled, lowest_bit
from plies.core.scores import WIN
from plies.drawing.board import LETTERS
from plies.drawing.notation import ORDINALS
from plies.errors import BadSpec

LONGEST = 999  # objects in a row
BITS = 62  # that a field of a state may use
OBJECT = "|"
ROWS = re.compile(r"(0|[1-9][0-9]{0,2})(-(0|[1-9][0-9]{0,2}))*")


class State(NamedTuple):
    """Row i is packed in `bits` bits of `heaps`, beginning with bit i * bits.

    A move is the number of objects it takes, packed in the same way.
    """

    heaps: int
    turn: int
    start: int  # the heaps in the beginning, all of them at least 1
    bits: int
    k: int  # the largest number a move may take
    misere: int
    players: int


def initial(
    rows: tuple[int, ...] = (1, 3, 5, 7), k: int = 0, misere: bool = False, players: int = 2
) -> State:
    """Full rows; `k=0` sets no bound."""
    if not 1 <= len(rows) <= len(LETTERS) or not all(1 <= row <= LONGEST for row in rows):
        raise ValueError(f"rows are 1 to {len(LETTERS)} numbers from 1 to {LONGEST}")
    if k < 0:
        raise ValueError(f"k is 0 (no bound) or the most that a move may take, not {k}")
    if not 2 <= players <= len(ORDINALS):
        raise ValueError(f"players is 2 to {len(ORDINALS)}, not {players}")
    bits = max(rows).bit_length()
    if len(rows) * bits > BITS:
        raise ValueError(
            f"{len(rows)} rows of up to {max(rows)} objects take {len(rows) * bits} bits,"
            f" more than {BITS}: use fewer or shorter rows"
        )
    heaps = pack_rows(rows, bits)
    most = min(k or max(rows), max(rows))
    return State(heaps, 0, heaps, bits, most, int(misere), players)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    count = 0
    # Counted first, so that the array is allocated once.
    rest = state.heaps
    while rest:
        count += min(rest & (1 << state.bits) - 1, state.k)
        rest >>= state.bits
    moves = np.empty(count, np.int64)
    index = 0
    shift = 0
    while index < count:
        heap = state.heaps >> shift & (1 << state.bits) - 1
        for taken in range(1, min(heap, state.k) + 1):
            moves[index] = taken << shift
            index += 1
        shift += state.bits
    return moves


@compiled
def play(state, move):
    turn = state.turn + 1 if state.turn + 1 < state.players else 0
    return State(
        state.heaps - move,
        turn,
        state.start,
        state.bits,
        state.k,
        state.misere,
        state.players,
    )


@compiled
def last_taker(state):
    """The player who moved before the one whose turn it is."""
    return state.turn - 1 if state.turn else state.players - 1


@compiled
def outcome(state):
    if state.heaps:
        return ONGOING
    if not state.misere:
        return last_taker(state)
    # In misère play the last taker loses: with two players the other one wins, with more all do.
    return state.turn if state.players == 2 else SCORED


@compiled
def payoff(state, player):
    """In misère play by three or more, all but the last taker win."""
    return 0 if player == last_taker(state) else 1


@compiled
def payoff_bounds(state):
    """The highest payoff of one player, and of two together."""
    return (1, 2) if state.misere and state.players > 2 else (WIN, 0)


def players(state: State) -> int:
    return state.players


def pack_rows(rows: tuple[int, ...], bits: int) -> int:
    return sum(row << index * bits for index, row in enumerate(rows))


def unpack_rows(heaps: int, state: State) -> tuple[int, ...]:
    """The numbers that `heaps` packs, one for each row of the game."""
    count = -(-int(state.start).bit_length() // state.bits)
    return tuple(heaps >> index * state.bits & (1 << state.bits) - 1 for index in range(count))


def gabriele(state: State) -> int:
    """Take as much as allowed from the first row that is not empty."""
    rows = unpack_rows(state.heaps, state)
    lowest = next(index for index, row in enumerate(rows) if row)
    return min(rows[lowest], state.k) << lowest * state.bits


def nim_sum(state: State) -> list[int]:
    """The winning moves: those that leave a lost position; none where the mover has lost."""
    if state.players > 2:
        raise BadSpec(f"the nim-sum is for two players, not for {state.players}")
    return [int(move) for move in legal_moves(state) if is_lost(play(state, move))]


theory = nim_sum


def is_lost(state: State) -> bool:
    """Whether the mover of two players loses against best play (Bouton 1901).

    A row counts modulo k + 1.  In normal play, and in misère while some row counts 2 or
    more, the nim-sum (exclusive or) decides; else the rows that count 1 must be odd in number.
    """
    counts = [row % (state.k + 1) for row in unpack_rows(state.heaps, state)]
    if state.misere and max(counts) < 2:
        return sum(counts) % 2 == 1
    return reduce(xor, counts) == 0


def board(state: State) -> Board:
    """The row's letter at the left (a1, a2, ... to its right), row a on top."""
    rows = unpack_rows(state.start, state)
    points: dict[str, tuple[float, float]] = {}
    for index, row in enumerate(rows):
        letter, y = LETTERS[index], len(rows) - 1 - index
        points[letter] = (0, y)
        points.update({f"{letter}{x}": (x, y) for x in range(1, row + 1)})
    return Board(points)


def pieces(state: State) -> dict[str, str]:
    objects: dict[str, str] = {}
    for letter, row in zip(LETTERS, unpack_rows(state.heaps, state), strict=False):
        objects[letter] = letter
        objects.update({f"{letter}{x}": OBJECT for x in range(1, row + 1)})
    return objects


def steps(state: State, move: int) -> tuple[str, ...]:
    row = lowest_bit(move) // state.bits
    return LETTERS[row], str(move >> row * state.bits)


def clicks(state: State, move: int) -> tuple[str, ...]:
    """The first of the taken objects: it goes, with all to its right."""
    letter, taken = steps(state, move)
    row = unpack_rows(state.heaps, state)[LETTERS.index(letter)]
    return (f"{letter}{row - int(taken) + 1}",)


def position_text(state: State) -> str:
    return f"{rows_text(unpack_rows(state.heaps, state))} {ORDINALS[state.turn]}"


def rows_text(rows: tuple[int, ...]) -> str:
    """As the option `rows` is spelled: `1-3-5-7`."""
    return "-".join(str(row) for row in rows)


def parse_position(text: str, initial: State) -> State:
    """Refuses positions that cannot arise."""
    fields = text.split()
    seats = ORDINALS[: initial.players]
    if len(fields) != 2 or not ROWS.fullmatch(fields[0]) or fields[1] not in seats:
        raise ValueError(
            "write what is left in each row and whose turn it is"
            f" ({', '.join(seats[:-1])} or {seats[-1]}), such as {position_text(initial)}"
        )
    rows = tuple(int(row) for row in fields[0].split("-"))
    full = unpack_rows(initial.start, initial)
    if len(rows) != len(full) or any(row > most for row, most in zip(rows, full, strict=True)):
        raise ValueError(f"the game begins with {rows_text(full)}")
    turn = seats.index(fields[1])
    _refuse_impossible(rows, full, turn, initial)
    return initial._replace(heaps=pack_rows(rows, initial.bits), turn=turn)


def _refuse_impossible(
    rows: tuple[int, ...], full: tuple[int, ...], turn: int, initial: State
) -> None:
    """Refuse a turn that no number of moves leading to these rows can reach."""
    taken = [before - now for before, now in zip(full, rows, strict=True)]
    fewest = sum(-(-number // initial.k) for number in taken)
    if not any(moves % initial.players == turn for moves in range(fewest, sum(taken) + 1)):
        raise ValueError(f"it cannot be the {ORDINALS[turn]} player's turn with these rows")


GAME = Game(
    __name__,
    title="Nim",
    marks=(),  # the objects belong to no player
    strategies={"gabriele": gabriele, "nim-sum": nim_sum},
)
