"""Morris as text: positions, moves, drawings, reasons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from morris_samples import NAMES, after, random_state
from plies.core.result_text import result_text
from plies.errors import (
    AmbiguousMove,
    BadSpec,
    IllegalMove,
    UnreadableMove,
    UnreadablePosition,
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


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "write 22 letters"),
        ("W W W", "write 22 letters"),
        ("x" * 21, "board 22 has 22 points.* not 21"),
        ("x" * 23, "not 23"),
        ("xxxxxxxxxxOxxxxxxxxxxx", r"letter 11 \(e3\) is 'O'; write W, B or x"),
        ("wxxxxxxxxxxxxxxxxxxxxx", r"letter 1 \(a0\) is 'w'"),
        ("WWWBBBxxxxxxxxxxxxxxxx w", "the side to move is W or B, not w"),
        ("WWWBBBxxxxxxxxxxxxxxxx W one 1", "in hand are a whole number, not one"),
        ("WWWBBBxxxxxxxxxxxxxxxx W -1 1", "not -1"),
        ("WWWBBBxxxxxxxxxxxxxxxx W ² 2", "not ²"),
        ("WWWWWWWWWWxBBBxxxxxxxx", "White has 10 pieces; board 22 has 9 a side"),
        ("WWWBBBBxxxxxxxxxxxxxxx B 5 6", "Black has 10 pieces, 6 of them in hand"),
        ("WWWBBBxxxxxxxxxxxxxxxx W 2 1", "the same number in hand, not 2 and 1"),
        ("WWWBBBxxxxxxxxxxxxxxxx B 2 2", "one more in hand than White, not 2 and 2"),
        ("x" * 22 + " B", "one more in hand than White, not 9 and 9"),
        ("x" * 22 + " W 0 0", "at least 3 pieces"),
        ("WWBBxxxxxxxxxxxxxxxxxx", "at least 3 pieces"),
    ],
)
def test_text_that_is_no_position_is_refused_with_its_reason(text, reason):
    with pytest.raises(UnreadablePosition, match=reason) as caught:
        plies.game("morris").parse_position(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("board=25", "board is 22 or 23 or 21b or 21n or 21x or 18 or 24, not 25"),
        ("all_in_mills=some", "all_in_mills is board or keep or take, not some"),
        ("size=3", "morris has no option size"),
    ],
)
def test_options_that_make_no_game_are_refused(options, reason):
    with pytest.raises(BadSpec, match=reason):
        plies.game(f"morris:{options}")


def test_a_move_that_the_rules_forbid_is_told_apart_from_one_that_is_not_whole():
    game = plies.game("morris")
    state = game.parse_position("WWxxxWxxxWxBxxxxBxBxxB")
    with pytest.raises(IllegalMove):
        game.parse_move(state, "a0-g0")
    with pytest.raises(AmbiguousMove, match="it could be f1-g0xf3, f1-g0xb5, f1-g0xf5, f1-g0xg6"):
        game.parse_move(state, "f1-g0")


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


@pytest.mark.parametrize(
    ("position", "text", "error", "reason"),
    [
        (PLACING, "g0x", AmbiguousMove, "g0x is not a whole move; it could be g0xa6, g0xg6"),
        (SLIDING, "f1", AmbiguousMove, "f1 is not a whole move; it could be f1-g0xf3, f1-g0xb5"),
        # b1 closes nothing, d0 is no opponent, and with an empty hand nothing is placed.
        (PLACING, "b1xg6", IllegalMove, "b1xg6 is not legal here; legal are b1, g0xa6"),
        (PLACING, "g0xd0", IllegalMove, "g0xd0 is not legal here; legal are g0xa6, g0xg6, b1"),
        (SLIDING, "g0xg6", IllegalMove, "g0xg6 is not legal here; legal are a0-b1, a0-a6, d0-g0"),
        (SLIDING, "f1xg0xg6", UnreadableMove, "'f1xg0xg6' is not a move of this game"),
        (PLACING, "xg6", UnreadableMove, "'xg6' is not a move of this game"),
        (PLACING, "g0 takes g6", UnreadableMove, "'g0 takes g6' is not a move of this game"),
        (PLACING, "d2", UnreadableMove, "board 22 has no point d2"),
        (PLACING, "A3", UnreadableMove, "board 22 has no point a3"),
        (PLACING, "g0xd2", UnreadableMove, "board 22 has no point d2"),
        (SLIDING, "f1-g10", UnreadableMove, "board 22 has no point g10"),
    ],
)
def test_a_text_that_is_no_move_is_refused_with_its_reason(position, text, error, reason):
    game = plies.game("morris")
    with pytest.raises(error) as refusal:
        game.parse_move(game.parse_position(position), text)
    assert type(refusal.value) is error
    assert str(refusal.value).startswith(reason)


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
