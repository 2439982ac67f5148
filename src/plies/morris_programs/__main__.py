"""`python -m plies.morris_programs NAME ...` is the command NAME."""

import sys

from plies.cli.errors import FAILED
from plies.morris_programs.command import run
from plies.morris_programs.programs import PROGRAMS


def start(arguments: list[str]) -> None:
    """The first argument names the program."""
    name = arguments[0] if arguments else ""
    if name not in PROGRAMS:
        print(f"plies: write one of {', '.join(PROGRAMS)}, not {name!r}", file=sys.stderr)
        sys.exit(FAILED)
    run(name, arguments[1:])


if __name__ == "__main__":
    start(sys.argv[1:])
