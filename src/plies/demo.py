"""`make demo`: a few agents play the games of the package against each other.

Every two agents meet in pairs of games: the same random opening with seats swapped,
so that neither moving first nor the opening favours anybody.
"""

import random
import time
from collections import Counter
from itertools import combinations

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from plies.core.contract import Game
from plies.match import play_game
from plies.records import GameRecord
from plies.registry import game

PAIRS = 5
OPENING_PLIES = 2
CONTESTS = {
    "tictactoe": ("random", "minimax:depth=2", "alphabeta:depth=9"),
    "nim": ("random", "minimax:depth=3", "alphabeta:depth=6"),
    "quixo": ("random", "alphabeta:depth=1", "alphabeta:depth=3"),
    "seega": ("random", "alphabeta:depth=3,eval=basic", "alphabeta:depth=3,eval=improved"),
    "morris": ("random", "alphabeta:depth=3,eval=handout", "alphabeta:depth=3,eval=improved"),
    "chess": ("random", "alphabeta:depth=2,eval=material", "alphabeta:depth=2,eval=strong"),
}
COLUMNS = ("game", "agent", "won", "drawn", "lost", "points", "nodes")


class Standing(Counter[str]):
    """What one agent has achieved: won, drawn, lost, moves, nodes."""

    def add(self, record: GameRecord, seat: int) -> None:
        winner = record.winner
        self["drawn" if winner is None else "won" if winner == seat else "lost"] += 1
        own = [move for move in record.moves if move.player == seat]
        self["moves"] += len(own)
        self["nodes"] += sum(move.nodes for move in own)

    def cells(self) -> list[str]:
        games = self["won"] + self["drawn"] + self["lost"]
        points = (self["won"] + self["drawn"] / 2) / games
        results = [str(self[name]) for name in ("won", "drawn", "lost")]
        return [*results, f"{points:.0%}", f"{self['nodes'] / self['moves']:,.0f}"]


def opening(played: Game, seed: int) -> str:
    """A position after a few random moves."""
    chance = random.Random(seed)
    state = played.initial()
    for _ in range(OPENING_PLIES):
        state = played.play(state, chance.choice(played.moves(state)))
    return played.position_text(state)


def main() -> None:
    """Play all contests and print a table, a sample game and where to go on."""
    console = Console()
    began = time.perf_counter()
    total = sum(2 * PAIRS * len(list(combinations(agents, 2))) for agents in CONTESTS.values())
    table = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        title=f"{total} games, {PAIRS} pairs for every two agents",
        caption="nodes: positions searched for a move, on average",
    )
    for column in COLUMNS:
        table.add_column(column, no_wrap=True, justify="left" if column in COLUMNS[:2] else "right")
    last: GameRecord | None = None
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("playing", total=total)
        for name, agents in CONTESTS.items():
            played = game(name)
            standings = {agent: Standing() for agent in agents}
            for first, second in combinations(agents, 2):
                for seed in range(PAIRS):
                    start = opening(played, seed)
                    for seats in ((first, second), (second, first)):
                        last = play_game(played, *seats, seed=seed, start=start)
                        for seat, agent in enumerate(seats):
                            standings[agent].add(last, seat)
                        progress.advance(task)
            for agent, standing in standings.items():
                shown = name if agent == agents[0] else ""
                table.add_row(shown, agent, *standing.cells(), end_section=agent == agents[-1])
    console.print(table)
    assert last is not None
    show(last)
    print(f"\n{time.perf_counter() - began:.1f} s.  Next: .venv/bin/plies play chess")


def show(record: GameRecord) -> None:
    """The final position of a game and how it came about."""
    played = game(record.game)
    winner = "nobody" if record.winner is None else record.agents[record.winner]
    print(f"\nThe last game of {record.game}, {' against '.join(record.agents)}: {winner} won")
    print(" ".join(move.text for move in record.moves))
    print(played.draw(played.parse_position(record.final)))


if __name__ == "__main__":
    main()
