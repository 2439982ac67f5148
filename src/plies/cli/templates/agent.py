"""An agent that looks one move ahead: change it step by step into your own.

plies play tictactoe --second THIS_FILE
"""


def choose(game, state, task, tries: int = 100):
    """A move that wins at once, else one that does not let the opponent win, else any."""
    moves = list(game.moves(state))
    task.rng.shuffle(moves)  # its random numbers: the same seed plays the same game
    safe = []
    for move in moves[:tries]:
        child = game.play(state, move)
        if game.outcome(child) == game.mover(state):
            return move
        if not can_win(game, child):
            safe.append(move)
    return safe[0] if safe else moves[0]


def can_win(game, state):
    """Whether the player to move has a move that wins."""
    player = game.mover(state)
    return any(game.outcome(game.play(state, move)) == player for move in game.moves(state))
