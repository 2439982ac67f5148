"""Who does how much in a second: programs are asked in turns, best is put beside best.

No rate ever comes from wrong work: a program that counts something else, or finds another
value, gets no rate.  One that cannot be asked gets a row that says why.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from peer_worker import Answer
from peer_works import PLIES, Work


class NoAnswer(Exception):
    """A program is not there or did not do what it was asked; the text says why."""


class WrongAnswer(Exception):
    """A program did other work than it was asked to."""


class Program(Protocol):
    """Something that does tasks; `version` is empty when it is not there."""

    @property
    def version(self) -> str: ...

    def ask(self, task: str, arguments: Mapping[str, Any], seconds: float) -> Answer: ...


@dataclass
class Row:
    """One program's best run of one work, or the problem it had."""

    work: Work
    program: str
    version: str
    best: Answer | None = None
    problem: str = ""
    is_wrong: bool = False

    @property
    def rate(self) -> float | None:
        """Units per CPU-second."""
        return self.best.count / self.best.cpu_seconds if self.best else None


def ask_all(rows: Sequence[Row], programs: Mapping[str, Program], seconds: float) -> None:
    """One turn: every row without a problem gets an answer, and keeps its best."""
    for row in rows:
        if row.problem:
            continue
        try:
            answer = programs[row.program].ask(row.work.task, row.work.arguments, seconds)
            check(row.work, answer)
        except (NoAnswer, WrongAnswer) as error:
            row.best, row.problem = None, str(error)
            row.is_wrong = isinstance(error, WrongAnswer)
        else:
            row.best = min(filter(None, (row.best, answer)), key=lambda best: best.cpu_seconds)


def check(work: Work, answer: Answer) -> None:
    if work.count is not None and answer.count != work.count:
        raise WrongAnswer(f"WRONG: counted {answer.count:,}, not {work.count:,} {work.unit}")
    if work.value is not None and answer.value != work.value:
        raise WrongAnswer(f"WRONG: found the value {answer.value}, not {work.value}")


def measure(
    works: Sequence[Work],
    start: Callable[[Collection[str]], Mapping[str, Program]],
    rounds: int,
    seconds: float,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Row]:
    """A round in which all are only checked, and may compile; then they start afresh."""
    names = {name for work in works for name in work.programs}
    programs = start(names)
    rows = [Row(work, name, programs[name].version) for work in works for name in work.programs]
    tell("checking the counts")
    ask_all(rows, programs, seconds=0)
    for row in rows:
        row.best = None
    programs = start(names)
    for turn in range(rounds):
        tell(f"round {turn + 1} of {rounds}")
        ask_all(rows, programs, seconds)
    return rows


def ratio(row: Row, rows: Sequence[Row]) -> float | None:
    """How many times as much plies does in the same time."""
    own = next(other for other in rows if other.work is row.work and other.program == PLIES)
    return own.rate / row.rate if own.rate and row.rate else None


def complaints(rows: Sequence[Row]) -> list[str]:
    """What makes a run a failure: wrong work, plies without an answer, a ratio too small."""
    found = []
    for row in rows:
        about = f"{row.program}, {row.work.game}, {row.work.work}"
        times = ratio(row, rows)
        if row.is_wrong or (row.problem and row.program == PLIES):
            found.append(f"{about}: {row.problem}")
        elif row.program != PLIES and times is not None and times < row.work.least_ratio:
            least = row.work.least_ratio
            found.append(f"{about}: plies is {times:.2f} times as fast, not {least:g}")
    return found
