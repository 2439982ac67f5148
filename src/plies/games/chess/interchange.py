"""Boards and pictures from and for the library python-chess.

The library is imported at first use, because that takes longer than importing this game.
"""

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from plies.drawing.svg import description
from plies.games.chess.attacks import is_in_check
from plies.games.chess.fen import pieces, state_of, write_fen
from plies.games.chess.state import State

if TYPE_CHECKING:
    from chess import Board

PICTURE_SIZE = 390  # pixels; python-chess draws in these units


def to_board(state: State) -> "Board":
    """The position as a board of python-chess."""
    import chess

    return chess.Board(write_fen(state))


def from_board(board: "Board") -> State:
    """The position on a board of python-chess, without its history."""
    return state_of(board.fen())


def svg(state: State) -> str:
    """The board with White below; a king in check is marked.

    Put together from cached parts, because python-chess takes long for a whole picture.
    """
    letters = pieces(state)
    king = "k" if state.turn else "K"
    checked = [name for name, symbol in letters.items() if symbol == king and is_in_check(state)]
    opening, rest = _empty_board().split(">", 1)
    return "".join(
        (
            f'{opening} role="img"><title>{escape(description(letters))}</title>{rest}',
            *(_check(name) for name in checked),
            *(_on_every_square(symbol)[name] for name, symbol in letters.items()),
            "</svg>",
        )
    )


def glyphs() -> dict[str, str]:
    """Symbol -> its drawing."""
    import chess.svg

    return dict(chess.svg.PIECES)


@cache
def _empty_board() -> str:
    """The board with all pieces defined and none letters, not closed yet."""
    import chess.svg

    defined = "".join((*chess.svg.PIECES.values(), chess.svg.CHECK_GRADIENT))
    empty = chess.svg.board(None, size=PICTURE_SIZE)
    return empty.replace("<defs />", f"<defs>{defined}</defs>").removesuffix("</svg>")


@cache
def _on_every_square(symbol: str) -> dict[str, str]:
    """A piece on every square, by the square's name."""
    import chess.svg

    board = chess.BaseBoard.empty()
    for square in chess.SQUARES:
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    drawn = re.findall("<use[^>]*>", chess.svg.board(board, size=PICTURE_SIZE))
    return dict(zip(chess.SQUARE_NAMES, drawn, strict=True))


@cache
def _check(name: str) -> str:
    """The mark of a king in check on a square."""
    import chess.svg

    marked = chess.svg.board(None, check=chess.parse_square(name), size=PICTURE_SIZE)
    return re.findall('<rect[^>]* class="check"[^>]*>', marked)[0]
