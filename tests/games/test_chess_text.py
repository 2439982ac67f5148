"""Chess as people read and write it: FEN, moves, PGN, drawings."""

import subprocess
import sys
from xml.etree import ElementTree

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.core.errors import (
    AmbiguousMove,
    IllegalMove,
    PliesError,
    UnreadableMove,
    UnreadablePosition,
)
from plies.games import chess as rules

GAME = plies.game("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# A pawn that may promote straight or with a capture, three knights, castling on one side.
PROMOTION = "r3k2r/1P6/8/8/1N3N2/8/7P/R3KN1R w KQkq - 0 1"


def read(move, position=rules.START):
    """The text of the move that a text is read as."""
    state = GAME.parse_position(position)
    return GAME.move_text(state, GAME.parse_move(state, move))


# Positions


def test_the_first_position_is_that_of_python_chess():
    assert rules.START == chess.STARTING_FEN
    assert GAME.position_text(GAME.initial()) == chess.STARTING_FEN


def test_the_counts_of_a_fen_may_be_left_out():
    assert GAME.parse_position(f"  {KIWIPETE.removesuffix(' 0 1')} ") == GAME.parse_position(
        KIWIPETE
    )


def test_move_numbers_that_begin_at_0_are_read_as_1():
    assert GAME.parse_position(f"{KIWIPETE[:-1]}0") == GAME.parse_position(KIWIPETE)


def test_rights_may_be_written_in_any_order():
    assert GAME.parse_position(KIWIPETE.replace("KQkq", "qkQK")) == GAME.parse_position(KIWIPETE)


IMPOSSIBLE = {
    "": "4 or 6 fields, not 0",
    "4k3/8/8/8/8/8/8/4K3 w - - 0": "4 or 6 fields, not 5",
    "4k3/8/8/8/8/8/4K3 w - -": "the pieces are 8 ranks joined by /, not 7",
    "4k3/8/8/4p4/8/8/8/4K3 w - -": "rank 5, 4p4, has 9 squares, not 8",
    "4k3/8/8/8/8/8/9/4K3 w - -": "rank 2, 9, has 9 squares, not 8",
    "4k3/8/8/8//8/8/4K3 w - -": "rank 4, nothing, has 0 squares, not 8",
    "4k3/8/8/4x3/8/8/8/4K3 w - -": "rank 5 has 'x'; pieces are KQRBNP for White",
    "4k3/8/8/8/8/8/8/4K3 white - -": "the side to move is w or b, not white",
    "8/8/8/8/8/8/8/4K3 w - -": "Black has no king",
    "4k3/8/8/8/8/8/8/8 w - -": "White has no king",
    "4k3/8/8/8/8/8/8/K3K3 w - -": "White has 2 kings, on a1, e1",
    "8/8/8/8/8/8/3k4/4K3 w - -": "the kings stand side by side, on e1 and d2",
    "4k3/8/8/8/8/PPPPPPPP/P7/4K3 w - -": "White has 9 pawns, 8 at most are possible",
    "4k3/8/8/8/nnnnnnnn/nnnnnnnn/8/4K3 w - -": "Black has 17 pieces, 16 at most are possible",
    "P3k3/8/8/8/8/8/8/4K3 w - -": "there is a pawn on a8; pawns stand on ranks 2 to 7",
    "4k3/8/8/8/8/8/8/4R1K1 w - -": "Black is in check, but it is White's turn",
    "4k3/8/8/8/4r3/8/2n3n1/4K3 w - -": "White is in check from c2, g2, e4; no move does that",
    "4k3/8/8/8/8/8/8/4K3 w KX -": "castling is written with letters of KQkq, or as -, not as KX",
    "4k3/8/8/8/8/8/8/4K2R w KK -": "castling is written with letters of KQkq, or as -, not as KK",
    "4k3/8/8/8/8/8/8/5K1R w K -": "castling right K needs K on e1 and R on h1",
    "1r2k3/8/8/8/8/8/8/4K3 w q -": "castling right q needs k on e8 and r on a8",
    "4k3/8/8/8/8/8/8/4K3 w - e3": "the en passant square is on rank 6 here, or -, not e3",
    "4k3/8/8/8/8/8/8/4K3 b - x": "the en passant square is on rank 3 here, or -, not x",
    "4k3/8/8/8/8/8/8/4K3 w - e6": "en passant on e6 needs p on e5",
    "4k3/8/4n3/4p3/8/8/8/4K3 w - e6": "en passant on e6 needs an empty e6",
    "4k3/4n3/8/4p3/8/8/8/4K3 w - e6": "en passant on e6 needs an empty e7",
    "4k3/8/8/8/8/8/8/4K3 w - - x 1": "plies since a capture or pawn move is 0 to 9999, not x",
    "4k3/8/8/8/8/8/8/4K3 w - - -1 1": "plies since a capture or pawn move is 0 to 9999, not -1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 10000": "the number of the move is 0 to 9999, not 10000",
}


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_the_reason(text):
    with pytest.raises(UnreadablePosition) as caught:
        GAME.parse_position(text)
    assert str(caught.value).startswith(f"{text!r} is no position of chess: ")
    assert IMPOSSIBLE[text] in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text() | st.text("KQRBNPkqrbnp12345678/ w-", max_size=90))
def test_no_text_breaks_the_reading_of_positions(text):
    try:
        state = GAME.parse_position(text)
    except UnreadablePosition:
        return
    assert GAME.parse_position(GAME.position_text(state)) == state


def test_boards_of_python_chess_go_back_and_forth():
    board = chess.Board(KIWIPETE)
    state = rules.from_board(board)
    assert state == GAME.parse_position(KIWIPETE)
    assert rules.to_board(state) == board


def test_the_past_of_a_board_is_left_out():
    board = chess.Board()
    board.push_san("e4")
    played = GAME.play(GAME.initial(), GAME.parse_move(GAME.initial(), "e4"))
    assert rules.from_board(board) == played


def test_a_board_that_is_no_position_is_refused():
    with pytest.raises(UnreadablePosition, match="White has no king"):
        rules.from_board(chess.Board(None))


# Moves


@pytest.mark.parametrize(
    ("text", "position", "move"),
    [
        ("e2e4", rules.START, "e2e4"),
        ("E2E4", rules.START, "e2e4"),
        (" e2-e4 ", rules.START, "e2e4"),
        ("e2 e4", rules.START, "e2e4"),
        ("e4", rules.START, "e2e4"),
        ("Nf3", rules.START, "g1f3"),
        ("nf3!?", rules.START, "g1f3"),
        ("Ng1-f3", rules.START, "g1f3"),
        ("dxe6", KIWIPETE, "d5e6"),
        ("d5xe6", KIWIPETE, "d5e6"),
        ("O-O", KIWIPETE, "e1g1"),
        ("0-0-0", KIWIPETE, "e1c1"),
        ("o-o!", KIWIPETE, "e1g1"),
        ("Ke1-g1", KIWIPETE, "e1g1"),
        ("b8=Q+", PROMOTION, "b7b8q"),
        ("b8n", PROMOTION, "b7b8n"),
        ("bxa8=R", PROMOTION, "b7a8r"),
        ("b7 b8 queen", PROMOTION, "b7b8q"),
        ("Nbd3+", PROMOTION, "b4d3"),
        ("N4g2", PROMOTION, "f4g2"),
    ],
)
def test_moves_are_read_in_every_notation(text, position, move):
    assert read(text, position) == move


@pytest.mark.parametrize("text", ["", "xx", "--", "0000", "e9", "Zf3", "b8=K", "e2e4e5", "O-O-O-O"])
def test_what_is_no_move_is_told_with_an_example(text):
    with pytest.raises(UnreadableMove, match="is not a move of chess; write e2e4 or Nf3"):
        read(text)


def test_a_move_that_is_not_legal_is_told_with_legal_ones_of_that_piece_first():
    with pytest.raises(IllegalMove, match=r"^e2e5 is not legal here; legal are e2e3, e2e4, "):
        read("e2e5")


def test_check_is_named_where_it_forbids_a_move():
    with pytest.raises(IllegalMove, match="a7a6 is not legal here: Black is in check; legal are"):
        read("a7a6", "rnbqkbnr/ppp2ppp/8/1B1pp3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3")


def test_a_king_that_castles_is_not_written_as_one_that_steps():
    with pytest.raises(IllegalMove, match="Kg1 is not legal here"):
        read("Kg1", KIWIPETE)


@pytest.mark.parametrize(
    ("text", "could_be"),
    [
        ("Nd3", ("b4d3", "f4d3")),
        ("b8", ("b7b8q", "b7b8r", "b7b8b", "b7b8n")),
        ("b7a8", ("b7a8q", "b7a8r", "b7a8b", "b7a8n")),
    ],
)
def test_a_text_that_fits_several_moves_is_told_with_them(text, could_be):
    with pytest.raises(AmbiguousMove, match=f"^{text} could be {', '.join(could_be)}; ") as caught:
        read(text, PROMOTION)
    assert caught.value.legal == could_be


def test_the_beginning_of_a_move_is_told_with_its_ends():
    with pytest.raises(AmbiguousMove, match="e2 is not a whole move; it could be e2-e3, e2-e4"):
        read("e2")


@given(st.text() | st.text("abcdefgh12345678NBRQKO0-x=+", max_size=8))
def test_no_text_breaks_the_reading_of_moves(text):
    state = GAME.parse_position(PROMOTION)
    try:
        move = GAME.parse_move(state, text)
    except PliesError:
        return
    assert move in GAME.moves(state)


def test_standard_notation_is_that_of_python_chess():
    state = GAME.parse_position(PROMOTION)
    board = chess.Board(PROMOTION)
    names = {rules.san(state, move) for move in GAME.moves(state)}
    assert names == {board.san(move) for move in board.legal_moves}
    assert {"bxa8=Q+", "O-O-O", "Nbd3", "Nfd3"} <= names


# PGN


def test_a_game_survives_as_pgn():
    moves = ("f2f3", "e7e5", "g2g4", "d8h4")
    text = rules.to_pgn(moves, headers={"White": "Fool", "Black": "Mate"})
    assert "1. f3 e5 2. g4 Qh4# 0-1" in text
    game = rules.from_pgn(text)
    assert (game.start, game.moves) == (rules.START, moves)
    assert [game.headers[name] for name in ("White", "Black", "Result")] == ["Fool", "Mate", "0-1"]


def test_a_pgn_may_begin_anywhere_and_have_any_result():
    text = rules.to_pgn(["O-O", "Bxe2"], start=KIWIPETE, result="1/2-1/2")
    game = rules.from_pgn(text)
    assert game.start == KIWIPETE
    assert game.moves == ("e1g1", "a6e2")
    assert game.headers["Result"] == "1/2-1/2"


def test_comments_and_variations_of_a_pgn_are_left_out():
    assert rules.from_pgn("1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 *").moves == (
        "e2e4",
        "e7e5",
        "g1f3",
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no game in it"),
        ("good morning", "there is no game in it"),
        ("1. e4 e5 2. Ke3", "illegal san: 'Ke3'"),
        ("1. e4 --", "a side passes in it"),
        ('[Variant "Atomic"]\n\n1. e4 *', "another kind of chess"),
        (f'[FEN "{rules.START.replace("K", "Q")}"]\n\n*', "White has no king"),
    ],
)
def test_a_pgn_that_cannot_be_read_is_refused_with_the_reason(text, reason):
    with pytest.raises(UnreadableMove, match="the PGN cannot be read: ") as caught:
        rules.from_pgn(text)
    assert reason in str(caught.value)


def test_a_pgn_is_made_of_legal_moves_only():
    with pytest.raises(IllegalMove, match="e2e5 is not legal here"):
        rules.to_pgn(["e2e5"])
    with pytest.raises(UnreadableMove, match="'e2 e4' is not a move"):
        rules.to_pgn(["e2 e4"])
    with pytest.raises(UnreadablePosition, match="no king"):
        rules.to_pgn([], start="8/8/8/8/8/8/8/8 w - - 0 1")


# Drawings


def test_the_drawing_tells_what_the_pieces_do_not_show():
    lines = GAME.draw(GAME.initial()).splitlines()
    assert lines[0] == "8  r n b q k b n r"
    assert lines[8] == "   a b c d e f g h"
    assert lines[-1] == "White to move; castling KQkq"


@pytest.mark.parametrize(
    ("text", "situation"),
    [
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "Black to move"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "White to move; en passant d6"),
        ("4k3/8/8/8/8/8/8/r3K2R w K - 0 1", "White to move, in check; castling K"),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "Black is checkmated"),
        ("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1", "Black is stalemated"),
    ],
)
def test_the_situation_is_told_below_the_board(text, situation):
    assert GAME.draw(GAME.parse_position(text)).splitlines()[-1] == situation


def test_the_picture_has_real_pieces_and_marks_a_king_in_check():
    quiet = GAME.svg(GAME.initial())
    drawn = [
        node.attrib for node in ElementTree.fromstring(quiet).iter() if "transform" in node.attrib
    ]
    assert sum("#white-pawn" in str(node) for node in drawn) == 8
    assert "url(#check_gradient)" not in quiet
    checked = GAME.parse_position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1")
    assert "url(#check_gradient)" in GAME.svg(checked)


def test_playing_does_not_load_python_chess():
    script = (
        "import sys, plies; game = plies.game('chess')\n"
        "state = game.parse_position(game.position_text(game.initial()))\n"
        "game.draw(game.play(state, game.parse_move(state, 'Nf3')))\n"
        "print('chess' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
