"""Chess: checkmate the king.

White moves first.  A rook moves any distance along a free rank or file, a bishop
along a diagonal, a queen along both; the king takes one step in any direction; a knight
jumps two squares straight and one aside.  A piece captures by moving to the square of an
enemy piece.  A pawn steps one square ahead, or two from its first square,
and captures one square diagonally ahead; one that has just stepped two squares may be
captured by a pawn as if it had stepped one (en passant), in the very next move only.  A
pawn that reaches the last rank becomes a queen, rook, bishop or knight.

    8  r n b q k b n r
    7  p p p p p p p p        capitals are White's
    6  . . . . . . . .        K king, Q queen, R rook, B bishop, N knight, P pawn
    5  . . . . . . . .
    4  . . . . . . . .        `e2e4`  the pawn on e2 moves to e4, also written e4
    3  . . . . . . . .        `g1f3`  the knight goes to f3, also Nf3
    2  P P P P P P P P        `e1g1`  White castles short, also O-O
    1  R N B Q K B N R        `e7e8q` a pawn becomes a queen, also e8=Q
       a b c d e f g h

A king that is attacked is in check, and no move may leave its own king in check.  Castling
moves the king two squares towards a rook, which then stands on its other side: neither has
moved before, nothing stands between them, and the king is not in check, nor is the square
it passes or reaches attacked.  A side in check without a legal move is mated and has lost;
without check that is stalemate, a draw.

Where sources differ: the rules here know no history.  A match is declared a draw when a
position arises for the third time (the same pieces, side to move, castling rights
and legal en passant captures), after fifty moves of each side without a capture or a pawn
move, and when the material cannot give mate; nobody has to claim it.  Positions that are dead
for other reasons go on.

A position is written as a FEN: the ranks from the top, numbers for runs of empty squares,
then the side to move, castling rights, en passant square, plies since the last capture or
pawn move, and the move number; the two counts may be left out.  An en passant square is
written only where such a capture is legal.  `startpos` stands for the first position.
Plainly impossible positions are refused; whether a game can reach the others is not checked.

Tactical moves are captures and promotions.
"""

from plies.core import DRAW, ONGOING, Board, Game, compiled, grid
from plies.games.chess.attacks import is_in_check
from plies.games.chess.endings import draw_claim, ending, is_insufficient
from plies.games.chess.fen import (
    SIDES,
    SQUARE_NAMES,
    START,
    pieces,
    read_fen,
    rights_text,
    write_fen,
)
from plies.games.chess.interchange import from_board, glyphs, svg, to_board
from plies.games.chess.moves import count_moves, has_moves, legal_moves
from plies.games.chess.notation import motions, move_text, san, steps
from plies.games.chess.pgn import PgnGame, from_pgn, games_of_pgn, to_pgn
from plies.games.chess.playing import play, replaced
from plies.games.chess.reading import find_move
from plies.games.chess.state import State
from plies.games.chess.static_exchange import capture_gain, static_exchange
from plies.games.chess.tactics import (
    is_tactical,
    must_respond,
    null_move,
    tactical_moves,
    threatens,
)

__all__ = [
    "GAME",
    "START",
    "PgnGame",
    "State",
    "capture_gain",
    "count_moves",
    "draw_claim",
    "ending",
    "find_move",
    "from_board",
    "from_pgn",
    "games_of_pgn",
    "glyphs",
    "initial",
    "is_in_check",
    "is_insufficient",
    "is_tactical",
    "legal_moves",
    "motions",
    "move_text",
    "mover",
    "must_respond",
    "null_move",
    "outcome",
    "pieces",
    "play",
    "san",
    "static_exchange",
    "steps",
    "svg",
    "tactical_moves",
    "threatens",
    "to_board",
    "to_pgn",
]


def initial() -> State:
    """The first position."""
    return read_fen(START)


@compiled
def mover(state):
    return state.turn


@compiled
def outcome(state):
    if has_moves(state):
        return ONGOING
    return state.turn ^ 1 if is_in_check(state) else DRAW


@compiled
def key(state):
    return state.zobrist


@compiled
def identity(state):
    """The state without its clock, which matters to a match and not to the rules."""
    return replaced(state, state.en_passant, 0, state.zobrist)


def position_text(state: State) -> str:
    return write_fen(state)


def parse_position(text: str, initial: State) -> State:
    return read_fen(text)


def board(state: State) -> Board:
    return grid(8, 8, style="checkered")


def move_notation(state: State, move: int) -> str:
    return san(state, move)


def situation(state: State) -> str:
    """`White to move, in check; castling KQkq; en passant e3`; empty once the game is over."""
    if not has_moves(state):
        return ""
    facts = [f"{SIDES[state.turn]} to move{', in check' if is_in_check(state) else ''}"]
    facts += [f"castling {rights_text(state)}"] if state.castling else []
    facts += [f"en passant {SQUARE_NAMES[state.en_passant]}"] if state.en_passant else []
    return "; ".join(facts)


GAME = Game(
    __name__,
    title="Chess",
    name="chess",
    marks=("KQRBNP", "kqrbnp"),
    sides=SIDES,
)
