"""What the judge can rely on, whatever runs at the other end."""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from courts import HOSTILE, groups_left, running_with

from plies.errors import AgentFault, PliesError
from plies.sandbox import confined, family, stopping
from plies.sandbox.confined import Confined
from plies.sandbox.guards import GUARDS
from plies.sandbox.limits import Limits

PATIENCE = 20.0

Start = Callable[..., Confined]


def soon(seconds: float = PATIENCE) -> float:
    return time.perf_counter() + seconds


def wait_until(is_true: Callable[[], bool]) -> bool:
    """Whether it comes true in time."""
    deadline = soon()
    while not is_true() and time.perf_counter() < deadline:
        time.sleep(0.01)
    return is_true()


@pytest.fixture
def start() -> Iterator[Start]:
    """Start Python code behind guards; whatever still runs ends with the test."""
    started: list[Confined] = []

    def start(code: str, **options: Any) -> Confined:
        started.append(Confined([sys.executable, "-c", code], **options))
        return started[-1]

    yield start
    for program in started:
        program.close()


def test_lines_go_in_and_come_out(start: Start):
    program = start("while True: print(input()[::-1])")
    for text in ("abc", "Grüße", ""):
        program.send(text)
        assert program.receive(soon()) == text[::-1]


def test_a_long_question_arrives_whole(start: Start):
    program = start("print(len(input()))")
    program.send("x" * 5_000_000)
    assert program.receive(soon()) == "5000000"


def test_a_program_that_reads_nothing_does_not_hold_the_judge(start: Start):
    program = start("import time; time.sleep(60)")
    program.send("x" * 5_000_000)
    with pytest.raises(AgentFault, match=r"did not answer within [\d.]+ seconds"):
        program.receive(soon(0.2))


def test_a_deadline_that_is_past_is_told_as_no_time_at_all(start: Start):
    program = start("import time; time.sleep(60)")
    program.send("hello")
    with pytest.raises(AgentFault, match=r"did not answer within 0 seconds"):
        program.receive(soon(-1))


def test_what_it_said_before_it_ended_counts(start: Start):
    program = start("input(); print('last words')")
    program.send("hello")
    assert program.receive(soon()) == "last words"
    with pytest.raises(AgentFault, match="ended with exit status 0, without an error message"):
        program.receive(soon())


def test_how_a_program_ended_is_waited_for_although_it_is_told_late(start: Start):
    program = start("import os; input(); os._exit(3)")
    keeper = program._keeper()
    os.kill(keeper, signal.SIGSTOP)
    threading.Timer(2 * confined.FAREWELL_SECONDS, os.kill, (keeper, signal.SIGCONT)).start()
    program.send("hello")
    with pytest.raises(AgentFault, match="ended with exit status 3"):
        program.receive(soon())


def test_a_program_that_has_ended_is_not_asked_again(start: Start):
    program = start("")
    program.close()
    with pytest.raises(AgentFault, match="is not running any more"):
        program.send("hello")


def test_a_program_that_does_not_exist_cannot_be_started():
    def run() -> None:
        Confined(["/nowhere/agent"]).receive(soon())

    with pytest.raises(AgentFault, match=r"cannot be started: .*No such file"):
        run()


def test_a_launcher_that_fails_is_no_fault_of_the_agent(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(confined, "LAUNCHER", "raise SystemExit('no such luck')")
    with pytest.raises(PliesError, match="no program could be started: no such luck") as caught:
        Confined([sys.executable])
    assert not isinstance(caught.value, AgentFault)


def test_a_line_of_the_longest_length_is_a_line(start: Start):
    limits = Limits(line_bytes=1000)
    program = start("print('x' * 1000); print('y' * 1001)", limits=limits)
    assert program.receive(soon()) == "x" * 1000
    with pytest.raises(AgentFault, match="a line may have 1000 bytes") as caught:
        program.receive(soon())
    assert caught.value.termination == "bad output"


def test_an_endless_line_is_given_up_before_it_ends(start: Start):
    program = start("while True: print('x' * 10_000, end='')", limits=Limits(line_bytes=1000))
    with pytest.raises(AgentFault, match="a line may have 1000 bytes"):
        program.receive(soon())


def states_of(program: Confined) -> set[str]:
    """As Linux writes them: R runs, S sleeps, T is stopped."""
    processes = family.descendants(program._keeper())
    stats = [Path(f"/proc/{pid}/stat").read_text() for pid in processes]
    return {stat.rpartition(")")[2].split()[0] for stat in stats}


def test_a_suspended_program_and_what_it_started_stand_still(start: Start):
    busy = "import os\nfor _ in range(3): os.fork()\nprint('.', flush=True)\nwhile True: pass"
    program = start(busy, guards=("watch",))
    for _ in range(8):
        program.receive(soon())
    program.suspend()
    assert wait_until(lambda: states_of(program) == {"T"})
    program.resume()
    assert wait_until(lambda: "T" not in states_of(program))


def test_a_program_that_went_on_while_suspended_is_at_fault(
    start: Start, monkeypatch: pytest.MonkeyPatch
):
    program = start("while True: print(input())", guards=("watch",))
    program.suspend()
    assert wait_until(lambda: states_of(program) == {"T"})
    family.send_signal(program._processes(), signal.SIGCONT)
    monkeypatch.setattr(stopping, "STOPPING_SECONDS", 0.3)
    with pytest.raises(AgentFault, match="ran while it was not its turn") as caught:
        program.resume()
    assert caught.value.termination == "time"


def test_a_program_that_waits_for_what_is_stopped_is_not_at_fault(start: Start, tmp_path: Path):
    # The kernel holds whoever spawns a process, in state D, until that has opened its files.
    fifo = str(tmp_path / "fifo")
    os.mkfifo(fifo)
    code = (
        f"import os; opening = (os.POSIX_SPAWN_OPEN, 5, {fifo!r}, os.O_RDONLY, 0)\n"
        "os.posix_spawn('/bin/true', ['true'], {}, file_actions=[opening])"
    )
    program = start(code, guards=("watch",))
    assert wait_until(lambda: states_of(program) == {"D", "S"})
    program.suspend()
    assert wait_until(lambda: states_of(program) == {"D", "T"})
    program.resume()
    assert wait_until(lambda: states_of(program) == {"D", "S"})


def test_addresses_are_limited_only_where_no_group_counts_memory(start: Start):
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    own = resource.getrlimit(resource.RLIMIT_AS)[1]
    for guards in (("limits",), ("limits", "memory")):
        program = start(code, guards=guards)
        addresses = int(program.receive(soon()))
        assert (addresses == own) is ("memory" in program.guards)


WHAT_IS_THERE = """
import json, os
opened = []
for number in range(64):
    try:
        os.fstat(number)
    except OSError:
        continue
    opened.append(number)
print(json.dumps([dict(os.environ), opened]))
"""


def test_a_program_knows_nothing_of_the_judge(start: Start, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SECRET", "of the judge")
    kept, handle = os.pipe()
    os.set_inheritable(kept, True)
    program = start(WHAT_IS_THERE)
    environment, opened = json.loads(program.receive(soon()))
    os.close(kept)
    os.close(handle)
    known = {"HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "TMPDIR"}
    assert set(environment) - {"LC_CTYPE", "LD_LIBRARY_PATH"} == known
    assert opened == [0, 1, 2]


def test_a_folder_that_its_owner_cannot_read_is_removed_as_well(start: Start):
    code = (
        "import os; os.chdir(os.environ['TMPDIR']); os.makedirs('a/b'); os.symlink('/', 'link')\n"
        "os.chmod('a', 0); print(os.getcwd())"
    )
    program = start(code, guards=())
    folder = Path(program.receive(soon()))
    assert folder.exists()
    program.close()
    assert not folder.exists()


def test_a_folder_that_cannot_be_removed_does_not_hold_the_judge(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "import os; os.chdir(os.environ['TMPDIR'])\n"
        "for _ in range(1500): os.mkdir('d' * 20); os.chdir('d' * 20)\n"
        "print('deep')"
    )
    program = start(code, guards=())
    assert program.receive(soon()) == "deep"
    program.close()
    subprocess.run(["rm", "-rf", *tmp_path.iterdir()], check=True)


def open_files() -> set[str]:
    return set(os.listdir("/proc/self/fd"))  # noqa: PTH208


def test_a_program_that_cannot_be_started_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    opened = open_files()
    too_long = "x" * 10_000_000  # for an argument of any program
    with pytest.raises(PliesError, match=r"no program could be started: .*too long"):
        Confined([sys.executable, too_long])
    assert open_files() <= opened  # others may have been closed meanwhile
    assert list(tmp_path.iterdir()) == []


def test_a_program_whose_group_has_gone_is_closed_all_the_same(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    program = start("input()", guards=("watch", "freezer"))
    if "freezer" not in program.guards:
        pytest.skip("there is no freezer here")

    def kill() -> None:
        raise FileNotFoundError("no such group")

    monkeypatch.setattr(program._groups, "kill", kill)
    program.close()
    assert program._launcher.returncode is not None
    assert list(tmp_path.iterdir()) == []


def test_a_machine_without_memory_is_not_blamed_on_the_limit(
    start: Start, monkeypatch: pytest.MonkeyPatch
):
    program = start("input()", guards=("memory",))
    if "memory" not in program.guards:
        pytest.skip("there is no control group for memory here")
    monkeypatch.setattr(program._groups, "is_out_of_memory", lambda: True)
    assert not program._groups.has_reached_limit()
    with pytest.raises(AgentFault, match="the machine ran out of memory") as caught:
        program.resume()
    assert caught.value.termination == "crash"


def test_a_dismissed_program_hears_the_last_line(start: Start, tmp_path: Path):
    code = f"text = input(); open({str(tmp_path / 'heard')!r}, 'w').write(text)"
    program = start(code, guards=())
    program.dismiss("goodbye", PATIENCE)
    assert (tmp_path / "heard").read_text() == "goodbye"


def test_a_dismissed_program_that_stays_is_ended(start: Start):
    program = start("import time; time.sleep(60)")
    program.dismiss("goodbye", 0.05)
    with pytest.raises(AgentFault, match="is not running any more"):
        program.receive(soon())


JUDGE = """
import sys, time
from plies.sandbox.confined import Confined
program = Confined([sys.executable, *sys.argv[1:3]], [sys.argv[1]], guards=sys.argv[3:])
program.send("start")
program.receive(time.perf_counter() + 20)
program.send('{"legal": ["a1"]}')
program.receive(time.perf_counter() + 20)
program.suspend()
print("playing", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("guards", [tuple(GUARDS), ()], ids=["guarded", "not guarded"])
def test_nothing_outlives_a_judge_who_is_killed(guards: tuple[str, ...], tmp_path: Path):
    mark = f"mark={tmp_path}"
    agent = str(HOSTILE / "survivor.py")
    source = Path(family.__file__).parents[2]
    command = [sys.executable, "-c", JUDGE, agent, mark, *guards]
    environment = {**os.environ, "PYTHONPATH": str(source), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as judge:
        assert judge.stdout is not None
        assert judge.stdout.readline() == "playing\n"
        assert len(running_with(mark)) > 1
        judge.send_signal(signal.SIGKILL)
    assert wait_until(lambda: running_with(mark) == [])
    assert wait_until(lambda: groups_left(judge.pid) == [])
    assert wait_until(lambda: list(tmp_path.iterdir()) == [])
