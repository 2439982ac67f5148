"""`make demo`: a small tournament of several agents in several games, and a report about it."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from plies.arena.config import Tournament
from plies.arena.plan import named
from plies.arena.report import Run, make_report
from plies.arena.runner import open_run, plan_of, run
from plies.arena.schedule import total
from plies.arena.schedule.pairs import Plan
from plies.arena.store import Finished
from plies.arena.summary import Row, summary
from plies.arena.tally import Score, standings
from plies.match import Rules
from plies.records import GameRecord
from plies.registry import game

FOLDER = Path("build") / "demo"
TOURNAMENT = Tournament(
    name="demo",
    games=("tictactoe", "nim", "quixo", "morris"),
    agents=named(["random", "greedy", "alphabeta:depth=2", "mcts:simulations=200"]),
    pairs=3,
    rules=Rules(max_plies=200),
)


def main(tournament: Tournament = TOURNAMENT, folder: Path = FOLDER) -> None:
    """Play the tournament anew, print its table and a final position, and write the report."""
    began = time.perf_counter()
    os.environ.setdefault("PLIES_QUIET", "1")  # one bar instead of a line for every process
    folder.mkdir(parents=True, exist_ok=True)
    kept, page = folder / "demo.db", folder / "demo.html"
    for old in folder.glob(f"{kept.name}*"):  # with what SQLite keeps beside it
        old.unlink()
    print("The first time all games are compiled, which takes about a minute.")
    plan = plan_of(tournament)
    console = Console()
    with open_run(tournament, kept) as store:
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task("playing", total=total(tournament, plan.books))
            run(store, lambda _: progress.advance(task))
        games, about = store.games(), store.about
    console.print(table(plan, games))
    last = tournament.games[-1]
    show(last_won([each.record for each in games if each.planned.game == last]))
    make_report(Run(tournament, about, games)).write_html(page)
    print(f"\n{time.perf_counter() - began:.0f} s.  To read in a browser: {page.resolve()}")
    print(f"Next: .venv/bin/plies export {kept} games.csv, or .venv/bin/plies play {last}")


def table(plan: Plan, games: Sequence[Finished]) -> Table:
    """Every agent's rating, and its share of the points in all games and in each of them."""
    found, tournament = summary(plan, games), plan.tournament
    by_game = [
        {each.name: each.score for each in standings(tournament.names, own)}
        for spec in tournament.games
        if (own := [each for each in games if each.planned.game == spec])
    ]
    shown = Table(
        box=box.SIMPLE_HEAD,
        title=f"{found.games} games: every two agents, {tournament.pairs} openings of each game,"
        " played with both seats",
        caption="points of 100 in all games and in each; Elo with its 95 % interval",
    )
    for column in ("agent", "Elo", "all", *tournament.games):
        shown.add_column(column, justify="left" if column == "agent" else "right")
    for row in found.rows:
        name = row.standing.name
        scores = [row.standing.score, *(scores[name] for scores in by_game)]
        shown.add_row(name, rating(row), *map(percent, scores))
    return shown


def rating(row: Row) -> str:
    """`+120 ± 45`."""
    if row.elo is None or row.elo.value is None or row.elo.error is None:
        return ""
    return f"{row.elo.value:+.0f} ± {row.elo.error:.0f}"


def percent(score: Score) -> str:
    return f"{100 * score.share:.0f}"


def last_won(records: Sequence[GameRecord]) -> GameRecord:
    """The last game with a winner, or where there is none the last one."""
    won = [each for each in records if each.winner is not None]
    return (won or records)[-1]


def show(record: GameRecord) -> None:
    """The final position of a game and how it came about."""
    played = game(record.game)
    winner = "nobody" if record.winner is None else record.agents[record.winner]
    seats = " against ".join(record.agents)
    print(f"\n{seats} in {record.game}: after {len(record.moves)} moves {winner} won")
    print(played.draw(played.parse_position(record.final)))


if __name__ == "__main__":
    main()
