"""Material: the classic piece values, in pawns."""

from plies.core import compiled, inlined, popcount

# A queen is in two sets of a state: 3 as a bishop, 5 as a rook, and the rest.
PAWN, MINOR, ROOK, QUEEN_REST = 1, 3, 5, 1


@inlined
def material_of(state, pieces):
    """The value of some pieces: pawn 1, knight and bishop 3, rook 5, queen 9, king 0."""
    return (
        PAWN * popcount(state.pawns & pieces)
        + MINOR * (popcount(state.knights & pieces) + popcount(state.diagonal & pieces))
        + ROOK * popcount(state.straight & pieces)
        + QUEEN_REST * popcount(state.diagonal & state.straight & pieces)
    )


@compiled
def material(state):
    """The mover's pieces less the opponent's, in pawns."""
    return material_of(state, state.mine) - material_of(state, state.theirs)
