"""bulletchess, asked by `peer_run`; it needs Python 3.13."""

from importlib.metadata import version

from bulletchess import (  # pyright: ignore[reportMissingImports]
    CHECKMATE,
    WHITE,
    Board,
    utils,
)

from peer_search import Position, alphabeta, perft
from peer_worker import Run, serve, timed

PAWN = 100  # in the unit of bulletchess


def board_of(fen: str) -> Board:
    return Board.from_fen(fen) if fen else Board()


def position(board: Board) -> Position:
    count = utils.material

    def material() -> int:
        return count(board) if board.turn is WHITE else -count(board)

    return Position(
        moves=board.legal_moves,
        apply=board.apply,
        undo=board.undo,
        is_mated=lambda: board in CHECKMATE,
        material=material,
        uci=str,
    )


def count_lines(game: str, fen: str, depth: int, is_bulk: bool) -> Run:
    """In bulk by its own function in C, otherwise from Python."""
    board = board_of(fen)
    if is_bulk:
        return timed(lambda: (utils.perft(board, depth), None))
    played = position(board)
    return timed(lambda: (perft(played, depth, is_bulk), None))


def search(fen: str, depth: int, is_sorted: bool) -> Run:
    played = position(board_of(fen))

    def think() -> tuple[int, int]:
        nodes, value = alphabeta(played, depth, is_sorted)
        return nodes, value // PAWN

    return timed(think)


if __name__ == "__main__":
    serve(version("bulletchess"), {"perft": count_lines, "alphabeta": search})
