"""The optional rules of chess for searches, against python-chess and against the rules."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from chess_oracle import perft_positions, possible
from plies.compiling.compiler import is_interpreting
from plies.core import verbs
from plies.core.verbs import key, legal_moves, mover, outcome, play
from plies.games.chess import from_board, move_text
from plies.games.chess.fen import write_fen
from plies.games.chess.state import CASTLING, EN_PASSANT, special_of

GAME = plies.game("chess")
POSITIONS = 150 if is_interpreting() else 3000
LONGEST = 30  # plies of a random game

# In hundredths of a pawn: those that `capture_gain` and `static_exchange` are declared in.
PIECE_VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 325,
    chess.BISHOP: 325,
    chess.ROOK: 500,
    chess.QUEEN: 950,
    chess.KING: 20000,
}


@cache
def positions() -> list[Any]:
    """Positions that are not over: from random games, and set up at random."""
    chance = random.Random(11)
    sample: list[Any] = []
    while len(sample) < POSITIONS:
        sample.extend(game_from(GAME.parse_position(chance.choice(starts())), chance))
        for _ in range(LONGEST // 2):
            sample.extend(game_from(from_board(possible(chance)), chance, longest=2))
    return sample


@cache
def starts() -> list[str]:
    return ["startpos", *perft_positions()]


def game_from(state: Any, chance: random.Random, longest: int = LONGEST) -> Iterator[Any]:
    for _ in range(longest):
        moves = GAME.moves(state)
        if not moves:
            return
        yield state
        state = play(state, chance.choice(moves))


def captures(state: Any) -> list[int]:
    """The moves that take something and promote nothing."""
    return [
        move
        for move in verbs.tactical_moves(state).tolist()
        if chess.Move.from_uci(move_text(state, move)).promotion is None
    ]


def test_tactical_moves_are_the_captures_and_promotions() -> None:
    kinds: Counter[str] = Counter()
    for state in positions():
        board = chess.Board(write_fen(state))
        tactical = verbs.tactical_moves(state).tolist()
        assert len(tactical) == len(set(tactical))
        known = {m for m in board.legal_moves if board.is_capture(m) or m.promotion}
        assert {move_text(state, move) for move in tactical} == {move.uci() for move in known}
        assert set(tactical) == {
            m for m in legal_moves(state).tolist() if verbs.is_tactical(state, m)
        }
        kinds["promotion"] += sum(move.promotion is not None for move in known)
        kinds["en passant"] += sum(map(board.is_en_passant, known))
        kinds["out of check"] += board.is_check() and bool(known)
        kinds["none"] += not known
    assert min(kinds.values()) >= POSITIONS // 60, kinds


def test_threats_are_checks() -> None:
    """All but those by a castling rook, or past a pawn that is captured en passant."""
    checks = 0
    for state in positions():
        board = chess.Board(write_fen(state))
        assert verbs.must_respond(state) == board.is_check()
        for move in legal_moves(state).tolist():
            gives = board.gives_check(chess.Move.from_uci(move_text(state, move)))
            assert gives == verbs.must_respond(play(state, move))
            if verbs.threatens(state, move) != gives:
                assert gives
                assert special_of(move) in (CASTLING, EN_PASSANT)
            checks += gives
    assert checks > POSITIONS


def value_of_victim(board: chess.Board, move: chess.Move) -> int:
    if board.is_en_passant(move):
        return PIECE_VALUES[chess.PAWN]
    victim = board.piece_type_at(move.to_square)
    return PIECE_VALUES[victim] if victim else 0


def slow_exchange(board: chess.Board, move: chess.Move) -> int:
    """What a capture wins when both sides then capture on its square as long as it pays.

    On a board of python-chess, piece by piece: pins do not count, the least piece captures
    first, and a king only where nothing can capture it back.
    """
    victim = value_of_victim(board, move)
    piece = board.piece_type_at(move.from_square)
    after = board.copy(stack=False)
    if board.is_en_passant(move):
        after.remove_piece_at(move.to_square + (-8 if board.turn else 8))
    after.remove_piece_at(move.from_square)
    after.set_piece_at(move.to_square, chess.Piece(piece or 0, board.turn))
    return victim - slow_recapture(after, move.to_square)


def slow_recapture(board: chess.Board, target: int) -> int:
    """What the side that does not own the piece on the target wins by taking it, at least 0."""
    piece = board.piece_at(target)
    assert piece
    side = not piece.color
    takers = board.attackers(side, target)
    if not takers:
        return 0
    origin = min(takers, key=lambda square: PIECE_VALUES[board.piece_type_at(square) or 0])
    taker = board.piece_at(origin)
    assert taker
    after = board.copy(stack=False)
    after.remove_piece_at(origin)
    after.set_piece_at(target, taker)
    if taker.piece_type == chess.KING and after.attackers(not side, target):
        return 0
    return max(0, PIECE_VALUES[piece.piece_type] - slow_recapture(after, target))


def test_exchanges_are_what_is_left_after_all_captures_on_the_square() -> None:
    """A capture of a piece of equal or higher value has its gain only: it never loses."""
    compared = 0
    losing = 0
    for state in positions():
        board = chess.Board(write_fen(state))
        for move in captures(state):
            known = chess.Move.from_uci(move_text(state, move))
            expected = slow_exchange(board, known)
            mover_value = PIECE_VALUES[board.piece_type_at(known.from_square) or 0]
            if value_of_victim(board, known) >= mover_value:
                assert expected >= 0
                assert verbs.static_exchange(state, move) == verbs.capture_gain(state, move)
            else:
                compared += 1
                losing += expected < 0
                assert verbs.static_exchange(state, move) == expected, (write_fen(state), known)
    assert min(losing, compared - losing) > POSITIONS // 20


@pytest.mark.parametrize(
    ("text", "move", "expected"),
    [
        ("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", 100 - 325),
        ("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", 100),
        # A second knight behind nothing: the pawn is victim back by a pawn and that one by it.
        ("4k3/8/3p4/4p3/2N5/5N2/8/4K3 w - - 0 1", "f3e5", 100 - 325 + 100),
        # The rook behind the rook joins in, and Black had better not take back.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        # The king may take what nothing protects, and nothing else.
        ("8/8/4k3/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", 100 - 325),
        ("8/8/4k3/4p3/8/5N2/8/4R1K1 w - - 0 1", "f3e5", 100),
        # The pin of the pawn on d6 does not count.
        ("3k4/8/3p4/4p3/8/5N2/8/3RK3 w - - 0 1", "f3e5", 100 - 325),
    ],
)
def test_an_exchange_counts(text: str, move: str, expected: int) -> None:
    state = GAME.parse_position(text)
    assert verbs.static_exchange(state, GAME.parse_move(state, move)) == expected


def test_the_gain_is_the_victim_and_the_promotion() -> None:
    """Less a little for the capturing piece: of equal victims the least attacker comes first."""
    for state in positions():
        board = chess.Board(write_fen(state))
        for move in verbs.tactical_moves(state).tolist():
            known = chess.Move.from_uci(move_text(state, move))
            kind = board.piece_type_at(known.from_square) or 0
            gain = value_of_victim(board, known) - kind
            if known.promotion:
                gain -= PIECE_VALUES[chess.PAWN]
                gain += PIECE_VALUES[chess.QUEEN] if known.promotion == chess.QUEEN else 0
            assert verbs.capture_gain(state, move) == gain


def test_the_null_move_passes_the_turn() -> None:
    refused = 0
    for state in positions():
        board = chess.Board(write_fen(state))
        passed = verbs.null_move(state)
        pieces = board.occupied_co[board.turn] & ~board.pawns & ~board.kings
        if board.is_check() or not pieces:
            assert passed == state
            refused += 1
            continue
        board.push(chess.Move.null())
        text = board.fen()
        assert write_fen(passed).split()[:4] == text.split()[:4]
        assert mover(passed) != mover(state)
        again = GAME.parse_position(text)
        assert key(passed) == key(again)
        assert outcome(passed) == outcome(again)
        assert set(legal_moves(passed).tolist()) == set(legal_moves(again).tolist())
    assert 0 < refused < len(positions())


@settings(max_examples=10 if is_interpreting() else 60)
@given(st.randoms(use_true_random=False))
def test_exchanges_of_random_positions_agree_and_shrink(chance: random.Random) -> None:
    board = possible(chance)
    state = from_board(board)
    for move in captures(state) if GAME.moves(state) else []:
        known = chess.Move.from_uci(move_text(state, move))
        if (
            value_of_victim(board, known)
            < PIECE_VALUES[board.piece_type_at(known.from_square) or 0]
        ):
            assert verbs.static_exchange(state, move) == slow_exchange(board, known)
