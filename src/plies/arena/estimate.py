"""How long a tournament is going to take.

Some of its games are played beforehand as the run would play them: by as many workers at
once, with the same clocks and from the same openings.  Games that would take too long are
broken off, and what is missing of them is extrapolated.
"""

import heapq
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from statistics import fmean

from plies.agents import read_spec
from plies.arena.contest import baseline
from plies.arena.judge import Job
from plies.arena.measuring import Measured, SeatTimes, Trial, measured_from
from plies.arena.plan import Planned
from plies.arena.schedule import pending, total
from plies.arena.schedule.pairs import Plan
from plies.arena.store import Finished
from plies.arena.tally import results_of
from plies.arena.workers import Workers
from plies.match import Clocks, play_game
from plies.registry import game as find_game

PATIENCE_SECONDS = 20.0
QUICK_SECONDS = 3.0  # that games are timed at least where they are short
SHARE = 0.15  # of the run that timing may take once every agent has been seen
CANDIDATES = 2000  # games of the plan among which those to be timed are chosen
QUICK_GAMES = 4  # of a baseline, to see how long games are where none has been completed
SIMULATED = 20_000  # games whose distribution to workers is gone through one by one
SAMPLED = 2000  # games whose mean stands for all where there are more than that
RECENT = 20  # games of an agent whose clocks are looked at
LOOK_SECONDS = 1.0  # between two looks at whether enough has been timed

Place = tuple[str, str]  # a game and an agent's name


@dataclass(frozen=True)
class Estimate:
    """Seconds that what is left of a run takes, and what that rests on."""

    seconds: float
    basis: str


def estimate(
    plan: Plan,
    workers: int,
    games: Sequence[Finished] = (),
    patience: float = PATIENCE_SECONDS,
) -> Estimate:
    """How long a run takes in which `games` have been played; timing stops after `patience`."""
    tournament = plan.tournament
    todo = pending(tournament, plan.books, results_of(games))
    if not todo:
        return Estimate(0.0, "nothing is left to play")
    workers = max(min(workers, len(todo)), 1)
    known = [measured_from(each) for each in games]
    found, start = _timed(plan, todo, workers, known, patience)
    model = _Model(plan, [*known, *found])
    complete = sum(each.is_complete for each in found)
    basis = f"{complete} games were timed" if complete == len(found) else (
        f"{complete} games and the beginning of {len(found) - complete} were timed"
    )  # fmt: skip
    if known:
        basis += f", and {len(known)} had been played"
    # The command itself starts as a worker does: an interpreter, and what it imports.
    return Estimate(_whole(plan, todo, len(games), workers, model) + 2 * start, basis)


def _timed(
    plan: Plan, todo: Sequence[Planned], workers: int, known: list[Measured], patience: float
) -> tuple[list[Measured], float]:
    """Games that were timed, and the seconds until workers are there."""
    tournament = plan.tournament
    covered = {place for each in known for place in _places(each.planned)}
    chosen, needed = sample(todo, covered)
    limit = max(min(patience * workers / max(needed, 1), patience), min(patience, 0.5))
    began = time.perf_counter()
    specs = {entry.name: entry.spec for entry in tournament.agents}
    found: list[Measured] = []
    next_look = 0.0  # in seconds since timing began

    def is_over() -> bool:
        """Games that nothing has been seen of are waited for longer, but not for ever."""
        elapsed = time.perf_counter() - began
        return elapsed > patience * (1 if len(found) >= needed else 3)

    pool = Workers(workers, Job(specs, tournament.rules, tournament.clocks), is_over)
    start = 0.0
    try:
        for measured in pool.play([Trial(planned, limit) for planned in chosen]):
            elapsed = time.perf_counter() - began
            if not found:
                start = max(elapsed - measured.seconds - measured.prepared, 0.0)
            found.append(measured)
            if len(found) >= 2 * needed and elapsed > max(start + QUICK_SECONDS, next_look):
                model = _Model(plan, [*known, *found])
                if elapsed > SHARE * _whole(plan, todo, len(known), workers, model):
                    break
                after = time.perf_counter() - began
                # Of a large run a look takes long itself: most of the time is for games.
                next_look = after + max(LOOK_SECONDS, 5 * (after - elapsed))
    finally:
        pool.close()
    return found, start


def sample(todo: Sequence[Planned], covered: Iterable[Place]) -> tuple[list[Planned], int]:
    """Games to be timed, and how many of them it takes until every agent has been seen.

    These come first, chosen so that each shows as many new agents as it can.
    """
    candidates = list(todo[:CANDIDATES])
    unseen = {place for planned in candidates for place in _places(planned)} - set(covered)
    chosen: list[Planned] = []
    most = max((len(planned.seats) for planned in candidates), default=0)
    # What a game would show only becomes less, so that one pass for each number is enough.
    for count in range(most, 0, -1):
        for planned in candidates:
            new = unseen & _places(planned)
            if len(new) == count:
                unseen -= new
                chosen.append(planned)
    numbers = {planned.number for planned in chosen}
    rest = [planned for planned in candidates if planned.number not in numbers]
    random.Random(0).shuffle(rest)
    return [*chosen, *rest], max(len(chosen), 1)


def _places(planned: Planned) -> set[Place]:
    return {(planned.game, name) for name in planned.seats}


def _whole(
    plan: Plan, todo: Sequence[Planned], played: int, workers: int, model: "_Model"
) -> float:
    """Seconds of what is left, when workers take one game after the other."""
    later = total(plan.tournament, plan.books) - played - len(todo)  # whose seats are not known
    checked = sum(model.around(place) for place in model.places)  # every program starts once
    if len(todo) > SIMULATED:
        some = random.Random(0).sample(todo, min(SAMPLED, len(todo)))
        return checked + len(todo) * fmean(map(model.game_seconds, some)) / workers
    seconds = [model.game_seconds(planned) for planned in todo]
    ends = [0.0] * workers
    seen: list[set[Place]] = [set() for _ in ends]
    order = [(0.0, worker) for worker in range(workers)]
    for planned, each in zip(todo, seconds, strict=True):
        end, worker = heapq.heappop(order)
        new = _places(planned) - seen[worker]
        seen[worker] |= new
        ends[worker] = end + each + sum(model.prepared(place) for place in new)
        heapq.heappush(order, (ends[worker], worker))
    return checked + max(ends) + max(later, 0) * fmean(seconds) / workers


class _Model:
    """What was measured, as the expected seconds of any game of a plan.

    A plan has many pairs of agents: what was measured is gone through once, and what holds for
    an agent or a game is worked out once.
    """

    def __init__(self, plan: Plan, measured: Sequence[Measured]):
        self._plan = plan
        self._specs = {entry.name: entry.spec for entry in plan.tournament.agents}
        self._alike: dict[tuple[str, frozenset[str]], list[Measured]] = defaultdict(list)
        self._by_game: dict[str, list[Measured]] = defaultdict(list)
        self._by_place: dict[Place, list[tuple[Measured, SeatTimes]]] = defaultdict(list)
        every_move: list[float] = []
        for each in measured:
            game, seats = each.planned.game, each.planned.seats
            self._alike[game, frozenset(seats)].append(each)
            self._by_game[game].append(each)
            for name, times in zip(seats, each.seats, strict=True):
                self._by_place[game, name].append((each, times))
                every_move += times.moves
        self._mean_move = fmean(every_move) if every_move else None
        self._mean_prepared = _mean(
            each.prepared / len(each.seats)
            for own in self._by_game.values()
            for each in own
            if not each.is_first
        )
        self.around, self.prepared = cache(self._around), cache(self._prepared)
        self._game_seconds = cache(self._seconds_of_a_game)
        self._move_seconds = cache(self._seconds_of_a_move)
        self._judging, self._any_length = cache(self._judge_seconds), cache(self._length_of_any)

    @property
    def places(self) -> list[Place]:
        names = self._plan.tournament.names
        return [(book.game, name) for book in self._plan.books for name in names]

    def game_seconds(self, planned: Planned) -> float:
        """The mean of such games that were completed, or what its parts come to."""
        return self._game_seconds(planned.game, frozenset(planned.seats))

    def _seconds_of_a_game(self, game: str, seats: frozenset[str]) -> float:
        same = self._alike.get((game, seats), [])
        if same and all(each.is_complete for each in same):
            return fmean(each.seconds for each in same)
        plies = self._length(game, seats)
        own = plies / len(seats)
        players = sum(self.around((game, n)) + self._thinking((game, n), own) for n in seats)
        return players + self._judging(game) * plies

    def _judge_seconds(self, game: str) -> float:
        """What no player takes, for each ply."""
        own = self._by_game[game]
        return sum(each.judge for each in own) / max(sum(each.plies for each in own), 1)

    def _around(self, place: Place) -> float:
        """What an agent takes before and after a game."""
        return _mean(times.around for _, times in self._by_place[place])

    def _prepared(self, place: Place) -> float:
        """What it takes to load what was compiled of an agent."""
        own = [
            each.prepared / len(each.seats)
            for each, _ in self._by_place[place]
            if not each.is_first
        ]
        return max(own, default=self._mean_prepared)

    def _thinking(self, place: Place, moves: float) -> float:
        """The seconds of so many moves of a game."""
        clocks = self._plan.tournament.clocks
        if clocks.credit:
            own = [times.moves for _, times in self._by_place[place][-RECENT:] if times.moves]
            if own:
                return _mean(on_the_clock(each, moves, clocks) for each in own)
        return moves * self._move_seconds(place)

    def _seconds_of_a_move(self, place: Place) -> float:
        """The mean, or of an agent that was not seen moving what its spec or the clock says."""
        own = [second for _, times in self._by_place[place] for second in times.moves]
        if own:
            return fmean(own)
        kind, options = read_spec(self._specs[place[1]])
        seconds = options.get("seconds", "")
        if seconds.replace(".", "", 1).isdecimal() and kind != "process":
            return float(seconds)
        if self._mean_move is not None:
            return self._mean_move
        clocks = self._plan.tournament.clocks
        return clocks.per_move or clocks.credit / 40

    def _length(self, game: str, seats: frozenset[str]) -> float:
        """Plies: those of these agents' completed games, or of any."""
        own = {
            each.planned.number: each.plies
            for name in seats
            for each, _ in self._by_place[game, name]
            if each.is_complete
        }
        return max(fmean(own.values()), 1.0) if own else self._any_length(game)

    def _length_of_any(self, game: str) -> float:
        """Plies of completed games, or of a baseline's where there are none."""
        done = [each.plies for each in self._by_game[game] if each.is_complete]
        if done:
            return max(fmean(done), 1.0)
        longest = max((each.plies for each in self._by_game[game]), default=0)
        return max(baseline_plies(self._plan, game), 1.25 * longest)


def on_the_clock(seen: Sequence[float], moves: float, clocks: Clocks) -> float:
    """Seconds of so many moves of a player who took `seen` seconds for its first ones.

    It is thought to take the same share of what is left on its clock for every move.
    """
    left, shares = clocks.credit, []
    for seconds in seen:
        shares.append(min(seconds / max(left, 1e-9), 1.0))
        left = max(left - seconds, 0.0) + clocks.increment
    if moves <= len(seen):
        return sum(seen[: round(moves)])
    spent, share = sum(seen), fmean(shares)
    for _ in range(round(moves) - len(seen)):
        taken = min(share * left, clocks.per_move or left)
        spent += taken
        left += clocks.increment - taken
    return spent


@lru_cache(maxsize=16)
def baseline_plies(plan: Plan, spec: str) -> float:
    """How long games are between equals that look two plies ahead."""
    game = find_game(spec)
    book = next(each for each in plan.books if each.game == spec)
    players = [baseline(game)] * book.players
    rules = plan.tournament.rules
    return fmean(
        len(play_game(game, *players, start=opening, rules=rules).moves)
        for opening in book.openings[:QUICK_GAMES]
    )


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return fmean(known) if known else 0.0
