"""What a piece is worth on its square, early and late in the game.

An opinion, and yet kept in the state: `play` can bring the sum up to date with three
look-ups, while an evaluator would have to add up all pieces at every leaf.

Both sums are one number, `early + (late << 32)`: adding and subtracting such numbers does
both at once.  `early_of` and `late_of` take them apart.
"""

import numpy as np

from plies.core import compiled
from plies.games.chess.state import KINDS

HALF = 32


def packed(early: int, late: int) -> int:
    return early + (late << HALF)


@compiled
def early_of(placement):
    """The lower half, with its sign."""
    return ((placement + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


@compiled
def late_of(placement):
    return (placement + (1 << 31)) >> HALF


# In hundredths of a pawn; to be tuned.
EARLY = {
    kind: [value] * 64 for kind, value in zip(KINDS, (100, 320, 330, 500, 900, 0), strict=True)
}
LATE = EARLY


def _table() -> np.ndarray:
    """[(player * 8 + kind) * 64 + square] -> packed worth, Black's negative."""
    table = np.zeros(2 * 8 * 64, np.int64)
    for kind in KINDS:
        for square in range(64):
            seen = square ^ 56  # the tables are drawn with White at the bottom
            worth = packed(EARLY[kind][seen], LATE[kind][seen])
            table[kind << 6 | square] = worth
            table[8 << 6 | kind << 6 | square ^ 56] = -worth
    return table


WORTH = _table()
