"""A rule that does not compile, or fails, is named in one line: which, where and why.

`tests/test_messages.py` has a mistake of every kind, and what is said about it.
"""

import errno
from pathlib import Path
from types import SimpleNamespace

import pytest

from game_samples import LAST, PLAY, TAKE, changed
from plies.core.contract import Game
from plies.core.diagnosis import compile_rules, explaining
from plies.errors import BadGame, OutOfResources
from plies.registry import game, interpreted_twin


def use(file: Game) -> None:
    """Ask what a player would ask: the moves, and one of them."""
    state = file.initial()
    file.play(state, file.moves(state)[0])
    compile_rules(file)


@pytest.mark.parametrize(
    ("new", "rule"),
    [
        (PLAY.replace("- move", '- "one"'), "play"),
        (PLAY.replace("move,", "(move / 2 & 1),"), "play"),
        (PLAY.replace("move,", "sum(n for n in range(move)),"), "play"),
        (PLAY.replace("move,", "mov,"), "play"),
        (PLAY.replace("move,", "move, 1,"), "play"),
        ("return State(state.heap - move)", "play"),
        ("state.heap -= move", "play"),
    ],
)
def test_the_line_is_that_of_the_mistake(tmp_path: Path, new: str, rule: str):
    file = changed(tmp_path, (PLAY, new))
    with pytest.raises(BadGame, match=f"^changed: {rule} ") as error:
        use(file)
    line = 1 + [each.strip() for each in Path(file.source).read_text().splitlines()].index(new)
    assert str(error.value).endswith(f"(changed.py, line {line})")
    assert len(str(error.value)) < 200


MISTAKES = {"name": "heep", "call": "state(0)", "field": "state.heep", "list": "[] | 1"}


@pytest.mark.parametrize("kind", MISTAKES)
def test_the_line_is_that_of_a_helper_in_another_file(tmp_path: Path, kind: str):
    text = f"@compiled\ndef helper(state):\n    {MISTAKES[kind]}\n    return 0\n"
    (tmp_path / f"no_{kind}.py").write_text(f"from plies.core import compiled\n{text}")
    calling = (PLAY, f"helper(state); {PLAY}"), (LAST, f"from no_{kind} import helper\n{LAST}")
    with pytest.raises(BadGame, match=rf"^changed: play .*\(no_{kind}.py, line 4\)$"):
        use(changed(tmp_path, *calling))


def test_an_error_in_a_game_loaded_as_plain_python_is_told_the_same_way(tmp_path: Path):
    file = changed(tmp_path, (PLAY, PLAY.replace("- move", "// (move - move)")))
    with pytest.raises(BadGame, match="changed: a rule fails: ZeroDivisionError"):
        use(interpreted_twin(file))


def test_the_name_of_a_class_is_shown_as_its_author_wrote_it(tmp_path: Path):
    text = TAKE.replace("state.heap - move", "state.heep - move")
    path = tmp_path / "a_long_name_of_a_game.py"
    path.write_text(text)
    file = game(str(path))
    with pytest.raises(BadGame, match=r"'heep' of type State \("):
        use(file)
    assert repr(file.initial()) == "a_long_name_of_a_game.State(heap=7, turn=0)"


@pytest.mark.parametrize(
    "shortage",
    [RuntimeError("can't start new thread"), MemoryError(), BlockingIOError(errno.EAGAIN, "again")],
    ids=repr,
)
def test_a_rule_is_not_blamed_for_a_machine_without_threads_or_memory(shortage: Exception):
    with pytest.raises(OutOfResources) as raised, explaining(SimpleNamespace(name="chess")):
        raise shortage
    assert str(raised.value).endswith(repr(shortage))
