"""The command line of the programs: arguments, files, what is printed.

What takes long to import is imported inside the functions, so that `--help` and wrong
arguments are answered at once and Ctrl-C is heard from the start.
"""

import argparse
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TextIO

from plies.cli.errors import FAILED, INTERRUPTED, UsageError, guarded
from plies.cli.main import open_streams
from plies.errors import PliesError
from plies.morris_programs.programs import (
    BOARD_NAMES,
    MAX_DEPTH,
    PROGRAMS,
    Answer,
    UnreadableBoard,
    answer,
    check_board,
    description,
)

BYTE_ORDER_MARK = "\ufeff"


class Parser(argparse.ArgumentParser):
    """Wrong arguments are an error like every other."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


def run(name: str, arguments: list[str] | None = None) -> NoReturn:
    """What the installed command of that name does."""
    open_streams()
    status = main(name, sys.argv[1:] if arguments is None else arguments)
    if status == INTERRUPTED:
        os._exit(status)  # a thread may still be compiling, and it cannot be stopped
    sys.exit(status)


def main(name: str, arguments: list[str]) -> int:
    """Run one command line and answer its exit status."""

    def action() -> int:
        try:
            execute(name, arguments)
        except SystemExit:  # of the parser, once it has shown its help
            return 0
        except PliesError as error:
            complain(name, str(error))
            return FAILED
        except KeyboardInterrupt:
            complain(name, "interrupted")
            return INTERRUPTED
        return 0

    return guarded(action)


def complain(name: str, message: str) -> None:
    """`MiniMaxGame: message` on stderr, on one line."""
    with suppress(OSError):
        print(f"{name}: {' '.join(message.split())}", file=sys.stderr, flush=True)


def execute(name: str, arguments: list[str]) -> None:
    """Read, search, write and print; nothing is written before all has gone well."""
    asked = parser_of(name).parse_args(arguments)
    depth = depth_of(asked.depth)
    board = board_in(asked.input, asked.board)
    check_output(asked.output)
    found = answer(name, board, depth, asked.board)
    if PROGRAMS[name].is_black and asked.view == "white":
        found = found._replace(estimate=-found.estimate)
    write(asked.output, found.board)
    if asked.json:
        from plies.cli.output import print_json

        options = {"variant": asked.board, "view": asked.view}
        print_json({"program": name, "depth": depth, "input": board, **options, **found._asdict()})
    else:
        print(*report(found), sep="\n")


def report(found: Answer) -> tuple[str, str, str]:
    """The three lines of every program."""
    return (
        f"Board Position: {found.board}",
        f"Positions evaluated by static estimation: {found.positions}.",
        f"MINIMAX estimate: {found.estimate}.",
    )


def parser_of(name: str) -> Parser:
    """The arguments, the same for all programs."""
    parser = Parser(
        prog=name,
        description=description(PROGRAMS[name]),
        epilog=f"Example:  {name} board1.txt board2.txt 2",
        formatter_class=argparse.RawTextHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("input", type=Path, help="the file that holds the board: W, B and x")
    parser.add_argument("output", type=Path, help="the file for the board after the move")
    parser.add_argument("depth", help=f"how many plies to look ahead, 1 to {MAX_DEPTH}")
    parser.add_argument(
        "--board",
        choices=BOARD_NAMES,
        default=BOARD_NAMES[0],
        help=f"which board of the family, by its points; default {BOARD_NAMES[0]}",
    )
    parser.add_argument(
        "--view",
        choices=("mover", "white"),
        default="mover",
        help="whose estimate is told: that of the side to move (default) or always White's",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    return parser


def depth_of(text: str) -> int:
    """A depth that the search has room for."""
    digits = text.lstrip("0") if text.isascii() and text.isdigit() else ""
    if not digits or len(digits) > len(str(MAX_DEPTH)) or int(digits) > MAX_DEPTH:
        shown = text if len(text) < 20 else f"{text[:20]}..."
        raise UsageError(f"the depth is a whole number from 1 to {MAX_DEPTH}, not {shown!r}")
    return int(digits)


def board_in(path: Path, variant: str) -> str:
    """The board that a file holds, without the space around it."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    board = text.removeprefix(BYTE_ORDER_MARK).strip()
    try:
        check_board(board, variant)
    except UnreadableBoard as error:
        raise UsageError(f"{path}: {error}") from error
    return board


def check_output(path: Path) -> None:
    """Refuse a file that cannot be written before anything is searched; leave it as it is."""
    if stream_at(path) is not None:
        return
    try:
        if path.is_fifo():
            return  # opening it would wait for a reader
        if path.exists():
            path.open("ab").close()
        elif not os.access(path.parent, os.W_OK | os.X_OK):
            what = "no right to write into" if path.parent.is_dir() else "there is no"
            raise UsageError(f"cannot write {path}: {what} folder {path.parent}")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def write(path: Path, board: str) -> None:
    """The board into a file, whole or not at all; devices and pipes are written to as they are."""
    if (stream := stream_at(path)) is not None:
        stream.write(f"{board}\n")  # opened anew, it would be written over what is printed
        return
    target = path.resolve()  # of a pipe it is a name that leads nowhere: ask the path itself
    is_ordinary = path.is_file() or not path.exists()
    try:
        if is_ordinary and os.access(target.parent, os.W_OK | os.X_OK):
            replace(target, f"{board}\n")
        else:
            path.write_text(f"{board}\n", encoding="ascii")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def stream_at(path: Path) -> TextIO | None:
    """Standard output or error where that is what the path names, as /dev/stdout does."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # no file is there, or none is behind the stream
            if os.path.samestat(path.stat(), os.fstat(stream.fileno())):
                return stream
    return None


def replace(target: Path, text: str) -> None:
    """Write a draft beside the file, then put it in the file's place."""
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="ascii")
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
