"""The entry point.  It imports next to nothing, so that Ctrl-C is heard from the start."""

import os
import sys

from plies.cli.errors import INTERRUPTED, guarded


def run() -> None:
    """What the installed command `plies` does."""
    open_streams()
    status = main(sys.argv[1:])
    if status == INTERRUPTED:
        os._exit(status)  # a thread may still be compiling, and it cannot be stopped
    sys.exit(status)


def main(arguments: list[str]) -> int:
    """Run one command line and answer its exit status."""

    def action() -> int:
        from plies.cli.app import invoke

        return invoke(arguments)

    return guarded(action)


def open_streams() -> None:
    """Closed streams become empty ones; what they cannot encode is written with escapes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    run()
