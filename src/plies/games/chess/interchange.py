"""To and from the library python-chess: boards, standard notation, PGN and pictures.

It is imported when it is first needed: that takes longer than all of this game does.
"""

from collections.abc import Iterable, Mapping
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from plies.core.errors import UnreadableMove, UnreadablePosition
from plies.games.chess.notation import find_move, move_text
from plies.games.chess.playing import play
from plies.games.chess.position import fen, read_fen
from plies.games.chess.state import State

if TYPE_CHECKING:
    from chess import Board


class PgnGame(NamedTuple):
    """What a PGN tells of a game."""

    start: str  # a FEN
    moves: tuple[str, ...]  # the main line, as `move_text` writes moves
    headers: dict[str, str]  # the tags, `Result` among them


def to_board(state: State) -> "Board":
    """The position as a board of python-chess."""
    import chess

    return chess.Board(fen(state))


def from_board(board: "Board") -> State:
    """The position on a board of python-chess; its past is left out."""
    return _read(board.fen())


def _read(text: str) -> State:
    try:
        return read_fen(text)
    except ValueError as error:
        raise UnreadablePosition(f"{text!r} is no position of chess: {error}") from error


def san(state: State, move: int) -> str:
    """A legal move in standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`."""
    board = to_board(state)
    return board.san(board.parse_uci(move_text(state, move)))


def to_pgn(
    moves: Iterable[str],
    start: str = "",
    headers: Mapping[str, str] | None = None,
    result: str = "",
) -> str:
    """A game as PGN, from its moves in any notation that `find_move` reads.

    `start` is the FEN it began with.  `result` is `1-0`, `0-1`, `1/2-1/2` or `*`; left out,
    it is what the last position says.
    """
    import chess
    import chess.pgn

    state = _read(start or chess.STARTING_FEN)
    game = chess.pgn.Game()
    game.setup(to_board(state))
    game.headers.update(headers or {})
    node: chess.pgn.GameNode = game
    for text in moves:
        move = find_move(state, text)
        if move is None:
            raise UnreadableMove(f"{text!r} is not a move of chess; write e2e4 or Nf3")
        node = node.add_main_variation(chess.Move.from_uci(move_text(state, move)))
        state = play(state, move)
    game.headers["Result"] = result or to_board(state).result()
    return game.accept(chess.pgn.StringExporter(columns=80)) + "\n"


def from_pgn(text: str) -> PgnGame:
    """The first game of a PGN text; comments and variations are left out."""
    import chess
    import chess.pgn

    class Strict(chess.pgn.GameBuilder):
        def handle_error(self, error: Exception) -> None:
            raise error

    try:
        game = chess.pgn.read_game(StringIO(text), Visitor=Strict)
        if game is None or not (game.variations or "[" in text):
            raise ValueError("there is no game in it")
        board = game.board()
        if type(board) is not chess.Board or board.chess960:
            raise ValueError("it is a game of another kind of chess")
        start = fen(read_fen(board.fen()))
        moves = tuple(move.uci() for move in game.mainline_moves())
        if chess.Move.null().uci() in moves:
            raise ValueError("a side passes in it")
    except ValueError as error:
        raise UnreadableMove(f"the PGN cannot be read: {error}") from error
    return PgnGame(start, moves, dict(game.headers))


def svg(state: State) -> str:
    """The board with White below; a king in check is marked."""
    import chess.svg

    board = to_board(state)
    return chess.svg.board(board, check=board.king(board.turn) if board.is_check() else None)
