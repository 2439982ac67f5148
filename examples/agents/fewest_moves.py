"""An agent in ten lines: wins if it can, else leaves the opponent as few moves as possible.

Play against it with `plies play quixo --second examples/agents/fewest_moves.py`.
"""


def choose(game, state, looks: int = 100):
    """A move that wins at once, else the move after which the opponent has the fewest moves."""
    children = {move: game.play(state, move) for move in game.moves(state)[:looks]}
    for move, child in children.items():
        if game.outcome(child) == game.mover(state):
            return move
    return min(children, key=lambda move: len(game.moves(children[move])))
