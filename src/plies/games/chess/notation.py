"""Moves as people write them.

The text of a move is that of the UCI protocol: `e2e4`, `e7e8q`, and `e1g1` for castling.
Reading also takes standard and long algebraic notation: `Nf3`, `exd5`, `e8=Q+`, `O-O`,
`Ng1-f3`, with or without marks such as `+`, `#` and `!?`.
"""

import re

from plies.core.errors import AmbiguousMove, IllegalMove, UnreadableMove, shorten
from plies.core.notation import SEPARATORS
from plies.games.chess.attacks import is_in_check
from plies.games.chess.moves import legal_moves
from plies.games.chess.position import LETTERS, SIDES, SQUARE_NAMES, SQUARES
from plies.games.chess.state import (
    CASTLING,
    State,
    kind_of,
    origin_of,
    placed_of,
    special_of,
    target_of,
)

KIND_NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")  # in the order of kinds
COORDINATES = re.compile(r"[a-h][1-8]-?[a-h][1-8](=?[qrbn])?")
MOVE = re.compile(
    r"(?P<kind>[KQRBN])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?"
    r"(?P<target>[a-h][1-8])(?:=?(?P<placed>[QRBNqrbn]))?[+#]?[!?]*"
)
CASTLE = re.compile(r"[Oo0]-[Oo0](?P<long>-[Oo0])?[+#]?[!?]*")


def steps(state: State, move: int) -> tuple[str, ...]:
    """From where to where, and what a pawn becomes."""
    squares = (SQUARE_NAMES[origin_of(move)], SQUARE_NAMES[target_of(move)])
    return (*squares, KIND_NAMES[placed_of(move) - 1]) if is_promotion(move) else squares


def move_text(state: State, move: int) -> str:
    """A move as UCI writes it."""
    squares = f"{SQUARE_NAMES[origin_of(move)]}{SQUARE_NAMES[target_of(move)]}"
    return squares + LETTERS[placed_of(move) - 1].lower() if is_promotion(move) else squares


def is_promotion(move: int) -> bool:
    return placed_of(move) != kind_of(move)


def find_move(state: State, text: str) -> int | None:
    """The legal move that a text means, None for a text made of steps."""
    written = _tidied(text)
    moves = [int(move) for move in legal_moves(state)]
    if castle := CASTLE.fullmatch(written):
        fitting = [move for move in moves if _castles(move, is_long=bool(castle["long"]))]
    elif parts := MOVE.fullmatch(written):
        fitting = [move for move in moves if _fits(move, parts)]
    else:
        fitting = []
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        texts = [move_text(state, move) for move in fitting]
        raise AmbiguousMove(f"{text.strip()} could be {shorten(texts)}; write one of them", texts)
    if _is_made_of_steps(written):
        return None
    if not (CASTLE.fullmatch(written) or MOVE.fullmatch(written)):
        raise UnreadableMove(f"{text.strip()!r} is not a move of chess; write e2e4 or Nf3")
    raise _illegal(state, moves, text.strip())


def _tidied(text: str) -> str:
    """Coordinates in small letters, and a capital for a piece that cannot be a file."""
    written = text.strip()
    is_one_case = written.isupper() or written.islower()
    if is_one_case and COORDINATES.fullmatch(written.lower()):
        return written.lower()
    is_piece = written[:1] in tuple("kqrn")
    return written[:1].upper() + written[1:] if is_piece else written


def _castles(move: int, is_long: bool) -> bool:
    hop = target_of(move) - origin_of(move)
    return special_of(move) == CASTLING and hop == (-2 if is_long else 2)


def _fits(move: int, parts: re.Match[str]) -> bool:
    """Whether the parts of a text describe this move.

    Without a letter it is a pawn's, or that of whatever stands on a whole square of origin.
    A king that castles is not written as one that steps.
    """
    if parts["target"] != SQUARE_NAMES[target_of(move)]:
        return False
    file, rank = SQUARE_NAMES[origin_of(move)]
    has_origin = bool(parts["file"] and parts["rank"])
    letter = LETTERS[kind_of(move) - 1]
    is_named = parts["kind"] == letter or (not parts["kind"] and (has_origin or letter == "P"))
    becomes = LETTERS[placed_of(move) - 1] if is_promotion(move) else None
    return (
        is_named
        and (has_origin or special_of(move) != CASTLING)
        and parts["file"] in (None, file)
        and parts["rank"] in (None, rank)
        and (not parts["placed"] or parts["placed"].upper() == becomes)
    )


def _is_made_of_steps(written: str) -> bool:
    """Squares and kinds with something between them, or the beginning of a move."""
    words = [word for word in SEPARATORS.split(written.lower()) if word]
    return bool(words) and all(word in SQUARES or word in KIND_NAMES for word in words)


def _illegal(state: State, moves: list[int], text: str) -> IllegalMove:
    """The complaint, with the moves to the same square first, then those of the same piece."""
    legal = [move_text(state, move) for move in moves]
    squares = re.findall("[a-h][1-8]", text)
    legal.sort(key=lambda move: (not squares or move[2:4] != squares[-1], move[:2] not in squares))
    check = f": {SIDES[state.turn]} is in check" if is_in_check(state) else ""
    return IllegalMove(f"{text} is not legal here{check}; legal are {shorten(legal)}", legal)
