"""Where and by what something was computed, without names of hosts or people."""

import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

from plies.processes import cores

PACKAGE = Path(__file__).parents[2]
TOLD = ("numba", "numpy")


def machine() -> dict[str, str]:
    """The kind of machine, and the versions of what does the computing."""
    return {
        "processor": processor(),
        "cores": str(cores()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in TOLD},
        "plies": version("plies"),
        "commit": commit() or "unknown",
    }


def processor() -> str:
    """Its model, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()


def commit() -> str:
    """Of the checkout that this package is run from, with a mark where files were changed.

    Empty where the package is installed: a repository around it would not be its own.
    """
    if not _git("ls-files", "--error-unmatch", "__init__.py"):
        return ""
    return _git("describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(PACKAGE), *arguments], capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
