"""Reading moves, and saying what is wrong with those that cannot be played.

All of these are read: UCI (`g1f3`, `e7e8q`), standard and long algebraic notation (`Nf3`,
`exd5`, `e8=Q+`, `O-O`, `Ng1-f3`, with or without marks such as `+`, `#`, `e.p.` and `!?`),
steps (`e2 e4`), and castling written as the king taking its rook (`e1h1`).
"""

import re
from collections.abc import Iterator

from plies.drawing.notation import SEPARATORS
from plies.errors import AmbiguousMove, IllegalMove, UnreadableMove, shorten
from plies.games.chess.attacks import attackers, is_in_check
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
from plies.games.chess.position import (
    LETTERS,
    SIDES,
    SQUARE_NAMES,
    SQUARES,
    pieces,
    rights_text,
    set_squares,
)
from plies.games.chess.state import CASTLING, WHITE, State, U, kind_of, placed_of, special_of

COORDINATES = re.compile(r"([a-h][1-8]-?)?[a-h][1-8](=?[qrbn])?")
EN_PASSANT_MARK = re.compile(r"\s*e\.?\s?p\.?$")
MOVE = re.compile(
    r"(?P<kind>[KQRBNP])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<target>[a-h][1-8])"
    r"(?:[=/]?\(?(?P<placed>[QRBNqrbn])\)?)?[+#]*[!?]*"
)
CASTLE = re.compile(r"[Oo0](?P<dash>-?)[Oo0](?P<long>(?P=dash)[Oo0])?[+#]*[!?]*")
CROSSED = {"K": "fg", "Q": "bcd"}  # files between king and rook


def find_move(state: State, text: str) -> int:
    """The legal move that a text means."""
    moves = legal_list(state)
    shown = " ".join(text.split())
    written = _tidied(shown)
    castle, parts = CASTLE.fullmatch(written), MOVE.fullmatch(written)
    if castle:
        fitting = [move for move in moves if _castles(move, bool(castle["long"]))]
    elif parts:
        fitting = [move for move in moves if _fits(move, parts)]
    else:
        raise UnreadableMove(f"{shown!r} is not a move of chess; write Nf3 or g1f3")
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise _ambiguous(state, fitting, f"{shown} could be", "; write one of them")
    if castle:
        raise _illegal(state, moves, shown, _castling_obstacle(state, bool(castle["long"])), "K")
    assert parts
    if begun := [move for move in moves if written == origin_name(move)]:
        raise _ambiguous(state, begun, f"{shown} is not a whole move; it could be")
    raise _illegal(state, moves, shown, _obstacle(state, moves, parts), *_named(parts))


def _tidied(text: str) -> str:
    """Steps joined, coordinates in small letters, a capital for a piece that is no file."""
    written = EN_PASSANT_MARK.sub("", text)
    words = [word for word in SEPARATORS.split(written.lower()) if word]
    if words and all(word in SQUARES or word in KIND_NAMES for word in words):
        written = "".join(
            word if word in SQUARES else LETTERS[KIND_NAMES.index(word)] for word in words
        )
    is_one_case = written.isupper() or written.islower()
    if is_one_case and COORDINATES.fullmatch(written.lower()):
        return written.lower()
    is_piece = written[:1] in tuple("kqrnp")
    return written[:1].upper() + written[1:] if is_piece else written


def _castles(move: int, to_the_left: bool) -> bool:
    return special_of(move) == CASTLING and is_long(move) == to_the_left


def _fits(move: int, parts: re.Match[str]) -> bool:
    """Whether the parts of a text describe this move.

    A king that castles is not written as one that steps, unless both squares are there.
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

    Without a letter it is a pawn, or whatever stands on a whole square of origin.
    """
    file, rank = origin
    has_origin = bool(parts["file"] and parts["rank"])
    is_kind = parts["kind"] == letter or (not parts["kind"] and (has_origin or letter == "P"))
    return is_kind and parts["file"] in (None, file) and parts["rank"] in (None, rank)


# What is said about a text that is no legal move.


def _ambiguous(state: State, fitting: list[int], told: str, advice: str = "") -> AmbiguousMove:
    names = shorten([san(state, move) for move in fitting])
    return AmbiguousMove(f"{told} {names}{advice}", [move_text(state, move) for move in fitting])


def _named(parts: re.Match[str]) -> tuple[str, str, str]:
    """Kind, origin and target as far as a text has them; one square may be either."""
    origin = f"{parts['file'] or ''}{parts['rank'] or ''}"
    return parts["kind"] or "", origin if len(origin) == 2 else "", parts["target"]


def _illegal(state: State, moves: list[int], text: str, obstacle: str, *named: str) -> IllegalMove:
    """The complaint, with the legal moves nearest to what was named."""
    what, near = _nearest(moves, *named)
    names = [san(state, move) for move in near]
    told = f"{text} is not legal here{': ' if obstacle else ''}{obstacle}"
    listed = f"the only legal {what} is {names[0]}"
    if len(names) > 1:
        listed = f"legal {what.replace('move', 'moves', 1)} are {shorten(names)}"
    return IllegalMove(f"{told}; {listed}", [move_text(state, move) for move in moves])


def _nearest(
    moves: list[int], kind: str, origin: str = "", target: str = ""
) -> tuple[str, list[int]]:
    """The moves of the piece that was named, else those to the same square, else all."""
    if near := [move for move in moves if origin_name(move) == origin]:
        return f"move from {origin}", near
    if near := [move for move in moves if _letter(move) == kind]:
        return f"{_kind_name(kind)} move", near
    if near := [move for move in moves if target_name(move) == target]:
        return f"move to {target}", near
    if not kind and (near := [move for move in moves if _is_pawn_move(move, target[0])]):
        return f"pawn move on the {target[0]} file", near
    return "move", moves


def _is_pawn_move(move: int, file: str) -> bool:
    return _letter(move) == "P" and origin_name(move)[0] == file


def _letter(move: int) -> str:
    return LETTERS[kind_of(move) - 1]


def _kind_name(letter: str) -> str:
    return KIND_NAMES[LETTERS.index(letter.upper())]


def _obstacle(state: State, moves: list[int], parts: re.Match[str]) -> str:
    """Why a move is not legal, where that is easy to say."""
    side, placed = SIDES[state.turn], pieces(state)
    own = {square for square, piece in placed.items() if piece.isupper() == (state.turn == WHITE)}
    kind, origin, target = _named(parts)
    if not (kind or parts["file"] or parts["rank"]) and target in own:
        origin = target
    if origin and origin not in placed:
        return f"there is nothing on {origin}"
    if origin and origin not in own:
        return f"the {_kind_name(placed[origin])} on {origin} is {SIDES[state.turn ^ 1]}'s"
    able = [(placed[square].upper(), square) for square in _able(state, target)]
    named = [letter for letter, square in able if _is_named(parts, letter, square)]
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


def _able(state: State, target: str) -> Iterator[str]:
    """The mover's pieces that could go to a square if its king did not matter."""
    square = SQUARES[target]
    mine, theirs, pawns = int(state.mine), int(state.theirs), int(state.pawns & state.mine)
    if mine >> square & 1:
        return
    occupied = U(state.mine | state.theirs)
    able = int(attackers(state, U(state.mine), state.turn, square, occupied))
    if not theirs >> square & 1:
        able = able & ~pawns | _stepping(pawns, mine | theirs, square, state.turn)
    yield from (SQUARE_NAMES[origin] for origin in set_squares(able))


def _stepping(pawns: int, occupied: int, square: int, turn: int) -> int:
    """The pawn that could step to an empty square, as a set."""
    back, double_rank = (-8, 3) if turn == WHITE else (8, 4)
    behind = square + back
    if not 0 <= behind < 64:
        return 0
    if not occupied >> behind & 1 and square // 8 == double_rank:
        behind += back
    return pawns & 1 << behind


def _castling_obstacle(state: State, to_the_left: bool) -> str:
    side, wing = SIDES[state.turn], "Q" if to_the_left else "K"
    right, rank = (wing, "1") if state.turn == WHITE else (wing.lower(), "8")
    if right not in rights_text(state):
        return f"{side} has lost the right to castle {'long' if to_the_left else 'short'}"
    if any(f"{file}{rank}" in pieces(state) for file in CROSSED[wing]):
        return "there are pieces between king and rook"
    return f"{side} is in check" if is_in_check(state) else "the king would be in check on its way"
