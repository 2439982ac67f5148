"""How long games take: planned games are played for a while, and every part of them is timed."""

import time
from dataclasses import dataclass, field, replace
from typing import Any

from plies.agents import Agent
from plies.arena.plan import Planned
from plies.arena.store import Finished
from plies.errors import OutOfResources


class OutOfTime(OutOfResources):  # no fault of the agent that was thinking
    """The trial of a game has lasted as long as it may."""


@dataclass(frozen=True)
class Trial:
    """A game that is begun in order to be timed, and given up after so many seconds."""

    planned: Planned
    limit: float

    @property
    def number(self) -> int:
        return self.planned.number

    @property
    def game(self) -> str:
        return self.planned.game

    @property
    def seats(self) -> tuple[str, ...]:
        return self.planned.seats


@dataclass
class SeatTimes:
    """Seconds that one player took: for each of its moves, and to get ready and to leave."""

    moves: list[float] = field(default_factory=list)
    around: float = 0.0


@dataclass(frozen=True)
class Measured:
    """A game or the beginning of one, timed.

    `prepared` is what compiling and starting took before it began, `seconds` the game itself;
    `is_first` says that something was compiled that is now there for the run.
    """

    planned: Planned
    is_complete: bool
    prepared: float
    seconds: float
    seats: tuple[SeatTimes, ...]
    is_first: bool = False

    @property
    def plies(self) -> int:
        return sum(len(seat.moves) for seat in self.seats)

    @property
    def judge(self) -> float:
        """Seconds of the game that no player took."""
        taken = sum(seat.around + sum(seat.moves) for seat in self.seats)
        return max(self.seconds - taken, 0.0)


class _Timed:
    """A search that notes how long it takes, and does not move when time is up."""

    def __init__(self, search: Any, times: SeatTimes, deadline: float):
        self._search, self._times, self._deadline = search, times, deadline
        self.begin, self.finish = self._around(search.begin), self._around(search.finish)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)

    def _around(self, act: Any) -> Any:
        def timed(*arguments: Any) -> None:
            began = time.perf_counter()
            try:
                act(*arguments)
            finally:
                self._times.around += time.perf_counter() - began

        return timed

    def decide(self, task: Any) -> Any:
        began = time.perf_counter()
        if began > self._deadline:
            raise OutOfTime
        try:
            return self._search.decide(task)
        finally:
            self._times.moves.append(time.perf_counter() - began)


def timed_seats(seats: list[Agent], deadline: float) -> tuple[list[Agent], tuple[SeatTimes, ...]]:
    """The same agents, but timed."""
    times = tuple(SeatTimes() for _ in seats)
    timed = [
        replace(seat, search=_Timed(seat.search, own, deadline))  # type: ignore[arg-type]
        for seat, own in zip(seats, times, strict=True)
    ]
    return timed, times


def measured_from(finished: Finished) -> Measured:
    """What a game that was played says about the time that games take."""
    count = len(finished.planned.seats)
    seats = tuple(SeatTimes() for _ in range(count))
    for move in finished.record.moves:
        seats[move.player].moves.append(move.seconds)
    rest = max(finished.seconds - sum(sum(seat.moves) for seat in seats), 0.0)
    for seat in seats:
        seat.around = rest / count
    return Measured(finished.planned, True, 0.0, finished.seconds, seats)
