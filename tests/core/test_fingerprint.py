"""Which sources a piece of compiled code comes from."""

import importlib
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import plies.core.scores
from plies.core import fingerprint
from plies.core.fingerprint import module_fingerprint, neighbours, package_fingerprint

Import = Callable[[str], ModuleType]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Import]:
    """Import a module from tmp_path as a new process would: nothing there is remembered."""
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)

    def forget() -> None:
        for name in set(sys.modules) - known:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == tmp_path:
                del sys.modules[name]

    def load(name: str) -> ModuleType:
        forget()
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield load
    forget()


def of(text: str, tmp_path: Path, load: Import) -> str:
    """The fingerprint of a module `game` with this text."""
    (tmp_path / "game.py").write_text(text)
    load("game")
    found = module_fingerprint("game")
    assert found is not None
    return found


def test_every_module_of_the_package_has_the_fingerprint_of_the_package():
    assert module_fingerprint("plies.core.scores") == package_fingerprint()


def test_code_without_a_file_has_no_fingerprint(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cell", ModuleType("cell"))
    assert module_fingerprint("cell") is None
    assert module_fingerprint("never_imported") is None


def test_the_same_text_has_the_same_fingerprint_and_another_text_another(
    tmp_path: Path, load: Import
):
    one, two = "MOST = 2\n", "MOST = 2  # at a time\n"
    assert of(one, tmp_path, load) == of(one, tmp_path, load)
    assert of(one, tmp_path, load) != of(two, tmp_path, load)


@pytest.mark.parametrize(
    "reading",
    [
        "DATA = int(TEXT)",
        "DATA = float(TEXT)",
        "DATA = complex(TEXT)",
        "DATA = TEXT",
        "DATA = TEXT.encode()",
        "DATA = slice(0, int(TEXT))",
        "DATA = (1, (int(TEXT),))",
        "DATA = np.array([int(TEXT)])",
        "DATA = np.zeros(int(TEXT), np.int64)",
        "DATA = np.int64(TEXT)",
        "__private = int(TEXT)",
    ],
)
def test_numbers_texts_and_arrays_read_from_a_file_count(
    reading: str, tmp_path: Path, load: Import
):
    """The compiler freezes the globals of a module into the code."""
    text = (
        "from pathlib import Path\nimport numpy as np\n"
        f"TEXT = Path(__file__).with_name('data.txt').read_text()\n{reading}\ndel TEXT\n"
    )
    found = []
    for content in ("2", "3", "2"):
        (tmp_path / "data.txt").write_text(content)
        found.append(of(text, tmp_path, load))
    assert found[0] == found[2] != found[1]


def test_arrays_of_other_shape_or_kind_with_the_same_bytes_are_different():
    arrays = [
        np.zeros(4, np.int64),
        np.zeros(8, np.int32),
        np.zeros((2, 2), np.int64),
        np.zeros(4, np.uint64),
    ]
    assert len({fingerprint._data_text(array) for array in arrays}) == len(arrays)


def test_what_a_module_imports_counts_however_it_is_imported(tmp_path: Path, load: Import):
    (tmp_path / "middle.py").write_text("import last\n\n\ndef rule():\n    return last.VALUE\n")
    imports = (
        "import middle",
        "from middle import rule",
        "from middle import rule as mine",
        "import middle as other",
    )
    for statement in imports:
        found = []
        for value in ("1", "2"):
            (tmp_path / "last.py").write_text(f"VALUE = {value}\n")
            found.append(of(f"{statement}\n", tmp_path, load))
        assert found[0] != found[1], statement


def test_installed_software_does_not_count(tmp_path: Path, load: Import):
    (tmp_path / "beside.py").write_text("import json\nimport numpy\n")
    (tmp_path / "game.py").write_text("import beside, hypothesis, re, plies.core.scores\n")
    names = {module.__name__ for module in neighbours(load("game"))}
    assert names == {"game", "beside"}


def test_a_folder_below_the_prefix_of_python_is_not_installed_software(
    tmp_path: Path, load: Import, monkeypatch: pytest.MonkeyPatch
):
    """Where Python lives in /usr, somebody's games may live in /usr/src."""
    paths = {**sysconfig.get_paths(), "data": str(tmp_path), "scripts": str(tmp_path)}
    monkeypatch.setattr(sysconfig, "get_paths", lambda: paths)
    monkeypatch.setattr(sysconfig, "get_path", paths.get)
    fingerprint._installed.cache_clear()
    try:
        (tmp_path / "beside.py").write_text("VALUE = 1\n")
        (tmp_path / "game.py").write_text("import beside\n")
        names = {module.__name__ for module in neighbours(load("game"))}
    finally:
        fingerprint._installed.cache_clear()
    assert names == {"game", "beside"}


def test_a_module_that_is_still_being_imported_is_read_again(tmp_path: Path, load: Import):
    (tmp_path / "data.txt").write_text("2")
    early = (
        "from pathlib import Path\nfrom plies.core.fingerprint import module_fingerprint\n"
        "module_fingerprint(__name__)\n"
        "DATA = Path(__file__).with_name('data.txt').read_text()\n"
    )
    before = of(early, tmp_path, load)
    (tmp_path / "data.txt").write_text("3")
    assert of(early, tmp_path, load) != before


def test_layers_without_compiled_code_are_no_part_of_the_package_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("cli", "web", "games"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.py").write_text("x = 1\n")
    monkeypatch.setattr(fingerprint, "PACKAGE", tmp_path)

    def after(edited: str) -> str:
        (tmp_path / edited / "one.py").write_text(f"x = {edited!r}\n")
        return package_fingerprint.__wrapped__()

    first = package_fingerprint.__wrapped__()
    assert after("cli") == after("web") == first
    assert after("games") != first


def test_the_fingerprint_of_the_package_is_that_of_the_sources_in_use():
    assert Path(plies.core.scores.__file__).parent.parent == fingerprint.PACKAGE
