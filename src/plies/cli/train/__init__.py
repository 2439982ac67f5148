"""`plies train`: what is learned, one file for each kind of learning."""

import typer

train = typer.Typer(add_completion=False)


@train.callback()
def about() -> None:
    """Learn to play: datasets and predictors, Q-learning, evolution, small networks.

    \b
    Example:  plies train q tictactoe --out q.npz
              plies play tictactoe --second q:q.npz
    """
