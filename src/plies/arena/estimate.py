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
from statistics import fmean

from plies.agents import LEADING
from plies.arena.contest import baseline
from plies.arena.judge import Job
from plies.arena.measuring import Measured, SeatTimes, Trial, measured_from
from plies.arena.plan import Planned
from plies.arena.schedule import pending, total
from plies.arena.schedule.pairs import Plan
from plies.arena.store import Finished
from plies.arena.tally import results_of
from plies.arena.workers import Workers
from plies.core.spec import split_spec
from plies.match import Clocks, play_game
from plies.registry import game as find_game

PATIENCE_SECONDS = 20.0
QUICK_SECONDS = 3.0  # that games are timed at least where they are short
SHARE = 0.15  # of the run that timing may take once every agent has been seen
CANDIDATES = 2000  # games of the plan among which those to be timed are chosen
QUICK_GAMES = 4  # of a baseline, to see how long games are where none has been completed
SIMULATED = 50_000  # games whose distribution to workers is gone through one by one

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
            if len(found) >= 2 * needed and elapsed > start + QUICK_SECONDS:
                model = _Model(plan, [*known, *found])
                if elapsed > SHARE * _whole(plan, todo, len(known), workers, model):
                    break
    finally:
        pool.close()
    return found, start


def sample(todo: Sequence[Planned], covered: Iterable[Place]) -> tuple[list[Planned], int]:
    """Games to be timed, and how many of them it takes until every agent has been seen.

    These come first, chosen so that each shows as many new agents as it can.
    """
    candidates = list(todo[:CANDIDATES])
    unseen = {place for planned in candidates for place in _places(planned)} - set(covered)
    chosen = []
    while unseen:
        best = max(candidates, key=lambda planned: len(unseen & _places(planned)))
        unseen -= _places(best)
        chosen.append(best)
    rest = [planned for planned in candidates if planned not in chosen]
    random.Random(0).shuffle(rest)
    return [*chosen, *rest], max(len(chosen), 1)


def _places(planned: Planned) -> set[Place]:
    return {(planned.game, name) for name in planned.seats}


def _whole(
    plan: Plan, todo: Sequence[Planned], played: int, workers: int, model: "_Model"
) -> float:
    """Seconds of what is left, when workers take one game after the other."""
    seconds = [model.game_seconds(planned) for planned in todo]
    later = total(plan.tournament, plan.books) - played - len(todo)  # whose seats are not known
    checked = sum(model.around(place) for place in model.places)  # every program starts once
    if len(todo) > SIMULATED:
        return checked + sum(seconds) / workers
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
    """What was measured, as the expected seconds of any game of a plan."""

    def __init__(self, plan: Plan, measured: Sequence[Measured]):
        self._plan, self._measured = plan, measured
        self._by_place: dict[Place, list[tuple[Measured, SeatTimes]]] = defaultdict(list)
        self._games: dict[tuple[str, frozenset[str]], float] = {}
        self._plies: dict[str, float] = {}
        for each in measured:
            for name, times in zip(each.planned.seats, each.seats, strict=True):
                self._by_place[each.planned.game, name].append((each, times))

    @property
    def places(self) -> list[Place]:
        names = self._plan.tournament.names
        return [(book.game, name) for book in self._plan.books for name in names]

    def game_seconds(self, planned: Planned) -> float:
        """The mean of such games that were completed, or what its parts come to."""
        key = planned.game, frozenset(planned.seats)
        if key not in self._games:
            same = [
                each
                for each in self._measured
                if (each.planned.game, frozenset(each.planned.seats)) == key
            ]
            done = [each.seconds for each in same if each.is_complete]
            is_enough = len(done) == len(same) and done
            self._games[key] = fmean(done) if is_enough else self._composed(planned)
        return self._games[key]

    def _composed(self, planned: Planned) -> float:
        plies = self._length(planned)
        own = plies / len(planned.seats)
        players = sum(
            self.around((planned.game, name)) + self._thinking((planned.game, name), own)
            for name in planned.seats
        )
        judged = [each for each in self._measured if each.planned.game == planned.game]
        per_ply = sum(each.judge for each in judged) / max(sum(e.plies for e in judged), 1)
        return players + per_ply * plies

    def around(self, place: Place) -> float:
        """What an agent takes before and after a game."""
        return _mean(times.around for _, times in self._by_place[place])

    def prepared(self, place: Place) -> float:
        """What it takes to compile an agent, or to load what was compiled."""
        own = [each.prepared / len(each.seats) for each, _ in self._by_place[place]]
        return max(own, default=_mean(e.prepared / len(e.seats) for e in self._measured))

    def _thinking(self, place: Place, moves: float) -> float:
        """The seconds of so many moves of a game."""
        own = [times.moves for _, times in self._by_place[place] if times.moves]
        clocks = self._plan.tournament.clocks
        if not own:
            return moves * self._declared(place[1])
        if clocks.credit:
            return _mean(on_the_clock(each, moves, clocks) for each in own)
        return moves * _mean(second for each in own for second in each)

    def _declared(self, name: str) -> float:
        """Of an agent that was not seen moving: what its spec or the clock says, else a mean."""
        spec = next(entry.spec for entry in self._plan.tournament.agents if entry.name == name)
        clocks = self._plan.tournament.clocks
        seconds = split_spec(spec, LEADING)[1].get("seconds", "")
        if seconds.replace(".", "", 1).isdecimal() and split_spec(spec, LEADING)[0] != "process":
            return float(seconds)
        all_moves = [s for each in self._measured for times in each.seats for s in times.moves]
        return _mean(all_moves) if all_moves else clocks.per_move or clocks.credit / 40

    def _length(self, planned: Planned) -> float:
        """Plies: those of these agents' completed games, of any, or of a baseline."""
        game = planned.game
        done = [e for e in self._measured if e.is_complete and e.planned.game == game]
        own = [e for e in done if set(e.planned.seats) & set(planned.seats)]
        longest = max((e.plies for e in self._measured if e.planned.game == game), default=0)
        if own or done:
            return max(_mean(each.plies for each in own or done), 1.0)
        if game not in self._plies:
            self._plies[game] = baseline_plies(self._plan, game)
        return max(self._plies[game], 1.25 * longest)


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
    spent = sum(seen)
    for _ in range(round(moves) - len(seen)):
        taken = min(fmean(shares) * left, clocks.per_move or left)
        spent += taken
        left += clocks.increment - taken
    return spent


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
