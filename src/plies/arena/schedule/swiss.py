"""Swiss system: as many rounds as one likes, in each everybody meets somebody as good.

A won meeting is a point and a drawn one half a point.  Ties are broken by Buchholz (the sum
of the points of those met so far), then by points in single games, then by seed.

A round is paired when the one before has ended.  First of all as few as possible meet
again.  Where the field is odd, the last in the table who had no bye yet is free, which
counts as a won meeting.  Then everybody from the top gets an opponent with the nearest
score, among equals one from the other half: the first of four meets the third.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log2

from plies.arena.plan import Planned
from plies.arena.schedule.matching import most_new_pairs, pair_up
from plies.arena.schedule.pairs import Plan, Results, Stage, points


@dataclass(frozen=True)
class Round:
    """Who meet, by seed, and who is free, -1 for nobody."""

    meetings: tuple[tuple[int, int], ...]
    bye: int = -1


@dataclass(frozen=True)
class Standing:
    """A row of the table."""

    seed: int
    name: str
    points: float
    buchholz: float
    game_points: float

    @property
    def rank(self) -> tuple[float, float, float, int]:
        """What the table is sorted by, the best first."""
        return -self.points, -self.buchholz, -self.game_points, self.seed


def known(plan: Plan, results: Results) -> list[Planned]:
    """The games of the rounds that have been paired."""
    rounds = paired(plan, results)
    return [game for number, each in enumerate(rounds) for game in _games(plan, number, each)]


def paired(plan: Plan, results: Results) -> list[Round]:
    """The rounds so far, the last one perhaps not ended."""
    rounds: list[Round] = []
    while len(rounds) < _rounds(plan):
        table = standings(plan, results, rounds)
        order = tuple((row.seed, row.points) for row in table)
        rounds.append(next_round(order, tuple(rounds)))
        if points(_games(plan, len(rounds) - 1, rounds[-1]), results) is None:
            break
    return rounds


def standings(plan: Plan, results: Results, rounds: list[Round] | None = None) -> list[Standing]:
    """The table after some rounds, by default those so far; the best first.

    A meeting gives points once all its games have ended.
    """
    rounds = paired(plan, results) if rounds is None else rounds
    names = plan.tournament.names
    score = [0.0] * len(names)
    game_score = [0.0] * len(names)
    opponents: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(rounds):
        if each.bye >= 0:
            score[each.bye] += 1
        games = _games(plan, number, each)
        for one, other in each.meetings:
            own = [game for game in games if names[one] in game.seats]
            if (got := points(own, results)) is None:
                continue
            lead = got[names[one]] - got[names[other]]
            for seed, ahead in ((one, lead), (other, -lead)):
                score[seed] += (ahead > 0) + (ahead == 0) / 2
                game_score[seed] += got[names[seed]]
            opponents[one].append(other)
            opponents[other].append(one)
    buchholz = [sum(score[other] for other in opponents[seed]) for seed in range(len(names))]
    rows = zip(range(len(names)), names, score, buchholz, game_score, strict=True)
    return sorted((Standing(*row) for row in rows), key=lambda row: row.rank)


def outline(plan: Plan) -> list[Stage]:
    """A stage for every round."""
    meetings = len(plan.tournament.names) // 2
    pairs = meetings * plan.tournament.pairs * len(plan.books)
    return [
        Stage(f"round {number + 1}", meetings, pairs, 2 * pairs) for number in range(_rounds(plan))
    ]


def _rounds(plan: Plan) -> int:
    return plan.tournament.swiss.rounds or ceil(log2(len(plan.tournament.names)))


@lru_cache(maxsize=256)
def _games(plan: Plan, number: int, paired: Round) -> tuple[Planned, ...]:
    """The games of a round, the first pairs of all meetings first."""
    names = plan.tournament.names
    pairs = [
        (book, (names[one], names[other]), turn)
        for turn in range(plan.tournament.pairs)
        for one, other in paired.meetings
        for book in plan.books
    ]
    first = number * len(pairs)
    return tuple(
        game for key, pair in enumerate(pairs, first) for game in plan.pair(key, *pair, number)
    )


@lru_cache(maxsize=256)
def next_round(order: tuple[tuple[int, float], ...], rounds: tuple[Round, ...]) -> Round:
    """The round after others; `order` holds seeds and points in the order of the table."""
    met = {frozenset(pair) for each in rounds for pair in each.meetings}
    score = dict(order)

    def is_new(one: int, other: int) -> bool:
        return frozenset((one, other)) not in met

    def preferred(left: Sequence[int]) -> list[int]:
        equals = sum(score[seed] == score[left[0]] for seed in left)

        def distance(place: int) -> tuple[float, float]:
            below = score[left[0]] - score[left[place]]
            return below, abs(place - equals // 2) if below == 0 else place

        return [left[place] for place in sorted(range(1, len(left)), key=distance)]

    field = list(score)
    bye = -1
    if len(field) % 2:
        had = {each.bye for each in rounds}

        def new_without(seed: int) -> int:
            return most_new_pairs([each for each in field if each != seed], is_new)

        bye = max((seed for seed in reversed(field) if seed not in had), key=new_without)
        field.remove(bye)
    return Round(tuple(pair_up(field, is_new, preferred)), bye)
