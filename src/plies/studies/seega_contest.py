"""The contest agent of the Seega study: within its clock, and among how many successors.

Its parts are iterative deepening, the beam, a share of the clock and a depth limit by phase.
With the depth limits of the report a fast machine leaves most of the clock unused; so the
agent also plays without them, where the clock alone ends its searches.
"""

import random
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any, NamedTuple

from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.core.contract import Game
from plies.core.verbs import canonical_key, phase
from plies.match import Clocks
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.clock_use import clock_use, positions
from plies.studies.study import Compared, Scale, Shown, Work
from plies.studies.telling import counts, percent, standing

PLIES = 8  # random placements before a game
AGENT = "contest:depth={},credit={},eval=improved,share=0.5,above=6"
# Of the time that is left, for a placement and for a step.
SHARES = {"1 / 2.5 %": "0.01-0.025", "1.5 / 3 %": "0.015-0.03", "4 / 4 %": "0.04"}
PUBLISHED = {
    "1 / 2.5 %": "1 % and 2.5 % of the time left, the contest agent",
    "1.5 / 3 %": "1.5 % and 3 % of the time left, the description of the cut-off",
}


class Contest(NamedTuple):
    """A match of the contest agent with two ways to divide its clock."""

    a: str
    b: str
    depth: str  # limits by phase; 0: none
    credit: dict[str, float]  # seconds of each player for a game

    def title(self, seconds: float) -> str:
        limits = f"depth {self.depth}" if self.depth != "0" else "no depth limits"
        return f"{self.a} v {self.b}, {seconds:g} s, {limits}"


CREDIT = {"quick": 4.0, "full": 30.0}
CONTESTS = {
    "credit": Contest("1 / 2.5 %", "1.5 / 3 %", "12-10", CREDIT),
    "clock": Contest("1 / 2.5 %", "1.5 / 3 %", "0", CREDIT),
    "steep": Contest("1 / 2.5 %", "4 / 4 %", "0", {"quick": 4.0, "full": 10.0}),
}
PAIRS = {"quick": 1, "full": 20}
RANDOM_GAMES = {"quick": 10, "full": 200}
NO_CLOCKS = Clocks()
PHASES = ("placing", "moving")
IN_TIME = "a share of what is left never uses up all of it"
LATE = "when little was left, the machine took longer than a share of it"
PUBLISHED_MOVING = (8, 12)  # successors on average, about


def tournament(
    specs: Mapping[str, str], seed: int, pairs: int, clocks: Clocks = NO_CLOCKS
) -> Tournament:
    """A match of two agents by their names, from random placements."""
    return Tournament(
        games=("seega",),
        agents=tuple(Entry(name, spec) for name, spec in specs.items()),
        name=" - ".join(specs),
        kind="match",
        pairs=pairs,
        seed=seed,
        openings=Openings(plies=PLIES),
        clocks=clocks,
    )


def contest(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    """Play a match, and tell what the players did with their clocks.

    The judge forgives nothing: who overdraws the credit has lost on time.
    """
    match = CONTESTS[name]
    credit = match.credit[scale]
    specs = {shares: AGENT.format(match.depth, SHARES[shares]) for shares in (match.a, match.b)}
    clocks = Clocks(credit=credit, margin=0.0)
    answer = work.match(name, tournament(specs, work.seed, PAIRS[scale], clocks))
    path = work.folder / f"{name}.db"
    return {**answer, "credit": credit, "title": match.title(credit), **clock_use(path, credit)}


def successors(work: Work, scale: Scale) -> dict[str, list[dict[str, Any]]]:
    """How many successors positions have, in random games and in those of the contest agent."""
    games = RANDOM_GAMES[scale]
    chance = random.Random(f"successors/{work.seed}")
    game = find_game("seega")
    wandered = []
    for number in range(games):
        work.tell("successors", number, games)
        state = game.initial()
        while not game.is_over(state):
            wandered.append(state)
            state = game.play(state, chance.choice(game.moves(state)))
    contests = [state for _, state, _ in positions(work.folder / "credit.db")]
    return {"random": branching(game, wandered), "contest": branching(game, contests)}


def branching(game: Game, states: Sequence[Any]) -> list[dict[str, Any]]:
    """By phase: the number of positions, and the mean and the most of their successors.

    `by_player` is the mean for each player, `distinct` that of successors that differ, and
    `images` where mirrored and turned ones count as one.
    """
    counts: dict[int, list[tuple[int, int, int, int]]] = {}
    for state in states:
        children = [game.play(state, move) for move in game.moves(state)]
        distinct, images = set(map(game.key, children)), set(map(canonical_key, children))
        row = (game.mover(state), len(children), len(distinct), len(images))
        counts.setdefault(phase(state), []).append(row)
    return [
        {
            "phase": number,
            "positions": len(rows),
            "mean": mean(row[1] for row in rows),
            "most": max(row[1] for row in rows),
            "by_player": [mean(row[1] for row in rows if row[0] == player) for player in (0, 1)],
            "distinct": mean(row[2] for row in rows),
            "images": mean(row[3] for row in rows),
        }
        for number, rows in sorted(counts.items())
    ]


def contest_rows(contests: Mapping[str, Any]) -> list[Compared]:
    own = next(iter(PUBLISHED))
    whole = Compared(
        "the contest agent",
        "deepening to depth 12 and 10 at most, 1 % and 2.5 % of the time left for a move, the"
        " better half of more than 6 successors, none twice",
        f"one agent: {AGENT.format(CONTESTS['credit'].depth, SHARES[own])}",
        "the same parts; the original ignored the depth in its deepening, ours finishes every"
        " depth and answers with the last one finished",
    )
    return [whole, *(row for name, answer in contests.items() for row in _match_rows(name, answer))]


def _match_rows(name: str, answer: Mapping[str, Any]) -> list[Compared]:
    """The result, the clocks, and for the published agent the time by phase."""
    title, is_published = answer["title"], name == "credit"
    rows = [
        Compared(
            title,
            "",
            f"{counts(answer['meetings'][0])} (won / drawn / lost)",
            f"{standing(answer['meetings'][0])}; games on a clock differ from run to run",
        ),
        Compared(
            f"clocks: {title}",
            "",
            f"in {answer['games']} games {answer['time_losses']} lost on time,"
            f" {answer['overdrawn']:.1f} s overdrawn and {answer['most_used']:.1f} s used at most",
            f"{LATE if answer['time_losses'] else IN_TIME}; the judge forgave nothing",
        ),
    ]
    if is_published:
        rows += [
            Compared(
                f"time for {shares}, placing / moving",
                f"{told_share}; no times",
                " / ".join(_phase_text(row) for row in answer["phases"] if row["agent"] == shares),
                "both shares stand in the report; where a depth limit is reached the clock is not:"
                f" {percent(answer['most_used'] / answer['credit'])} of a credit was used at most",
            )
            for shares, told_share in PUBLISHED.items()
        ]
    return rows


def _phase_text(row: Mapping[str, Any]) -> str:
    return f"{row['seconds_per_game']:.1f} s a game, depth {row['depth']:.1f}"


def successor_rows(found: Mapping[str, Any]) -> list[Compared]:
    """The games of the contest agent begin when some pieces are placed, random ones do not."""
    placing, moving = found["random"]
    played = found["contest"][-1]
    return [
        Compared(
            "successors while placing",
            "25, one less each move",
            f"{placing['most']} at first, {placing['mean']:.1f} on average",
            "the centre is excluded by the rules used here; a move is one placement, and a turn is"
            " two of them",
            "24, one less each move: 12.5 on average, by the rules",
        ),
        Compared(
            "successors while moving, on average",
            "about 8 to 12",
            f"{moving['mean']:.1f} in random games, {played['mean']:.1f} in those of the contest"
            " agent",
            _moving_why(moving, played),
            "at most 38, by the pairs of neighbouring cells",
        ),
        Compared(
            "successors that are dropped because they were met before",
            "dropped, no figure",
            f"{placing['mean'] - placing['distinct']:.1f} of {placing['mean']:.1f} while placing,"
            f" {moving['mean'] - moving['distinct']:.1f} of {moving['mean']:.1f} while moving;"
            f" {placing['mean'] - placing['images']:.1f} and"
            f" {moving['mean'] - moving['images']:.1f} if mirrored and turned ones count as one",
            "among the successors of one position; that two placements of a turn lead to the same"
            " board in either order is not one of these",
            "none: two moves of a position never lead to the same one",
        ),
    ]


def _moving_why(wandered: Mapping[str, Any], played: Mapping[str, Any]) -> str:
    low, high = PUBLISHED_MOVING
    places = {"random games": wandered["mean"], "those of the contest agent": played["mean"]}
    inside = [name for name, number in places.items() if low <= number <= high]
    answer = f"within the published range: {' and '.join(inside)}" if inside else "both outside"
    first, second = played["by_player"]
    return (
        f"{answer}; positions of both players are counted (contest agent: X {first:.1f}, O"
        f" {second:.1f}), and the report does not say which games it counted"
    )


def tables(contests: Mapping[str, Any], found: Mapping[str, Any]) -> list[Shown]:
    clocks = [
        (
            *(answer["title"], row["agent"], PHASES[row["phase"]], f"{row['moves']:,}"),
            *(f"{row['seconds_per_game']:.2f}", f"{row['depth']:.1f}"),
        )
        for answer in contests.values()
        for row in answer["phases"]
    ]
    branches = [
        (
            *(f"{games} games", PHASES[row["phase"]], f"{row['positions']:,}"),
            *(f"{row['mean']:.2f}", f"{row['most']}"),
            *(f"{number:.2f}" for number in (*row["by_player"], row["distinct"], row["images"])),
        )
        for games, rows in found.items()
        for row in rows
    ]
    return [
        Shown(
            "Time by phase",
            "Means of a game and of a move.",
            Table(("match", "agent", "phase", "moves", "seconds a game", "depth"), clocks),
        ),
        Shown(
            "Successors of a position",
            "Means, and the most; `images` counts mirrored and turned ones as one.",
            Table(
                ("games", "phase", "positions", "mean", "most", "X", "O", "distinct", "images"),
                branches,
            ),
        ),
    ]
