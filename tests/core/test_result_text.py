"""What is told to people about players and results."""

from pathlib import Path

import pytest

import plies
from game_samples import LAST, changed, extended
from plies.core.result_text import over_text, player_name, result_text
from plies.errors import GameOver


def test_a_player_is_a_number_with_the_mark_if_there_is_one():
    assert player_name(plies.game("tictactoe"), 1) == "second (O)"
    assert player_name(plies.game("nim"), 0) == "first"
    assert player_name(plies.game("nim:players=3"), 2) == "third"


def test_a_player_is_called_by_the_side_where_sides_have_names(tmp_path: Path):
    rules = changed(tmp_path, (LAST, LAST.replace(")", ', sides=("White", "Black"))')))
    assert [player_name(rules, seat) for seat in range(2)] == ["White", "Black"]


@pytest.mark.parametrize(
    ("position", "text"),
    [
        ("XXX/OO./... O", "first (X) wins."),
        ("XOX/XOO/OXX O", "The game is drawn."),
        ("X.O/.../... X", ""),
    ],
)
def test_a_result_is_told_once_the_game_is_over(position: str, text: str):
    rules = plies.game("tictactoe")
    assert result_text(rules, rules.parse_position(position)) == text


@pytest.mark.parametrize(
    ("spec", "position", "text"),
    [
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "the game is drawn: stalemate"),
        ("tictactoe", "XOX/XOO/OXX O", "the game is drawn"),
        ("tictactoe", "XXX/OO./... O", "the game is over: first (X) wins"),
    ],
)
def test_a_game_that_is_over_is_said_to_be_so_once(spec: str, position: str, text: str):
    game = plies.game(spec)
    state = game.parse_position(position)
    assert over_text(game, state) == text
    with pytest.raises(GameOver) as error:
        plies.agent("random", game).choose(state)
    assert str(error.value) == text


def test_the_reason_of_an_ending_is_told_where_a_game_says_it(tmp_path: Path):
    rules = extended(tmp_path, "def ending(state):", "    return 'nothing is left'")
    state = rules.parse_position("0 1")
    assert result_text(rules, state).endswith("wins: nothing is left.")


def test_moves_are_spoken_as_they_are_written_unless_a_game_says_otherwise(tmp_path: Path):
    plain = plies.game("tictactoe")
    move = plain.parse_move(plain.initial(), "b2")
    assert plain.move_notation(plain.initial(), move) == "b2"
    rules = extended(tmp_path, "def move_notation(state, move):", "    return f'takes {move}'")
    assert rules.move_notation(rules.initial(), 2) == "takes 2"
    assert rules.move_text(rules.initial(), 2) == "2"
