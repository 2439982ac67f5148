"""Moves as text: UCI notation for programs, standard algebraic notation for people.

UCI writes `e2e4`, `e7e8q`, and `e1g1` for castling; standard algebraic notation (SAN) writes
`e4`, `e8=Q`, `O-O`, with `+` for check and `#` for mate.
"""

from plies.errors import BadSpec, GameOver, IllegalMove, shorten
from plies.games.chess.attacks import is_in_check
from plies.games.chess.fen import LETTERS, SQUARE_NAMES
from plies.games.chess.moves import has_moves, legal_moves
from plies.games.chess.playing import play
from plies.games.chess.state import (
    CASTLING,
    KING,
    PAWN,
    State,
    captured_of,
    kind_of,
    origin_of,
    placed_of,
    special_of,
    target_of,
)

KIND_NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")  # in the order of kinds


def steps(state: State, move: int) -> tuple[str, ...]:
    """Origin, target, and the piece that a pawn becomes."""
    squares = (origin_name(move), target_name(move))
    return (*squares, KIND_NAMES[placed_of(move) - 1]) if is_promotion(move) else squares


def motions(state: State, move: int) -> tuple[tuple[str, str], ...]:
    """The piece that moves, and with a castling king its rook."""
    piece_motion = (origin_name(move), target_name(move))
    if special_of(move) != CASTLING:
        return (piece_motion,)
    corner, beside = ("a", "d") if is_long(move) else ("h", "f")
    rank = piece_motion[0][1]
    return piece_motion, (corner + rank, beside + rank)


def move_text(state: State, move: int) -> str:
    """A move in UCI notation."""
    squares = origin_name(move) + target_name(move)
    return squares + LETTERS[placed_of(move) - 1].lower() if is_promotion(move) else squares


def san(state: State, move: int) -> str:
    """A legal move in standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`."""
    moves = legal_list(state)
    if move not in moves:
        if isinstance(move, str):
            raise BadSpec(f"a move is a number: write game.parse_move(state, {move!r})")
        names = shorten([san(state, other) for other in moves])
        legal = [move_text(state, other) for other in moves]
        raise IllegalMove(f"move {move} is not legal here; legal moves are {names}", legal)
    child = play(state, move)
    if not is_in_check(child):
        return _plain_san(move, moves)
    return _plain_san(move, moves) + ("+" if has_moves(child) else "#")


def legal_list(state: State) -> list[int]:
    """The legal moves; `GameOver` where there are none."""
    if moves := [int(move) for move in legal_moves(state)]:
        return moves
    raise GameOver("the game is over: no move can be played")


def _plain_san(move: int, moves: list[int]) -> str:
    """Standard notation without the mark of check; `moves` are all legal moves."""
    if special_of(move) == CASTLING:
        return "O-O-O" if is_long(move) else "O-O"
    origin, kind = origin_name(move), kind_of(move)
    captures = "x" if captured_of(move) else ""
    if kind == PAWN:
        becomes = f"={LETTERS[placed_of(move) - 1]}" if is_promotion(move) else ""
        return f"{origin[0] if captures else ''}{captures}{target_name(move)}{becomes}"
    return f"{LETTERS[kind - 1]}{_disambiguation(move, moves)}{captures}{target_name(move)}"


def _disambiguation(move: int, moves: list[int]) -> str:
    """File, rank or both, where others of the same kind can move to the same square."""
    if kind_of(move) == KING:
        return ""
    file, rank = origin_name(move)
    others = [
        origin_name(other)
        for other in moves
        if (kind_of(other), target_of(other)) == (kind_of(move), target_of(move)) and other != move
    ]
    if not others:
        return ""
    if all(other[0] != file for other in others):
        return file
    return rank if all(other[1] != rank for other in others) else file + rank


def origin_name(move: int) -> str:
    return SQUARE_NAMES[origin_of(move)]


def target_name(move: int) -> str:
    return SQUARE_NAMES[target_of(move)]


def is_promotion(move: int) -> bool:
    return placed_of(move) != kind_of(move)


def is_long(castling: int) -> bool:
    """Whether a castling move is long (queenside)."""
    return target_of(castling) < origin_of(castling)
