"""Balanced chess openings for matches between strong engines, judged by a third engine.

    python benchmarks/chess_openings.py stockfish --count 50 > benchmarks/chess_openings.epd

Eight random plies often lose a piece, and such an opening is won by the same side in both
games of a pair.  So positions are drawn until `--count` of them are level in the judge's eyes.
"""

import argparse
import random

import chess
import chess.engine

PLIES = 8
DEPTH = 14
MOST_CENTIPAWNS = 50


def random_position(chance: random.Random) -> chess.Board | None:
    """The position after random moves, None when that game is over."""
    board = chess.Board()
    for _ in range(PLIES):
        if board.is_game_over():
            return None
        board.push(chance.choice(sorted(board.legal_moves, key=chess.Move.uci)))
    return None if board.is_game_over() else board


def is_level(engine: chess.engine.SimpleEngine, board: chess.Board) -> bool:
    score = engine.analyse(board, chess.engine.Limit(depth=DEPTH), game=object()).get("score")
    centipawns = score.white().score() if score else None
    return centipawns is not None and abs(centipawns) <= MOST_CENTIPAWNS


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw balanced chess openings.")
    parser.add_argument("judge", help="a UCI engine: the name or path of its program")
    parser.add_argument("--count", type=int, default=50, help="number of openings")
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    chosen: set[str] = set()
    with chess.engine.SimpleEngine.popen_uci(options.judge) as engine:
        while len(chosen) < options.count:
            board = random_position(chance)
            if board is not None and board.fen() not in chosen and is_level(engine, board):
                chosen.add(board.fen())
                print(board.fen(), flush=True)


if __name__ == "__main__":
    main()
