"""The programs as processes that wait for requests (`peer_worker`)."""

import json
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peer_install import BULLETCHESS_PYTHON
from peer_measure import NoAnswer, Program
from peer_worker import Answer
from peer_works import (
    BULLETCHESS,
    EASYAI,
    OPEN_SPIEL,
    OPEN_SPIEL_NATIVE,
    PLIES,
    PYTHON_CHESS,
    STOCKFISH,
)

HERE = Path(__file__).resolve().parent
SCRIPTS = {
    PLIES: "peer_plies.py",
    STOCKFISH: "peer_stockfish.py",
    BULLETCHESS: "peer_bulletchess.py",
    PYTHON_CHESS: "peer_python_chess.py",
    EASYAI: "peer_easyai.py",
    OPEN_SPIEL: "peer_open_spiel.py",
    OPEN_SPIEL_NATIVE: "peer_open_spiel_native.py",
}
PATIENCE_SECONDS = 120.0  # with one answer
LONGEST_REASON = 100  # characters


@dataclass(frozen=True)
class Missing:
    """A program that is not there."""

    reason: str
    version: str = ""

    def ask(self, task: str, arguments: Mapping[str, Any], seconds: float) -> Answer:
        raise NoAnswer(self.reason)


class Worker:
    """A program that has started."""

    def __init__(self, command: list[str]):
        self.patience = PATIENCE_SECONDS
        self._problem = ""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the program
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        self.version = str(self._read()["version"])

    def ask(self, task: str, arguments: Mapping[str, Any], seconds: float) -> Answer:
        if self._problem:
            raise NoAnswer(self._problem)
        request = {"task": task, "arguments": dict(arguments), "seconds": seconds}
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail(self._last_words())
        answer = self._read()
        if "error" in answer:
            raise NoAnswer(answer["error"])
        return Answer(**answer)

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout
        ready, _, _ = select.select([self._process.stdout], [], [], self.patience)
        if not ready:
            self._fail(f"no answer within {self.patience:g} s")
        line = self._process.stdout.readline()
        if not line:
            self._fail(self._last_words())
        return json.loads(line)

    def _fail(self, problem: str) -> None:
        self._problem = problem
        self.close()
        raise NoAnswer(problem)

    def _last_words(self) -> str:
        """The end of what it complained about."""
        status = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return last[:LONGEST_REASON] or f"ended with status {status}"

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()


class Launcher:
    """Starts programs afresh each time it is called, and ends those that it started before."""

    def __init__(self) -> None:
        self._workers: list[Worker] = []

    def __call__(self, names: Iterable[str]) -> dict[str, Program]:
        self.close()
        return {name: self._started(name) for name in names}

    def _started(self, name: str) -> Program:
        python = BULLETCHESS_PYTHON if name == BULLETCHESS else Path(sys.executable)
        if not python.exists():
            return Missing("needs Python 3.13 or newer, and none was found")
        try:
            worker = Worker([str(python), str(HERE / SCRIPTS[name])])
        except NoAnswer as error:
            return Missing(str(error))
        self._workers.append(worker)
        return worker

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
        self._workers.clear()
