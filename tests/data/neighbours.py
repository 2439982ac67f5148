"""Mark the cells of a row, two in a turn; who has more neighbouring marks in the end wins.

With `scored` the game ends with points, one for every two marks side by side.  `lead` is what
the mover has more of them.
"""

from typing import NamedTuple

from plies.core import (
    DRAW,
    ONGOING,
    SCORED,
    Board,
    Evaluator,
    Game,
    compiled,
    grid,
    popcount,
    set_bits,
)
from plies.core.two_sides import NO_SPARE, side_inputs


class State(NamedTuple):
    first: int  # the marks of the first player, cell x as bit x
    second: int
    turn: int
    rest: int  # marks that the player still has in this turn
    cells: int
    scored: int


def initial(cells: int = 5, scored: int = 0) -> State:
    return State(0, 0, 0, 2, cells, scored)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return set_bits(~(state.first | state.second) & (1 << state.cells) - 1)


@compiled
def play(state, move):
    first, second = state.first, state.second
    if state.turn == 0:
        first |= 1 << move
    else:
        second |= 1 << move
    is_last = state.rest == 1
    turn, rest = (1 - state.turn, 2) if is_last else (state.turn, 1)
    return State(first, second, turn, rest, state.cells, state.scored)


@compiled
def payoff(state, player):
    lead = popcount(state.first & state.first >> 1) - popcount(state.second & state.second >> 1)
    return lead if player == 0 else -lead


@compiled
def lead(state):
    return payoff(state, state.turn)


@compiled
def outcome(state):
    if popcount(state.first | state.second) < state.cells:
        return ONGOING
    if state.scored:
        return SCORED
    lead = payoff(state, 0)
    if lead == 0:
        return DRAW
    return 0 if lead > 0 else 1


@compiled
def inputs(state):
    if state.turn == 0:
        return side_inputs(state.first, state.second, state.cells, NO_SPARE, 0)
    return side_inputs(state.second, state.first, state.cells, NO_SPARE, 0)


@compiled
def input_count(state):
    return 2 * state.cells


def board(state: State) -> Board:
    return grid(state.cells, 1)


GAME = Game(__name__, title="Neighbours", evaluators={"lead": Evaluator(lead)})
