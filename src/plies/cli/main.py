"""The entry point.  It imports next to nothing, so that Ctrl-C is heard from the start."""

import os
import signal
import sys
import threading
import time
from types import FrameType

from plies.cli.errors import INTERRUPTED, complain, guarded

STUCK_SECONDS = 3.0  # compiled code that polls a stop flag ends far sooner


def run() -> None:
    """What the installed command `plies` does."""
    open_streams()
    leave_when_stuck()
    status = main(sys.argv[1:])
    if status == INTERRUPTED:
        os._exit(status)  # a thread may still be compiling, and it cannot be stopped
    sys.exit(status)


def main(arguments: list[str]) -> int:
    """Run one command line and answer its exit status."""

    def action() -> int:
        from plies.cli.app import invoke
        from plies.cli.compiling import show_progress

        show_progress()
        return invoke(arguments)

    return guarded(action)


def leave_when_stuck() -> None:
    """Let Ctrl-C end a command whose main thread never returns from compiled code.

    A rule or an agent of a user may loop for ever.  Python then hears of no signal, but a thread
    can be woken by it.
    """
    heard = [0.0]

    def hear(number: int, frame: FrameType | None) -> None:
        heard[0] = time.monotonic()
        signal.default_int_handler(number, frame)

    def watch() -> None:
        while number := os.read(reader, 1):
            came = time.monotonic()
            handler = getattr(signal.getsignal(signal.SIGINT), "__module__", "") or ""
            if number[0] != signal.SIGINT or not handler.startswith("plies."):
                continue  # of a server, which ends in its own time
            time.sleep(STUCK_SECONDS)
            if heard[0] < came - STUCK_SECONDS:
                complain("interrupted")
                os._exit(INTERRUPTED)

    if sys.platform == "win32":  # there only a socket can be woken, which is slow to import
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGINT, hear)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=watch, daemon=True).start()


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
