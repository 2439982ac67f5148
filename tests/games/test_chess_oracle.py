"""Chess against python-chess: moves, positions, notations and what is refused."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chess_oracle
import plies
from chess_oracle import FAULTS, Oracle, main, possible, scattered
from plies.compiling.compiler import is_interpreting
from plies.errors import UnreadablePosition
from plies.games.chess import from_board

GAME = plies.game("chess")
POSITIONS = 500 if is_interpreting() else 5_000
EXAMPLES = 50 if is_interpreting() else 200
CHANCES = st.randoms(use_true_random=False)


@pytest.mark.parametrize("seed", range(2))
def test_every_answer_is_that_of_python_chess(seed):
    oracle = Oracle(seed)
    for _ in oracle.run(POSITIONS):
        pass
    seen = oracle.seen
    assert seen["positions"] >= POSITIONS
    if not is_interpreting():
        assert min(seen.values()) > 0, seen
        assert min(seen["en passant"], seen["castling rights"], seen["about to promote"]) > 200


@settings(max_examples=EXAMPLES)
@given(CHANCES)
def test_positions_set_up_at_random_agree_and_shrink(chance):
    board = possible(chance)
    Oracle().compare(from_board(board), board)


def spoilt(chance):
    """A FEN in which one thing may be impossible."""
    board = scattered(chance)
    square = chance.randrange(64)
    board.set_piece_at(square, chess.Piece(chance.randrange(1, 7), chance.random() < 0.5))
    fields = board.fen(en_passant="fen").split()
    if chance.random() < 0.2:
        fields[2] = chance.choice(("K", "Q", "k", "q", "KQkq"))
    if chance.random() < 0.2:
        fields[3] = chance.choice("abcdefgh") + chance.choice("36")
    return " ".join(fields)


@settings(max_examples=EXAMPLES)
@given(CHANCES)
def test_impossible_positions_are_refused_and_no_others(chance):
    text = spoilt(chance)
    board = chess.Board(text)
    has_rights = set(board.castling_xfen()) == set(text.split()[2])  # some vanish in reading
    if board.status() & FAULTS or not has_rights:
        with pytest.raises(UnreadablePosition):
            GAME.parse_position(text)
    else:
        assert GAME.position_text(GAME.parse_position(text)) == board.fen()


def test_the_long_run_tells_how_far_it_came(capsys):
    assert main(["--positions", "30", "--seed", "1"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "positions agree" in printed[0]
    assert "en passant" in printed[-1]


def test_the_long_run_ends_at_a_disagreement(capsys, monkeypatch):
    monkeypatch.setattr(chess_oracle, "count_moves", lambda state: 0)
    assert main(["--positions", "30", "--seed", "1"]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith("seed 1, position 1:\n")
    assert "count of moves: 0\nexpected " in printed
