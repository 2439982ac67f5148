"""Files as users write them: agents, searches and evaluators outside the package."""

import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
AGENT = EXAMPLES / "agents" / "careful.py"
SEARCH = EXAMPLES / "searches" / "pvs.py"
EVALUATOR = EXAMPLES / "evaluators" / "quixo_rows.py"


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    """A file of a user with that text."""
    path = folder / name
    path.write_text(text)
    return path


def install(
    monkeypatch: pytest.MonkeyPatch, folder: Path, group: str, points: dict[str, str], **files: str
) -> None:
    """A package on the path that offers `points` and has these modules."""
    about = folder / "offered-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: offered\nVersion: 1.0\n")
    lines = "".join(f"{name} = {module}\n" for name, module in points.items())
    (about / "entry_points.txt").write_text(f"[{group}]\n{lines}")
    for name, text in files.items():
        written(folder, text, f"{name}.py")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(folder)
