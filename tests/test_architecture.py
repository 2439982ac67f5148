"""Imports go down only, search knows no game, starting is cheap; and each rule can fail.

Every rule is a function from the folder of the package to complaints, so that a copy of
the package can be broken on purpose.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import plies

PACKAGE = Path(plies.__file__).parent

# From the top; a module imports from rows below its own, neighbours in a row are strangers.
LAYERS: tuple[set[str], ...] = (
    {"morris_programs", "__main__"},
    {"cli"},
    {"web", "uci"},
    {"__init__"},
    {"studies"},
    {"arena", "learn"},
    {"testing", "tree_report", "api", "bench", "warming"},
    {"match"},
    {"agents", "records"},
    {"registry"},
    {"models"},
    {"evaluators"},
    {"game_files", "games", "search", "sandbox"},
    {"blackbox", "pages"},
    {"files", "processes"},
    {"core"},
    {"compiling", "drawing"},
    {"errors"},
    {"version"},
)
# The package of searches is also the function `plies.search`, which lives above it.
EXCEPTIONS = {("search/__init__.py", "api")}
THIRD_PARTY_OF_CORE = {"llvmlite", "numba", "numpy"}  # numba is made of llvmlite
HEAVY = ("altair", "chess", "numba", "numpy", "rich", "fastapi", "sklearn", "torch")
MAX_LINES = 400

Rule = Callable[[Path], list[str]]


def modules(package: Path, *layers: str) -> Iterator[tuple[str, Path]]:
    """Paths of modules as text relative to the package; templates are text to copy, no modules."""
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package)
        is_wanted = not layers or layer_of(relative) in layers
        if is_wanted and "templates" not in relative.parts:
            yield relative.as_posix(), path


def layer_of(relative: Path) -> str:
    return relative.parts[0].removesuffix(".py")


def imported(name: str, path: Path) -> tuple[str, ...]:
    """Full names of what a module imports anywhere in its text, `import_module` included."""
    return imported_by(name, path.read_text())


@cache  # for the copies of the package
def imported_by(name: str, text: str) -> tuple[str, ...]:
    return tuple(imports_in(name, ast.parse(text)))


def imports_in(name: str, tree: ast.Module) -> Iterator[str]:
    package = ["plies", *Path(name).parts[:-1]]
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package[: len(package) - level + 1] if level else []
                origin = ".".join([*above, *([module] if module else [])])
                yield from (f"{origin}.{alias.name}" for alias in names)
            case ast.Call(args=[ast.Constant(value=str(text)), *_]) if is_import_call(node):
                yield text


def is_import_call(node: ast.Call) -> bool:
    function = node.func
    called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return called in ("import_module", "__import__")


def layers_imported(name: str, path: Path) -> set[str]:
    """The layers of this package that a module imports from."""
    known = set().union(*LAYERS)
    layers = set()
    for full in imported(name, path):
        top, _, rest = full.partition(".")
        if top == "plies":
            part = rest.partition(".")[0]
            layers.add(part if part in known else "__init__")
    return layers


def upward_imports(package: Path) -> list[str]:
    rows = {layer: row for row, layers in enumerate(LAYERS) for layer in layers}
    complaints = []
    for name, path in modules(package):
        layer = layer_of(Path(name))
        if layer not in rows:
            complaints.append(f"{name} is in no layer")
            continue
        complaints += [
            f"{name} imports {other}, which is not below it"
            for other in sorted(layers_imported(name, path) - {layer})
            if rows[other] <= rows[layer] and (name, other) not in EXCEPTIONS
        ]
    return complaints


def other_software_in_core(package: Path) -> list[str]:
    allowed = {*sys.stdlib_module_names, *THIRD_PARTY_OF_CORE, "plies"}
    return [
        f"{name} imports {full}"
        for name, path in modules(package, "core", "compiling", "drawing")
        for full in imported(name, path)
        if full.partition(".")[0] not in allowed
    ]


def games_named_in_search(package: Path) -> list[str]:
    """A game is named by its title anywhere, or by its own name as a text in the code."""
    names = {path.stem for path in (package / "games").iterdir()} - {"__init__", "__pycache__"}
    titles = [title for _, path in modules(package, "games") for title in game_titles(path)]
    pattern = "|".join(re.escape(title).replace(r"\-", "[-_ ]?") for title in titles)
    named = re.compile(rf"(?<![a-z])({pattern})(?![a-z])", re.IGNORECASE)
    complaints = []
    for name, path in modules(package, "search"):
        text = path.read_text()
        complaints += [f"{name} names {match[0]}" for match in named.finditer(text)]
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                word = node.value.partition(":")[0].rpartition(".")[2]
                complaints += [f"{name} names {word}"] if word in names else []
    return complaints


def game_titles(path: Path) -> Iterator[str]:
    """The titles that `Game(..., title=...)` gives."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Game":
            values = (word.value for word in node.keywords if word.arg == "title")
            yield from (str(value.value) for value in values if isinstance(value, ast.Constant))


def heavy_imports(package: Path) -> list[str]:
    """What the start of the command line loads that only its work should load."""
    script = (
        "import sys, plies, plies.cli.main\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [f"plies.cli.main imports {name}" for name in done.stdout.split()]


def long_modules(package: Path) -> list[str]:
    lengths = {name: len(path.read_text().splitlines()) for name, path in modules(package)}
    return [f"{name} has {lines} lines" for name, lines in lengths.items() if lines > MAX_LINES]


RULES: tuple[Rule, ...] = (
    upward_imports,
    other_software_in_core,
    games_named_in_search,
    heavy_imports,
    long_modules,
)

# A rule, the module that breaks it, the text added to it, and the complaint.
BREACHES = [
    (
        upward_imports,
        "search/perft.py",
        "from plies.games import tictactoe",
        "search/perft.py imports games, which is not below it",
    ),
    (
        upward_imports,
        "games/tictactoe.py",
        "def lazily():\n    import plies.search.perft",
        "games/tictactoe.py imports search, which is not below it",
    ),
    (
        upward_imports,
        "drawing/board.py",
        "from ..match import play_game",
        "drawing/board.py imports match, which is not below it",
    ),
    (
        upward_imports,
        "search/minimax.py",
        "from importlib import import_module\nimport_module('plies.registry')",
        "search/minimax.py imports registry, which is not below it",
    ),
    (
        upward_imports,
        "agents.py",
        "from plies import game",
        "agents.py imports __init__, which is not below it",
    ),
    (upward_imports, "extra.py", "", "extra.py is in no layer"),
    (
        other_software_in_core,
        "core/bits.py",
        "import rich.table",
        "core/bits.py imports rich.table",
    ),
    (
        games_named_in_search,
        "search/leaf.py",
        "# as in tic tac toe",
        "search/leaf.py names tic tac toe",
    ),
    (games_named_in_search, "search/leaf.py", "NIM_SUM = 0", "search/leaf.py names NIM"),
    (games_named_in_search, "search/leaf.py", "OWN = 'tree:file=x'", "search/leaf.py names tree"),
    (heavy_imports, "cli/errors.py", "import numpy", "plies.cli.main imports numpy"),
    (heavy_imports, "__init__.py", "import plies.registry", "plies.cli.main imports numba"),
    (long_modules, "records.py", "\n" * MAX_LINES, "records.py has "),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_package_keeps(rule: Rule):
    assert rule(PACKAGE) == []


def test_every_rule_is_broken_on_purpose():
    assert {rule for rule, *_ in BREACHES} == set(RULES)


@pytest.mark.parametrize(("rule", "module", "text", "complaint"), BREACHES)
def test_a_breach_is_reported(tmp_path: Path, rule: Rule, module: str, text: str, complaint: str):
    package = tmp_path / "plies"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    with (package / module).open("a") as file:
        file.write(f"\n{text}\n")
    assert [each for each in rule(package) if each.startswith(complaint)]


def test_every_layer_is_listed_once():
    layers = [layer for row in LAYERS for layer in row]
    assert len(layers) == len(set(layers))


def test_the_picture_in_the_documentation_shows_these_layers():
    page = (Path(__file__).parents[1] / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    picture = page.partition("## Layers")[2].split("```")[1].strip()
    rows = [re.split(r"  +", line)[0].split(", ") for line in picture.splitlines()]
    assert [set(row) for row in rows] == list(LAYERS)


def test_exceptions_are_still_needed():
    for name, other in EXCEPTIONS:
        assert other in layers_imported(name, PACKAGE / name)


def test_every_layer_is_there():
    there = {layer_of(Path(name)) for name, _ in modules(PACKAGE)}
    assert set().union(*LAYERS) == there
