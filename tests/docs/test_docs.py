"""What the documentation says is true: examples run, outputs agree, links lead somewhere."""

import doctest
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import plies
from contract_table import PAGE, with_table
from plies.agents.builtin import AGENTS
from plies.cli.app import COMMANDS
from plies.cli.main import main
from plies.compiling.cache_files import DAYS_KEPT
from plies.core import report_words
from plies.core.contract import Game
from plies.core.rules import RULE
from plies.core.spec import options_of
from plies.match import MAX_PLIES
from plies.morris_programs.command import main as morris_program
from plies.morris_programs.programs import PROGRAMS
from plies.testing import assert_game
from plies.testing.files import checks_of_file

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.joinpath("docs").rglob("*.md"), ROOT / "examples" / "README.md"]
)
OUTPUT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE  # a new game may widen a table
PROGRESS = re.compile(r"^\d+/\d+ \w+, \d+ s\n", re.MULTILINE)
PROMPT = re.compile(r"^\w+(?: \(\w+\))?> (.*)$", re.MULTILINE)
FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)(?P<target>[^)#\s]*)(?:#(?P<anchor>[^)\s]*))?\)")
FILE_NAME = re.compile(r"# (?P<name>\w+\.py)\n")


@dataclass(frozen=True)
class Block:
    """One fenced example."""

    language: str
    body: str
    line: int


def blocks(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    return [
        Block(match["language"], match["body"], text.count("\n", 0, match.start()) + 1)
        for match in FENCE.finditer(text)
    ]


def with_blocks(*languages: str) -> list[Any]:
    return [
        pytest.param(document, id=str(document.relative_to(ROOT)))
        for document in DOCUMENTS
        if any(block.language in languages for block in blocks(document))
    ]


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """One folder with all that the examples name, so that each game is compiled once."""
    folder = tmp_path_factory.mktemp("documentation")
    (folder / "examples").symlink_to(ROOT / "examples")
    for document in DOCUMENTS:
        for name, text in game_files(document).items():
            (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def workplace(folder, monkeypatch) -> Iterator[Path]:
    """That folder as the current one; what an example writes is gone afterwards."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PLIES_QUIET", "1")
    before = set(folder.iterdir())
    yield folder
    for made in set(folder.iterdir()) - before:
        if made.is_file():
            made.unlink()


def game_files(document: Path) -> dict[str, str]:
    """Python blocks that begin with the name of a file stand for that file."""
    bodies = [block.body for block in blocks(document) if block.language == "python"]
    matches = [(FILE_NAME.match(body), body) for body in bodies]
    return {match["name"]: body for match, body in matches if match}


@pytest.mark.parametrize("document", with_blocks("python", "pycon"))
@pytest.mark.usefixtures("workplace")
def test_python_examples_run_and_print_what_they_show(document):
    names: dict[str, Any] = {"__name__": "example"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for block in blocks(document):
        where = f"{document.name}, line {block.line}"
        if block.language == "python" and not FILE_NAME.match(block.body):
            exec(compile(block.body, where, "exec"), names)
        elif block.language == "pycon":
            example = doctest.DocTestParser().get_doctest(block.body, names, where, None, None)
            report: list[str] = []
            runner.run(example, out=report.append, clear_globs=False)
            names.update(example.globs)
            assert not report, "".join(report)


@pytest.mark.usefixtures("workplace")
def test_game_files_in_the_documentation_keep_the_contract():
    names = [name for document in DOCUMENTS for name in game_files(document)]
    assert len(names) == len(set(names)) >= 2
    for name in names:
        results = checks_of_file(name)
        if results is None:
            assert_game(plies.game(name), games=5)
        else:
            assert [result for result in results if not result.passed] == [], name


def said(command: str, typed: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command line prints, on either stream, when these lines are typed.

    Lines of progress, which only slow machines print, are left out.
    """

    def answer(prompt: str) -> str:
        line = typed.pop(0)
        print(f"{prompt}{line}")
        return line

    program, *arguments = shlex.split(command, comments=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.input", answer)
        COMMAND_LINES[program](arguments)
    printed = capsys.readouterr()
    return printed.out + PROGRESS.sub("", printed.err)


def echo(arguments: list[str]) -> None:
    """`echo TEXT > FILE` writes a file."""
    text, arrow, name = arguments
    assert arrow == ">"
    Path(name).write_text(f"{text}\n", encoding="utf-8")


def cat(arguments: list[str]) -> None:
    print(Path(*arguments).read_text(encoding="utf-8"), end="")


# What may stand behind a prompt.
COMMAND_LINES: dict[str, Callable[[list[str]], object]] = {
    "plies": main,
    "echo": echo,
    "cat": cat,
    **{name: partial(morris_program, name) for name in PROGRAMS},
}


@pytest.mark.parametrize("document", with_blocks("console"))
@pytest.mark.usefixtures("workplace")
def test_command_lines_print_what_they_show(document, capsys):
    for block in blocks(document):
        if block.language != "console":
            continue
        for part in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            typed = PROMPT.findall(expected)
            printed = said(command, typed, capsys)
            is_same = doctest.OutputChecker().check_output(expected, printed, OUTPUT)
            assert is_same, f"{document.name}: $ {command}\nprinted\n{printed}"
            assert not typed, f"{document.name}: $ {command} never asked for {typed}"


def test_every_command_has_a_section():
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\w+):", page, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize(
    "document", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in DOCUMENTS]
)
def test_links_lead_somewhere(document):
    for match in LINK.finditer(document.read_text(encoding="utf-8")):
        target = document.parent / match["target"] if match["target"] else document
        assert target.exists(), f"{document.name}: {match['target']} does not exist"
        if match["anchor"]:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles]
            assert match["anchor"] in anchors, f"{document.name}: no title #{match['anchor']}"


def test_files_named_in_contributing_exist():
    """Short names in a row are below `src/plies` or below the row's first folder."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for row in text.splitlines():
        names = re.findall(r"`([\w./-]+(?:\.(?:py|js|toml|md)|/))`", row) if row[:2] == "| " else []
        package = ROOT / "src" / "plies"
        folders = (ROOT, package, *(ROOT / name for name in names[:1]), ROOT / "benchmarks")
        for name in names:
            assert any((folder / name).exists() for folder in folders), (row, name)


PLACES = re.compile(r"(rule|agent|option)s? (`[^`]+`(?:, `[^`]+`)*)")


def glossary() -> list[list[str]]:
    """The rows of the tables: term, meaning, and where it lives."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in lines]
    return [row for row in rows if row[0] not in ("term", "---")]


def is_known(kind: str, name: str) -> bool:
    agent, _, option = name.partition(":")
    if kind == "rule":
        return name in RULE
    return agent in AGENTS and (not option or option in options_of(AGENTS[agent]))


def test_places_named_in_the_glossary_exist():
    paths = 0
    for term, _, where in glossary():
        for kind, names in PLACES.findall(where):
            for name in re.findall(r"`([^`]+)`", names):
                assert is_known(kind, name), (term, name)
        for path in re.findall(r"`([^`]*/[^`]*)`", where):
            paths += 1
            assert (ROOT / "src" / "plies" / path).exists(), (term, path)
    assert paths > 80


def test_terms_of_the_glossary_are_many_and_different():
    terms = [row[0].lower() for row in glossary()]
    assert len(terms) == len(set(terms)) >= 80


def test_the_words_of_the_reports_are_documented_as_they_are_suggested():
    page = (ROOT / "docs" / "studies" / "README.md").read_text(encoding="utf-8")
    section = page.partition("## Words of the reports\n")[2].partition("\n## ")[0]
    rows = {
        word: re.sub("=N$", "=", ours)
        for word, ours in re.findall(r"^\| `(\S+)` \| `(\S+)` \|", section, re.MULTILINE)
    }
    evaluators = {word: f"eval={ours}" for word, ours in report_words.EVALUATORS.items()}
    suggested = report_words.AGENTS | report_words.OPTIONS | evaluators
    assert rows | suggested == rows


def test_the_contract_is_the_table_of_rules():
    """To renew it: `python tests/contract_table.py`."""
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text) == text


def test_limits_in_the_documentation_are_those_of_the_code():
    def page(name: str) -> str:
        return (ROOT / "docs" / name).read_text(encoding="utf-8")

    assert f"a game of {MAX_PLIES} plies, a draw" in page("writing-a-game.md")
    assert f"for {DAYS_KEPT} days" in page("how-it-works.md")


def test_the_readme_names_both_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in text
        assert re.search(rf"^{target}:", targets, re.MULTILINE)


def test_the_game_of_the_readme_is_short(workplace):
    lines = (workplace / "sticks.py").read_text().splitlines()[1:]
    assert len([line for line in lines if line]) <= 21
    game = plies.game("sticks.py")
    record = plies.play_game(game, "alphabeta:depth=21", "random", seed=0)
    # Whoever leaves a multiple of four wins, and 21 is none.
    assert record.winner == 0


def test_pictures_in_the_documentation_are_drawn_by_the_package(tmp_path):
    game = plies.game(str(ROOT / "examples" / "connect_four.py"))
    state = game.initial()
    for text in ("d1", "d2", "d3", "c1", "e1", "e2", "b1", "c2", "c3", "f1", "e3", "b2"):
        state = game.play(state, game.parse_move(state, text))
    drawn = tmp_path / "connect_four.svg"
    drawn.write_text(game.svg(state), encoding="utf-8")
    kept = ROOT / "docs" / "images" / "connect_four.svg"
    assert kept.read_text(encoding="utf-8") == drawn.read_text(encoding="utf-8"), f"copy {drawn}"


MISTAKES = {
    "does not define mover": ("@compiled\ndef mover(state):\n    return state.turn\n", ""),
    "write @compiled above def mover": ("@compiled\ndef mover", "def mover"),
    "most is plain Python; write @compiled above def most": (
        "min(3, state.sticks) + 1)",
        "most(state) + 1)\n\ndef most(state):\n    return min(3, state.sticks)",
    ),
    "outcome does not compile: Unknown attribute 'stick' of type State": (
        "state.sticks > 0",
        "state.stick > 0",
    ),
    "makes the field sticks float64, not int64": (
        "State(state.sticks - move,",
        "State(state.sticks - move / 1,",
    ),
    "does not end with GAME = Game(...)": ("GAME =", "game ="),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes_are_told_as_the_documentation_says(message, workplace, capsys):
    documented = (ROOT / "docs" / "writing-a-game.md").read_text(encoding="utf-8")
    assert f"| `{message}` |" in documented
    right = (workplace / "sticks.py").read_text()
    old, new = MISTAKES[message]
    assert old in right
    (workplace / "wrong.py").write_text(right.replace(old, new))
    assert main(["search", "wrong.py"]) == 2
    assert message in capsys.readouterr().err


def test_the_page_about_python_lists_every_method_that_is_for_users() -> None:
    own = {"add_evaluators", "check_state", "evaluator", "move_texts", "defines"}
    own |= {"at", "with_options", "fixed"}
    listed = set(re.findall(r"`(\w+)\(", (ROOT / "docs/python.md").read_text(encoding="utf-8")))
    methods = {name for name in dir(Game) if callable(getattr(Game, name)) and name[0] != "_"}
    assert methods - own <= listed
    assert own <= methods
