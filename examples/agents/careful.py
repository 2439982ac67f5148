"""An agent in ten lines: wins if it can, and rarely lets the opponent win at once.

plies play quixo --second examples/agents/careful.py:care=0.5
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
