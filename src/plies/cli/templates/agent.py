"""An agent that wins if it can, and avoids a loss at once: change it into your own.

plies play tictactoe --second THIS_FILE:care=0.5
"""


def choose(game, state, task, care: float = 1.0):
    """A winning move, else one after which the opponent cannot win at once, else any."""
    good = winning_moves(game, state)
    if not good and task.rng.random() < care:  # its own random numbers: a seed repeats the game
        good = [m for m in task.moves if not winning_moves(game, game.play(state, m))]
    return task.rng.choice(good or task.moves)


def winning_moves(game, state):
    """The moves that win at once."""
    player = game.mover(state)
    return [m for m in game.moves(state) if game.outcome(game.play(state, m)) == player]
