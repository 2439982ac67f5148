"""The judge's side of a program that nobody trusts.

The program reads lines from its standard input and writes lines to its standard output;
nothing it does can make the judge wait longer than a deadline or hold more than a little
of what it prints.  Whatever it does wrong ends it and raises `AgentFault`.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from plies.errors import AgentFault, PliesError
from plies.sandbox import family
from plies.sandbox.cgroup import make_groups
from plies.sandbox.ending import ending, last_line, quoted
from plies.sandbox.guards import GUARDS
from plies.sandbox.limits import Limits
from plies.sandbox.pipes import Pipes
from plies.sandbox.readable import needed_by
from plies.sandbox.stopping import Frozen, NotStopped, Signalled, are_running

POLL_SECONDS = 0.02
LAUNCH_SECONDS = 30.0  # for the launcher, which is ours: a matter of milliseconds
FAREWELL_SECONDS = 0.5  # between closing its output and being gone, if it still runs
MOST_CHUNKS = 100  # read from a program that has ended
SEARCHED = "/usr/local/bin:/usr/bin:/bin"
CANNOT_START = "cannot be started: {}"

LAUNCHER = (
    f"import sys; sys.path.append({str(Path(__file__).parents[2])!r});"
    " from plies.sandbox.launch import main; main()"
)


class Confined:
    """A running program; its `guards` are up, `missing` says why others are not.

    It can read `readable` and what every program needs, and works in `directory`, by default
    a private folder, the only place where it can write.
    """

    def __init__(
        self,
        command: Sequence[str],
        readable: Iterable[Path] = (),
        directory: Path | None = None,
        limits: Limits | None = None,
        guards: Iterable[str] = tuple(GUARDS),
        variables: Mapping[str, str] = {},
    ):
        self.limits = limits or Limits()
        self._is_closed = False
        self._watched = self._asked = 0.0
        self._variables = variables  # of its environment, besides those that every program has
        self._folder = Path(tempfile.mkdtemp(prefix="plies-"))
        self._groups, missing = make_groups(guards := tuple(guards), self.limits.for_kernel())
        settings = {
            "command": list(command),
            "directory": str(directory or self._folder),
            "folder": str(self._folder),
            "readable": [str(path) for path in (*needed_by(Path(command[0])), *readable)],
            "limits": self.limits.for_kernel(),
            "guards": guards,
            "groups": self._groups.for_launcher(),
            "missing": missing,
        }
        try:
            self._start(settings)
        except OSError as error:
            raise PliesError(f"no program could be started: {error}") from error
        try:
            self._await_launch()
        except BaseException:
            self.close()
            raise
        self.guards: tuple[str, ...] = tuple(self._pipes.news["guards"])
        self.missing: dict[str, str] = self._pipes.news["missing"]
        is_frozen = "freezer" in self.guards
        signalled = Signalled(self._processes, self._process_group)
        self._stopping = Frozen(self._groups) if is_frozen else signalled

    @property
    def errors(self) -> bytes:
        """What it has written to its standard error: the beginning and the end of it."""
        return bytes(self._pipes.errors)

    def send(self, line: str) -> None:
        """Send a line; to have printed something since the last answer is a fault."""
        self._check_running()
        self._pipes.pump(0)
        if self._pipes.output:
            said = quoted(self._pipes.output.decode(errors="replace"))
            raise self._fault("bad output", f"printed {said} without being asked")
        self._asked = time.perf_counter()
        self._pipes.write(line.encode() + b"\n")

    def receive(self, deadline: float) -> str:
        """The next line, without its end; `deadline` is as `time.perf_counter` tells it."""
        self._check_running()
        while (line := self._pipes.take_line()) is None:
            self._watch()  # not after a line has come: that would be on the program's clock
            if len(self._pipes.output) > self.limits.line_bytes:
                raise self._too_long()
            if "exit" in self._pipes.news or self._pipes.is_output_closed:
                line = self._last_words()
                break
            left = deadline - time.perf_counter()
            if left <= 0:
                had = f"{max(deadline - self._asked, 0.0):.3g} seconds"
                raise self._fault("time", f"did not answer within {had}")
            self._pipes.pump(min(left, POLL_SECONDS))
        if len(line) > self.limits.line_bytes:
            raise self._too_long()
        return line.decode(errors="replace")

    def suspend(self) -> float:
        """Stop all its processes until `resume`; to go on nevertheless is a fault.

        Returns for how many seconds it escaped the stop by starting processes.
        """
        self._check_running()
        try:
            return self._stopping.stop()
        except NotStopped:
            raise self._fault("time", "ran while it was not its turn") from None

    def resume(self) -> None:
        """Let it go on; to have gone on by itself since `suspend` is a fault."""
        self._check_running()
        self._watched = 0.0
        self._watch()
        try:
            self._stopping.go_on()
        except NotStopped:
            raise self._fault("time", "ran while it was not its turn") from None

    def dismiss(self, line: str, seconds: float) -> None:
        """Send a last line and close its input; it has so long to end by itself."""
        deadline = time.perf_counter() + seconds
        try:
            self.resume()
            self.send(line)
            while "exit" not in self._pipes.news and time.perf_counter() < deadline:
                self._pipes.end_input()
                self._pipes.pump(POLL_SECONDS)
                self._pipes.output.clear()
                self._watch()
        except AgentFault:
            pass
        finally:
            self.close()

    def close(self) -> None:
        """End all its processes and remove its folder."""
        if self._is_closed:
            return
        self._is_closed = True
        self._kill()
        os.close(self._lifeline)
        self._launcher.wait()
        self._pipes.close()
        self._groups.remove()
        _remove(self._folder)

    def _start(self, settings: dict[str, object]) -> None:
        with ExitStack() as ours, ExitStack() as theirs:
            ours.callback(_remove, self._folder)
            ours.callback(self._groups.remove)
            heard, status = os.pipe()
            ours.callback(os.close, heard)
            theirs.callback(os.close, status)
            lifeline, self._lifeline = os.pipe()
            ours.callback(os.close, self._lifeline)
            theirs.callback(os.close, lifeline)
            settings |= {"status": status, "lifeline": lifeline}
            self._launcher = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", LAUNCHER, json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(status, lifeline),
                env={**_environment(self._folder), **self._variables},
                cwd="/",
                start_new_session=True,
            )
            ours.pop_all()  # from now on, `close` sees to them
        streams = self._launcher.stdin, self._launcher.stdout, self._launcher.stderr
        self._pipes = Pipes(*streams, os.fdopen(heard, "rb", buffering=0))  # type: ignore[arg-type]

    def _await_launch(self) -> None:
        deadline = time.perf_counter() + LAUNCH_SECONDS
        news = self._pipes.news
        while not ("failed" in news or ("guards" in news and "keeper" in news)):
            is_over = self._launcher.poll() is not None or time.perf_counter() > deadline
            if not self._pipes.pump(POLL_SECONDS) and is_over:
                why = last_line(bytes(self._pipes.errors))
                raise PliesError(f"no program could be started: {why}")
        if "failed" in news:
            raise AgentFault("crash", CANNOT_START.format(news["failed"]))

    def _kill(self) -> None:
        """End everything; the launcher ends as soon as its child, the keeper, has."""
        if "freezer" in self._groups.folders:
            with suppress(OSError):  # the group may have gone
                self._groups.kill()
        if keeper := self._keeper():
            if "processes" not in self._pipes.news.get("guards", ()):
                family.end_descendants(keeper)
            family.send_signal([keeper], signal.SIGKILL)
        elif self._launcher.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._launcher.pid, signal.SIGKILL)

    def _keeper(self) -> int:
        """The keeper's number, 0 when it has gone: the number may be another's then."""
        keeper = self._pipes.news.get("keeper", 0)
        is_there = self._launcher.returncode is None
        return keeper if is_there and keeper in family.children(self._launcher.pid) else 0

    def _check_running(self) -> None:
        if self._is_closed:
            raise AgentFault("crash", "is not running any more")

    def _processes(self) -> list[int]:
        if self._is_closed:
            return []
        if "freezer" in self.guards:
            return self._groups.processes()
        keeper = self._keeper()
        return family.descendants(keeper) if keeper else []

    def _process_group(self) -> list[int]:
        """Those of which one leads the process group that nothing of the program can leave."""
        is_bound = "seccomp" in self.guards and not self._is_closed
        keeper = self._keeper() if is_bound else 0
        return family.children(keeper) if keeper else []

    def _watch(self) -> None:
        """End it when all its processes together use more than they may."""
        now = time.perf_counter()
        if now - self._watched < POLL_SECONDS:
            return
        self._watched = now
        self._check_memory_events()
        if "watch" not in self.guards:
            return
        processes = self._processes()
        if len(processes) > self.limits.processes:
            raise self._fault("crash", f"started more than {self.limits.processes} processes")
        if "memory" in self.guards:
            return  # the kernel counts better
        used_mb = family.memory_bytes(processes) >> 20
        if used_mb > self.limits.memory_mb:
            most = f"the limit is {self.limits.memory_mb} MB"
            raise self._fault("memory", f"used {used_mb} MB of memory; {most}")

    def _check_memory_events(self) -> None:
        """To have lost a process because memory was used up is a fault."""
        if "memory" in self.guards and self._groups.is_out_of_memory():
            if not self._groups.has_reached_limit():
                raise self._fault("crash", "was ended because the machine ran out of memory")
            most = f"the limit is {self.limits.memory_mb} MB"
            raise self._fault("memory", f"ran out of memory, {most}")

    def _fault(self, termination: str, message: str) -> AgentFault:
        """End it, and say why."""
        self.close()
        return AgentFault(termination, message)

    def _too_long(self) -> AgentFault:
        most = f"a line may have {self.limits.line_bytes} bytes"
        return self._fault("bad output", f"printed a line that is too long; {most}")

    def _last_words(self) -> bytes:
        """A line that it printed before it ended; to have ended without one is a fault."""
        began = time.perf_counter()
        while "exit" not in self._pipes.news:
            most = FAREWELL_SECONDS if are_running(self._processes()) else LAUNCH_SECONDS
            if time.perf_counter() > began + most:
                break
            self._pipes.pump(POLL_SECONDS)
        for _ in range(MOST_CHUNKS):
            if not self._pipes.pump(0):
                break
        if (line := self._pipes.take_line()) is not None:
            return line
        self._check_memory_events()
        news, errors = self._pipes.news, bytes(self._pipes.errors)
        if "failed" in news:
            raise self._fault("crash", CANNOT_START.format(news["failed"]))
        if "exit" not in news:
            raise self._fault("crash", "closed its standard output")
        max_mb = news["max_kb"] / 1024
        raise self._fault(*ending(news["exit"], max_mb, errors, self.limits))


def _environment(folder: Path) -> dict[str, str]:
    """What every program is told; nothing of the judge's own affairs."""
    chosen = {
        "PATH": SEARCHED,
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    libraries = os.environ.get("LD_LIBRARY_PATH")  # without which some Pythons do not start
    return chosen | ({"LD_LIBRARY_PATH": libraries} if libraries else {})


def _remove(folder: Path) -> None:
    """Remove a folder although its owner made parts of it unreadable.

    What cannot be removed, such as folders nested too deeply, is left.
    """
    with suppress(OSError, RecursionError):
        for parent, names, _ in os.walk(folder):
            for inner in (Path(parent, name) for name in names):
                with suppress(OSError):
                    if not inner.is_symlink():
                        inner.chmod(0o700)
    with suppress(OSError, RecursionError):
        shutil.rmtree(folder)
