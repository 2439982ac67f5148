"""`plies train td`: pattern tables, learned by self-play."""

from pathlib import Path
from typing import Annotated

import typer

from plies.cli.parameters import GameSpec, Json

Out = Annotated[Path, typer.Option(metavar="FILE", help="The tables are written here (.npz).")]
Games = Annotated[int, typer.Option(metavar="N", help="How many games are played.")]
Shapes = Annotated[
    str,
    typer.Option(
        metavar="A,B...",
        help="Patterns: line5 are five points in a row, 2x3 boxes of cells.",
        show_default="lines as long as the shorter side of the board",
    ),
]
Rate = Annotated[
    float, typer.Option(metavar="P", help="How far a value moves to its goal, at first.")
]
Epsilon = Annotated[float, typer.Option(metavar="P", help="The chance of any move at all.")]
Discount = Annotated[float, typer.Option(metavar="P", help="Discount per ply.")]
Opening = Annotated[int, typer.Option(metavar="N", help="The most random plies to begin with.")]
MaxPlies = Annotated[int, typer.Option(metavar="N", help="Then a game is given up.")]
LearningSeed = Annotated[int, typer.Option(metavar="N", help="Random seed.", min=0)]


def command(
    game: GameSpec,
    out: Out,
    games: Games = 20_000,
    shapes: Shapes = "",
    rate: Rate = 0.25,
    epsilon: Epsilon = 0.1,
    discount: Discount = 0.98,
    opening: Opening = 8,
    max_plies: MaxPlies = 80,
    seed: LearningSeed = 1,
    as_json: Json = False,
) -> None:
    """Learn by temporal differences what patterns on the board are worth, in self-play.

    The file is an evaluator for any agent.  Interrupted work is kept in FILE.parts; the same
    command goes on.  A FILE that another command has made is never replaced.

    \b
    Example:  plies train td quixo --out td.npz
              plies match quixo greedy:eval=td.npz random --pairs 50
    """
    from plies.cli.output import print_facts, print_json
    from plies.cli.train.progress import kept_when_stopped, progress
    from plies.learn.td import TdSettings, train_td
    from plies.registry import game as find_game

    wanted = tuple(shape.strip() for shape in shapes.split(",") if shape.strip())
    kept = "finished before and kept" if out.exists() else "kept"
    settings = TdSettings(games, wanted, rate, epsilon, discount, opening, max_plies, seed)
    with kept_when_stopped(out), progress("games") as tell:
        model = train_td(find_game(game), settings, out, lambda done: tell(done, games))
    entries, patterns = len(model.arrays["values"]), len(model.arrays["starts"])
    if as_json:
        print_json({"file": str(out), "game": model.game, "entries": entries, **model.card})
        return
    first, last = model.card["errors"][0], model.card["errors"][-1]
    print_facts(
        {
            "game": model.game,
            "games": f"{games:,}",
            "patterns": f"{patterns}, {entries:,} entries in their tables",
            "error": f"{first:.4f} in the first tenth of the games, {last:.4f} in the last",
        }
    )
    print(f"\n{kept} in {out}; to use it: plies match {game} greedy:eval={out} random")
