"""Chess as people see it: FEN, drawings, the reason of an end."""

import subprocess
import sys
from xml.etree import ElementTree

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.core.result_text import result_text
from plies.errors import UnreadablePosition
from plies.games import chess as rules

GAME = plies.game("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"
STALEMATED = "7k/5Q2/8/8/8/8/8/4K3 b - - 0 1"


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


def test_the_first_position_may_be_named():
    assert GAME.parse_position(" startpos ") == GAME.initial()


def test_rights_may_be_written_in_any_order():
    assert GAME.parse_position(KIWIPETE.replace("KQkq", "qkQK")) == GAME.parse_position(KIWIPETE)


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


# Drawings


def test_the_drawing_shows_the_mover_and_castling_rights():
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
    ],
)
def test_the_situation_is_shown_below_the_board(text, situation):
    assert GAME.draw(GAME.parse_position(text)).splitlines()[-1] == situation


@pytest.mark.parametrize("text", [MATED, STALEMATED])
def test_when_the_game_is_over_the_result_says_it_and_not_the_drawing(text):
    assert len(GAME.draw(GAME.parse_position(text)).splitlines()) == 9


@pytest.mark.parametrize(
    ("text", "reason", "result"),
    [
        (rules.START, "", ""),
        (MATED, "Black is checkmated", "White wins: Black is checkmated."),
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "White is checkmated",
            "Black wins: White is checkmated.",
        ),
        (STALEMATED, "stalemate", "The game is drawn: stalemate."),
    ],
)
def test_why_the_game_is_over(text, reason, result):
    state = GAME.parse_position(text)
    assert GAME.ending(state) == reason
    assert result_text(GAME, state) == result


def test_the_picture_has_a_size_and_says_what_stands_where():
    picture = ElementTree.fromstring(GAME.svg(GAME.parse_position(STALEMATED)))
    assert (picture.attrib["width"], picture.attrib["height"]) == ("390", "390")
    assert picture.attrib["role"] == "img"
    assert picture[0].tag.endswith("title")
    assert picture[0].text == "Q on f7; K on e1; k on h8"


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
        "move = game.parse_move(state, 'Nf3')\n"
        "game.move_notation(state, move), game.draw(game.play(state, move))\n"
        "print('chess' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize("counts", ["9999 1", "99 9999"])
def test_counts_that_reach_the_end_of_the_scale_stay_there_and_can_be_read(counts: str):
    state = GAME.parse_position(f"8/5k2/8/8/7K/8/8/8 b - - {counts}")
    text = GAME.position_text(GAME.play(state, GAME.moves(state)[0]))
    assert GAME.position_text(GAME.parse_position(text)) == text
