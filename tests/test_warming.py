"""What is compiled ahead: the jobs of a game, and the process that does them."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import plies
from game_samples import TAKE
from plies import warming
from plies.compiling.progress import RULES
from plies.warming import (
    MOST_FUNCTIONS,
    PERFT,
    Compiler,
    Job,
    Result,
    cold_jobs,
    compile_job,
    is_own,
    jobs_of,
    usual_agents,
)


class Process:
    """Stands for a worker process, each of whose jobs compiles so many functions."""

    made: list["Process"]
    functions = MOST_FUNCTIONS // 2 + 1

    def __init__(self, function: Any):
        self.given: list[tuple[Job, int]] = []
        self.is_closed = False
        Process.made.append(self)

    def give(self, order: tuple[Job, int]) -> None:
        self.given.append(order)

    def answer(self) -> Result:
        return Result(self.functions, 0.0)

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    Process.made = []
    monkeypatch.setattr(warming, "Worker", Process)
    return Process.made


def test_a_process_that_has_compiled_much_gives_way_to_another(processes: list[Process]) -> None:
    job, compiler = Job("nim", "nim", RULES), Compiler()
    for niceness in (15, 15, 0):
        compiler.give(job, niceness)
        assert compiler.niceness == niceness
        compiler.result()
    first, second = processes
    assert (first.given, second.given) == ([(job, 15), (job, 15)], [(job, 0)])
    assert (first.is_closed, second.is_closed) == (True, False)


def test_what_a_compiler_does_is_seen_until_it_is_done(processes: list[Process]) -> None:
    compiler = Compiler()
    assert compiler.activity is None
    compiler.give(Job("./nim.py", "nim", "engine"))
    activity = compiler.activity
    assert activity is not None
    assert (activity.subject, activity.done) == ("nim: engine", 0)
    compiler.result()
    assert compiler.activity is None


def test_agents_of_one_kind_are_compiled_together() -> None:
    specs = ["mcts", PERFT, "mcts:reuse=true", "random"]
    assert jobs_of(plies.game("nim"), "./nim.py", specs) == [
        Job("./nim.py", "nim", RULES),
        Job("./nim.py", "nim", "mcts", ("mcts", "mcts:reuse=true")),
        Job("./nim.py", "nim", PERFT, (PERFT,)),
        Job("./nim.py", "nim", "random", ("random",)),
    ]


def test_only_agents_that_can_play_a_game_are_usual() -> None:
    assert "engine" in usual_agents(plies.game("nim"))
    many = usual_agents(plies.game("nim:players=3"))
    assert "engine" not in many
    assert "maxn" in many


def test_nobody_elses_program_is_asked_ahead(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(game, state):\n    raise SystemExit\n")
    game = plies.game("nim")
    assert is_own("mcts", game)
    assert not is_own(str(file), game)
    assert not is_own("process:true", game)
    assert not is_own("nosuch", game)


def test_what_must_be_compiled_is_known_without_compiling_it(tmp_path: Path) -> None:
    file = tmp_path / "take.py"
    unseen = uuid4().int % 10**9 + 10  # no cache knows this game
    file.write_text(TAKE.replace("heap: int = 7", f"heap: int = {unseen}"))
    job = Job(str(file), "take", RULES)
    assert cold_jobs([job]) == [job]
    assert cold_jobs([job]) == [job]  # asking compiled nothing
    result = compile_job(job)
    assert result.functions > 0
    assert not result.problem
    assert cold_jobs([job]) == []
    assert compile_job(job).functions == 0
