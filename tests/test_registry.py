"""Finding games: by name, by entry point, by path, and what is said when there is none."""

import importlib
import inspect
import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from game_samples import GAMES
from plies.cli.main import main
from plies.errors import PliesError
from plies.registry import game, game_names, interpreted_twin
from user_samples import install

HERE = Path(__file__).parent
TAKE = GAMES / "take.py"


@pytest.fixture
def take(tmp_path: Path) -> Path:
    """A game file of one's own."""
    return Path(shutil.copy(TAKE, tmp_path / "take.py"))


def with_heap_of(module: str) -> str:
    """The text of the game with a heap whose size another module says."""
    text = TAKE.read_text().replace("import numpy", f"from {module} import HEAP\nimport numpy")
    return text.replace("heap: int = 7", "heap: int = HEAP")


def refusal(spec: object) -> str:
    """The one line that somebody reads who asks for this game."""
    with pytest.raises(PliesError) as error:
        game(str(spec))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_every_file_and_package_of_games_is_found_by_its_name():
    folder = HERE.parent / "src" / "plies" / "games"
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert game_names() == sorted(files | packages)
    assert [game(name).name for name in game_names()] == game_names()


@pytest.mark.parametrize("name", game_names())
def test_the_spec_of_a_game_names_it_again(name: str):
    rules = game(name)
    assert rules.spec == name
    texts = {key: str(value) for key, value in rules.defaults.items() if isinstance(value, int)}
    chosen = rules.with_options(texts) if texts else rules
    assert game(chosen.spec).spec == chosen.spec
    assert game(chosen.spec).initial() == rules.initial()


def test_options_are_part_of_the_spec():
    rules = game("tictactoe:width=4,k=2")
    assert rules.spec == "tictactoe:width=4,k=2"
    assert rules.options == {"width": 4, "k": 2}
    assert len(rules.moves(rules.initial())) == 4 * 3
    assert game("tictactoe").options == {}


def test_a_file_is_a_game_with_options_of_its_own(take: Path):
    rules = game(f"{take}:heap=9")
    assert (rules.name, rules.options) == ("take", {"heap": 9})
    assert rules.initial() == (9, 0)
    assert game(f" {take} ").initial() == (7, 0)


def test_a_value_may_end_like_a_file(take: Path):
    assert refusal(f"{take}:file=other.py") == "take has no option file; it has heap=7"


def test_a_file_is_loaded_once_and_again_when_it_has_changed(take: Path):
    first = game(str(take))
    assert game(str(take)).State is first.State
    take.write_text(TAKE.read_text().replace("heap: int = 7", "heap: int = 8"))
    assert game(str(take)).initial() == (8, 0)
    assert first.initial() == (7, 0)


def test_equal_files_in_two_folders_are_two_games(take: Path, tmp_path: Path):
    """They may read what lies beside them."""
    (tmp_path / "elsewhere").mkdir()
    other = Path(shutil.copy(take, tmp_path / "elsewhere"))
    assert game(str(take)).State is not game(str(other)).State
    twins = [interpreted_twin(game(str(path))) for path in (take, other)]
    assert twins[0].State is not twins[1].State


def test_a_file_may_import_what_lies_beside_it(take: Path):
    (take.parent / "sizes_of_take.py").write_text("HEAP = 11\n")
    take.write_text(with_heap_of("sizes_of_take"))
    before = list(sys.path)
    assert game(str(take)).initial() == (11, 0)
    assert sys.path == before


def test_a_folder_that_was_on_the_path_before_stays_where_it_was(
    take: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(take.parent)
    before = list(sys.path)
    game(str(take))
    assert sys.path == before


def test_an_edited_neighbour_makes_another_game_in_the_same_process(take: Path):
    beside = take.parent / "heaps_of_take.py"
    take.write_text(with_heap_of("heaps_of_take"))
    beside.write_text("HEAP = 11\n")
    first = game(str(take))
    beside.write_text("HEAP = 5 + 7\n")
    assert game(str(take)).initial() == (12, 0)
    assert first.initial() == (11, 0)


def test_a_load_that_was_interrupted_can_be_tried_again(take: Path):
    text = take.read_text()
    take.write_text(
        "import sys\nif not hasattr(sys, 'again_for_take'):\n"
        "    sys.again_for_take = True\n    raise KeyboardInterrupt\n" + text
    )
    with pytest.raises(KeyboardInterrupt):
        game(str(take))
    try:
        assert game(str(take)).initial() == (7, 0)
    finally:
        del sys.again_for_take  # type: ignore[attr-defined]


def test_a_file_that_asks_for_itself_is_told_that_it_has_no_game_yet(take: Path):
    take.write_text(f"import plies\nplies.game(__file__)\n{take.read_text()}")
    assert refusal(take).endswith("does not end with GAME = Game(...)")


def test_threads_that_load_one_file_get_one_game(take: Path):
    with ThreadPoolExecutor(4) as pool:
        rules = list(pool.map(lambda _: game(str(take)).State, range(8)))
    assert len(set(rules)) == 1


def test_a_game_inside_a_package_has_a_twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = tmp_path / "package_of_take"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "sizes.py").write_text("HEAP = 9\n")
    (package / "take.py").write_text(with_heap_of(".sizes"))
    monkeypatch.syspath_prepend(tmp_path)
    rules = importlib.import_module("package_of_take.take").GAME
    assert interpreted_twin(rules).initial() == (9, 0)


def test_a_name_with_a_file_of_that_name_beside_is_pointed_to_the_file(
    take: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(take.parent)
    assert refusal("take") == "there is no game take; did you mean the file take.py?"


def test_a_neighbour_of_another_game_does_not_slip_in(tmp_path: Path):
    """Python knows one module of a name: silently taking the wrong one would change the rules."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rules_beside_take.py").write_text(f"NAME = {folder!r}\n")
        (tmp_path / folder / "take.py").write_text(f"import rules_beside_take\n{TAKE.read_text()}")
    game(str(tmp_path / "one" / "take.py"))
    line = refusal(tmp_path / "two" / "take.py")
    assert line.endswith("one/rules_beside_take.py is loaded already")


def test_a_game_is_found_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    modules = {"offered_game": TAKE.read_text(), "raising_module": "1 / 0\n"}
    modules["leaving_module"] = "raise SystemExit(3)\n"
    points = {"offered_game": "offered_game", "raising_game": "raising_module"}
    points |= {"absent_game": "no_such_module_at_all", "leaving_game": "leaving_module"}
    install(monkeypatch, tmp_path, "plies.games", points, **modules)
    assert {"offered_game", "absent_game"} <= set(game_names())
    assert game("offered_game:heap=3").initial() == (3, 0)
    assert "absent_game cannot be imported: ModuleNotFoundError" in refusal("absent_game")
    assert "raising_game cannot be imported: ZeroDivisionError" in refusal("raising_game")
    assert "leaving_game cannot be imported: SystemExit" in refusal("leaving_game")
    del sys.modules["offered_game"]


def test_an_installed_game_is_called_by_the_name_of_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Whether that names the module or the `Game` in it; a game of the package comes first."""
    points = {"heaps": "offered_take", "piles": "offered_take:GAME", "quixo": "offered_take"}
    install(monkeypatch, tmp_path, "plies.games", points, offered_take=TAKE.read_text())
    for name in ("heaps", "piles"):
        assert (game(name).name, game(name).spec) == (name, name)
        assert f"{name} has no option x" in refusal(f"{name}:x=1")
    assert main(["games", "--json"]) == 0
    captured = capsys.readouterr()
    names = [each["name"] for each in json.loads(captured.out)]
    assert names == game_names()
    assert "the game quixo of offered_take is left out" in captured.err
    del sys.modules["offered_take"]


def test_a_path_without_a_game_says_why(tmp_path: Path):
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "empty.py").write_text("")
    assert refusal(tmp_path / "absent.py").endswith("absent.py: No such file or directory")
    assert refusal(tmp_path / "folder.py").endswith("folder.py: Is a directory")
    assert refusal(tmp_path / "empty.py").endswith("empty.py does not end with GAME = Game(...)")


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("x = 1\ndef f(:\n", "broken.py, line 2: SyntaxError: invalid syntax"),
        ("\nimport no_such_module_at_all\n", "line 2: ModuleNotFoundError: No module named"),
        ("x = 1\ny = x / 0\n", "broken.py, line 2: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit('enough')\n", "broken.py, line 2: SystemExit: enough"),
    ],
)
def test_a_file_that_does_not_run_names_the_line(tmp_path: Path, text: str, end: str):
    path = tmp_path / "broken.py"
    path.write_text(text)
    assert end in refusal(path)
    files = [getattr(module, "__file__", None) for module in sys.modules.values()]
    assert str(path) not in files


def test_a_game_cannot_borrow_the_state_of_another(tmp_path: Path):
    """The rules are found by the class of the state, so two games would mix theirs."""
    names = "State, initial, legal_moves, mover, outcome, play"
    text = f"from plies.core import Game\nfrom plies.games.tictactoe import {names}\n"
    (tmp_path / "misere.py").write_text(f"{text}GAME = Game(__name__, title='Misère')\n")
    game("tictactoe")
    assert refusal(tmp_path / "misere.py").startswith("misere: its State is that of another game")


def test_a_twin_has_the_same_options_and_is_not_compiled(take: Path):
    rules = game(f"{take}:heap=4")
    twin = interpreted_twin(rules)
    assert twin.spec == rules.spec
    assert twin.initial() == rules.initial()
    assert hasattr(rules._names["play"], "py_func")
    assert not hasattr(twin._names["play"], "py_func")
    assert interpreted_twin(rules).State is twin.State


def test_the_twin_of_a_game_that_is_a_package_is_interpreted_in_all_its_modules():
    rules = game("chess")
    moves = sys.modules["plies.games.chess.moves"]
    twin = interpreted_twin(rules)
    assert not hasattr(twin._names["legal_moves"], "py_func")
    assert not hasattr(
        inspect.unwrap(twin._names["legal_moves"]).__globals__["masks_of"], "py_func"
    )
    assert sys.modules["plies.games.chess.moves"] is moves
    assert importlib.import_module("plies.games.chess").moves is moves
    assert twin.moves(twin.initial()) == rules.moves(rules.initial())
