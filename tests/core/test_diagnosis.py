"""A rule that does not compile, or fails, is told in one line: which, where and why."""

import errno
from pathlib import Path
from types import SimpleNamespace

import pytest

from plies.core.contract import Game
from plies.core.diagnosis import compile_rules, explaining
from plies.errors import BadGame, OutOfResources
from plies.registry import game, interpreted_twin

TAKE = Path(__file__).parent.parent / "data" / "games" / "take.py"
PLAY = "return State(state.heap - move, 1 - state.turn)"
MOVES = "np.arange(1, min(state.heap, 2) + 1)"
OUTCOME = "return ONGOING if state.heap > 0 else 1 - state.turn"

# What a rule says instead, the text at the line that is to be named, and the reason told.
FAULTS = {
    "a wrong type": (
        PLAY,
        'return State(state.heap - "one", 1 - state.turn)',
        '"one"',
        "play does not compile: there is no compiled sub(int64, str)",
    ),
    "an unknown field": (
        PLAY,
        "return State(state.heep - move, 1 - state.turn)",
        "heep",
        "play does not compile: Unknown attribute 'heep' of type State",
    ),
    "an unknown name": (
        PLAY,
        "return State(state.heap - mvoe, 1 - state.turn)",
        "def play",
        "play does not compile: NameError: name 'mvoe' is not defined",
    ),
    "a helper that is not compiled": (
        OUTCOME,
        "return ONGOING if initial(state.heap).heap else 1",
        "initial(state.heap)",
        "outcome does not compile: initial is plain Python; write @compiled above def initial",
    ),
    "a field left out": (
        PLAY,
        "return State(state.heap - move)",
        "def play",
        "missing a required argument: 'turn'",
    ),
    "a state that is changed": (
        PLAY,
        "state.heap = state.heap - move; return state",
        "def play",
        "play does not compile: it assigns to heap of a state; states never change",
    ),
    "a constant that is changed": (
        PLAY,
        f"{PLAY.replace('return', 'TABLE[0] = move; return')}\n\n\nTABLE = np.zeros(1, np.int64)",
        "TABLE[0] = move",
        "play does not compile: it writes into a global array, which is a constant here",
    ),
    "no answer": (
        PLAY,
        "State(state.heap - move, 1 - state.turn)",
        "def play",
        "play answers none",
    ),
    "a list of moves": (
        f"return {MOVES}",
        "return list(range(1, min(state.heap, 2) + 1))",
        "def legal_moves",
        "legal_moves answers",
    ),
    "a fraction": (OUTCOME, "return -1.0", "def outcome", "outcome answers float64"),
    "a list that begins empty": (
        PLAY,
        f"empty = []; {PLAY}",
        "empty",
        "the empty empty has no type",
    ),
    "a float as index": (
        PLAY,
        f"{PLAY.replace('move,', 'TABLE[move / 2],')}\n\n\nTABLE = np.zeros(9, np.int64)",
        "TABLE[move / 2]",
        "an index is a float",
    ),
    "a float among bits": (PLAY, PLAY.replace("move,", "(move / 2 & 1),"), "& 1", "got a float"),
    "a float in a helper of the package": (
        PLAY,
        PLAY.replace("move,", "len(set_bits(move / 2)),"),
        "set_bits(move / 2)",
        "set_bits got a float: / makes one",
    ),
    "an expression that yields": (
        PLAY,
        PLAY.replace("move,", "sum(n for n in range(move)),"),
        "sum(n",
        "it uses (... for ...); write a loop",
    ),
    "a branch without an answer": (
        PLAY,
        f"return None if state.heap > 5 else {PLAY.removeprefix('return ')}",
        "def play",
        "play answers nothing in some cases",
    ),
    "a parameter left out": (
        "def play(state, move):\n    " + PLAY,
        "def play(state):\n    return state",
        "def play",
        "play does not compile: Signature mismatch: 2 argument types given",
    ),
}


def changed(folder: Path, old: str, new: str) -> Game:
    text = TAKE.read_text().replace("import ONGOING,", "import set_bits, ONGOING,")
    assert text.count(old) == 1, old
    path = folder / "changed.py"
    path.write_text(text.replace(old, new))
    return game(str(path))


def use(file: Game) -> None:
    """Ask what a player would ask: the moves, and one of them."""
    state = file.initial()
    file.play(state, file.moves(state)[0])
    compile_rules(file)


@pytest.mark.parametrize(("old", "new", "named", "reason"), FAULTS.values(), ids=FAULTS)
def test_the_line_names_the_rule_the_place_and_the_reason(
    tmp_path: Path, old: str, new: str, named: str, reason: str
):
    file = changed(tmp_path, old, new)
    with pytest.raises(BadGame) as error:
        use(file)
    message = str(error.value)
    lines = Path(file.source).read_text().splitlines()
    first = next(number for number, line in enumerate(lines, 1) if named in line)
    decorated = first - 1 if named.startswith("def ") else first
    assert reason in message
    assert any(f"(changed.py, line {number})" in message for number in {first, decorated})
    assert "\n" not in message
    assert len(message) < 200


def test_an_error_while_a_rule_runs_is_told_in_one_line(tmp_path: Path):
    file = changed(tmp_path, PLAY, "return State(state.heap // (move - move), 1 - state.turn)")
    with pytest.raises(BadGame) as error:
        use(file)
    assert str(error.value).startswith("changed: a rule fails: ZeroDivisionError: ")
    assert "\n" not in str(error.value)


def test_an_error_in_a_game_loaded_as_plain_python_is_told_the_same_way(tmp_path: Path):
    file = changed(tmp_path, PLAY, "return State(state.heap // (move - move), 1 - state.turn)")
    with pytest.raises(BadGame, match="changed: a rule fails: ZeroDivisionError"):
        use(interpreted_twin(file))


def test_the_name_of_a_class_is_shown_as_its_author_wrote_it(tmp_path: Path):
    text = TAKE.read_text().replace("state.heap - move", "state.heep - move")
    path = tmp_path / "a_long_name_of_a_game.py"
    path.write_text(text)
    file = game(str(path))
    with pytest.raises(BadGame, match=r"Unknown attribute 'heep' of type State \("):
        use(file)
    assert repr(file.initial()) == "a_long_name_of_a_game.State(heap=7, turn=0)"


def test_rules_that_compile_are_not_complained_about():
    compile_rules(game(str(TAKE)))


@pytest.mark.parametrize(
    "shortage",
    [RuntimeError("can't start new thread"), MemoryError(), BlockingIOError(errno.EAGAIN, "again")],
    ids=repr,
)
def test_a_rule_is_not_blamed_for_a_machine_without_threads_or_memory(shortage: Exception):
    said = "the machine is short of threads, processes or memory: "
    with pytest.raises(OutOfResources) as raised, explaining(SimpleNamespace(name="chess")):
        raise shortage
    assert str(raised.value) == said + repr(shortage)
