"""`plies train network`: a small value network, trained on games of self-play."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from plies.cli.parameters import GameSpec, Json, Workers

Out = Annotated[Path, typer.Option(metavar="FILE", help="The network is written here (.npz).")]
Evaluator = Annotated[
    str,
    typer.Option(
        "--eval",
        metavar="NAME",
        help="Who plays: an evaluator, or a model file that was learned before.",
        show_default="the game's first",
    ),
]
Games = Annotated[int, typer.Option(metavar="N", help="How many games are played.")]
Depth = Annotated[int, typer.Option(metavar="N", help="How deep alpha-beta looks in them.")]
Opening = Annotated[int, typer.Option(metavar="N", help="The most random plies to begin with.")]
Epsilon = Annotated[float, typer.Option(metavar="P", help="The chance of a random move later.")]
MaxPlies = Annotated[int, typer.Option(metavar="N", help="Then a game is drawn.")]
Units = Annotated[int, typer.Option(metavar="N", help="Between the inputs and the value.")]
Epochs = Annotated[int, typer.Option(metavar="N", help="How often every position is seen.")]
Batch = Annotated[int, typer.Option(metavar="N", help="Positions of one step.")]
Rate = Annotated[float, typer.Option(metavar="P", help="The greatest step size.")]
Share = Annotated[
    float,
    typer.Option(
        metavar="P", help="Weight of game results in the target; search values get the rest."
    ),
]
Device = Annotated[Literal["cpu", "cuda"], typer.Option(help="Where it is trained.")]
NetworkSeed = Annotated[int, typer.Option(metavar="N", help="Random seed.", min=0)]


def command(
    game: GameSpec,
    out: Out,
    evaluator: Evaluator = "",
    games: Games = 10_000,
    depth: Depth = 3,
    opening: Opening = 12,
    epsilon: Epsilon = 0.1,
    max_plies: MaxPlies = 100,
    units: Units = 32,
    epochs: Epochs = 30,
    batch: Batch = 1024,
    rate: Rate = 0.01,
    share: Share = 0.3,
    device: Device = "cpu",
    seed: NetworkSeed = 1,
    workers: Workers = 0,
    as_json: Json = False,
) -> None:
    """Train a small value network for the engine, on games that an evaluator plays with itself.

    Needs torch (pip install plies[torch]); the network that comes out does not.  Interrupted
    work is kept in FILE.parts; the same command goes on.  A FILE that another command has
    made is never replaced.

    \b
    Example:  plies train network quixo --out net.npz
              plies match quixo engine:seconds=0.05,eval=net.npz engine:seconds=0.05 --sprt 0,50
    """
    from plies.cli.output import print_facts, print_json
    from plies.cli.train.progress import kept_when_stopped, progress
    from plies.learn.network import NetworkRun, Training
    from plies.learn.selfplay import SelfPlay
    from plies.registry import game as find_game

    spec = find_game(game).spec
    plan = SelfPlay(spec, evaluator, games, depth, opening, epsilon, max_plies, seed)
    kept = "finished before and kept" if out.exists() else "kept"
    training = Training(units, epochs, batch, rate, share, device)
    with kept_when_stopped(out):
        run = NetworkRun(plan, training, out)
        model = run.finished
        if model is None:
            with progress("games") as tell:
                positions = run.play(workers, tell)
            with progress("epochs") as tell:
                model = run.train(positions, tell)
    if as_json:
        print_json({"file": str(out), "game": model.game, **model.card})
        return
    card = model.card
    print_facts(
        {
            "game": model.game,
            "games": f"{games:,}, {card['positions']:,} positions",
            "units": f"{units}, in steps of 1/{card['grain']}",
            "error": f"{card['error']:.4f} mean square on positions held out, R2 {card['r2']:.3f}",
        }
    )
    print(f"\n{kept} in {out}; to use it: plies play {game} --second engine:seconds=1,eval={out}")
