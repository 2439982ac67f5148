"""What a run's games add up to (pure): scores by seat, pairs, distinct games, faults, thinking."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from plies.arena.plan import Result, points_of
from plies.arena.store import Finished


@dataclass(frozen=True)
class Score:
    """Games won, drawn (the point is shared) and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Points of a game, on average."""
        return self.points / self.games if self.games else 0.0

    def plus(self, points: float) -> "Score":
        """One game more."""
        return Score(
            self.wins + (points == 1),
            self.draws + (0 < points < 1),
            self.losses + (points == 0),
            self.points + points,
        )


@dataclass(frozen=True)
class Standing:
    """What one agent has achieved, and how it thought: `moves`, `nodes` and `seconds` are sums."""

    name: str
    score: Score = Score()
    by_seat: dict[int, Score] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)  # by termination
    forgiven: int = 0  # moves that the judge played instead
    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    first_fault: str = ""  # what went wrong the first time


def results_of(games: Iterable[Finished]) -> list[Result]:
    """The points of every game."""
    return [Result(game.planned, points_of(game.record.payoffs)) for game in games]


def standings(names: Sequence[str], games: Sequence[Finished]) -> list[Standing]:
    """Of all agents, the best share of points first; equal ones in their own order."""
    counted = [_standing(name, games) for name in names]
    return sorted(counted, key=lambda standing: -standing.score.share)


def _standing(name: str, games: Sequence[Finished]) -> Standing:
    score, by_seat = Score(), {}
    faults: Counter[str] = Counter()
    moves = nodes = forgiven = 0
    seconds, first_fault = 0.0, ""
    for game in games:
        record = game.record
        points = points_of(record.payoffs)
        for seat in (seat for seat, who in enumerate(game.planned.seats) if who == name):
            score = score.plus(points[seat])
            by_seat[seat] = by_seat.get(seat, Score()).plus(points[seat])
            own = [move for move in record.moves if move.player == seat]
            moves += len(own)
            nodes += sum(move.nodes for move in own)
            seconds += sum(move.seconds for move in own)
            forgiven += sum(bool(move.fault) for move in own)
            if record.faults and record.faults[seat]:
                faults[record.faults[seat]] += 1
                first_fault = first_fault or record.reason
            first_fault = first_fault or next((move.fault for move in own if move.fault), "")
    return Standing(name, score, by_seat, faults, forgiven, moves, nodes, seconds, first_fault)


def pairs_between(name: str, other: str, results: Sequence[Result]) -> list[tuple[float, ...]]:
    """What `name` got in each complete pair with `other`, in the order of the pairs."""
    own = [each for each in results if set(each.planned.seats) == {name, other}]
    own.sort(key=lambda each: each.planned.number)
    pairs = []
    for _, group in groupby(sorted(own, key=lambda each: each.planned.pair), _pair):
        points = tuple(each.points[each.planned.seats.index(name)] for each in group)
        if len(points) == 2:
            pairs.append(points)
    return pairs


def _pair(result: Result) -> int:
    return result.planned.pair


def pair_classes(pairs: Iterable[tuple[float, ...]]) -> tuple[int, ...]:
    """How many pairs gave 0, 1/2, 1, 3/2 and 2 points (the pentanomial counts)."""
    counts = Counter(round(2 * sum(points)) for points in pairs)
    return tuple(counts[half] for half in range(5))


def distinct_games(games: Iterable[Finished]) -> int:
    """How many games differ in their opening or in a move."""
    return len({_content(game) for game in games})


def _content(game: Finished) -> tuple[str, ...]:
    record = game.record
    return (record.game, record.start, *(move.text for move in record.moves))


def repeated_by(games: Sequence[Finished]) -> list[tuple[str, ...]]:
    """Which agents, by seat, played the very same game more than once."""
    counts = Counter(map(_deed, games))
    return sorted({game.planned.seats for game in games if counts[_deed(game)] > 1})


def repeats(games: Sequence[Finished]) -> int:
    """How many games the same agents in the same seats had played before, move for move."""
    return len(games) - len(set(map(_deed, games)))


def _deed(game: Finished) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which agents played what."""
    return game.record.agents, _content(game)


def terminations(games: Iterable[Finished]) -> dict[str, int]:
    """How games ended, the most frequent kind first."""
    return dict(Counter(game.record.termination for game in games).most_common())
