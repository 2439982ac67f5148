"""The engine against plain alpha-beta and against MCTS, in every game, at equal time.

    make bench-games                                    100 pairs of games for every row
    python benchmarks/games.py --seconds 0.01 --against MCTS --pairs 50

Prints the rows of a Markdown table.  Every opening is played twice with the seats swapped.
Plain alpha-beta is iterative deepening without a table and without sorting.  Games that
both would play perfectly are made larger.  In Quixo two good players mostly repeat
positions, so the engine is told to think little of a draw.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matches
from plies.arena.summary import summary

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


class Row(NamedTuple):
    """A game, the random plies of its openings, and what the engine is told besides."""

    game: str
    random_plies: int
    options: str = ""


ROWS = (
    Row("chess", 8),
    Row("morris", 4),
    Row("morris:board=24", 4),
    Row("seega", 4),
    Row("quixo", 8, ",contempt=400"),
    Row("tictactoe:width=7,height=7,k=4", 4),
    Row("nim:rows=9-10-11-12-13", 4),
    Row(str(EXAMPLES / "connect_four.py"), 4),
)
OTHERS = {
    "alpha-beta": "deepening:seconds={seconds},table=0",
    "MCTS": "mcts:seconds={seconds}",
}
HEADER = (
    "| game | against | games | won | drawn | lost | score | Elo, 95 % |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
)


def line(row: Row, other: str, arguments: argparse.Namespace) -> str:
    """One match as a row of the table."""
    engine = f"engine:seconds={arguments.seconds},table=16{row.options}"
    opponent = OTHERS[other].format(seconds=arguments.seconds)
    words = [row.game, engine, opponent, "--pairs", str(arguments.pairs), "--max-plies", "300"]
    words += ["--random-plies", str(row.random_plies), "--workers", str(arguments.workers)]
    plan, games = matches.match(matches.arguments_of(words))
    found = summary(plan, games).match
    assert found is not None
    score = found.score
    counts = (score.games, score.wins, score.draws, score.losses)
    name = row.game.rpartition("/")[2]
    texts = (f"{score.share:.1%}", str(found.interval or "too few games"))
    return f"| {' | '.join((name, other, *map(str, counts), *texts))} |"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Play the engine in every game.")
    parser.add_argument("--seconds", type=float, default=0.02, help="for a move (0.02)")
    parser.add_argument("--pairs", type=int, default=100, help="openings of a match (100)")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    parser.add_argument("--against", choices=OTHERS, help="only this opponent")
    parser.add_argument("--only", default="", help="only games whose name contains this")
    arguments = parser.parse_args(words)
    print("\n".join(HEADER), flush=True)
    for other in [arguments.against] if arguments.against else OTHERS:
        for row in ROWS:
            if arguments.only in row.game:
                print(line(row, other, arguments), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
