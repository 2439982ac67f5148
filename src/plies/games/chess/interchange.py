"""To and from the library python-chess: boards and pictures.

It is imported when it is first needed: that takes longer than all of this game does.
"""

from html import escape
from typing import TYPE_CHECKING

from plies.core.svg import description
from plies.games.chess.position import fen, pieces, state_of
from plies.games.chess.state import State

if TYPE_CHECKING:
    from chess import Board

PICTURE_SIZE = 390  # pixels; python-chess draws in these units


def to_board(state: State) -> "Board":
    """The position as a board of python-chess."""
    import chess

    return chess.Board(fen(state))


def from_board(board: "Board") -> State:
    """The position on a board of python-chess; its past is left out."""
    return state_of(board.fen())


def svg(state: State) -> str:
    """The board with White below; a king in check is marked."""
    import chess.svg

    board = to_board(state)
    checked = board.king(board.turn) if board.is_check() else None
    picture = chess.svg.board(board, check=checked, size=PICTURE_SIZE)
    opening, rest = picture.split(">", 1)
    return f'{opening} role="img"><title>{escape(description(pieces(state)))}</title>{rest}'
