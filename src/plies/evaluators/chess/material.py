"""What the pieces are worth wherever they stand."""

from plies.core import compiled, inlined, popcount

# A queen is in two sets of a state: 3 as a bishop, 5 as a rook, and the rest.
PAWN, MINOR, ROOK, QUEEN_REST = 1, 3, 5, 1


@inlined
def worth(state, side):
    """The pieces in `side` in pawns: knights and bishops 3, rooks 5, queens 9, kings nothing."""
    return (
        PAWN * popcount(state.pawns & side)
        + MINOR * (popcount(state.knights & side) + popcount(state.diagonal & side))
        + ROOK * popcount(state.straight & side)
        + QUEEN_REST * popcount(state.diagonal & state.straight & side)
    )


@compiled
def material(state):
    """The mover's pieces less the opponent's, in pawns."""
    return worth(state, state.mine) - worth(state, state.theirs)
