"""What a user sees when something goes wrong: one line on stderr, never a traceback.

Exit status: 0 done, 1 the answer is no, 2 bad usage or failure, and as a shell
reports it 130 after Ctrl-C, 141 when whoever read the output has gone.
"""

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from plies.cli.compiling import compiling_line
from plies.errors import PliesError

FAILED = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
LONGEST_LINE = 2000  # characters


class UsageError(PliesError):
    """Arguments of a command that do not fit."""


def guarded(action: Callable[[], int]) -> int:
    """The status that a command answers; a failure becomes a status and one line."""
    try:
        status = action()
        sys.stdout.flush()
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return BROKEN_PIPE
    except Exception as error:
        if os.environ.get("PLIES_DEBUG") == "1":
            traceback.print_exception(error)
        complain(line_of(error))
        if isinstance(error, OSError):
            _abandon_stdout()
        return FAILED
    return status


def complain(message: str) -> None:
    """`plies: message` on stderr, on one line that a terminal shows as it is."""
    line = " ".join(message.split())
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 2 :]}"
    # What a file or a name brings along must not move the cursor or colour the screen.
    shown = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)
    compiling_line.clear()
    with suppress(OSError):
        print(f"plies: {shown}", file=sys.stderr, flush=True)


def line_of(error: Exception) -> str:
    """What was wrong and, where that is known, what would be right."""
    if isinstance(error, PliesError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename or 'input or output'}: {error.strerror or error}"
    return (
        f"unexpected {type(error).__name__}{_place(error)}: {error};"
        " please report it (PLIES_DEBUG=1 shows the traceback)"
    )


def _place(error: Exception) -> str:
    """Where it happened: often a line of somebody's own game file."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


def _abandon_stdout() -> None:
    """Nobody reads it any more: what is still buffered goes nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
