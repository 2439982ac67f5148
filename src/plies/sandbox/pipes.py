"""What goes to and comes from a program that may write anything, or read nothing."""

import json
import os
import selectors
from contextlib import suppress
from typing import Any, BinaryIO

CHUNK_BYTES = 1 << 16
ERROR_BYTES = 1 << 15  # of its standard error are kept from the beginning, and as many from the end
FULL_PIPES = 16  # are read of what it left behind


class Excerpt:
    """The beginning and the end of a stream, so that a flood costs no memory."""

    def __init__(self) -> None:
        self._first, self._last, self._left_out = bytearray(), bytearray(), 0

    def add(self, data: bytes) -> None:
        room = ERROR_BYTES - len(self._first)
        self._first += data[:room]
        self._last += data[room:]
        excess = max(len(self._last) - ERROR_BYTES, 0)
        del self._last[:excess]
        self._left_out += excess

    def __bytes__(self) -> bytes:
        gap = f"\n... {self._left_out} bytes left out ...\n".encode() if self._left_out else b""
        return bytes(self._first + gap + self._last)


class Pipes:
    """The standard streams of a program and the pipe on which its launcher tells news.

    Nothing here waits longer than it is told, and each call of `pump` adds at most one
    chunk to what is held.
    """

    def __init__(self, stdin: BinaryIO, stdout: BinaryIO, stderr: BinaryIO, status: BinaryIO):
        self.output = bytearray()  # printed and not yet taken
        self.errors = Excerpt()
        self.news: dict[str, Any] = {}
        self.is_output_closed = False
        self._stdin, self._stdout, self._stderr, self._status = stdin, stdout, stderr, status
        self._unsent = bytearray()
        self._told = bytearray()
        self._selector = selectors.DefaultSelector()
        for stream in (stdin, stdout, stderr, status):
            os.set_blocking(stream.fileno(), False)
        for stream in (stdout, stderr, status):
            self._selector.register(stream, selectors.EVENT_READ)

    def write(self, data: bytes) -> None:
        """Send as much as it takes now; `pump` sends the rest."""
        self._unsent += data
        self._send()

    def end_input(self) -> None:
        """Close its standard input, unless it has yet to take something."""
        if not self._unsent:
            self._stdin.close()

    def take_line(self) -> bytes | None:
        """The next line that it has printed, without its end."""
        line, end, rest = self.output.partition(b"\n")
        if not end:
            return None
        self.output = rest
        return bytes(line)

    def pump(self, seconds: float) -> bool:
        """Wait for something to read, at most so long, and take it: was there anything?"""
        self._send()
        ready = self._selector.select(seconds)
        for key, events in ready:
            if events & selectors.EVENT_READ:
                self._receive(key.fileobj)  # type: ignore[arg-type]
        return bool(ready)

    def close(self) -> None:
        """Take what is left of its last messages; nobody writes any more."""
        with suppress(BlockingIOError):
            for _ in range(FULL_PIPES):
                self.errors.add(os.read(self._stderr.fileno(), CHUNK_BYTES))
        self._selector.close()
        for stream in (self._stdin, self._stdout, self._stderr, self._status):
            stream.close()

    def _send(self) -> None:
        """A program that reads nothing more will be found out when it is waited for."""
        if not self._unsent:
            return
        try:
            del self._unsent[: os.write(self._stdin.fileno(), self._unsent)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent.clear()
        self._wait_to_send(bool(self._unsent))

    def _wait_to_send(self, is_wanted: bool) -> None:
        is_waiting = self._stdin in self._selector.get_map()
        if is_wanted and not is_waiting:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        elif is_waiting and not is_wanted:
            self._selector.unregister(self._stdin)

    def _receive(self, stream: BinaryIO) -> None:
        data = os.read(stream.fileno(), CHUNK_BYTES)
        if not data:
            self._selector.unregister(stream)
            self.is_output_closed = self.is_output_closed or stream is self._stdout
        elif stream is self._stdout:
            self.output += data
        elif stream is self._stderr:
            self.errors.add(data)
        else:
            *lines, self._told = (self._told + data).split(b"\n")
            for line in lines:
                self.news |= json.loads(line)
