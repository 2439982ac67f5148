"""Morris as the programs see it: no pieces in hand, and nobody ever loses.

An opening program always adds a piece, a game program always moves one.  A line ends at the
depth of the search, or where the side to move cannot move.  The estimate values that board
like every other leaf, and also a side with two pieces or none.
"""

from typing import NamedTuple

from plies.core import ONGOING, SCORED, Evaluator, Game, compiled, popcount
from plies.core.verbs import register_evaluator
from plies.evaluators.morris import (
    Improved,
    estimate_for_mover,
    improved_game,
    improved_opening,
)
from plies.games.morris import mover, steps
from plies.games.morris.boards import BOARDS, NAMES, POINTS
from plies.games.morris.moves import FEWEST, can_slide, midgame_moves, placements, sides_after
from plies.games.morris.position import read_letters

__all__ = ["ESTIMATE", "GAME", "State", "mover", "state_of", "steps"]

WEIGHTS = Improved()


class State(NamedTuple):
    """Point i is bit i of the two sets of pieces."""

    mine: int  # the pieces of the side to move
    theirs: int
    turn: int  # 0 White, 1 Black
    variant: int  # the board, an index of NAMES
    takes: int  # whether a mill removes from opponents who all stand in mills
    is_opening: int
    is_improved: int  # which of the two estimates the leaves get


def initial() -> State:
    """The empty board of the opening programs."""
    return state_of("x" * 22, "22", is_opening=True, is_improved=False)


def state_of(board: str, variant: str, is_opening: bool, is_improved: bool) -> State:
    """A board of W, B and x with White to move."""
    white, black = read_letters(board, BOARDS[variant])
    takes = int(BOARDS[variant].takes)
    return State(white, black, 0, NAMES.index(variant), takes, int(is_opening), int(is_improved))


@compiled
def legal_moves(state):
    if state.is_opening:
        return placements(state.mine, state.theirs, state.variant, state.takes)
    return midgame_moves(state.mine, state.theirs, state.variant, state.takes)


@compiled
def play(state, move):
    mine, theirs = sides_after(state.mine, state.theirs, move)
    return State(
        theirs,
        mine,
        state.turn ^ 1,
        state.variant,
        state.takes,
        state.is_opening,
        state.is_improved,
    )


@compiled
def outcome(state):
    """Over only where the side to move has no move."""
    if state.is_opening or popcount(state.mine) == FEWEST:
        can_move = POINTS[state.variant] & ~(state.mine | state.theirs) != 0
    else:
        can_move = can_slide(state.mine, state.theirs, state.variant)
    return ONGOING if can_move else SCORED


@compiled
def payoff(state, player):
    """A board without a move gets its estimate."""
    value = estimate(state)
    return value if player == state.turn else -value


@compiled
def estimate(state):
    """The value of a leaf for the side to move."""
    if not state.is_improved:
        return estimate_for_mover(state, state.is_opening)
    if state.is_opening:
        return improved_opening(WEIGHTS, state.mine, state.theirs, state.variant)
    return improved_game(WEIGHTS, state.mine, state.theirs, state.variant)


GAME = Game(__name__, title="Morris programs", name="morris_programs")
ESTIMATE = register_evaluator(GAME.name, "estimate", Evaluator(estimate))
