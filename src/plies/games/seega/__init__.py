"""Seega: place all pieces, then step by step catch the enemy's between two of your own.

The board has an odd number of rows and columns; each player has half as many pieces as
there are cells around the centre, 12 on the board of five.  First they are placed: the
players take turns to put **two** pieces each on empty cells other than the centre, and
nothing is captured.  Then they are moved: a step goes to an orthogonally neighbouring
empty cell, the centre included.

    5  . . . . .        `b2` places a piece, `b3-c3` is a step
    4  . . . . .
    3  . . + . .        `+` is the empty centre
    2  . . . . .
    1  . . . . .        X, the first player, places first; O places last and so
       a b c d e        makes the first step

A step captures every enemy piece next to the cell it ends on, in line and between that
cell and another piece of the mover: up to three at once.  A piece on the centre is never
captured, but it captures and helps to capture.  A piece that moves between two enemies is
safe.

A player without a step is blocked, and the turn stays with the opponent, who meanwhile
must make an opening: step with a piece that stands next to an enemy piece, or with any
piece if none of those has a step.  If O is blocked when the steps begin, X makes the first.

The game ends when a player has no pieces left, or after `limit` steps in a row without a
capture, by both players together.  Who has captured more wins; equal numbers are a draw.

Where sources differ: traditional players agree on the end of a game in which nothing is
captured any more; here `limit`, 50 steps by default, ends it.  By default a turn is one
step.  With `chain` the piece that has captured may go on as long as each further step
captures, too.  Then every step is a move of its own, and so is `stop`, which ends the turn;
it can be chosen only where the piece could go on.

A position is written as its rows from the top, the mark to move, and `place` while pieces
are placed, afterwards the number of steps since the last capture.  The cell of a piece
that may go on capturing follows:

    X..../...../...../...../..... X place    X has placed one piece and places another
    XO.../.OX../...../...../....X O 7        seven steps without a capture
    ...../X..../...../X..../.OX.O X 0 a2     a2 has captured and may go on to a1, or stop
"""

import numpy as np

from plies.core import DRAW, ONGOING, Game, compiled, mirrored, popcount, set_bits
from plies.core.two_sides import side_inputs
from plies.games.seega.cells import (
    CELLS,
    CENTRE,
    SIZES,
    captured,
    has_step,
    neighbours,
    steps_of,
    ways_on,
)
from plies.games.seega.reading import read, refuse_moving, refuse_placing
from plies.games.seega.showing import (
    board,
    draw,
    ending,
    find_move,
    pieces,
    position_text,
    situation,
    steps,
)
from plies.games.seega.state import STOP, State

__all__ = [
    "GAME",
    "State",
    "board",
    "draw",
    "ending",
    "find_move",
    "initial",
    "legal_moves",
    "outcome",
    "pieces",
    "play",
    "position_text",
    "situation",
    "steps",
]

LONGEST = 1000  # that `limit` may be


def initial(size: int = 5, chain: bool = False, limit: int = 50) -> State:
    """The empty board."""
    if size not in SIZES:
        raise ValueError(f"size is {', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]}, not {size}")
    if not 1 <= limit <= LONGEST:
        raise ValueError(f"limit is 1 to {LONGEST}, not {limit}")
    return State(0, 0, 0, size * size - 1, 0, 0, size, int(chain), limit)


@compiled
def mover(state):
    return state.turn


@compiled
def further_moves(state):
    """To stop, or another step that captures."""
    ways = ways_on(state.going, state.mine, state.theirs, state.size)
    further = steps_of(state.going, ways, state.size + 1)
    moves = np.empty(len(further) + 1, np.int64)
    moves[0] = STOP
    moves[1:] = further
    return moves


@compiled
def legal_moves(state):
    empty = CELLS[state.size] & ~(state.mine | state.theirs)
    if state.left:
        return set_bits(empty & ~CENTRE[state.size])
    if state.going:
        return further_moves(state)
    up = state.size + 1
    around = neighbours(empty, up)
    pieces = state.mine
    if state.theirs & around == 0:
        openers = state.mine & neighbours(state.theirs, up)
        if openers & around:
            pieces = openers
    return steps_of(pieces, empty, up)


@compiled
def seen_by(state, player):
    """The same position with this player to move and no piece that may go on."""
    mine, theirs = state.mine, state.theirs
    if player != state.turn:
        mine, theirs = theirs, mine
    options = (state.size, state.chain, state.limit)
    return State(mine, theirs, player, state.left, 0, state.quiet, *options)


@compiled
def after_turn(state):
    """The opponent moves, or the mover again if the opponent is blocked."""
    return seen_by(state, state.turn ^ has_step(state.theirs, state.mine, state.size))


@compiled
def place(state, cell):
    """Two pieces in a turn; the player who has placed the last one makes the first step."""
    options = (state.size, state.chain, state.limit)
    mine, left = state.mine | 1 << cell, state.left - 1
    placed = State(mine, state.theirs, state.turn, left, 0, 0, *options)
    if left == 0:
        return seen_by(placed, state.turn ^ (not has_step(mine, state.theirs, state.size)))
    return seen_by(placed, state.turn ^ (left & 1 ^ 1))


@compiled
def step(state, move):
    """A step with its captures, of which a piece may go on to make more."""
    options = (state.size, state.chain, state.limit)
    to = 1 << (move & 63)
    caught = captured(to, state.mine, state.theirs, state.size)
    mine, theirs = state.mine ^ 1 << (move >> 6) ^ to, state.theirs ^ caught
    if caught == 0:
        return after_turn(State(mine, theirs, state.turn, 0, 0, state.quiet + 1, *options))
    stepped = State(mine, theirs, state.turn, 0, to, 0, *options)
    if state.chain and ways_on(to, mine, theirs, state.size):
        return stepped
    return after_turn(stepped)


@compiled
def play(state, move):
    if state.left:
        return place(state, move)
    return after_turn(state) if move == STOP else step(state, move)


@compiled
def outcome(state):
    """Who has captured more has more pieces left."""
    is_over = state.mine == 0 or state.theirs == 0 or state.quiet >= state.limit
    if state.left or not is_over:
        return ONGOING
    lead = popcount(state.mine) - popcount(state.theirs)
    if lead == 0:
        return DRAW
    return state.turn if lead > 0 else state.turn ^ 1


@compiled
def is_tactical(state, move):
    """Whether a step captures."""
    if state.left or move == STOP:
        return False
    return captured(1 << (move & 63), state.mine, state.theirs, state.size) != 0


@compiled
def image(state, turned):
    """The state seen after mirroring, as `mirrored` counts the images of a square."""
    n = state.size
    return State(
        mirrored(state.mine, n, n, n + 1, turned),
        mirrored(state.theirs, n, n, n + 1, turned),
        state.turn,
        state.left,
        mirrored(state.going, n, n, n + 1, turned),
        state.quiet,
        n,
        state.chain,
        state.limit,
    )


@compiled
def symmetries(state):
    """The eight images of the square."""
    return (
        state,
        image(state, 1),
        image(state, 2),
        image(state, 3),
        image(state, 4),
        image(state, 5),
        image(state, 6),
        image(state, 7),
    )


@compiled
def inputs(state):
    """The mover's pieces by their cells, the opponent's, and last whether some are to be
    placed yet.
    """
    points = state.size * state.size
    is_placing = np.int64(state.left > 0)
    found = side_inputs(state.mine, state.theirs, points, state.size + 1, is_placing)
    found[len(found) - is_placing :] = 2 * points
    return found


@compiled
def input_count(state):
    return 2 * state.size * state.size + 1


@compiled
def phase(state):
    """0 while pieces are placed, then 1."""
    return state.left == 0


def parse_position(text: str, initial: State) -> State:
    """While pieces are placed only what can arise is read, afterwards any arrangement."""
    position = read(text, initial.size, initial.limit)
    if position.is_placing:
        refuse_placing(position, initial.size)
    else:
        refuse_moving(position, initial.size, initial.chain)
    return initial._replace(
        mine=position.mine,
        theirs=position.theirs,
        turn=position.turn,
        left=initial.left - popcount(position.mine | position.theirs) if position.is_placing else 0,
        going=position.going,
        quiet=position.quiet,
    )


GAME = Game(__name__, name="seega", title="Seega")
