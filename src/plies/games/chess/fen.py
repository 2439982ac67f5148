"""Positions as text: Forsyth-Edwards notation (FEN).

    r3k2r/8/8/8/3pP3/8/8/4K3 b kq e3 0 40
    pieces, rank 8 first     turn, castling, en passant, quiet plies, number of the move

Refused are positions that the rules cannot go on from, and those that plainly no game can
reach; the message names the place.  `startpos` is read as in UCI.
"""

import re
from collections.abc import Iterator
from typing import Any

from plies.drawing.board import cell_name
from plies.errors import UnreadablePosition, shorten
from plies.games.chess.attacks import attackers, is_in_check
from plies.games.chess.playing import piece_sums, with_en_passant
from plies.games.chess.state import (
    BLACK_LONG,
    BLACK_SHORT,
    CLOCK,
    WHITE,
    WHITE_LONG,
    WHITE_SHORT,
    State,
    U,
    kings,
    sets_by_kind,
)

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
START_NAME = "startpos"
SIDES = ("White", "Black")
TURNS = "wb"
LETTERS = "PNBRQK"  # in the order of kinds
# Letter of a castling right -> the right, and the squares of its king and rook.
RIGHTS = {
    "K": (WHITE_SHORT, {"e1": "K", "h1": "R"}),
    "Q": (WHITE_LONG, {"e1": "K", "a1": "R"}),
    "k": (BLACK_SHORT, {"e8": "k", "h8": "r"}),
    "q": (BLACK_LONG, {"e8": "k", "a8": "r"}),
}
MOST_PIECES, MOST_PAWNS, MOST_CHECKERS = 16, 8, 2
LARGEST_COUNT = 9999
SQUARES = {cell_name(square % 8, square // 8): square for square in range(64)}
SQUARE_NAMES = tuple(SQUARES)


def pieces(state: State) -> dict[str, str]:
    """Square -> letter, a capital for White."""
    white = int(state.mine if state.turn == WHITE else state.theirs)
    board = {}
    for letter, squares in zip(LETTERS, sets_by_kind(state), strict=True):
        for square in set_squares(int(squares)):
            board[SQUARE_NAMES[square]] = letter if white >> square & 1 else letter.lower()
    return board


def set_squares(squares: int) -> Iterator[int]:
    """The squares of a bitboard, ascending."""
    while squares:
        yield (squares & -squares).bit_length() - 1
        squares &= squares - 1


def rights_text(state: State) -> str:
    """The castling rights as letters, `-` for none."""
    return "".join(name for name, (right, _) in RIGHTS.items() if state.castling & right) or "-"


def quiet_plies(state: State) -> int:
    """Plies since the last capture or pawn move."""
    return int(state.clock) % CLOCK


def write_fen(state: State) -> str:
    """The FEN; it has an en passant square only where such a capture is legal."""
    letters = pieces(state)
    symbols = "".join(letters.get(name, ".") for name in SQUARES)
    ranks = (symbols[start : start + 8] for start in range(56, -1, -8))
    board = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(ranks))
    target = SQUARE_NAMES[state.en_passant] if state.en_passant else "-"
    counts = quiet_plies(state), int(state.clock) // CLOCK
    quiet, number = (min(count, LARGEST_COUNT) for count in counts)
    return f"{board} {TURNS[state.turn]} {rights_text(state)} {target} {quiet} {number}"


def read_fen(text: str) -> State:
    """The position of a FEN; counts that are left out are 0 and 1."""
    text = START if text.strip() == START_NAME else text
    fields = text.split()
    if len(fields) not in (4, 6):
        raise ValueError(
            f"write {START_NAME} or a FEN of 4 or 6 fields, not {len(fields)}: pieces, side to"
            " move, castling, en passant square, and perhaps quiet plies and move number"
        )
    letters = _read_board(fields[0])
    if fields[1] not in tuple(TURNS):
        raise ValueError(f"the side to move is w or b, not {fields[1]}")
    turn = TURNS.index(fields[1])
    _check_pieces(letters)
    rights = _read_rights(fields[2], letters)
    target = _read_target(fields[3], letters, turn)
    quiet, number = _read_counts(fields[4:] or ["0", "1"])
    state = _state(letters, turn, rights, quiet + CLOCK * number)
    _check_checks(state)
    return with_en_passant(state, target) if target else state


def state_of(text: str) -> State:
    """The position of a FEN; `UnreadablePosition` where `read_fen` raises ValueError."""
    try:
        return read_fen(text)
    except ValueError as error:
        raise UnreadablePosition(f"{text!r} is not a chess position: {error}") from error


def _read_board(text: str) -> dict[str, str]:
    """Square -> letter."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise ValueError(f"the pieces are 8 ranks joined by /, not {len(ranks)}")
    letters: dict[str, str] = {}
    for rank, row in zip(reversed(range(8)), ranks, strict=True):
        for symbol in row:
            if symbol not in "KQRBNPkqrbnp123456789":
                raise ValueError(
                    f"rank {rank + 1} has {symbol!r}; pieces are KQRBNP for White and kqrbnp for"
                    " Black, and 1 to 8 stand for empty squares"
                )
        squares = re.sub("[1-9]", lambda digit: "." * int(digit[0]), row)
        if len(squares) != 8:
            raise ValueError(
                f"rank {rank + 1}, {row or 'nothing'}, has {len(squares)} squares, not 8"
            )
        letters |= {
            cell_name(file, rank): piece for file, piece in enumerate(squares) if piece != "."
        }
    return letters


def _check_pieces(letters: dict[str, str]) -> None:
    """Refuse wrong numbers of kings, pieces and pawns, and squares where they cannot be."""
    king_squares = []
    for side, king, is_own in zip(SIDES, "Kk", (str.isupper, str.islower), strict=True):
        own_kings = [square for square, piece in letters.items() if piece == king]
        if not own_kings:
            raise ValueError(f"{side} has no king")
        if len(own_kings) > 1:
            raise ValueError(f"{side} has {len(own_kings)} kings, on {shorten(own_kings)}")
        king_squares += own_kings
        own = [piece for piece in letters.values() if is_own(piece)]
        if len(own) > MOST_PIECES:
            raise ValueError(f"{side} has {len(own)} pieces, at most {MOST_PIECES} are possible")
        pawns = sum(piece in "Pp" for piece in own)
        if pawns > MOST_PAWNS:
            raise ValueError(f"{side} has {pawns} pawns, at most {MOST_PAWNS} are possible")
    for square, piece in letters.items():
        if piece in "Pp" and square[1] in "18":
            raise ValueError(f"there is a pawn on {square}; pawns stand on ranks 2 to 7")
    white, black = (SQUARES[square] for square in king_squares)
    if max(abs(white % 8 - black % 8), abs(white // 8 - black // 8)) == 1:
        raise ValueError(f"the kings stand side by side, on {' and '.join(king_squares)}")


def _read_rights(text: str, letters: dict[str, str]) -> int:
    """Castling rights, each with its king and rook at home."""
    if text == "-":
        return 0
    if not set(text) <= set(RIGHTS) or len(text) != len(set(text)):
        raise ValueError(f"castling rights are letters of KQkq, or -, not {text}")
    rights = 0
    for name in text:
        right, homes = RIGHTS[name]
        if any(letters.get(square) != piece for square, piece in homes.items()):
            needed = " and ".join(f"{piece} on {square}" for square, piece in homes.items())
            raise ValueError(f"castling right {name} needs {needed}")
        rights |= right
    return rights


def _read_target(text: str, letters: dict[str, str], turn: int) -> int:
    """The en passant square, which a double step has just passed; 0 for none."""
    if text == "-":
        return 0
    rank, home, pawn = ("6", "7", "p") if turn == WHITE else ("3", "2", "P")
    if text not in SQUARES or text[1] != rank:
        raise ValueError(f"the en passant square is - or on rank {rank}, not {text}")
    stepped = f"{text[0]}{'5' if turn == WHITE else '4'}"
    if letters.get(stepped) != pawn:
        raise ValueError(f"en passant on {text} needs {pawn} on {stepped}")
    for square in (text, f"{text[0]}{home}"):
        if square in letters:
            raise ValueError(f"en passant on {text} needs an empty {square}")
    return SQUARES[text]


def _read_counts(texts: list[str]) -> tuple[int, int]:
    """Quiet plies and the move number, which some programs count from 0."""
    meanings = ("number of plies since a capture or pawn move", "move number")
    for text, meaning in zip(texts, meanings, strict=True):
        if not (text.isascii() and text.isdigit()) or len(text) > len(str(LARGEST_COUNT)):
            raise ValueError(f"the {meaning} is 0 to {LARGEST_COUNT}, not {text}")
    quiet, number = map(int, texts)
    return quiet, max(number, 1)


def _state(letters: dict[str, str], turn: int, rights: int, clock: int) -> State:
    def squares(kinds: str) -> Any:
        return sum(1 << SQUARES[square] for square, piece in letters.items() if piece in kinds)

    white, black = squares("KQRBNP"), squares("kqrbnp")
    mine, theirs = (white, black) if turn == WHITE else (black, white)
    kinds = (squares("Pp"), squares("Nn"), squares("BbQq"), squares("RrQq"))
    state = State(*kinds, mine, theirs, turn, rights, 0, clock, 0, 0)
    zobrist, placement = piece_sums(state)
    return state._replace(zobrist=int(zobrist), placement=int(placement))


def _check_checks(state: State) -> None:
    """Refuse checks that no move can have given."""
    mover, other = SIDES[state.turn], SIDES[state.turn ^ 1]
    waiting = state._replace(mine=state.theirs, theirs=state.mine, turn=state.turn ^ 1)
    if is_in_check(waiting):
        raise ValueError(f"{other} is in check, but it is {mover}'s turn")
    king = int(kings(state) & state.mine).bit_length() - 1
    theirs, occupied = U(state.theirs), U(state.mine | state.theirs)
    checkers = int(attackers(state, theirs, state.turn ^ 1, king, occupied))
    if checkers.bit_count() > MOST_CHECKERS:
        squares = [SQUARE_NAMES[square] for square in set_squares(checkers)]
        raise ValueError(f"{mover} is in check from {', '.join(squares)}; no move gives that")
