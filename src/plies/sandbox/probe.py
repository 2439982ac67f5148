"""What this machine can do against programs that nobody trusts."""

import sys
from collections.abc import Mapping

from plies.sandbox.confined import Confined
from plies.sandbox.guards import GUARDS


def missing_guards() -> list[str]:
    """A sentence for each guard that cannot be put up here; none where all can."""
    program = Confined([sys.executable, "-I", "-S", "-c", ""])
    program.close()
    return sentences(program.missing)


def sentences(missing: Mapping[str, str]) -> list[str]:
    """What is not ensured, and why, of the guards that are not up."""
    return [
        f"it is not ensured that an agent {GUARDS[name]}: {reason}"
        for name, reason in missing.items()
    ]
