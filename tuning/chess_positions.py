"""Positions for the tuning of the strong chess evaluation, judged by Stockfish."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chess

RANDOM_OPENING = (2, 8)  # plies, fewest and most
RANDOM_MOVE = 0.12  # how often a later move is random
DECIDED = 1500  # hundredths of a pawn, then a game is stopped
LONGEST = 160  # plies


class Judge:
    """Stockfish with one thread and a fixed number of nodes: the same answer every time."""

    def __init__(self, command: str, nodes: int):
        self.nodes = nodes
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def judge(self, board: chess.Board) -> tuple[int | None, chess.Move]:
        """The value for the mover, None if it is mate, and the best move."""
        self.tell(f"position fen {board.fen()}\ngo nodes {self.nodes}")
        assert self.process.stdout
        value = None
        for line in self.process.stdout:
            words = line.split()
            if words[0] == "bestmove":
                return value, chess.Move.from_uci(words[1])
            if "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                value = int(number) if kind == "cp" else None
        raise RuntimeError("Stockfish has ended")

    def close(self) -> None:
        self.tell("quit")
        self.process.wait()


def is_quiet(board: chess.Board, best: chess.Move) -> bool:
    return not board.is_check() and not board.is_capture(best) and not best.promotion


def positions_of_a_game(judge: Judge, rng: random.Random) -> Iterator[tuple[int, str]]:
    """The quiet positions of one game of Stockfish against itself, with random moves between."""
    board = chess.Board()
    judge.tell("ucinewgame")
    opening = rng.randint(*RANDOM_OPENING)
    while board.ply() < LONGEST and not board.is_game_over(claim_draw=True):
        move = None
        if board.ply() >= opening:
            value, move = judge.judge(board)
            if value is None or abs(value) > DECIDED:
                return
            if is_quiet(board, move):
                yield value, board.fen()
        if move is None or rng.random() < RANDOM_MOVE:
            move = rng.choice(list(board.legal_moves))
        board.push(move)


def write_positions(folder: Path, count: int, nodes: int, seed: int, command: str) -> None:
    """`positions.txt`: number of the game, value for the mover, position; one a line."""
    folder.mkdir(parents=True, exist_ok=True)
    judge = Judge(command, nodes)
    written, game = 0, 0
    with (folder / "positions.txt").open("w") as file:
        while written < count:
            game += 1
            rng = random.Random(f"{seed}/{game}")
            for value, fen in positions_of_a_game(judge, rng):
                file.write(f"{game} {value} {fen}\n")
                written += 1
            print(f"\rgame {game}: {written} positions", end="", file=sys.stderr)
    print(file=sys.stderr)
    judge.close()
