"""Chess moves as text: written, read, and complained about."""

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from chess_oracle import possible
from plies.compiling.compiler import is_interpreting
from plies.errors import (
    AmbiguousMove,
    BadSpec,
    GameOver,
    IllegalMove,
    PliesError,
)
from plies.games import chess as rules

GAME = plies.game("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# A pawn that may promote straight or with a capture, three knights, castling on one side.
PROMOTION = "r3k2r/1P6/8/8/1N3N2/8/7P/R3KN1R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
CHECKED = "4r1k1/8/8/8/8/8/3P1P2/1N2K2R w K - 0 1"
QUEENS = "6k1/8/8/8/Q6Q/8/6K1/Q6Q w - - 0 1"  # each of four queens may go to d4 or e4
POSITIONS = 60 if is_interpreting() else 500


def read(move, position=rules.START):
    """The text of the move that a text is read as."""
    state = GAME.parse_position(position)
    return GAME.move_text(state, GAME.parse_move(state, move))


# Writing


def expect_standard_notation(board):
    """Every legal move is written as python-chess does, and read back."""
    state = rules.from_board(board)
    for move in GAME.moves(state):
        name = GAME.move_notation(state, move)
        assert name == board.san(chess.Move.from_uci(GAME.move_text(state, move))), board.fen()
        assert GAME.parse_move(state, name) == move


@pytest.mark.parametrize("text", [rules.START, KIWIPETE, PROMOTION, EN_PASSANT, CHECKED, QUEENS])
def test_standard_notation_is_that_of_python_chess(text):
    expect_standard_notation(chess.Board(text))


def test_standard_notation_is_that_of_python_chess_on_random_positions():
    chance = random.Random(1)
    for _ in range(POSITIONS):
        expect_standard_notation(possible(chance))


@pytest.mark.parametrize(
    ("move", "position", "name"),
    [
        ("g1f3", rules.START, "Nf3"),
        ("e1c1", KIWIPETE, "O-O-O"),
        ("b4d3", PROMOTION, "Nbd3"),
        ("b7a8q", PROMOTION, "bxa8=Q+"),
        ("e5d6", EN_PASSANT, "exd6"),
        ("a4d4", QUEENS, "Qa4d4"),
        ("a1a8", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8#"),
    ],
)
def test_people_see_standard_notation_and_programs_uci(move, position, name):
    state = GAME.parse_position(position)
    parsed = GAME.parse_move(state, move)
    assert (GAME.move_text(state, parsed), GAME.move_notation(state, parsed)) == (move, name)


def test_a_move_that_is_not_legal_has_no_standard_notation():
    state = GAME.initial()
    reply = GAME.moves(GAME.play(state, GAME.parse_move(state, "e4")))[0]
    with pytest.raises(IllegalMove, match=f"^move {reply} .* Na3"):
        rules.san(state, reply)
    with pytest.raises(BadSpec, match=r"parse_move\(state, 'e4'\)"):
        rules.san(state, "e4")  # pyright: ignore[reportArgumentType]
    with pytest.raises(GameOver, match="the game is over"):
        rules.san(GAME.parse_position("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1"), reply)


# Reading


@pytest.mark.parametrize(
    ("text", "position", "move"),
    [
        ("e2e4", rules.START, "e2e4"),
        ("E2E4", rules.START, "e2e4"),
        (" e2-e4 ", rules.START, "e2e4"),
        ("e2 e4", rules.START, "e2e4"),
        ("e4", rules.START, "e2e4"),
        ("E4", rules.START, "e2e4"),
        ("Pe4", rules.START, "e2e4"),
        ("Nf3", rules.START, "g1f3"),
        ("nf3!?", rules.START, "g1f3"),
        ("Ng1-f3", rules.START, "g1f3"),
        ("knight f3", rules.START, "g1f3"),
        ("dxe6", KIWIPETE, "d5e6"),
        ("d5xe6", KIWIPETE, "d5e6"),
        ("bishop b5", KIWIPETE, "e2b5"),
        ("O-O", KIWIPETE, "e1g1"),
        ("0-0-0", KIWIPETE, "e1c1"),
        ("o-o!", KIWIPETE, "e1g1"),
        ("OO", KIWIPETE, "e1g1"),
        ("ooo", KIWIPETE, "e1c1"),
        ("Ke1-g1", KIWIPETE, "e1g1"),
        ("e1h1", KIWIPETE, "e1g1"),
        ("E1A1", KIWIPETE, "e1c1"),
        ("e8h8", KIWIPETE.replace(" w ", " b "), "e8g8"),
        ("exd6 e.p.", EN_PASSANT, "e5d6"),
        ("exd6ep", EN_PASSANT, "e5d6"),
        ("b8=Q+", PROMOTION, "b7b8q"),
        ("b8n", PROMOTION, "b7b8n"),
        ("b8=(R)", PROMOTION, "b7b8r"),
        ("b8(B)", PROMOTION, "b7b8b"),
        ("bxa8=R", PROMOTION, "b7a8r"),
        ("b7 b8 queen", PROMOTION, "b7b8q"),
        ("Nbd3+", PROMOTION, "b4d3"),
        ("N4g2", PROMOTION, "f4g2"),
    ],
)
def test_moves_are_read_in_every_notation(text, position, move):
    assert read(text, position) == move


def test_a_rook_that_goes_from_e1_to_h1_does_not_castle():
    assert read("e1h1", "k7/8/8/8/8/8/3K4/4R3 w - - 0 1") == "e1h1"


def test_a_complaint_carries_the_legal_moves_for_programs():
    with pytest.raises(IllegalMove) as caught:
        read("e2e5")
    assert caught.value.legal == tuple(GAME.move_texts(GAME.initial()))


@pytest.mark.parametrize(
    ("text", "could_be"),
    [
        ("Nd3", ("b4d3", "f4d3")),
        ("b8", ("b7b8q", "b7b8r", "b7b8b", "b7b8n")),
        ("b7a8", ("b7a8q", "b7a8r", "b7a8b", "b7a8n")),
    ],
)
def test_a_text_that_fits_several_moves_is_told_with_them(text, could_be):
    with pytest.raises(AmbiguousMove) as caught:
        read(text, PROMOTION)
    assert caught.value.legal == could_be


def test_nothing_is_read_when_the_game_is_over():
    with pytest.raises(GameOver):
        rules.find_move(GAME.parse_position("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1"), "Kg8")


@given(st.text() | st.text("abcdefgh12345678NBRQKO0-x=+()", max_size=8))
def test_no_text_breaks_the_reading_of_moves(text):
    state = GAME.parse_position(PROMOTION)
    try:
        move = GAME.parse_move(state, text)
    except PliesError:
        return
    assert move in GAME.moves(state)
