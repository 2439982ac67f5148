"""Positions of Seega that tests look at."""

import random

import numba
from hypothesis import strategies as st

import plies
from plies.games import seega as rules
from plies.games.seega.cells import SIZES, numbers

IS_INTERPRETED = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
# A piece that may go on capturing, which random play seldom shows.
GOING = plies.game("seega:chain=true").parse_position("...../X..../...../X..../.OX.O X 0 a2")
TWO_CATCHES = "...../X..../O..../.X.../.OX.O X 3"  # b2-a2 catches a3, then a2-a1 catches b1


@st.composite
def states(draw):
    """What random play from the start leads to, with any options."""
    size = draw(st.sampled_from(SIZES))
    state = rules.initial(size, draw(st.booleans()), draw(st.sampled_from([1, 9, 50])))
    rng = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 4 * size * size))):
        if rules.outcome(state) != plies.ONGOING:
            break
        state = rules.play(state, int(rng.choice(rules.legal_moves(state))))
    return state


@st.composite
def arrangements(draw):
    """Any pieces on a board, some of the mover's and at most half of the cells each."""
    size = draw(st.sampled_from(SIZES))
    cells = draw(st.permutations(list(numbers(size).values())))
    mine = draw(st.integers(1, size * size // 2))
    theirs = draw(st.integers(0, size * size // 2))
    bits = [1 << cell for cell in cells]
    start = rules.initial(size)
    return start._replace(mine=sum(bits[:mine]), theirs=sum(bits[mine : mine + theirs]), to_place=0)


def after(spec, position, *moves):
    """The game, and its state after these moves from a position."""
    game = plies.game(spec)
    state = game.parse_position(position) if position else game.initial()
    for move in moves:
        state = game.play(state, game.parse_move(state, move))
    return game, state


def text_after(spec, position, *moves):
    game, state = after(spec, position, *moves)
    return game.position_text(state)
