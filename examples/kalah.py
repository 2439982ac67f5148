"""Kalah, in which a good move earns another one.

Each player owns a row of pits and the store at its right end.  A move takes all the
seeds of an own pit and sows them one by one counter-clockwise: the own pits, the own
store, the other's pits, never the other's store.

    2  0 4 4 4 4 4 4           the second player's row, sown to the left into a2
    1    4 4 4 4 4 4 0         the first player's row, sown to the right into h1
       a b c d e f g h         pits=6, seeds=4

If the last seed falls into the own store, the same player moves again.  If it falls
into an empty own pit and the pit opposite is not empty, both are taken into the own store.
When a player's pits are all empty the game ends: the other keeps the seeds of the own
pits.  What counts is how many more seeds a player has in the store.

A position is the seeds of the first player and those of the second, pits in the order
of sowing and then the store, and whose turn it is: `4,4,4,4,4,4,0 4,4,4,4,4,4,0 1`.
"""

import re
from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, SCORED, Board, Evaluator, Game, cell_name, compiled

SIDE = "[0-9]+(?:,[0-9]+)*"


class State(NamedTuple):
    """Eight bits a pit in the order of sowing; the store is the last."""

    mine: int  # of the player to move
    theirs: int
    turn: int
    pits: int


def initial(pits: int = 6, seeds: int = 4) -> State:
    if not (1 <= pits <= 6 and 1 <= seeds <= 20):
        raise ValueError("pits is 1 to 6 and seeds 1 to 20")
    side = packed([seeds] * pits)
    return State(side, side, 0, pits)


@compiled
def mover(state):
    return state.turn


@compiled
def seeds_in(side, pit):
    return side >> 8 * pit & 255


@compiled
def legal_moves(state):
    """A move is the number of a pit."""
    moves = np.empty(state.pits, np.int64)
    count = 0
    for pit in range(state.pits):
        if seeds_in(state.mine, pit):
            moves[count] = pit
            count += 1
    return moves[:count]


@compiled
def play(state, move):
    mine, theirs, last = sow(state, move)
    store = state.pits
    in_pits = (1 << 8 * store) - 1
    if last < store and seeds_in(mine, last) == 1:
        opposite = store - 1 - last
        prey = seeds_in(theirs, opposite)
        if prey:
            theirs -= prey << 8 * opposite
            mine += (prey + 1 << 8 * store) - (1 << 8 * last)
    if mine & in_pits == 0 or theirs & in_pits == 0:
        mine, theirs = stored(mine, store), stored(theirs, store)
    if last == store:
        return State(mine, theirs, state.turn, store)
    return State(theirs, mine, state.turn ^ 1, store)


@compiled
def sow(state, move):
    """Both sides after sowing, and where the last seed fell (own pits, own store, their pits)."""
    mine, theirs, place = state.mine, state.theirs, move
    seeds = seeds_in(mine, move)
    mine -= seeds << 8 * move
    for _ in range(seeds):
        place = (place + 1) % (2 * state.pits + 1)
        if place <= state.pits:
            mine += 1 << 8 * place
        else:
            theirs += 1 << 8 * (place - state.pits - 1)
    return mine, theirs, place


@compiled
def stored(side, store):
    """The seeds of a side, all in its store."""
    return in_row(side, store + 1) << 8 * store


@compiled
def in_row(side, pits):
    total = 0
    for pit in range(pits):
        total += seeds_in(side, pit)
    return total


@compiled
def outcome(state):
    in_pits = (1 << 8 * state.pits) - 1
    return SCORED if (state.mine | state.theirs) & in_pits == 0 else ONGOING


@compiled
def payoff(state, player):
    lead = seeds_in(state.mine, state.pits) - seeds_in(state.theirs, state.pits)
    return lead if player == state.turn else -lead


class Weights(NamedTuple):
    """What a seed in an own pit is worth, in hundredths of a seed in the store."""

    pit: int


@compiled
def weighed(weights, state):
    """Seeds ahead, some counted for more than others."""
    pits = in_row(state.mine, state.pits) - in_row(state.theirs, state.pits)
    return payoff(state, state.turn) + weights.pit * pits // 100


def board(state: State) -> Board:
    points = {name: place for side in places(state.pits) for name, place in side.items()}
    return Board(points)


def pieces(state: State) -> dict[str, str]:
    sides = zip(places(state.pits), in_seats(state), strict=True)
    return {
        name: str(seeds)
        for names, side in sides
        for name, seeds in zip(names, unpacked(side, state.pits), strict=True)
    }


def steps(state: State, move: int) -> tuple[str, ...]:
    return (list(places(state.pits)[state.turn])[move],)


def places(pits: int) -> tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]]]:
    """Of each player: name and coordinates of the pits and the store, in the order of sowing."""
    first = {cell_name(x, 0): (x, 0) for x in range(1, pits + 2)}
    second = {cell_name(x, 1): (x, 1) for x in range(pits, -1, -1)}
    return first, second


def in_seats(state: State) -> tuple[int, int]:
    """The sides in the order of the seats."""
    return (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)


def packed(seeds: list[int]) -> int:
    return sum(count << 8 * pit for pit, count in enumerate(seeds))


def unpacked(side: int, pits: int) -> list[int]:
    return [side >> 8 * pit & 255 for pit in range(pits + 1)]


def position_text(state: State) -> str:
    sides = (",".join(map(str, unpacked(side, state.pits))) for side in in_seats(state))
    return f"{' '.join(sides)} {state.turn + 1}"


def parse_position(text: str, initial: State) -> State:
    match = re.fullmatch(rf"({SIDE}) ({SIDE}) ([12])", text)
    if match is None:
        raise ValueError(f"it is written like {position_text(initial)}")
    first, second = ([int(seeds) for seeds in match[side].split(",")] for side in (1, 2))
    if not len(first) == len(second) == initial.pits + 1:
        raise ValueError(f"each player has {initial.pits} pits and a store")
    seeds = 2 * sum(unpacked(initial.mine, initial.pits))
    if sum(first + second) != seeds:
        raise ValueError(f"there are {seeds} seeds on the board, not {sum(first + second)}")
    if (sum(first[:-1]) == 0) != (sum(second[:-1]) == 0):
        raise ValueError("when the pits of one player are empty, those of the other are, too")
    sides = (packed(first), packed(second))
    turn = int(match[3]) - 1
    state = State(sides[turn], sides[turn ^ 1], turn, initial.pits)
    if position_text(state) != text:
        raise ValueError("numbers are written without leading zeros")
    return state


GAME = Game(
    __name__,
    title="Kalah",
    evaluators={"seeds": Evaluator(weighed, Weights(pit=25))},
)
