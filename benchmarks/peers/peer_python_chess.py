"""python-chess, asked by `peer_run`."""

from functools import partial

import chess

from peer_search import Position, alphabeta, perft
from peer_worker import Run, serve, timed


def material(board: chess.Board) -> int:
    own, other = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    found = 0
    for pieces, worth in (
        (board.pawns, 1),
        (board.knights | board.bishops, 3),
        (board.rooks, 5),
        (board.queens, 9),
    ):
        found += worth * ((pieces & own).bit_count() - (pieces & other).bit_count())
    return found


def position(fen: str) -> Position:
    board = chess.Board(fen or chess.STARTING_FEN)
    return Position(
        moves=lambda: list(board.generate_legal_moves()),
        apply=board.push,
        undo=board.pop,
        is_mated=board.is_checkmate,
        material=partial(material, board),
        uci=chess.Move.uci,
    )


def count_lines(game: str, fen: str, depth: int, is_bulk: bool) -> Run:
    board = position(fen)
    return timed(lambda: (perft(board, depth, is_bulk), None))


def search(fen: str, depth: int, is_sorted: bool) -> Run:
    board = position(fen)
    return timed(lambda: alphabeta(board, depth, is_sorted))


if __name__ == "__main__":
    serve(chess.__version__, {"perft": count_lines, "alphabeta": search})
