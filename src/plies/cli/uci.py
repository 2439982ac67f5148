"""`plies uci`: the chess engine for chess user interfaces."""

import os
import sys
from contextlib import suppress


def command() -> None:
    """Play chess in any program that speaks UCI: it starts this command and talks to it.

    Orders are read from standard input, such as `position startpos` and `go movetime 1000`,
    until `quit`.

    \b
    Example:  plies uci
    """
    from plies.registry import game
    from plies.uci.program import Program

    def write(line: str) -> None:
        with suppress(BrokenPipeError):  # whoever has stopped listening says no more either
            print(line, flush=True)

    if not Program(game("chess"), write).run(sys.stdin):
        sys.stdout.flush()
        os._exit(0)  # what compiles cannot be stopped
