"""Tic-tac-toe in which a win is worth 1 however late it comes, as in OpenSpiel.

Cells are numbered in rows.
"""

from typing import NamedTuple

from plies.core import ONGOING, SCORED, Game, compiled, set_bits

FULL = 0b111111111
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)


class State(NamedTuple):
    mine: int  # the marks of the player to move
    theirs: int
    turn: int


def initial() -> State:
    return State(0, 0, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return set_bits(FULL & ~(state.mine | state.theirs))


@compiled
def play(state, move):
    return State(state.theirs, state.mine | 1 << move, state.turn ^ 1)


@compiled
def has_line(marks):
    found = False
    for line in LINES:
        found |= marks & line == line
    return found


@compiled
def outcome(state):
    is_over = has_line(state.theirs) or state.mine | state.theirs == FULL
    return SCORED if is_over else ONGOING


@compiled
def payoff(state, player):
    """Only the one who moved last can have made a line."""
    if not has_line(state.theirs):
        return 0
    return -1 if player == state.turn else 1


GAME = Game(__name__, title="Tic-tac-toe, wins worth 1")
