"""Why a game is over: checkmate and stalemate by the rules, other draws by the match."""

from collections.abc import Sequence

from plies.games.chess.attacks import is_in_check
from plies.games.chess.fen import SIDES, quiet_plies
from plies.games.chess.moves import has_moves
from plies.games.chess.state import State

QUIET_PLIES = 100  # the fifty-move rule
LIGHT_SQUARES = 0x55AA55AA55AA55AA


def ending(state: State) -> str:
    """`Black is checkmated` or `stalemate`; empty while the rules let the game go on."""
    if has_moves(state):
        return ""
    return f"{SIDES[state.turn]} is checkmated" if is_in_check(state) else "stalemate"


def draw_claim(state: State, earlier: Sequence[State]) -> str:
    """Why a match declares a draw, empty if it does not; the match itself sees repetitions."""
    if quiet_plies(state) >= QUIET_PLIES:
        return "fifty moves without capture or pawn move"
    return "insufficient material" if is_insufficient(state) else ""


def is_insufficient(state: State) -> bool:
    """Whether no mate is possible: one minor piece, or only bishops on squares of one colour."""
    if state.pawns or state.straight:
        return False
    knights, bishops = int(state.knights), int(state.diagonal)
    if knights:
        return (knights | bishops).bit_count() == 1
    return not (bishops & LIGHT_SQUARES and bishops & ~LIGHT_SQUARES)
