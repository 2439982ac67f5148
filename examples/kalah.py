"""Kalah, in which a good move earns another one.

Each player owns a row of pits and the store at its right end.  In your turn, take all the
seeds of one of your pits and sow them one by one counter-clockwise: into your pits, your
store, the other's pits, never the other's store.

    2  0 4 4 4 4 4 4           the second player's row, sown to the left into a2
    1    4 4 4 4 4 4 0         the first player's row, sown to the right into h1
       a b c d e f g h         pits=6, seeds=4

If the last seed falls into your store, you move again.  If it falls into an empty pit of
yours and the pit opposite is not empty, both go into your store.  When a player's pits are
all empty the game ends, and the other player stores the seeds that are left.  Each seed more
than the opponent has is a point.

A position is the seeds of the first player and those of the second, pits in the order
of sowing and then the store, and whose turn it is: `4,4,4,4,4,4,0 4,4,4,4,4,4,0 1`.

Where sources differ: a last seed in an empty pit captures only if the pit opposite has seeds.
"""

import re
from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, SCORED, Board, Evaluator, Game, cell_name, compiled

SIDE = "[0-9]+(?:,[0-9]+)*"


class State(NamedTuple):
    """A side is one number: eight bits a pit in the order of sowing, the store last."""

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
    mine, theirs, pit = state.mine, state.theirs, move
    seeds = seeds_in(mine, move)
    mine -= seeds << 8 * move
    for _ in range(seeds):
        pit = (pit + 1) % (2 * state.pits + 1)
        if pit <= state.pits:
            mine += 1 << 8 * pit
        else:
            theirs += 1 << 8 * (pit - state.pits - 1)
    return mine, theirs, pit


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
    """The value of a seed in one of your pits, in hundredths of a seed in the store."""

    pit: int


@compiled
def seed_lead(weights, state):
    """The mover's lead in seeds: those in the store, and part of those in pits."""
    pits = in_row(state.mine, state.pits) - in_row(state.theirs, state.pits)
    return payoff(state, state.turn) + weights.pit * pits // 100


def board(state: State) -> Board:
    first, second = places(state.pits)
    return Board(first | second)


def pieces(state: State) -> dict[str, str]:
    first, second = in_seats(state)
    seeds = unpacked(first, state.pits) + unpacked(second, state.pits)
    return dict(zip(board(state).points, map(str, seeds), strict=True))


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
        raise ValueError(f"write it like {position_text(initial)}")
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
        raise ValueError("write numbers without leading zeros")
    return state


GAME = Game(__name__, title="Kalah", evaluators={"seeds": Evaluator(seed_lead, Weights(pit=25))})
