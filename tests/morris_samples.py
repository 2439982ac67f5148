"""Positions of morris that tests look at."""

import random

import plies
from plies.games import morris as rules
from plies.games.morris.boards import BOARDS

NAMES = list(BOARDS)


def after(game, *moves, start=""):
    """The position after moves given as text, one or more in each."""
    state = game.parse_position(start) if start else game.initial()
    for move in " ".join(moves).split():
        state = game.play(state, game.parse_move(state, move))
    return state


def random_state(name, seed, plies_played):
    """A position after random moves, or an earlier one if the game ends before."""
    game, chance = plies.game(f"morris:board={name}"), random.Random(seed)
    state = game.initial()
    for _ in range(plies_played):
        child = rules.play(state, chance.choice(list(rules.legal_moves(state))))
        if rules.outcome(child) != plies.ONGOING:
            break
        state = child
    return state
