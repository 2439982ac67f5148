"""Move generation on any board, as functions of two bitboards: point i is bit i.

`mine` are the pieces of the side to move, `variant` is the board as an index of
`boards.NAMES`, and `takes` says whether a mill may remove a piece when all enemy pieces are
in mills.  Moves come in the published order: origins, targets and removals ascending; a
move that closes a mill is listed once for each piece it may remove, or once if there is
none.  A move packs target, origin and removed point, each NOWHERE if there is none.
"""

import numpy as np

from plies.core import compiled, lowest_bit, popcount
from plies.games.morris.boards import (
    ADJACENT,
    MILLS,
    MOST_MILLS,
    MOST_NEIGHBOURS,
    MOST_THROUGH,
    NOWHERE,
    PARTNERS,
    POINTS,
)

FEWEST = 3  # a side with fewer pieces has lost; with exactly these it may hop
BITS = 5  # of a point in a move: target, origin, removed, from the lowest bit


@compiled
def in_mills(pieces, variant):
    """The pieces of one side that are in a mill."""
    in_mill = 0
    # Without branches; rows beyond the last mill hold a bit that no piece can have.
    for index in range(MOST_MILLS):
        mill = MILLS[variant, index]
        in_mill |= mill * (pieces & mill == mill)
    return in_mill


@compiled
def removable(theirs, variant, takes):
    """The enemy pieces that closing a mill may remove."""
    free = theirs & ~in_mills(theirs, variant)
    return theirs if takes and free == 0 else free


@compiled
def closes_mill(mine, point, variant):
    """Whether a piece on the point makes a mill with two of `mine`."""
    is_closed = False
    for index in range(MOST_THROUGH):
        partners = PARTNERS[variant, point, index]
        is_closed |= mine & partners == partners
    return is_closed


@compiled
def add_moves_to(moves, count, mine, origin, target, free, variant):
    """Append the moves to one target, one for each piece they may remove."""
    start = origin << BITS | target
    if free and closes_mill(mine, target, variant):
        while free:
            moves[count] = lowest_bit(free) << 2 * BITS | start
            free &= free - 1
            count += 1
        return count
    moves[count] = NOWHERE << 2 * BITS | start
    return count + 1


@compiled
def placements(mine, theirs, variant, takes):
    """Moves that put a piece on the board: targets, then removals in ascending order."""
    free = removable(theirs, variant, takes)
    empty = POINTS[variant] & ~(mine | theirs)
    moves = np.empty(popcount(empty) * max(popcount(free), 1), np.int64)
    count = 0
    while empty:
        count = add_moves_to(moves, count, mine, NOWHERE, lowest_bit(empty), free, variant)
        empty &= empty - 1
    return moves[:count]


@compiled
def relocations(mine, theirs, variant, takes, is_hopping):
    """Moves of a piece on the board: origins, targets, removals in ascending order."""
    free = removable(theirs, variant, takes)
    empty = POINTS[variant] & ~(mine | theirs)
    most_targets = popcount(empty) if is_hopping else MOST_NEIGHBOURS
    moves = np.empty(popcount(mine) * most_targets * max(popcount(free), 1), np.int64)
    count = 0
    left = mine
    while left:
        origin = lowest_bit(left)
        left &= left - 1
        # The moving piece leaves its point, so it cannot close a mill with itself there.
        others = mine & ~(1 << origin)
        targets = empty if is_hopping else empty & ADJACENT[variant, origin]
        while targets:
            count = add_moves_to(moves, count, others, origin, lowest_bit(targets), free, variant)
            targets &= targets - 1
    return moves[:count]


@compiled
def midgame_moves(mine, theirs, variant, takes):
    """The moves with an empty hand: hops with exactly three pieces, else slides."""
    return relocations(mine, theirs, variant, takes, popcount(mine) == FEWEST)


@compiled
def count_midgame_moves(mine, theirs, variant, takes):
    """The number of `midgame_moves`, without a list."""
    choices = max(popcount(removable(theirs, variant, takes)), 1)
    empty = POINTS[variant] & ~(mine | theirs)
    is_hopping = popcount(mine) == FEWEST
    count = 0
    left = mine
    while left:
        origin = lowest_bit(left)
        left &= left - 1
        others = mine & ~(1 << origin)
        targets = empty if is_hopping else empty & ADJACENT[variant, origin]
        while targets:
            count += choices if closes_mill(others, lowest_bit(targets), variant) else 1
            targets &= targets - 1
    return count


@compiled
def sides_after(mine, theirs, move):
    """Both bitboards after a move of `mine`; the bit of NOWHERE is in neither."""
    origin, target = move >> BITS & NOWHERE, move & NOWHERE
    removed = move >> 2 * BITS
    return mine & ~(1 << origin) | 1 << target, theirs & ~(1 << removed)


@compiled
def can_slide(mine, theirs, variant):
    """Whether a piece has an empty point next to it."""
    empty = POINTS[variant] & ~(mine | theirs)
    while mine:
        if empty & ADJACENT[variant, lowest_bit(mine)]:
            return True
        mine &= mine - 1
    return False


def parts(move: int) -> tuple[int, int, int]:
    """A move as points: origin, target and removed; NOWHERE where there is none."""
    return move >> BITS & NOWHERE, move & NOWHERE, move >> 2 * BITS
