"""Evaluators of morris: the estimates of the eight programs, and a better one.

`opening_estimate` and `game_estimate` are from White's side; `handout` is the same from the
mover's side, as is `improved`.
"""

from typing import NamedTuple

import numpy as np

from plies.core import Evaluator, Features, compiled, lowest_bit, popcount
from plies.core.verbs import Measure
from plies.games.morris.boards import ADJACENT, BOARDS, MILLS, POINTS
from plies.games.morris.moves import FEWEST, count_midgame_moves

WON = 10_000  # in the estimates of the programs
PIECE = 1000  # the value of a piece
LOST = -1_000_000  # beyond any count of pieces
MILL_COUNTS = np.array([len(board.mills) for board in BOARDS.values()], np.int64)


@compiled
def opening_estimate(white, black):
    """White's pieces less Black's."""
    return popcount(white) - popcount(black)


@compiled
def game_estimate(white, black, variant, takes):
    """1000 for each piece more than Black has, less the number of Black's moves."""
    if popcount(black) < FEWEST:
        return WON
    if popcount(white) < FEWEST:
        return -WON
    moves = count_midgame_moves(black, white, variant, takes)
    if moves == 0:
        return WON
    return 1000 * (popcount(white) - popcount(black)) - moves


@compiled
def estimate_for_mover(state, is_opening):
    """One of the two estimates, from the side of the mover."""
    white, black = state.mine, state.theirs
    if state.turn:
        white, black = black, white
    if is_opening:
        value = opening_estimate(white, black)
    else:
        value = game_estimate(white, black, state.variant, state.takes)
    return -value if state.turn else value


@compiled
def handout(state):
    """The opening estimate while a piece is in hand, else the game estimate."""
    return estimate_for_mover(state, state.my_hand + state.their_hand > 0)


class Improved(NamedTuple):
    """Weights of what counts besides pieces, in thousandths of a piece, for both sides.

    `tuning/morris.py` found the numbers and reproduces them.
    """

    # While a piece is in hand.
    opening_mill: int = 36  # a closed mill
    opening_pair: int = 60  # two pieces and an empty point on a mill
    opening_single: int = 27  # one piece and two empty points
    opening_reach: int = 6  # a mill through a piece, whoever else is on it
    opening_fork: int = 231  # more than one pair: only one can be stopped
    opening_mobility: int = 17  # an empty point beside a piece
    opening_turn: int = 603  # to move with a pair
    # With empty hands.
    mill: int = 41
    pair: int = 69
    threat: int = 233  # a pair that a third piece can complete in one move
    double: int = 270  # a threat by a piece that leaves a closed mill and may come back
    mobility: int = 17
    blocked: int = -28  # a piece without an empty point beside it
    hopping: int = 394  # to have exactly three pieces
    turn: int = 816  # to move with a threat


@compiled
def mill_counts(own, other, variant):
    """One side's closed mills, pairs, singles, and mills through pieces (with multiplicity)."""
    closed, pairs, singles, reach = 0, 0, 0, 0
    for index in range(MILL_COUNTS[variant]):
        mill = MILLS[variant, index]
        count = popcount(own & mill)
        is_open = other & mill == 0
        reach += count
        closed += count == 3
        pairs += is_open & (count == 2)
        singles += is_open & (count == 1)
    return closed, pairs, singles, reach


@compiled
def threats(own, other, variant):
    """The number of pairs that one move completes; whether a piece of a closed mill can.

    Such a piece opens one mill to close another, and can do so again each turn.
    """
    empty = POINTS[variant] & ~(own | other)
    is_hopping = popcount(own) == FEWEST
    completable, closers, closed = 0, 0, 0
    for index in range(MILL_COUNTS[variant]):
        mill = MILLS[variant, index]
        gap = mill & ~own
        if gap == 0:
            closed |= mill
        # A pair with an empty gap, and a third piece that can go there.
        elif gap & (gap - 1) == 0 and gap & empty:
            rest = own & ~mill
            near = rest if is_hopping else rest & ADJACENT[variant, lowest_bit(gap)]
            completable += near != 0
            closers |= near
    return completable, closers & closed != 0


@compiled
def mobility(own, other, variant):
    """Empty points next to pieces, summed over the pieces, and pieces without any."""
    empty = POINTS[variant] & ~(own | other)
    steps, blocked = 0, 0
    while own:
        near = popcount(empty & ADJACENT[variant, lowest_bit(own)])
        own &= own - 1
        steps += near
        blocked += near == 0
    return steps, blocked


@compiled
def opening_value(weights, own, other, variant):
    """The value of one side's pieces in the opening, and whether it has a pair."""
    closed, pairs, singles, reach = mill_counts(own, other, variant)
    value = (
        weights.opening_mill * closed
        + weights.opening_pair * pairs
        + weights.opening_single * singles
        + weights.opening_reach * reach
        + weights.opening_fork * (pairs > 1)
        + weights.opening_mobility * mobility(own, other, variant)[0]
    )
    return PIECE * popcount(own) + value, pairs > 0


@compiled
def improved_opening(weights, mine, theirs, variant):
    """The value of the opening for the side that moves next; hands do not count."""
    own, has_pair = opening_value(weights, mine, theirs, variant)
    return own - opening_value(weights, theirs, mine, variant)[0] + weights.opening_turn * has_pair


@compiled
def midgame_value(weights, own, other, variant):
    """The value of one side's pieces with empty hands, and whether it has a threat."""
    closed, pairs, _, _ = mill_counts(own, other, variant)
    completable, is_double = threats(own, other, variant)
    value = (
        weights.mill * closed
        + weights.pair * pairs
        + weights.threat * completable
        + weights.double * is_double
    )
    count = popcount(own)
    if count == FEWEST:
        value += weights.hopping
    else:
        steps, blocked = mobility(own, other, variant)
        value += weights.mobility * steps + weights.blocked * blocked
    return PIECE * count + value, completable > 0


@compiled
def improved_game(weights, mine, theirs, variant):
    """The value with empty hands for the side that moves next; a blocked side has lost."""
    if popcount(theirs) < FEWEST:
        return -LOST
    if popcount(mine) < FEWEST:
        return LOST
    # A side without a move has lost; one that may hop always has a move.
    if popcount(mine) > FEWEST and mobility(mine, theirs, variant)[0] == 0:
        return LOST
    own, has_threat = midgame_value(weights, mine, theirs, variant)
    return own - midgame_value(weights, theirs, mine, variant)[0] + weights.turn * has_threat


@compiled
def improved(weights, state):
    """Pieces in hand count like pieces on the board."""
    if state.my_hand + state.their_hand == 0:
        return improved_game(weights, state.mine, state.theirs, state.variant)
    value = improved_opening(weights, state.mine, state.theirs, state.variant)
    return value + PIECE * (state.my_hand - state.their_hand)


SIDE_FEATURES = (
    *("pieces", "hand", "mills", "pairs", "singles", "reach"),
    *("threats", "double", "mobility", "blocked"),
)
FEATURES = (
    *(f"own_{name}" for name in SIDE_FEATURES),
    *(f"other_{name}" for name in SIDE_FEATURES),
)


@compiled
def side_features(own, other, hand, variant):
    """One side's counts of the terms of `Improved`; `pieces` are those on the board."""
    closed, pairs, singles, reach = mill_counts(own, other, variant)
    completable, is_double = threats(own, other, variant)
    steps, blocked = mobility(own, other, variant)
    return (
        *(popcount(own), hand, closed, pairs, singles, reach),
        *(completable, int(is_double), steps, blocked),
    )


@compiled
def improved_features(weights, state):
    """The counts of the mover, then of the opponent."""
    mine, theirs, variant = state.mine, state.theirs, state.variant
    return (
        *side_features(mine, theirs, state.my_hand, variant),
        *side_features(theirs, mine, state.their_hand, variant),
    )


EVALUATORS = {
    "improved": Evaluator(
        improved,
        Improved(),
        unit=100,
        features=Features(FEATURES, improved_features),
        measure=Measure(PIECE, "piece"),
    ),
    "handout": Evaluator(handout),
}
