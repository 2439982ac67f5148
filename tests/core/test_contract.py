"""What a game file gets wrong is told in one line that blames the right place."""

from pathlib import Path

import pytest

import plies
from plies.core.contract import Game
from plies.errors import BadGame, BadSpec, UnreadableMove, UnreadablePosition
from plies.registry import game
from plies.search.perft import count, distinct_positions

GAMES = Path(__file__).parent.parent / "data" / "games"
TAKE = (GAMES / "take.py").read_text()
ARRAY = (GAMES / "changed_argument.py").read_text()
INITIAL = "return State(heap, 0)"
HEAPS = "return State(np.array([heap]), 0)"
STATE = "class State(NamedTuple):\n    heap: int\n    turn: int\n"
LAST = 'GAME = Game(__name__, title="Take")'


def changed(folder: Path, text: str, *changes: tuple[str, str]) -> Game:
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "changed.py"
    path.write_text(text)
    return game(str(path))


def with_function(folder: Path, *lines: str) -> Game:
    return changed(folder, TAKE, (LAST, "\n".join([*lines, LAST])))


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("None", "answers None, not a State"),
        ("(heap, 0)", "answers (7, 0), not a State"),
        ("State(0.5, 0)", "makes heap 0.5, expected a whole number of 64 bits"),
        ("State('a', 0)", "makes heap 'a', expected a whole number of 64 bits"),
        ("State(2**63, 0)", "makes heap 9223372036854775808, expected a whole number of 64 bits"),
    ],
)
def test_a_first_state_that_compiled_code_would_misread_is_refused(
    tmp_path: Path, made: str, told: str
):
    file = changed(tmp_path, TAKE, (INITIAL, f"return {made}"))
    with pytest.raises(BadGame) as error:
        file.initial()
    assert str(error.value) == f"changed: initial {told}"


@pytest.mark.parametrize(
    ("array", "told"),
    [
        ("np.ones(4)", "an array of float64"),
        ("np.arange(8)[::2]", "a slice with gaps"),
        ("np.ones((2, 2), np.int64)", "an array of 2 dimensions"),
        ("[1, 2]", "[1, 2]"),
    ],
)
def test_an_array_that_compiled_code_would_misread_is_refused(
    tmp_path: Path, array: str, told: str
):
    expected = f"makes heaps {told}, expected a contiguous int64 array of one dimension"
    file = changed(tmp_path, ARRAY, (HEAPS, f"return State({array}, 0)"))
    with pytest.raises(BadGame) as error:
        file.initial()
    assert str(error.value) == f"changed: initial {expected}"
    file = changed(tmp_path, ARRAY, ("heaps=np.array([heap])", f"heaps={array}"))
    with pytest.raises(BadGame) as error:
        file.parse_position("3 0")
    assert str(error.value) == f"changed: parse_position {expected}"


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ('State = NamedTuple("State", [])\n', "and the type of each field"),
        (
            "import collections\nState = collections.namedtuple('State', 'heap turn')\n",
            "and the type of each field",
        ),
        (STATE.replace("heap: int", "heap: str"), "State.heap is a str; use int, np.uint64 or"),
        (STATE.replace("heap: int", "heap: float"), "State.heap is a float; use int"),
    ],
)
def test_a_state_that_the_default_rules_cannot_take_is_refused_as_the_authors_own(
    tmp_path: Path, state: str, told: str
):
    with pytest.raises(BadGame) as error:
        changed(tmp_path, TAKE, (STATE, state))
    assert told in str(error.value)
    assert "verbs.py" not in str(error.value)


@pytest.mark.parametrize(
    ("signature", "told"),
    [
        ("heap: int", "option heap of initial needs a default"),
        ("*heap: int", "initial takes *heap: int; write a name for each option"),
        ("**heap", "initial takes **heap; write a name for each option"),
    ],
)
def test_every_option_has_a_name_and_a_default(tmp_path: Path, signature: str, told: str):
    with pytest.raises(BadGame) as error:
        changed(tmp_path, TAKE, ("initial(heap: int = 7)", f"initial({signature})"))
    assert str(error.value) == f"changed: {told}"


@pytest.mark.parametrize(
    ("evaluators", "told"),
    [
        ('{"op": Evaluator(opinion)}', "write @compiled above def opinion"),
        ('{"op": opinion}', "write Evaluator(...) for op, not <function opinion"),
        ('{"zero": Evaluator(mover)}', "zero is an evaluator of every game; choose another name"),
    ],
)
def test_an_evaluator_that_no_search_could_ask_is_refused(
    tmp_path: Path, evaluators: str, told: str
):
    game_line = LAST.replace(")", f", evaluators={evaluators})")
    opinion = "from plies.core import Evaluator\n\n\ndef opinion(state):\n    return 0\n\n\n"
    with pytest.raises(BadGame) as error:
        changed(tmp_path, TAKE, (LAST, opinion + game_line))
    assert str(error.value).startswith(f"changed: {told}")


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
    file = with_function(tmp_path, head, '    return "abc"[7]')
    with pytest.raises(BadGame) as error:
        ask(file, file.initial())
    line = 1 + Path(file.source).read_text().splitlines().index('    return "abc"[7]')
    reason = f"IndexError: string index out of range (changed.py, line {line})"
    assert str(error.value) == f"changed: {name} fails: {reason}"


def test_an_error_in_initial_names_the_line_and_a_value_error_the_options(tmp_path: Path):
    file = changed(tmp_path, TAKE, (INITIAL, 'return "abc"[heap]'))
    with pytest.raises(BadGame, match=r"^changed: initial fails: IndexError: .*, line \d+\)$"):
        file.initial()
    file = changed(tmp_path, TAKE, (INITIAL, 'raise ValueError("too many")'))
    with pytest.raises(BadSpec, match=r"changed\.py: too many$"):
        file.initial()


def test_pieces_that_cannot_be_drawn_are_told_in_one_line(tmp_path: Path):
    file = with_function(
        tmp_path,
        "from plies.core import grid",
        "def board(state):",
        "    return grid(1, 1)",
        "def pieces(state):",
        "    return {'a1': 7}",
    )
    for draw in (file.draw, file.svg):
        with pytest.raises(BadGame, match=r"^changed: drawing board and pieces fails: "):
            draw(file.initial())


@pytest.mark.parametrize("text", ["5 7", "5 -1"])
def test_a_position_in_which_nobody_is_to_move_is_refused(text: str):
    with pytest.raises(UnreadablePosition) as error:
        game(str(GAMES / "take.py")).parse_position(text)
    reason = f"the player to move is {text.split()[1]}, expected 0 to 1"
    assert str(error.value) == f"{text!r} is not a take position: {reason}"


def test_a_position_that_does_not_fit_into_64_bits_is_refused():
    with pytest.raises(UnreadablePosition, match="expected a whole number of 64 bits"):
        game(str(GAMES / "take.py")).parse_position(f"{2**63} 0")


def test_a_state_with_arrays_has_a_text_by_default(tmp_path: Path):
    file = changed(
        tmp_path, ARRAY, ("def position_text", "def told"), ("def parse_position", "def read")
    )
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
    file = changed(
        tmp_path, ARRAY, ("def position_text", "def told"), ("def parse_position", "def read")
    )
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
        with pytest.raises(plies.PliesError, match="is not a state of tictactoe"):
            ask()


def test_a_game_may_have_a_notation_of_its_own_beside_the_steps(tmp_path: Path):
    file = with_function(
        tmp_path,
        "def move_text(state, move):",
        "    return 'one' if move == 1 else 'two'",
        "def find_move(state, text):",
        "    return {'one': 1, 'two': 2}.get(text)",
    )
    state = file.initial()
    assert file.move_texts(state) == ["one", "two"]
    assert [file.parse_move(state, text) for text in ("one", "2")] == [1, 2]
    with pytest.raises(UnreadableMove, match="'three' is not a move of this game"):
        file.parse_move(state, "three")


def test_moves_are_read_back_in_the_game_s_own_notation_without_further_ado(tmp_path: Path):
    file = with_function(
        tmp_path, "def move_text(state, move):", "    return 'One' if move == 1 else 'Two'"
    )
    state = file.initial()
    assert [file.parse_move(state, text) for text in ("One", " two ", "TWO", "1")] == [1, 2, 2, 1]
    with pytest.raises(UnreadableMove, match="a move looks like One"):
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
    file = with_function(tmp_path, f"def {name}:", "    return None")
    told = rf"^changed: {name.partition('(')[0]} fails: TypeError: it answers None, not text"
    with pytest.raises(BadGame, match=told):
        ask(file, file.initial())


def test_only_a_legal_move_is_found_whatever_a_notation_says(tmp_path: Path):
    file = with_function(tmp_path, "def find_move(state, text):", "    return 5")
    with pytest.raises(BadGame, match=r"^changed: find_move answers 5, which is not legal here$"):
        file.parse_move(file.initial(), "five")


def test_a_rule_that_answers_no_state_is_refused_as_an_identity(tmp_path: Path):
    file = with_function(
        tmp_path, "@compiled", "def identity(state):", "    return state.heap, state.turn"
    )
    with pytest.raises(BadGame, match=r"identity answers .*, not a State"):
        count(distinct_positions, file.initial(), 2)


def test_a_text_where_a_move_is_expected_is_pointed_to_the_reader():
    found = game("tictactoe")
    with pytest.raises(BadSpec, match=r"write game\.parse_move\(state, 'b2'\)"):
        found.play(found.initial(), "b2")  # type: ignore[arg-type]


def test_a_game_evaluates_by_name_and_by_its_first_opinion():
    found = game("quixo")
    state = found.parse_position("X..../...../...../...../..... O")
    assert found.evaluate(state) == found.evaluate(state, "lines") < 0
    assert found.evaluate(state, "zero") == 0
    with pytest.raises(BadSpec, match="quixo has no evaluator line"):
        found.evaluate(state, "line")
