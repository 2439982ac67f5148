"""The command line of the programs: arguments, files, what is printed.

Slow imports are inside the functions, so that `--help` and errors appear at once and Ctrl-C
works from the start.
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
        except SystemExit:  # the parser has printed its help
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
    """Read, search, write and print; write nothing before the search has ended well."""
    options = parser_of(name).parse_args(arguments)
    depth = depth_of(options.depth)
    board = board_in(options.input, options.board)
    check_output(options.output)
    result = answer(name, board, depth, options.board)
    if PROGRAMS[name].is_black and options.view == "white":
        result = result._replace(estimate=-result.estimate)
    write(options.output, result.board)
    if options.json:
        from plies.cli.output import print_json

        question = {"program": name, "depth": depth, "input": board}
        question |= {"variant": options.board, "view": options.view}
        print_json({**question, **result._asdict()})
    else:
        print(*report(result), sep="\n")


def report(result: Answer) -> tuple[str, str, str]:
    """The three lines of every program."""
    return (
        f"Board Position: {result.board}",
        f"Positions evaluated by static estimation: {result.positions}.",
        f"MINIMAX estimate: {result.estimate}.",
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
    parser.add_argument("depth", help=f"plies to look ahead, 1 to {MAX_DEPTH}")
    parser.add_argument(
        "--board",
        choices=BOARD_NAMES,
        default=BOARD_NAMES[0],
        help=f"board, named by its number of points; default {BOARD_NAMES[0]}",
    )
    parser.add_argument(
        "--view",
        choices=("mover", "white"),
        default="mover",
        help="side of the estimate: the side to move (default), or always White",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    return parser


def depth_of(text: str) -> int:
    """A depth that the search has room for."""
    digits = text.lstrip("0") if text.isascii() and text.isdigit() else ""
    if not digits or len(digits) > len(str(MAX_DEPTH)) or int(digits) > MAX_DEPTH:
        excerpt = text if len(text) < 20 else f"{text[:20]}..."
        raise UsageError(f"the depth is a whole number from 1 to {MAX_DEPTH}, not {excerpt!r}")
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
    """Refuse, before the search, a file that cannot be written; leave it as it is."""
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
