"""What a game file gets wrong is told in one line that blames the right place."""

import re
from pathlib import Path

import pytest

import plies
from game_samples import ARRAY, GAMES, INITIAL, changed, extended
from plies.errors import BadGame, BadSpec, UnreadableMove, UnreadablePosition
from plies.registry import game
from plies.search.perft import count, distinct_positions

HEAPS = "return State(np.array([heap]), 0)"


@pytest.mark.parametrize(
    ("array", "what"),
    [
        ("np.ones(4)", "an array of float64"),
        ("np.arange(8)[::2]", "a slice with gaps"),
        ("np.ones((2, 2), np.int64)", "an array of 2 dimensions"),
        ("[1, 2]", "[1, 2]"),
    ],
)
def test_an_array_that_compiled_code_would_misread_is_refused(
    tmp_path: Path, array: str, what: str
):
    for rule, change in (
        ("initial", (HEAPS, f"return State({array}, 0)")),
        ("parse_position", ("heaps=np.array([heap])", f"heaps={array}")),
    ):
        file = changed(tmp_path, change, text=ARRAY)
        with pytest.raises(BadGame, match=f"^changed: {rule} makes heaps {re.escape(what)}, "):
            file.initial() if rule == "initial" else file.parse_position("3 0")


PLAIN = {
    "steps": ("def steps(state, move):", lambda file, state: file.move_texts(state)),
    "board": ("def board(state):", lambda file, state: file.board(state)),
    "pieces": ("def pieces(state):", lambda file, state: file.pieces(state)),
    "position_text": ("def position_text(state):", lambda file, state: file.draw(state)),
    "parse_position": (
        "def parse_position(text, initial):",
        lambda file, _: file.parse_position("7 0"),
    ),
    "draw": ("def draw(state):", lambda file, state: file.svg(state)),
    "svg": ("def svg(state):", lambda file, state: file.svg(state)),
    "players": ("def players(state):", lambda file, state: file.is_zero_sum(state)),
    "is_zero_sum": ("def is_zero_sum(state):", lambda file, state: file.is_zero_sum(state)),
}


@pytest.mark.parametrize("name", PLAIN)
def test_an_error_in_a_plain_function_names_the_function_and_the_line(tmp_path: Path, name: str):
    head, ask = PLAIN[name]
    file = extended(tmp_path, head, '    return "abc"[7]')
    line = 1 + Path(file.source).read_text().splitlines().index('    return "abc"[7]')
    with pytest.raises(BadGame, match=rf"^changed: {name} .*IndexError.*changed.py, line {line}\)"):
        ask(file, file.initial())


def test_an_error_in_initial_names_the_line_and_a_value_error_the_options(tmp_path: Path):
    file = changed(tmp_path, (INITIAL, 'return "abc"[heap]'))
    with pytest.raises(BadGame, match=r"^changed: initial .*IndexError.*, line \d+\)$"):
        file.initial()
    file = changed(tmp_path, (INITIAL, 'raise ValueError("too many")'))
    with pytest.raises(BadSpec, match=r"changed\.py: too many$"):
        file.initial()


def test_pieces_that_cannot_be_drawn_are_told_in_one_line(tmp_path: Path):
    file = extended(
        tmp_path,
        "from plies.core import grid",
        "def board(state):",
        "    return grid(1, 1)",
        "def pieces(state):",
        "    return {'a1': 7}",
    )
    for draw in (file.draw, file.svg):
        with pytest.raises(BadGame, match=r"^changed: .*pieces"):
            draw(file.initial())


@pytest.mark.parametrize("text", ["5 7", "5 -1"])
def test_a_position_in_which_nobody_is_to_move_is_refused(text: str):
    with pytest.raises(UnreadablePosition, match=f"'{text}' .*player to move is {text[2:]},"):
        game(str(GAMES / "take.py")).parse_position(text)


def test_a_position_that_does_not_fit_into_64_bits_is_refused():
    with pytest.raises(UnreadablePosition, match="64 bits"):
        game(str(GAMES / "take.py")).parse_position(f"{2**63} 0")


WITHOUT_TEXTS = ("def position_text", "def its_text"), ("def parse_position", "def read")


def test_a_state_with_arrays_has_a_text_by_default(tmp_path: Path):
    file = changed(tmp_path, *WITHOUT_TEXTS, text=ARRAY)
    state = file.initial()
    text = file.position_text(state)
    again = file.parse_position(text)
    assert file.position_text(again) == text
    assert again.heaps.tolist() == state.heaps.tolist()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7", "expected 2 fields"),
        ("7,1 0", "heaps has 2 numbers"),
        ("- 0", "heaps has 0 numbers"),
        ("7, 0", "invalid literal"),
        (f"{2**63} 0", "more than 64 bits"),
    ],
)
def test_a_text_that_fits_no_array_is_refused(tmp_path: Path, text: str, reason: str):
    file = changed(tmp_path, *WITHOUT_TEXTS, text=ARRAY)
    with pytest.raises(UnreadablePosition, match=reason):
        file.parse_position(text)


def test_a_state_of_another_game_is_refused():
    tictactoe, nim = plies.game("tictactoe"), plies.game("nim")
    for ask in (
        lambda: tictactoe.moves(nim.initial()),
        lambda: tictactoe.mover((0, 0)),
        lambda: plies.search(tictactoe, nim.initial(), "alphabeta:depth=2"),
        lambda: plies.perft(tictactoe, nim.initial(), 2),
    ):
        with pytest.raises(plies.PliesError, match="tictactoe"):
            ask()


def test_a_game_may_have_a_notation_of_its_own_beside_the_steps(tmp_path: Path):
    file = extended(
        tmp_path,
        "def move_text(state, move):",
        "    return 'one' if move == 1 else 'two'",
        "def find_move(state, text):",
        "    return {'one': 1, 'two': 2}.get(text)",
    )
    state = file.initial()
    assert file.move_texts(state) == ["one", "two"]
    assert [file.parse_move(state, text) for text in ("one", "2")] == [1, 2]
    with pytest.raises(UnreadableMove, match="'three'"):
        file.parse_move(state, "three")


def test_moves_are_read_back_in_the_game_s_own_notation_without_further_ado(tmp_path: Path):
    file = extended(
        tmp_path, "def move_text(state, move):", "    return 'One' if move == 1 else 'Two'"
    )
    state = file.initial()
    assert [file.parse_move(state, text) for text in ("One", " two ", "TWO", "1")] == [1, 2, 2, 1]
    with pytest.raises(UnreadableMove, match="One"):
        file.parse_move(state, "three")


@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("draw_claim(state, earlier)", lambda file, state: file.draw_claim(state, ())),
        ("move_text(state, move)", lambda file, state: file.move_text(state, 1)),
        ("move_notation(state, move)", lambda file, state: file.move_notation(state, 1)),
        ("ending(state)", lambda file, state: file.ending(state)),
        ("draw(state)", lambda file, state: file.draw(state)),
    ],
)
def test_what_should_be_text_and_is_not_is_told_in_one_line(tmp_path: Path, name: str, ask):
    file = extended(tmp_path, f"def {name}:", "    return None")
    with pytest.raises(BadGame, match=f"^changed: {name.partition('(')[0]} .*TypeError: .*None"):
        ask(file, file.initial())


def test_only_a_legal_move_is_found_whatever_a_notation_says(tmp_path: Path):
    file = extended(tmp_path, "def find_move(state, text):", "    return 5")
    with pytest.raises(BadGame, match=r"^changed: find_move answers 5"):
        file.parse_move(file.initial(), "five")


def test_a_rule_that_answers_no_state_is_refused_as_an_identity(tmp_path: Path):
    file = extended(
        tmp_path, "@compiled", "def identity(state):", "    return state.heap, state.turn"
    )
    with pytest.raises(BadGame, match=r"identity .* State"):
        count(distinct_positions, file.initial(), 2)


def test_a_text_where_a_move_is_expected_is_pointed_to_the_reader():
    rules = game("tictactoe")
    with pytest.raises(BadSpec, match=r"parse_move\(state, 'b2'\)"):
        rules.play(rules.initial(), "b2")  # type: ignore[arg-type]


def test_a_game_evaluates_by_name_and_by_its_first_evaluator():
    rules = game("quixo")
    state = rules.parse_position("X..../...../...../...../..... O")
    assert rules.evaluate(state) == rules.evaluate(state, "lines") < 0
    assert rules.evaluate(state, "zero") == 0
    with pytest.raises(BadSpec, match="evaluator line"):
        rules.evaluate(state, "line")
