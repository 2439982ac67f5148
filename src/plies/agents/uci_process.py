"""The process of a UCI engine, and how long we wait for it."""

import asyncio
import logging
import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from plies.errors import AgentFault, BadSpec
from plies.search.runner import StopFlag

if TYPE_CHECKING:
    import chess
    from chess.engine import Limit, Option, PlayResult

GAMES_FOLDER = "/usr/games"  # of Debian, for engines too; not every PATH has it
POLL_SECONDS = 0.02
FAREWELL_SECONDS = 1.0

# Who watches a match need not see lines that are not of the protocol.
logging.getLogger("chess.engine").addHandler(logging.NullHandler())


def command_of(path: str) -> list[str]:
    """The command of a file, of a program on the PATH, or of one with arguments."""
    words = [path]
    if _find_program(path) is None:
        with suppress(ValueError):  # a quotation that does not end
            words = shlex.split(path) or words
    program = _find_program(words[0])
    if program is None:
        if Path(words[0]).expanduser().is_file():
            raise BadSpec(f"{words[0]} may not be executed; a UCI engine is a program")
        raise BadSpec(f"there is no UCI engine {words[0]}: no such file, and no such program")
    return [program, *words[1:]]


def _find_program(name: str) -> str | None:
    """The program of that name on the PATH, or the file."""
    if not name:
        return None
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), GAMES_FOLDER])
    on_path = None if os.sep in name else shutil.which(name, path=folders)
    return on_path or shutil.which(str(Path(name).expanduser().absolute()))


class UciProcess:
    """A running engine, and the event loop in a thread of its own that talks to it.

    The thread is a daemon: a program that forgets to close an engine ends all the same.
    What the engine does wrong kills it and raises `AgentFault`.
    """

    def __init__(self, path: str, seconds: float):
        """Start it; it has `seconds` to say that it speaks UCI."""
        from chess.engine import UciProtocol

        self.path = path
        self.is_in_game = False
        self._game = object()
        self._protocol: UciProtocol | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        until = time.perf_counter() + seconds
        try:
            # A group of its own: Ctrl-C is for us alone, and its children end with it.
            popen = UciProtocol.popen(command_of(path), setpgrp=True, stderr=subprocess.DEVNULL)
            self._transport, protocol = self._wait_for(popen, until)
            self._protocol = protocol
            self._wait_for(protocol.initialize(), until)
        except OSError as error:
            self._end(is_polite=False)
            raise BadSpec(f"{path} cannot be run: {error.strerror}") from error
        except BaseException:
            self._end(is_polite=False)
            raise

    @property
    def is_running(self) -> bool:
        return self._transport is not None and self._transport.get_returncode() is None

    @property
    def options(self) -> "Mapping[str, Option]":
        """The options that the engine offers."""
        assert self._protocol is not None
        return self._protocol.options

    def begin_game(self, options: "Mapping[str, Any]", seconds: float) -> None:
        """Set options and begin a new game; the engine has `seconds` for that."""
        assert self._protocol is not None
        protocol, until = self._protocol, time.perf_counter() + seconds
        self._game = object()

        async def begin() -> None:
            await protocol.configure(options)
            protocol.send_line("ucinewgame")
            protocol.first_game, protocol.game = False, self._game
            await protocol.ping()

        self._wait_for(begin(), until)
        self.is_in_game = True

    def forget_game(self) -> None:
        """The next game is another one."""
        self.is_in_game = False

    def play(
        self, board: "chess.Board", limit: "Limit", deadline: float, stop: StopFlag
    ) -> "PlayResult":
        """Its move and what it thinks, before `deadline`; `stop` makes it answer at once."""
        from chess.engine import INFO_ALL

        assert self._protocol is not None
        request = self._protocol.play(board, limit, game=self._game, info=INFO_ALL)
        played = self._wait_for(request, deadline, stop)
        if not played.move:
            self._fault("bad output", "says that it has no move")
        return played

    def close(self) -> None:
        """Ask it to quit, and kill it if it does not."""
        self._end(is_polite=True)

    def _wait_for(self, request: Coroutine[Any, Any, Any], until: float, stop: Any = None) -> Any:
        """The engine's answer, which it must give `until` a time of `time.perf_counter`."""
        from chess import IllegalMoveError
        from chess.engine import EngineError, EngineTerminatedError

        try:
            return self._poll(request, until, stop)
        except EngineTerminatedError:
            status = self._transport.get_returncode() if self._transport else None
            self._fault("crash", f"has ended by itself with status {status}")
        except EngineError as error:
            if isinstance(error.args[0], IllegalMoveError):
                self._fault("illegal", f"played a move that is not legal: {error}")
            self._fault("bad output", f"was not understood: {error}")

    def _poll(self, request: Coroutine[Any, Any, Any], until: float, stop: Any) -> Any:
        future = asyncio.run_coroutine_threadsafe(request, self._loop)
        is_stopped = False
        while True:
            left = until - time.perf_counter()
            try:
                return future.result(max(min(left, POLL_SECONDS), 0))
            except TimeoutError:
                if left <= 0:
                    future.cancel()
                    self._fault("time", "did not answer in time")
            if stop is not None and stop.is_set and not is_stopped and self._protocol:
                is_stopped = True
                self._loop.call_soon_threadsafe(self._protocol.send_line, "stop")

    def _fault(self, termination: str, what: str) -> NoReturn:
        self._end(is_polite=False)
        raise AgentFault(termination, f"the engine {self.path} {what}")

    def _end(self, is_polite: bool) -> None:
        if self._loop.is_closed():
            return
        self.is_in_game = False
        if self._transport is not None:
            asyncio.run_coroutine_threadsafe(self._end_process(is_polite), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end_process(self, is_polite: bool) -> None:
        """End the process and wait until it is gone."""
        assert self._protocol is not None
        assert self._transport is not None
        if is_polite and self.is_running:
            with suppress(Exception):
                await asyncio.wait_for(self._protocol.quit(), FAREWELL_SECONDS)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._transport.get_pid(), signal.SIGKILL)
        self._transport.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._protocol.returncode, FAREWELL_SECONDS)
