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
    UnreadableMove,
)
from plies.games import chess as rules

GAME = plies.game("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# A pawn that may promote straight or with a capture, three knights, castling on one side.
PROMOTION = "r3k2r/1P6/8/8/1N3N2/8/7P/R3KN1R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
PINNED = "4r1k1/8/8/8/8/8/4N3/4K2R w K - 0 1"
CHECKED = "4r1k1/8/8/8/8/8/3P1P2/1N2K2R w K - 0 1"
QUEENS = "6k1/8/8/8/Q6Q/8/6K1/Q6Q w - - 0 1"  # each of four queens may go to d4 or e4
POSITIONS = 60 if is_interpreting() else 500


def read(move, position=rules.START):
    """The text of the move that a text is read as."""
    state = GAME.parse_position(position)
    return GAME.move_text(state, GAME.parse_move(state, move))


def complaint(move, position=rules.START):
    """The message about a move that is not legal."""
    with pytest.raises(IllegalMove) as caught:
        read(move, position)
    return str(caught.value)


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
    with pytest.raises(IllegalMove, match=f"^move {reply} is not legal here; legal moves are Na3"):
        rules.san(state, reply)
    with pytest.raises(BadSpec, match=r"write game.parse_move\(state, 'e4'\)"):
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


@pytest.mark.parametrize(
    "text", ["", "xx", "--", "0000", "e9", "Zf3", "b8=K", "e2e4e5", "O-O-O-O", "pawn pawn"]
)
def test_what_is_no_move_is_told_with_an_example_of_each_notation(text):
    with pytest.raises(UnreadableMove, match="is not a move of chess; write Nf3 or g1f3"):
        read(text)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("e2e5", rules.START, "; legal moves from e2 are e3, e4"),
        ("e2 e5", rules.START, "; legal moves from e2 are e3, e4"),
        ("Nd4", rules.START, "; legal knight moves are Na3, Nc3, Nf3, Nh3"),
        ("bc3", rules.START, "; legal moves to c3 are Nc3, c3"),
        ("e5", rules.START, "; legal pawn moves on the e file are e3, e4"),
        ("e7e5", rules.START, ": the pawn on e7 is Black's; legal pawn moves on the e file are"),
        ("e4e5", rules.START, ": there is nothing on e4; legal pawn moves on the e file are"),
        ("e1", rules.START, ": the king on e1 cannot move; legal "),
        ("h1h3", rules.START, ": the rook on h1 cannot move; legal moves to h3 are Nh3, h3"),
        ("Kd5", rules.START, ": the king cannot move; legal moves are Na3, Nc3, "),
        ("Qh5", rules.START, ": no queen can move; legal moves are Na3, Nc3, "),
        ("Qe4", EN_PASSANT, ": White has no queen; legal moves are "),
        ("h6", EN_PASSANT, "; legal moves are "),
        ("Kg1", KIWIPETE, "; legal king moves are Kd1, Kf1, O-O, O-O-O"),
        ("b8=Q", "7k/1P6/8/8/8/8/8/K6r w - - 0 1", ": White is in check; legal moves are Ka2, Kb2"),
    ],
)
def test_a_complaint_lists_the_moves_nearest_to_what_was_written(text, position, words):
    assert complaint(text, position).startswith(f"{text} is not legal here{words}")


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("Nc3", PINNED, "the king would be in check; legal moves are "),
        ("e2c3", PINNED, "the king would be in check; legal moves are "),
        ("Nc3", CHECKED, "White is in check; legal moves are Kd1, Kf1"),
        ("d4", CHECKED, "White is in check; legal moves are Kd1, Kf1"),
        ("d3", CHECKED, "White is in check; legal moves are Kd1, Kf1"),
        ("Ke2", CHECKED, "the king would be in check; legal king moves are Kd1, Kf1"),
        ("O-O", CHECKED, "White is in check; legal king moves are Kd1, Kf1"),
        ("exd5", "4r1k1/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "the king would be in check; "),
        ("a6", "4k3/p7/8/1B6/8/8/8/4K3 b - - 0 1", "Black is in check; "),
        ("a5", "4k3/p7/8/1B6/8/8/8/4K3 b - - 0 1", "Black is in check; "),
    ],
)
def test_check_is_named_where_it_forbids_a_move(text, position, words):
    assert complaint(text, position).startswith(f"{text} is not legal here: {words}")


@pytest.mark.parametrize(
    ("text", "position", "obstacle"),
    [
        ("O-O", rules.START, "there are pieces between king and rook"),
        ("O-O-O", PINNED, "White has lost the right to castle long"),
        ("0-0", "4k2r/8/8/8/8/8/8/4K2R b K - 0 1", "Black has lost the right to castle short"),
        ("O-O", "5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "the king would be in check on its way"),
    ],
)
def test_a_castling_that_is_not_legal_is_told_with_its_obstacle(text, position, obstacle):
    assert complaint(text, position).startswith(f"{text} is not legal here: {obstacle}; legal ")


def test_a_single_legal_move_is_told_as_such():
    words = complaint("Kd3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    assert words == "Kd3 is not legal here; the only legal king move is Ke2"


def test_a_complaint_carries_the_legal_moves_for_programs():
    with pytest.raises(IllegalMove) as caught:
        read("e2e5")
    assert caught.value.legal == tuple(GAME.move_texts(GAME.initial()))


@pytest.mark.parametrize(
    ("text", "words", "could_be"),
    [
        ("Nd3", "Nbd3, Nfd3", ("b4d3", "f4d3")),
        ("b8", "b8=Q+, b8=R+, b8=B, b8=N", ("b7b8q", "b7b8r", "b7b8b", "b7b8n")),
        ("b7a8", "bxa8=Q+, bxa8=R+, bxa8=B, bxa8=N", ("b7a8q", "b7a8r", "b7a8b", "b7a8n")),
    ],
)
def test_a_text_that_fits_several_moves_is_told_with_them(text, words, could_be):
    with pytest.raises(AmbiguousMove) as caught:
        read(text, PROMOTION)
    assert str(caught.value) == f"{text} could be {words}; write one of them"
    assert caught.value.legal == could_be


def test_the_beginning_of_a_move_is_told_with_its_ends():
    with pytest.raises(AmbiguousMove, match=r"^e2 is not a whole move; it could be e3, e4$"):
        read("e2")


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
