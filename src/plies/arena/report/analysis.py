"""What a report tells besides the tally, as rows of plain numbers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from plies.arena.plan import points_of
from plies.arena.report.replay import Replay
from plies.arena.store import Finished
from plies.arena.tally import Score
from plies.drawing.notation import ORDINALS

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Sample:
    """A move as a measurement; what was faced is None where the game cannot be replayed."""

    agent: str
    game: str
    seconds: float
    nodes: int
    pieces: int | None
    moves: int | None


@dataclass(frozen=True)
class Fault:
    """What an agent did wrong, and how often; `kind` is a termination, or `forgiven`."""

    agent: str
    kind: str
    told: str
    times: int


def seat_name(seat: int) -> str:
    return ORDINALS[seat] if seat < len(ORDINALS) else f"player {seat + 1}"


def kinds_of(games: Iterable[Finished]) -> list[str]:
    """The games that were played, each once."""
    return list(dict.fromkeys(each.planned.game for each in games))


def seats_of_games(games: Iterable[Finished]) -> dict[tuple[str, int], Score]:
    """By game and seat, whoever sat there."""
    found: dict[tuple[str, int], Score] = defaultdict(Score)
    for finished in games:
        for seat, points in enumerate(points_of(finished.record.payoffs)):
            key = finished.planned.game, seat
            found[key] = found[key].plus(points)
    return dict(found)


def scores_by_game(games: Iterable[Finished]) -> dict[tuple[str, str], Score]:
    """By agent and game."""
    found: dict[tuple[str, str], Score] = defaultdict(Score)
    for finished in games:
        points = points_of(finished.record.payoffs)
        for name, share in zip(finished.planned.seats, points, strict=True):
            key = name, finished.planned.game
            found[key] = found[key].plus(share)
    return dict(found)


def meetings(games: Iterable[Finished]) -> dict[tuple[str, str], Score]:
    """What an agent (first) achieved in the games in which another one also sat."""
    found: dict[tuple[str, str], Score] = defaultdict(Score)
    for finished in games:
        seats, points = finished.planned.seats, points_of(finished.record.payoffs)
        for seat, name in enumerate(seats):
            for other in seats[:seat] + seats[seat + 1 :]:
                found[name, other] = found[name, other].plus(points[seat])
    return dict(found)


def faults(games: Iterable[Finished]) -> list[Fault]:
    """Games lost by a fault, and faults for which the judge moved, the most frequent first."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for finished in games:
        seats, record = finished.planned.seats, finished.record
        for name, kind in zip(seats, record.faults, strict=False):
            if kind:
                counts[name, kind, record.reason] += 1
        for move in record.moves:
            if move.fault:
                counts[seats[move.player], "forgiven", move.fault] += 1
    return [Fault(*key, times) for key, times in counts.most_common()]


def samples(games: Sequence[Finished], replays: Sequence[Replay | str]) -> list[Sample]:
    """Every move of every game that an agent made itself."""
    found = []
    for finished, replay in zip(games, replays, strict=True):
        faced = [] if isinstance(replay, str) else replay.faced
        for ply, move in enumerate(finished.record.moves):
            if not move.fault:
                before = (faced[ply].pieces, faced[ply].moves) if faced else (None, None)
                name = finished.planned.seats[move.player]
                found.append(Sample(name, finished.planned.game, move.seconds, move.nodes, *before))
    return found


def quantiles(values: Sequence[float]) -> list[float]:
    return [float(number) for number in np.quantile(values, QUANTILES)]


def means(pairs: Iterable[tuple[int, float]], most: int = 40) -> dict[int, tuple[float, int]]:
    """From (number, value): number -> mean value and how many.

    More than `most` numbers are put together in classes of equal width, each told by its
    lowest number.
    """
    known = list(pairs)
    if not known:
        return {}
    low, high = min(number for number, _ in known), max(number for number, _ in known)
    width = max(1, -(-(high - low + 1) // most))
    classes: dict[int, list[float]] = defaultdict(list)
    for number, value in known:
        classes[low + (number - low) // width * width].append(value)
    return {
        number: (float(np.mean(values)), len(values)) for number, values in sorted(classes.items())
    }
