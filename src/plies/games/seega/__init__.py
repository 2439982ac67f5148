"""Seega: place all pieces, then capture the enemy's between two of your own.

The board has an odd number of rows and columns; each player has half as many pieces as
there are cells around the centre, 12 on the board of five.  First the players take turns to
place **two** pieces each on empty cells other than the centre; this captures nothing.  Then
they move: a step goes to an orthogonally neighbouring empty cell, the centre included.

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

A player without a step is blocked, and the turn stays with the opponent, who must make an
opening: step with a piece that stands next to an enemy piece, or with any piece if none of
those has a step.  If O is blocked when the steps begin, X makes the first.

The game ends when a player has no pieces left, or after `limit` steps in a row without a
capture, by both players together.  Who has captured more wins; equal numbers are a draw.

Where sources differ: traditional players agree to end a game in which nothing is captured
any more; here `limit`, 50 steps by default, ends it.  By default a turn is one
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
    STOP,
    State,
    captured,
    capturing_steps,
    has_step,
    neighbours,
    step_moves,
)
from plies.games.seega.display import (
    board,
    draw,
    ending,
    find_move,
    pieces,
    position_text,
    situation,
    steps,
)
from plies.games.seega.reading import read, refuse_moving, refuse_placing

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

LARGEST_LIMIT = 1000


def initial(size: int = 5, chain: bool = False, limit: int = 50) -> State:
    """The empty board."""
    if size not in SIZES:
        raise ValueError(f"size is {', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]}, not {size}")
    if not 1 <= limit <= LARGEST_LIMIT:
        raise ValueError(f"limit is 1 to {LARGEST_LIMIT}, not {limit}")
    return State(0, 0, 0, size * size - 1, 0, 0, size, int(chain), limit)


@compiled
def mover(state):
    return state.turn


@compiled
def chain_moves(state):
    """The moves of a piece that has captured: `stop`, or another capturing step."""
    ways = capturing_steps(state.chaining, state.mine, state.theirs, state.size)
    further = step_moves(state.chaining, ways, state.size + 1)
    moves = np.empty(len(further) + 1, np.int64)
    moves[0] = STOP
    moves[1:] = further
    return moves


@compiled
def legal_moves(state):
    empty = CELLS[state.size] & ~(state.mine | state.theirs)
    if state.to_place:
        return set_bits(empty & ~CENTRE[state.size])
    if state.chaining:
        return chain_moves(state)
    up = state.size + 1
    # The opponent is blocked: only pieces next to an enemy may step, if any of them can.
    around = neighbours(empty, up)
    pieces = state.mine
    if state.theirs & around == 0:
        openers = state.mine & neighbours(state.theirs, up)
        if openers & around:
            pieces = openers
    return step_moves(pieces, empty, up)


@compiled
def with_mover(state, player):
    """The state with this player to move and no piece that may go on capturing."""
    mine, theirs = state.mine, state.theirs
    if player != state.turn:
        mine, theirs = theirs, mine
    options = (state.size, state.chain, state.limit)
    return State(mine, theirs, player, state.to_place, 0, state.quiet, *options)


@compiled
def end_turn(state):
    """The state with the opponent to move, or again the mover if the opponent is blocked."""
    return with_mover(state, state.turn ^ has_step(state.theirs, state.mine, state.size))


@compiled
def place(state, cell):
    """Place a piece: two in a turn; whoever places last also makes the first step."""
    options = (state.size, state.chain, state.limit)
    mine, to_place = state.mine | 1 << cell, state.to_place - 1
    placed = State(mine, state.theirs, state.turn, to_place, 0, 0, *options)
    if to_place == 0:
        return with_mover(placed, state.turn ^ (not has_step(mine, state.theirs, state.size)))
    return with_mover(placed, state.turn ^ (to_place & 1 ^ 1))


@compiled
def step(state, move):
    """A step with its captures, after which the piece may go on with `chain`."""
    options = (state.size, state.chain, state.limit)
    to = 1 << (move & 63)
    captives = captured(to, state.mine, state.theirs, state.size)
    mine, theirs = state.mine ^ 1 << (move >> 6) ^ to, state.theirs ^ captives
    if captives == 0:
        return end_turn(State(mine, theirs, state.turn, 0, 0, state.quiet + 1, *options))
    stepped = State(mine, theirs, state.turn, 0, to, 0, *options)
    if state.chain and capturing_steps(to, mine, theirs, state.size):
        return stepped
    return end_turn(stepped)


@compiled
def play(state, move):
    if state.to_place:
        return place(state, move)
    return end_turn(state) if move == STOP else step(state, move)


@compiled
def outcome(state):
    """The player with more pieces, which is the one who has captured more."""
    is_over = state.mine == 0 or state.theirs == 0 or state.quiet >= state.limit
    if state.to_place or not is_over:
        return ONGOING
    lead = popcount(state.mine) - popcount(state.theirs)
    if lead == 0:
        return DRAW
    return state.turn if lead > 0 else state.turn ^ 1


@compiled
def is_tactical(state, move):
    """Whether a step captures."""
    if state.to_place or move == STOP:
        return False
    return captured(1 << (move & 63), state.mine, state.theirs, state.size) != 0


@compiled
def image(state, orientation):
    """The state under a symmetry of the square, numbered as in `mirrored`."""
    n = state.size
    return State(
        mirrored(state.mine, n, n, n + 1, orientation),
        mirrored(state.theirs, n, n, n + 1, orientation),
        state.turn,
        state.to_place,
        mirrored(state.chaining, n, n, n + 1, orientation),
        state.quiet,
        n,
        state.chain,
        state.limit,
    )


@compiled
def symmetries(state):
    """The eight symmetries of the square."""
    upright = (state, image(state, 1), image(state, 2), image(state, 3))
    transposed = (image(state, 4), image(state, 5), image(state, 6), image(state, 7))
    return upright + transposed


@compiled
def inputs(state):
    """The mover's pieces by cell, the opponent's, and last whether pieces are being placed."""
    points = state.size * state.size
    is_placing = np.int64(state.to_place > 0)
    indices = side_inputs(state.mine, state.theirs, points, state.size + 1, is_placing)
    indices[len(indices) - is_placing :] = 2 * points
    return indices


@compiled
def input_count(state):
    return 2 * state.size * state.size + 1


@compiled
def phase(state):
    """0 while pieces are placed, then 1."""
    return int(state.to_place == 0)


def parse_position(text: str, initial: State) -> State:
    """While pieces are placed the position must be reachable; afterwards any will do."""
    position = read(text, initial.size, initial.limit)
    if position.is_placing:
        refuse_placing(position, initial.size)
    else:
        refuse_moving(position, initial.size, initial.chain)
    return initial._replace(
        mine=position.mine,
        theirs=position.theirs,
        turn=position.turn,
        to_place=initial.to_place - popcount(position.mine | position.theirs)
        if position.is_placing
        else 0,
        chaining=position.chaining,
        quiet=position.quiet,
    )


GAME = Game(__name__, name="seega", title="Seega")
