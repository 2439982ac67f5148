"""The engine's strength on the scale of opponents whose names are their ratings.

    plies tournament benchmarks/stockfish.toml --out stockfish.db
    python benchmarks/stockfish.py stockfish.db

Prints the rows of a Markdown table: the match against every opponent, and the rating that it
gives.  The last row is the rating under which all results together are most likely; its
interval counts pairs, because the two games from an opening are not independent.
"""

import math
import sys
from collections.abc import Sequence

from plies.arena.runner import tournament_of
from plies.arena.statistics import Counts, elo_estimate, score_of_elo
from plies.arena.statistics.elo import CONFIDENCE
from plies.arena.store import Finished, Store
from plies.arena.tally import Score, pair_classes, pairs_between, results_of, standings
from plies.core.errors import PliesError

HEADER = (
    "| opponent | games | won | drawn | lost | score | Elo difference, 95 % | rating |",
    "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
)


def against(name: str, other: str, games: Sequence[Finished]) -> tuple[Score, Counts]:
    own = [game for game in games if other in game.planned.seats]
    (standing,) = standings([name], own)
    return standing.score, Counts(pair_classes(pairs_between(name, other, results_of(own))))


def row(name: str, other: str, games: Sequence[Finished]) -> str:
    """The match against one opponent."""
    score, counts = against(name, other, games)
    found = elo_estimate(counts)
    is_known = found is not None and found.value is not None
    rating = f"{float(other) + found.value:.0f}" if is_known else ""  # type: ignore[union-attr]
    numbers = (score.games, score.wins, score.draws, score.losses)
    cells = (other, *map(str, numbers), f"{100 * score.share:.1f} %", str(found), rating)
    return f"| {' | '.join(cells)} |"


def rating(scores: Sequence[tuple[float, Counts]]) -> tuple[float, float]:
    """The most likely rating against opponents of known ratings, and half its 95 % interval."""
    low, high = -5000.0, 10000.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        expected = sum(counts.samples * score_of_elo(middle - each) for each, counts in scores)
        got = sum(counts.samples * counts.mean for _, counts in scores)
        low, high = (middle, high) if expected < got else (low, middle)
    slope = sum(
        counts.samples * score_of_elo(low - each) * (1 - score_of_elo(low - each))
        for each, counts in scores
    )
    spread = math.sqrt(sum(counts.samples * counts.deviation**2 for _, counts in scores))
    return low, CONFIDENCE * spread / (slope * math.log(10) / 400)


def main(words: Sequence[str]) -> int:
    if len(words) != 1:
        print("usage: python benchmarks/stockfish.py RUN", file=sys.stderr)
        return 2
    try:
        with Store.open(words[0]) as store:
            name, *others = tournament_of(store).names
            games = store.games()
    except PliesError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(HEADER))
    for other in others:
        print(row(name, other, games))
    found, error = rating([(float(other), against(name, other, games)[1]) for other in others])
    print(f"| all | {len(games)} | | | | | | {found:.0f} ± {error:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
