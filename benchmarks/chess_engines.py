"""The chess engine against other engines: rows of a Markdown table from a stored gauntlet.

    plies tournament benchmarks/chess_engines.toml --workers 1 --out chess_engines.db
    python benchmarks/chess_engines.py chess_engines.db

Elo differences are computed from pairs: the two games from an opening are not independent.
"""

import sys
from collections.abc import Sequence

from plies.arena.runner import tournament_of
from plies.arena.statistics import Counts, elo_estimate
from plies.arena.store import Finished, Store
from plies.arena.tally import pair_classes, pairs_between, results_of, standings
from plies.errors import PliesError

HEADER = (
    "| opponent | games | won | drawn | lost | score | Elo difference, 95 % |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
)


def row(name: str, opponent: str, games: Sequence[Finished]) -> str:
    """The match against one opponent."""
    games = [game for game in games if opponent in game.planned.seats]
    (standing,) = standings([name], games)
    score = standing.score
    counts = Counts(pair_classes(pairs_between(name, opponent, results_of(games))))
    numbers = (score.games, score.wins, score.draws, score.losses)
    share = f"{100 * score.share:.1f} %" if score.games else ""
    cells = (opponent, *map(str, numbers), share, str(elo_estimate(counts) or ""))
    return f"| {' | '.join(cells)} |"


def main(words: Sequence[str]) -> int:
    if len(words) != 1:
        print("usage: python benchmarks/chess_engines.py RUN", file=sys.stderr)
        return 2
    try:
        with Store.open(words[0]) as store:
            name, *opponents = tournament_of(store).names
            games = store.games()
    except PliesError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(HEADER))
    for opponent in opponents:
        print(row(name, opponent, games))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
