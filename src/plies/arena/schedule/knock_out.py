"""Knock-out: who loses a meeting is out, the last one is the champion.

The order of the agents is their seeding: the two best can only meet in the final, and where
the field is no power of two, the best seeds are free in the first round.  A drawn meeting
goes on, a pair of each game at a time; when that is used up, the better seed advances.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from plies.arena.plan import Planned
from plies.arena.schedule.pairs import Plan, Results, Stage, points

NAMES = {1: "final", 2: "semi-finals", 4: "quarter-finals"}

Turn = tuple[Planned, ...]  # a pair of every game


@dataclass(frozen=True)
class Meeting:
    """A place of the bracket.

    `place` counts all meetings, those of the first round first.  `names` are who meet, empty
    where that is not known yet, None for nobody: then the other one is free.  `turns` are the
    games that are due; `reason` says how the winner was found.
    """

    place: int
    round: int
    names: tuple[str | None, str | None]
    turns: tuple[Turn, ...] = ()
    winner: str = ""
    reason: str = ""


def known(plan: Plan, results: Results) -> list[Planned]:
    """The games of all meetings whose two agents are known, first pairs first."""
    due = [
        (meeting.round, number, turn)
        for meeting in bracket(plan, results)
        for number, turn in enumerate(meeting.turns)
    ]
    due.sort(key=lambda item: item[:2])
    return [game for _, _, turn in due for game in turn]


def bracket(plan: Plan, results: Results) -> list[Meeting]:
    """Every meeting, in the order of its place, with the winners so far; the final is last."""
    field = _first_round(plan.tournament.names)
    meetings: list[Meeting] = []
    number = 0
    while len(field) > 1:
        pairs = zip(field[::2], field[1::2], strict=True)
        found = [
            _held(plan, results, Meeting(place, number, pair))
            for place, pair in enumerate(pairs, len(meetings))
        ]
        meetings += found
        field: list[str | None] = [meeting.winner for meeting in found]
        number += 1
    return meetings


def outline(plan: Plan) -> list[Stage]:
    """A stage for every round; pairs that break ties are not in it."""
    names = plan.tournament.names
    places = len(_first_round(names)) // 2
    meetings = len(names) - places
    stages = []
    while places:
        pairs = meetings * plan.tournament.pairs * len(plan.books)
        stages.append(Stage(NAMES.get(places, f"last {2 * places}"), meetings, pairs, 2 * pairs))
        places //= 2
        meetings = places
    return stages


def _first_round(names: tuple[str, ...]) -> list[str | None]:
    """The names in the order of the bracket, None where nobody is."""
    order = [0]
    while len(order) < len(names):
        size = 2 * len(order)
        order = [seed for best in order for seed in (best, size - 1 - best)]
    return [names[seed] if seed < len(names) else None for seed in order]


def _held(plan: Plan, results: Results, meeting: Meeting) -> Meeting:
    """The meeting with its games that are due, and its winner where there is one."""
    names = tuple(name for name in meeting.names if name is not None)
    if "" in names:
        return meeting
    if len(names) == 1:
        return replace(meeting, winner=names[0], reason="free")
    turns = _turns(plan, meeting.place, meeting.round, names)
    regular = plan.tournament.pairs
    for due in range(regular, len(turns) + 1):
        meeting = replace(meeting, turns=turns[:due])
        got = points([game for turn in turns[:due] for game in turn], results)
        if got is None:
            return meeting
        winner, loser = sorted(names, key=got.__getitem__, reverse=True)
        if got[winner] != got[loser]:
            reason = f"{got[winner]:g} : {got[loser]:g}"
            if due > regular:
                reason += f" after {due - regular} extra"
            return replace(meeting, winner=winner, reason=reason)
    better = min(names, key=plan.tournament.names.index)
    return replace(meeting, winner=better, reason="drawn; the better seed advances")


@lru_cache(maxsize=1024)
def _turns(plan: Plan, place: int, number: int, names: tuple[str, ...]) -> tuple[Turn, ...]:
    """All games that a meeting can have, one pair of every game after the other."""
    books = len(plan.books)
    turns = plan.tournament.pairs_per_meeting
    first = place * turns * books
    return tuple(
        tuple(
            game
            for key, book in enumerate(plan.books, first + turn * books)
            for game in plan.pair(key, book, names, turn, number)
        )
        for turn in range(turns)
    )
