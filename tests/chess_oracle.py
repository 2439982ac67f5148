"""Chess against python-chess: every answer, on positions of many kinds.

    python tests/chess_oracle.py --positions 1000000 --seed 7

Half of the positions come from random games that begin at the start or where perft is
tricky; the others are set up at random, rich in castling rights, pawns about to promote
and pawns that have just stepped two squares.  The first disagreement ends the run.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess

from plies.core import DRAW, ONGOING
from plies.games.chess import (
    State,
    count_moves,
    draw_claim,
    find_move,
    from_board,
    initial,
    legal_moves,
    move_text,
    outcome,
    play,
    san,
)
from plies.games.chess.attacks import is_in_check
from plies.games.chess.fen import write_fen
from plies.games.chess.playing import piece_sums

PERFT = Path(__file__).parent / "data" / "perft" / "chess.txt"
LONGEST = 120  # plies of a random game
LIVELY = 0.4  # how often a capture, promotion or castling is preferred
REPORTS = 20  # lines of progress
EVERY = 32  # at one position in so many, all moves are played and not one
SCATTERED_KINDS = (chess.PAWN,) * 6 + (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
# Positions that no last move explains are taken; python-chess calls some of them invalid.
FAULTS = ~chess.STATUS_IMPOSSIBLE_CHECK


class Disagreement(AssertionError):
    """Where and in what the two differ."""


class Oracle:
    """Compares positions, and keeps what must hold among all of them."""

    def __init__(self, seed: int = 0):
        self.chance = random.Random(seed)
        self.seen: Counter[str] = Counter()
        self._keys: dict[str, int] = {}
        self._owners: dict[int, str] = {}

    def compare(self, state: State, board: chess.Board) -> tuple[State, chess.Board] | None:
        """Compare all answers about a position; go on to a random child, if there is one."""
        text = board.fen()
        self.seen["positions"] += 1
        expect(text, "FEN", write_fen(state), text)
        expect(text, "key and placement", piece_sums(state), (state.zobrist, state.placement))
        self._expect_key(state, text)
        moves = {move_text(state, move): move for move in legal_moves(state).tolist()}
        known = {move.uci(): move for move in board.legal_moves}
        expect(text, "legal moves", sorted(moves), sorted(known))
        expect(text, "count of moves", count_moves(state), len(known))
        expect(text, "check", bool(is_in_check(state)), board.is_check())
        expect(text, "outcome", outcome(state), result_of(board))
        is_dead = draw_claim(state, ()) == "insufficient material"
        if board.halfmove_clock < 100:
            expect(text, "insufficient material", is_dead, board.is_insufficient_material())
        self._count(board)
        if not moves:
            return None
        chosen = self._choose(board, list(known.values())).uci()
        is_thorough = self.seen["positions"] % EVERY == 0
        for name in moves if is_thorough else (chosen,):
            self._expect_move(state, moves[name], board, known[name], text)
        board.push(known[chosen])
        return play(state, moves[chosen]), board

    def _expect_key(self, state: State, text: str) -> None:
        """The key is that of all positions with the same pieces, side, rights and captures."""
        position = " ".join(text.split()[:4])
        expect(text, "key", self._keys.setdefault(position, state.zobrist), state.zobrist)
        expect(text, "owner of the key", self._owners.setdefault(state.zobrist, position), position)

    def _expect_move(
        self, state: State, move: int, board: chess.Board, known: chess.Move, text: str
    ) -> None:
        """The position after a move, and both notations read back."""
        name = board.san(known)
        self.seen["moves"] += 1
        expect(text, f"writing {name}", san(state, move), name)
        expect(text, f"reading {name}", find_move(state, name), move)
        expect(text, f"reading {known}", find_move(state, known.uci()), move)
        board.push(known)
        expect(text, f"FEN after {name}", write_fen(play(state, move)), board.fen())
        board.pop()

    def _choose(self, board: chess.Board, moves: Sequence[chess.Move]) -> chess.Move:
        if self.chance.random() < LIVELY:
            lively = [
                move
                for move in moves
                if move.promotion or board.is_capture(move) or board.is_castling(move)
            ]
            return self.chance.choice(lively or moves)
        return self.chance.choice(moves)

    def _count(self, board: chess.Board) -> None:
        """What kinds of positions were there."""
        pawns = board.pawns & board.occupied_co[board.turn]
        about = chess.BB_RANK_7 if board.turn else chess.BB_RANK_2
        self.seen["check"] += board.is_check()
        self.seen["double check"] += len(board.checkers()) > 1
        self.seen["checkmate"] += board.is_checkmate()
        self.seen["stalemate"] += board.is_stalemate()
        self.seen["castling rights"] += bool(board.castling_rights)
        self.seen["en passant"] += board.has_legal_en_passant()
        self.seen["about to promote"] += bool(pawns & about)

    def run(self, positions: int) -> Iterator[int]:
        """Compare so many positions or a few more; tells how many it has."""
        starts = [initial(), *(from_board(chess.Board(text)) for text in perft_positions())]
        while self.seen["positions"] < positions:
            if self.seen["played"] <= self.seen["set up"]:
                state = self.chance.choice(starts)
                self.seen["played"] += self._compare_game(state, LONGEST)
            else:
                state = from_board(possible(self.chance))
                self.seen["set up"] += self._compare_game(state, 2)
            yield self.seen["positions"]

    def _compare_game(self, state: State, plies: int) -> int:
        """Compare the positions of a random game; tells how many there were."""
        pair = (state, chess.Board(write_fen(state)))
        for ply in range(plies):
            pair = self.compare(*pair)
            if pair is None:
                return ply + 1
        return plies


def expect(text: str, what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Disagreement(f"{text}\n{what}: {ours}\nexpected {theirs}")


def result_of(board: chess.Board) -> int:
    if board.is_checkmate():
        return 1 if board.turn == chess.WHITE else 0
    return DRAW if board.is_stalemate() else ONGOING


def perft_positions() -> list[str]:
    """The FENs of the published counts."""
    lines = PERFT.read_text(encoding="utf-8").splitlines()
    return [line.partition(";")[0].strip() for line in lines if line and line[0] != "#"]


def possible(chance: random.Random) -> chess.Board:
    """A random position in which nothing is impossible."""
    while (board := scattered(chance)).status() & FAULTS:
        pass
    return board


def scattered(chance: random.Random) -> chess.Board:
    """Kings and other pieces anywhere; most often nothing about them is impossible."""
    board = chess.Board(None)
    board.turn = chance.random() < 0.5
    board.halfmove_clock, board.fullmove_number = chance.randrange(120), chance.randrange(1, 200)
    free = set(chess.SQUARES)
    if chance.random() < 0.4:
        free -= _step_twice(board, chance)
    for colour in chess.COLORS:
        free -= _set_up_king(board, colour, sorted(free), chance)
    for _ in range(chance.randrange(18)):
        square, kind = chance.choice(sorted(free)), chance.choice(SCATTERED_KINDS)
        if kind != chess.PAWN or 0 < chess.square_rank(square) < 7:
            board.set_piece_at(square, chess.Piece(kind, chance.random() < 0.5))
            free.remove(square)
    return board


def _step_twice(board: chess.Board, chance: random.Random) -> set[int]:
    """A pawn that has just stepped two squares, and pawns beside it."""
    file, home = chance.randrange(8), 6 if board.turn else 1
    ahead = -1 if board.turn else 1
    passed, stepped = chess.square(file, home + ahead), chess.square(file, home + 2 * ahead)
    board.set_piece_at(stepped, chess.Piece(chess.PAWN, not board.turn))
    board.ep_square = passed
    used = {chess.square(file, home), passed, stepped}
    for beside in (file - 1, file + 1):
        if 0 <= beside < 8 and chance.random() < 0.7:
            taker = chess.square(beside, home + 2 * ahead)
            board.set_piece_at(taker, chess.Piece(chess.PAWN, board.turn))
            used.add(taker)
    return used


def _set_up_king(
    board: chess.Board, colour: chess.Color, free: Sequence[int], chance: random.Random
) -> set[int]:
    """A king anywhere, or at home with rooks that may still castle."""
    rank = 0 if colour else 7
    home = chess.square(4, rank)
    king = home if home in free and chance.random() < 0.5 else chance.choice(free)
    board.set_piece_at(king, chess.Piece(chess.KING, colour))
    used = {king}
    for corner in (chess.square(0, rank), chess.square(7, rank)):
        if king == home and corner in free and chance.random() < 0.7:
            board.set_piece_at(corner, chess.Piece(chess.ROOK, colour))
            used.add(corner)
            if chance.random() < 0.8:
                board.castling_rights |= chess.BB_SQUARES[corner]
    return used


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare chess with python-chess.")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(words)
    oracle = Oracle(arguments.seed)
    began, told = time.monotonic(), 0
    try:
        for done in oracle.run(arguments.positions):
            if done - told >= arguments.positions / REPORTS:
                told = done
                seconds = time.monotonic() - began
                print(f"{done:>9,} positions agree, {done / seconds:,.0f} a second", flush=True)
    except Disagreement as difference:
        print(f"seed {arguments.seed}, position {oracle.seen['positions']:,}:\n{difference}")
        return 1
    print(", ".join(f"{count:,} {name}" for name, count in oracle.seen.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
