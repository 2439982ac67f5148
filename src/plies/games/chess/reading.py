"""Reading moves in any notation; a move that cannot be played gets an error with the reason.

Accepted: UCI (`g1f3`, `e7e8q`), standard and long algebraic notation (`Nf3`,
`exd5`, `e8=Q+`, `O-O`, `Ng1-f3`, with or without marks such as `+`, `#`, `e.p.` and `!?`),
steps (`e2 e4`), and castling tidy as the king taking its rook (`e1h1`).
"""

import re
from collections.abc import Iterator

from plies.drawing.notation import SEPARATORS
from plies.errors import AmbiguousMove, IllegalMove, UnreadableMove, shorten
from plies.games.chess.attacks import attackers, is_in_check
from plies.games.chess.fen import (
    LETTERS,
    SIDES,
    SQUARE_NAMES,
    SQUARES,
    pieces,
    rights_text,
    set_squares,
)
from plies.games.chess.notation import (
    KIND_NAMES,
    is_long,
    is_promotion,
    legal_list,
    move_text,
    origin_name,
    san,
    target_name,
)
from plies.games.chess.state import CASTLING, WHITE, State, U, kind_of, placed_of, special_of

COORDINATES = re.compile(r"([a-h][1-8]-?)?[a-h][1-8](=?[qrbn])?")
EN_PASSANT_MARK = re.compile(r"\s*e\.?\s?p\.?$")
MOVE = re.compile(
    r"(?P<kind>[KQRBNP])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<target>[a-h][1-8])"
    r"(?:[=/]?\(?(?P<placed>[QRBNqrbn])\)?)?[+#]*[!?]*"
)
CASTLE = re.compile(r"[Oo0](?P<dash>-?)[Oo0](?P<long>(?P=dash)[Oo0])?[+#]*[!?]*")
BETWEEN_FILES = {"K": "fg", "Q": "bcd"}  # files between king and rook


def find_move(state: State, text: str) -> int:
    """The legal move that a text means; raises with the reason and legal moves if there is none."""
    moves = legal_list(state)
    typed = " ".join(text.split())
    tidy = _tidy(typed)
    castle, parts = CASTLE.fullmatch(tidy), MOVE.fullmatch(tidy)
    if castle:
        castlings = [move for move in moves if special_of(move) == CASTLING]
        matches = [move for move in castlings if is_long(move) == bool(castle["long"])]
    elif parts:
        matches = [move for move in moves if _fits(move, parts)]
    else:
        raise UnreadableMove(f"{typed!r} is not a move of chess; write Nf3 or g1f3")
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise _ambiguous(state, matches, f"{typed} could be", "; write one of them")
    if castle:
        raise _illegal(state, moves, typed, _why_no_castling(state, bool(castle["long"])), "K")
    assert parts
    if completions := [move for move in moves if tidy == origin_name(move)]:
        raise _ambiguous(state, completions, f"{typed} is not a whole move; it could be")
    raise _illegal(state, moves, typed, _why_illegal(state, moves, parts), *_named_parts(parts))


def _tidy(text: str) -> str:
    """Steps joined, coordinates in lower case, a piece letter in upper case unless it is a file."""
    tidy = EN_PASSANT_MARK.sub("", text)
    words = [word for word in SEPARATORS.split(tidy.lower()) if word]
    if words and all(word in SQUARES or word in KIND_NAMES for word in words):
        tidy = "".join(
            word if word in SQUARES else LETTERS[KIND_NAMES.index(word)] for word in words
        )
    is_one_case = tidy.isupper() or tidy.islower()
    if is_one_case and COORDINATES.fullmatch(tidy.lower()):
        return tidy.lower()
    is_piece = tidy[:1] in tuple("kqrnp")
    return tidy[:1].upper() + tidy[1:] if is_piece else tidy


def _fits(move: int, parts: re.Match[str]) -> bool:
    """Whether the parts of a text describe this move.

    Castling is not matched by the king's target alone, only by both squares.
    """
    target, origin = target_name(move), origin_name(move)
    targets = [target]
    if special_of(move) == CASTLING:
        rook = f"{'a' if is_long(move) else 'h'}{target[1]}"
        targets = [target, rook] if parts["file"] and parts["rank"] else []
    becomes = LETTERS[placed_of(move) - 1] if is_promotion(move) else None
    return (
        parts["target"] in targets
        and _is_named(parts, _letter(move), origin)
        and (not parts["placed"] or parts["placed"].upper() == becomes)
    )


def _is_named(parts: re.Match[str], letter: str, origin: str) -> bool:
    """Whether a text may mean the piece on a square.

    Without a piece letter it means a pawn, or any piece if the origin is a whole square.
    """
    file, rank = origin
    has_origin = bool(parts["file"] and parts["rank"])
    is_kind = parts["kind"] == letter or (not parts["kind"] and (has_origin or letter == "P"))
    return is_kind and parts["file"] in (None, file) and parts["rank"] in (None, rank)


# Error messages for texts that are not a legal move.


def _ambiguous(state: State, matches: list[int], message: str, advice: str = "") -> AmbiguousMove:
    names = shorten([san(state, move) for move in matches])
    return AmbiguousMove(f"{message} {names}{advice}", [move_text(state, move) for move in matches])


def _named_parts(parts: re.Match[str]) -> tuple[str, str, str]:
    """Piece letter, origin and target of a text; empty where it leaves them out."""
    origin = f"{parts['file'] or ''}{parts['rank'] or ''}"
    return parts["kind"] or "", origin if len(origin) == 2 else "", parts["target"]


def _illegal(state: State, moves: list[int], text: str, reason: str, *named: str) -> IllegalMove:
    """The error, with the legal moves nearest to what was named."""
    what, nearest = _nearest(moves, *named)
    names = [san(state, move) for move in nearest]
    message = f"{text} is not legal here{': ' if reason else ''}{reason}"
    legal = f"the only legal {what} is {names[0]}"
    if len(names) > 1:
        legal = f"legal {what.replace('move', 'moves', 1)} are {shorten(names)}"
    return IllegalMove(f"{message}; {legal}", [move_text(state, move) for move in moves])


def _nearest(
    moves: list[int], kind: str, origin: str = "", target: str = ""
) -> tuple[str, list[int]]:
    """The moves of the piece that was named, else those to the same square, else all."""
    if nearest := [move for move in moves if origin_name(move) == origin]:
        return f"move from {origin}", nearest
    if nearest := [move for move in moves if _letter(move) == kind]:
        return f"{_kind_name(kind)} move", nearest
    if nearest := [move for move in moves if target_name(move) == target]:
        return f"move to {target}", nearest
    pawn_moves = [move for move in moves if _letter(move) == "P"]
    if not kind and (nearest := [m for m in pawn_moves if origin_name(m)[0] == target[0]]):
        return f"pawn move on the {target[0]} file", nearest
    return "move", moves


def _letter(move: int) -> str:
    return LETTERS[kind_of(move) - 1]


def _kind_name(letter: str) -> str:
    return KIND_NAMES[LETTERS.index(letter.upper())]


def _why_illegal(state: State, moves: list[int], parts: re.Match[str]) -> str:
    """Why a move is not legal, or empty where no short reason is known."""
    side, placed = SIDES[state.turn], pieces(state)
    own = {square for square, piece in placed.items() if piece.isupper() == (state.turn == WHITE)}
    kind, origin, target = _named_parts(parts)
    if not (kind or parts["file"] or parts["rank"]) and target in own:
        origin = target
    if origin and origin not in placed:
        return f"there is nothing on {origin}"
    if origin and origin not in own:
        return f"the {_kind_name(placed[origin])} on {origin} is {SIDES[state.turn ^ 1]}'s"
    reaching = [(placed[square].upper(), square) for square in _pieces_reaching(state, target)]
    named = [letter for letter, square in reaching if _is_named(parts, letter, square)]
    if is_in_check(state) and named != ["K"]:
        return f"{side} is in check"
    if named:
        return "the king would be in check"
    if origin and all(origin_name(move) != origin for move in moves):
        return f"the {_kind_name(placed[origin])} on {origin} cannot move"
    if kind and all(placed[square].upper() != kind for square in own):
        return f"{side} has no {_kind_name(kind)}"
    if kind and all(_letter(move) != kind for move in moves):
        return "the king cannot move" if kind == "K" else f"no {_kind_name(kind)} can move"
    return ""


def _pieces_reaching(state: State, target: str) -> Iterator[str]:
    """The squares of the mover's pieces with a pseudo-legal move to a square."""
    square = SQUARES[target]
    mine, theirs, pawns = int(state.mine), int(state.theirs), int(state.pawns & state.mine)
    if mine >> square & 1:
        return
    occupied = U(state.mine | state.theirs)
    reaching = int(attackers(state, U(state.mine), state.turn, square, occupied))
    if not theirs >> square & 1:
        reaching = reaching & ~pawns | _pawns_stepping(pawns, mine | theirs, square, state.turn)
    yield from (SQUARE_NAMES[origin] for origin in set_squares(reaching))


def _pawns_stepping(pawns: int, occupied: int, square: int, turn: int) -> int:
    """The pawn that could step to an empty square, as a bitboard."""
    back, double_rank = (-8, 3) if turn == WHITE else (8, 4)
    behind = square + back
    if not 0 <= behind < 64:
        return 0
    if not occupied >> behind & 1 and square // 8 == double_rank:
        behind += back
    return pawns & 1 << behind


def _why_no_castling(state: State, is_queenside: bool) -> str:
    side, wing = SIDES[state.turn], "Q" if is_queenside else "K"
    right, rank = (wing, "1") if state.turn == WHITE else (wing.lower(), "8")
    if right not in rights_text(state):
        return f"{side} has lost the right to castle {'long' if is_queenside else 'short'}"
    if any(f"{file}{rank}" in pieces(state) for file in BETWEEN_FILES[wing]):
        return "there are pieces between king and rook"
    return f"{side} is in check" if is_in_check(state) else "the king would be in check on its way"
