"""`plies serve` in a process of its own."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

PATIENCE_SECONDS = 60


class Server:
    """A server that keeps its games in a folder, and what it complains about."""

    def __init__(self, folder: Path, *games: str, port: int = 0, is_warming: bool = False):
        self._complaints = folder / "stderr.txt"
        words = ["serve", *games, "--no-browser", "--port", str(port)]
        words += [] if is_warming else ["--no-warm"]
        with self._complaints.open("a") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "plies", *words, "--data", str(folder)],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "PLIES_QUIET": "1"},
            )
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.process.stdout.readline())
        if found is None:
            self.kill()
            raise AssertionError(self.complaints)
        self.address, self.port = found[0], int(found[1])

    @property
    def complaints(self) -> str:
        return self._complaints.read_text()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self) -> None:
        """By Ctrl-C, as a person would: quietly."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE_SECONDS)
        assert self.complaints in ("", "plies: interrupted\n")
        assert self.process.returncode in (0, 130)
