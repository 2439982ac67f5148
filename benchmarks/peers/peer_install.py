"""An environment with the programs that `peer_run` puts beside plies.

    python benchmarks/peer_install.py

Everything goes into `.venv-peers`, but for Stockfish, which comes from Debian's packages when
root asks.  What cannot be had is said and left out, and tried again the next time.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv-peers"
PYTHON = FOLDER / "bin" / "python"
REQUIREMENTS = Path(__file__).with_name("requirements-peers.txt")
WANTED = (REQUIREMENTS, ROOT / "pyproject.toml")
COMPLETE = FOLDER / "complete"  # holds what was wanted when everything could be had
OLDEST = (3, 11)
# bulletchess needs a newer Python than the rest.
BULLETCHESS_FOLDER = FOLDER / "bulletchess"
BULLETCHESS_PYTHON = BULLETCHESS_FOLDER / "bin" / "python"
NEWER = (3, 13)


def requirements() -> list[str]:
    lines = [line.partition("#")[0].strip() for line in REQUIREMENTS.read_text().splitlines()]
    return [line for line in lines if line]


def pip_install(python: Path, *what: str) -> bool:
    options = ["install", "--quiet", "--disable-pip-version-check"]
    return subprocess.run([python, "-m", "pip", *options, *what]).returncode == 0


def install_packages() -> list[str]:
    """plies and, one by one, the other packages; answers with complaints."""
    subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
    FOLDER.joinpath(".gitignore").write_text("*\n")
    wanted = [line for line in requirements() if not line.startswith("bulletchess")]
    missing = [line for line in wanted if not pip_install(PYTHON, line)]
    if not pip_install(PYTHON, "--editable", str(ROOT)):
        missing.append("plies")
    return [f"{name} could not be installed" for name in missing]


def install_bulletchess() -> list[str]:
    python = newer_python()
    if python is None:
        return ["bulletchess needs Python 3.13 or newer: none found (name one in PYTHON313)"]
    subprocess.run([python, "-m", "venv", BULLETCHESS_FOLDER], check=True)
    wanted = [line for line in requirements() if line.startswith("bulletchess")]
    return [] if pip_install(BULLETCHESS_PYTHON, *wanted) else ["bulletchess: pip failed"]


def newer_python() -> str | None:
    return next((python for python in candidates() if is_newer(python)), None)


def candidates() -> Iterator[str]:
    """Where a newer Python may be; pyenv keeps those that are not chosen out of the path."""
    yield os.environ.get("PYTHON313", "")
    yield sys.executable
    for name in ("python3.13", "python3.14"):
        yield shutil.which(name) or ""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob("versions/3.1[3-9]*/bin/python")))


def is_newer(python: str) -> bool:
    """A name in the path may lead nowhere, so it is tried."""
    if not python:
        return False
    asked = [python, "-c", f"import sys; sys.exit(sys.version_info < {NEWER})"]
    try:
        return subprocess.run(asked, capture_output=True).returncode == 0
    except OSError:
        return False


def stockfish() -> str | None:
    """Debian puts it where not every search path looks."""
    return shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")


def install_stockfish() -> list[str]:
    if stockfish():
        return []
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return ["stockfish is not installed: `apt-get install stockfish` does it, as root"]
    done = subprocess.run([apt, "install", "--yes", "--quiet", "stockfish"], capture_output=True)
    return [] if done.returncode == 0 else ["stockfish: apt-get failed"]


def main() -> int:
    if sys.version_info < OLDEST:
        print("plies needs Python 3.11 or newer; set PYTHON=python3.x", file=sys.stderr)
        return 2
    wanted = "".join(path.read_text() for path in WANTED)
    if COMPLETE.exists() and COMPLETE.read_text() == wanted:
        return 0
    complaints = [*install_packages(), *install_bulletchess(), *install_stockfish()]
    for complaint in complaints:
        print(f"left out: {complaint}", file=sys.stderr)
    if not complaints:
        COMPLETE.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
