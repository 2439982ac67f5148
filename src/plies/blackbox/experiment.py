"""Many runs: what is planned, run in parallel, kept in a file, and made of it."""

import json
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from statistics import median

from plies.blackbox.problem import LENGTH, BadProblem, problem
from plies.blackbox.strategies import find_strategy
from plies.blackbox.trial import MILESTONES, Trial, run
from plies.errors import PliesError
from plies.processes import answers


class BadResults(PliesError):
    """A file of results that cannot be read or continued."""


@dataclass(frozen=True)
class Job:
    """One run of a plan: everything that its result depends on."""

    classes: int
    length: int
    strategy: str
    seed: int
    budget: int

    def run(self) -> Trial:
        return run(problem(self.classes, self.length), self.strategy, self.seed, self.budget)


@dataclass(frozen=True)
class Plan:
    """Every strategy on every problem, so many times, with seeds that follow each other."""

    problems: tuple[int, ...]
    strategies: tuple[str, ...]
    runs: int = 30
    seed: int = 1
    budget: int = 100_000
    length: int = LENGTH

    def __post_init__(self) -> None:
        if self.runs < 1 or self.budget < 1:
            raise BadProblem(f"runs and budget are at least 1, not {self.runs} and {self.budget}")
        if self.seed < 0:
            raise BadProblem(f"a seed is at least 0, not {self.seed}")
        for classes in self.problems:
            problem(classes, self.length)
        for name in self.strategies:
            find_strategy(name)

    @property
    def jobs(self) -> list[Job]:
        return [
            Job(classes, self.length, name, self.seed + number, self.budget)
            for classes in self.problems
            for name in self.strategies
            for number in range(self.runs)
        ]


def job_of(trial: Trial) -> Job:
    return Job(int(trial.problem), trial.length, trial.strategy, trial.seed, trial.budget)


# Running


def carry_out(jobs: Sequence[Job], workers: int = 1) -> Iterator[Trial]:
    """The results of jobs as they are done, in so many processes."""
    for _, trial in answers(Job.run, jobs, workers):
        yield trial


# Keeping


def read_results(path: Path) -> list[Trial]:
    """What a file holds; a last line that was not written whole does not count."""
    try:
        if not path.exists():
            return []
        *lines, _ = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise BadResults(f"{path} cannot be read: {error.strerror}") from error
    return [trial_of(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def trial_of(line: str, where: str) -> Trial:
    try:
        data = json.loads(line)
        curve = tuple((int(calls), float(value)) for calls, value in data.pop("curve"))
        trial = Trial(**data, curve=curve)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        trial = None
    if trial is None or not is_whole(trial):
        raise BadResults(f"{where} is no result of black-box search; delete the line or the file")
    return trial


def is_whole(trial: Trial) -> bool:
    """Whether everything in it is of its kind, and the curve begins somewhere."""
    texts = (trial.problem, trial.strategy)
    counts = (trial.length, trial.seed, trial.budget)
    numbers = (trial.best, trial.cpu_seconds, *(value for _, value in trial.curve))
    return (
        all(isinstance(text, str) for text in texts)
        and trial.problem.isdecimal()
        and all(type(count) is int for count in counts)
        and (trial.solved is None or type(trial.solved) is int)
        and all(type(number) in (int, float) and isfinite(number) for number in numbers)
        and bool(trial.curve)
    )


def keep(path: Path, trial: Trial) -> None:
    """Append one result as one whole line."""
    line = json.dumps(asdict(trial)) + "\n"
    file = opened(path)
    try:
        size = os.fstat(file).st_size
        if size and os.pread(file, 1, size - 1) != b"\n":
            whole = os.pread(file, size, 0).rpartition(b"\n")
            os.ftruncate(file, len(whole[0]) + len(whole[1]))
        os.write(file, line.encode())
    except OSError as error:
        raise BadResults(f"{path} cannot be written: {error.strerror}") from error
    finally:
        os.close(file)


def opened(path: Path) -> int:
    """The number of the open file, which is made if it is not there."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise BadResults(f"{path} cannot be written: {error.strerror}") from error


def carry_on(plan: Plan, path: Path | None, workers: int = 1) -> Generator[Trial, None, None]:
    """All results of a plan: those that are kept, then the missing ones, each kept when done."""
    if path and not path.parent.is_dir():
        raise BadResults(f"{path} cannot be written: {path.parent} is no folder")
    jobs = plan.jobs
    wanted = set(jobs)
    done: dict[Job, Trial] = {}
    for trial in read_results(path) if path else []:
        job = job_of(trial)
        if job in wanted:
            done.setdefault(job, trial)
    missing = [job for job in jobs if job not in done]
    if path and missing:
        os.close(opened(path))  # before anything is run that could not be kept
    yield from done.values()
    for trial in carry_out(missing, workers):
        if path:
            keep(path, trial)
        yield trial


# What came out


@dataclass(frozen=True)
class Summary:
    """The runs of one strategy on one problem."""

    problem: str
    strategy: str
    track: str
    runs: int
    solved: int
    median_calls: float | None  # of all runs, those that failed as the longest; None if most did
    most_calls: int | None  # of those that succeeded
    best: float  # the median of the best values
    milestones: dict[int, float | None]  # calls: the median of the best values so far


def summaries(trials: Iterable[Trial]) -> list[Summary]:
    """One for every problem and strategy, in the order of their first runs."""
    groups: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        groups.setdefault((trial.problem, trial.strategy), []).append(trial)
    return [summary(group) for group in groups.values()]


def summary(trials: Sequence[Trial]) -> Summary:
    calls = sorted(each.solved for each in trials if each.solved is not None)
    failed = len(trials) - len(calls)
    middle = median([*map(float, calls), *[float("inf")] * failed])
    return Summary(
        problem=trials[0].problem,
        strategy=trials[0].strategy,
        track=find_strategy(trials[0].strategy).track,
        runs=len(trials),
        solved=len(calls),
        median_calls=None if middle == float("inf") else middle,
        most_calls=calls[-1] if calls else None,
        best=median(each.best for each in trials),
        milestones={calls: median_by(trials, calls) for calls in MILESTONES},
    )


def median_by(trials: Sequence[Trial], calls: int) -> float | None:
    """The median of the best values of so many calls; None where some runs were shorter."""
    values = [each.best_by(calls) for each in trials]
    known = [value for value in values if value is not None]
    return median(known) if len(known) == len(values) else None
