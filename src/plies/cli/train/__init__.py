"""`plies train`: what is learned, one file for each kind of learning."""

import typer

from plies.cli.train import data, evolve, exact, fit, network, q, td, weights

train = typer.Typer(add_completion=False)


@train.callback()
def about() -> None:
    """Learn to play: datasets and predictors, Q-learning, evolution, small networks.

    \b
    Example:  plies train q tictactoe --out q.npz
              plies play tictactoe --second q:q.npz
    """


train.command("data")(data.command)
train.command("fit")(fit.command)
train.command("q")(q.command)
train.command("exact")(exact.command)
train.command("td")(td.command)
train.command("network")(network.command)
train.command("evolve")(evolve.command)
train.command("weights")(weights.command)
