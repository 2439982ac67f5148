"""Morris as text: positions, moves, drawings, reasons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from morris_samples import NAMES, after, random_state
from plies.core.result_text import result_text
from plies.errors import (
    IllegalMove,
)
from plies.games.morris.boards import BOARDS


# Everything the text of a position must hold, on any board.
@given(st.sampled_from(NAMES), st.integers(0, 10**6), st.integers(0, 60))
def test_positions_read_back_from_their_text(name, seed, plies_played):
    game = plies.game(f"morris:board={name}")
    state = random_state(name, seed, plies_played)
    assert game.parse_position(game.position_text(state)) == state


def test_letters_alone_mean_white_to_move_with_empty_hands():
    game = plies.game("morris")
    board = "WWxxxxxWWWWBBBBxxBWBxB"
    assert game.position_text(game.parse_position(board)) == f"{board} W 0 0"
    assert game.position_text(game.parse_position(f"{board} B")) == f"{board} B 0 0"


@pytest.mark.parametrize("name", NAMES)
def test_the_empty_board_alone_means_the_start(name):
    game = plies.game(f"morris:board={name}")
    points = len(BOARDS[name].points)
    assert game.parse_position("x" * points) == game.initial()


PLACING = "WWxxxxxxxxxxxxxxxxxBxB W 7 7"  # g0 closes a0-d0-g0
SLIDING = "WWxxxWxxxWxBxxxxBxBxxB"  # f1-g0 closes it


@pytest.mark.parametrize(
    ("position", "steps", "spoken"),
    [
        (PLACING, "g0-g6", "g0xg6"),
        (PLACING, "b1", "b1"),
        (SLIDING, "f1-g0-g6", "f1-g0xg6"),
        (SLIDING, "a0-b1", "a0-b1"),
    ],
)
def test_players_write_an_x_before_the_point_that_is_removed(position, steps, spoken):
    game = plies.game("morris")
    state = game.parse_position(position)
    move = game.parse_move(state, steps)
    assert (game.move_text(state, move), game.move_notation(state, move)) == (steps, spoken)


@pytest.mark.parametrize(
    ("position", "texts", "steps"),
    [
        (PLACING, ["g0xg6", "G0XG6", " g0 x g6 ", "g0-xg6", "g0-g6", "g0g6", "g0 G6"], "g0-g6"),
        (SLIDING, ["f1-g0xg6", "F1-G0XG6", "f1g0xg6", "f1 g0 x g6", "f1>g0xg6"], "f1-g0-g6"),
        (SLIDING, ["f1-g0-g6", "f1g0g6", "F1 G0 G6"], "f1-g0-g6"),
        (SLIDING, ["a0-b1", "a0b1", "A0 -> B1"], "a0-b1"),
    ],
)
def test_moves_are_read_with_an_x_and_without(position, texts, steps):
    game = plies.game("morris")
    state = game.parse_position(position)
    found = {game.move_text(state, game.parse_move(state, text)) for text in texts}
    assert found == {steps}


def test_a_refusal_holds_the_legal_moves_as_programs_are_told_them():
    game = plies.game("morris")
    state = game.parse_position(PLACING)
    with pytest.raises(IllegalMove) as refusal:
        game.parse_move(state, "g0xd0")
    assert sorted(refusal.value.legal) == sorted(game.move_texts(state))


@given(st.sampled_from(NAMES), st.integers(0, 10**6), st.integers(0, 60))
def test_moves_read_back_as_players_write_them(name, seed, plies_played):
    game = plies.game(f"morris:board={name}")
    state = random_state(name, seed, plies_played)
    moves = game.moves(state)[::7]
    assert [game.parse_move(state, game.move_notation(state, move)) for move in moves] == list(
        moves
    )


@pytest.mark.parametrize(
    ("position", "result"),
    [
        ("WWxWxxxxxxxxxxxxxxxBxB B 0 0", "White wins: Black has two pieces left."),
        ("WWxWxxxxxxxxxxxxxxxBxB W 0 0", "White wins: Black has two pieces left."),
        ("xxxWxxxxxxxxxxxxxxxBBB W 0 0", "Black wins: White has one piece left."),
        ("WWxWxxxxxxxxxxxxxxxxxx W 0 0", "White wins: Black has no pieces left."),
        ("xxxxxxxWxxWWxWBWWBBWBW B 0 0", "White wins: Black cannot move."),
        ("xxxxxxxBxxBBxBWBBWWBWB W 0 0", "Black wins: White cannot move."),
        (PLACING, ""),
    ],
)
def test_the_result_says_why_the_game_is_over(position, result):
    game = plies.game("morris")
    state = game.parse_position(position)
    assert result_text(game, state) == result
    assert bool(game.ending(state)) == bool(result)


def test_the_drawing_shows_pieces_in_hand():
    game = plies.game("morris")
    state = after(game, "a0", "f5")
    assert game.draw(state).splitlines() == [
        r"6  .-----------.-----------.",
        r"   | \         |         / |",
        r"5  |   .-------.-------B   |",
        r"   |   | \     |     / |   |",
        r"4  |   |   .---.---.   |   |",
        r"   |   |   |       |   |   |",
        r"3  |   .---.       .---.---.",
        r"   |   |   |       |   |   |",
        r"2  |   |   .-------.   |   |",
        r"   |   | /           \ |   |",
        r"1  |   .-------.-------.   |",
        r"   | /         |         \ |",
        r"0  W-----------.-----------.",
        r"   a   b   c   d   e   f   g",
        r"   in hand: W 8, B 8",
    ]
    assert game.svg(state).count("<line") == 36
