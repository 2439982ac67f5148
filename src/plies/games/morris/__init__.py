r"""Morris: place pieces, close mills of three, remove enemy pieces outside mills.

Two sides, White first, begin with nine pieces each in hand (eight on the boards 21n, 21x
and 18).  In the opening a move puts a piece from the hand on an empty point; with an
empty hand it slides a piece along a line to the next point, if that is empty.  A side
that has exactly three pieces left and none in hand may hop to any empty point.

A move that makes three in a row on a mill, through the point just occupied, closes that
mill and removes one piece of the opponent that is in no mill.  The removal is part of the
move; two mills at once still remove one piece.  A side with fewer than three pieces,
those in hand counted, has lost, and so has one that cannot move.

    6  a6----------d6----------g6
       | \         |         / |
    5  |   b5------d5------f5  |        the default, board=22: nine men's morris
       |   | \     |     / |   |        without d2 and a3, with four diagonals.
    4  |   |   c4--d4--e4  |   |
       |   |   |       |   |   |        16 mills of three points in a row; a0-a6,
    3  |   b3--c3      e3--f3--g3       c2-e2, b3-c3 and d0-d1 are lines without
       |   |   |       |   |   |        a mill.
    2  |   |   c2------e2  |   |
       |   | /           \ |   |        Points are numbered a0, d0, g0, b1, ...:
    1  |   b1------d1------f1  |        from the bottom row up, left to right.
       | /         |         \ |
    0  a0----------d0----------g0

A move is the points it touches, with an x before a removed one: `d1` puts a piece on d1,
`d1xg6` does and removes g6; with an empty hand `a0-d0` moves, `a0-d0xg6` moves and removes
g6.  The points alone, `d1-g6` and `a0-d0-g6`, say the same; programs receive moves in this form.

Where sources differ: if all enemy pieces are in mills nothing is removed, but on the
classic board, 24, any piece may then be removed; the option `all_in_mills` sets either rule
(`keep`, `take`) for any board.  The rules do not end a game in which nobody closes a mill; a
match is drawn after 100 plies without a placement or a removal.

A position is one letter for each point in order, `W`, `B` or `x`, then the side to move
and the pieces in hand of White and Black: `WxxxxxxxxxxxxxxxxxxxxB W 8 8`.  The letters
alone mean White to move with empty hands; the empty board alone is the start.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from plies.core import ONGOING, Board, Game, compiled, lowest_bit, popcount
from plies.core.keys import mixed_key
from plies.core.two_sides import NO_SPARE, side_inputs
from plies.drawing.text import draw_board
from plies.games.morris.boards import BOARDS, IMAGES, NAMES, NOWHERE
from plies.games.morris.moves import (
    BITS,
    FEWEST,
    can_slide,
    midgame_moves,
    placements,
    sides_after,
)
from plies.games.morris.notation import marked_text, points_touched, read_move
from plies.games.morris.position import (
    BLACK,
    EMPTY,
    MARKS,
    SIDES,
    WHITE,
    read_position,
)

LOST_WITH = ("has no pieces left", "has one piece left", "has two pieces left")
QUIET_PLIES = 100  # a match is drawn after these without a placement or removal
POINTS = np.array([len(BOARDS[name].points) for name in NAMES], np.int64)
MOST_PIECES = max(board.pieces for board in BOARDS.values())  # of a side


class State(NamedTuple):
    """Point i is bit i of the two sets of pieces."""

    mine: int  # the pieces of the side to move
    theirs: int
    turn: int  # 0 White, 1 Black
    my_hand: int  # pieces that are not on the board yet
    their_hand: int
    variant: int  # the board, an index of NAMES
    takes: int  # whether a mill removes a piece when all enemy pieces are in mills


def initial(
    board: Literal["22", "23", "21b", "21n", "21x", "18", "24"] = "22",
    all_in_mills: Literal["board", "keep", "take"] = "board",
) -> State:
    """The empty board; `all_in_mills=board` is the rule that belongs to the board."""
    pieces = BOARDS[board].pieces
    takes = {"board": BOARDS[board].takes, "keep": False, "take": True}[all_in_mills]
    return State(0, 0, 0, pieces, pieces, NAMES.index(board), int(takes))


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    if state.my_hand:
        return placements(state.mine, state.theirs, state.variant, state.takes)
    return midgame_moves(state.mine, state.theirs, state.variant, state.takes)


@compiled
def play(state, move):
    mine, theirs = sides_after(state.mine, state.theirs, move)
    is_placement = move >> BITS & NOWHERE == NOWHERE
    hand = state.my_hand - is_placement
    return State(theirs, mine, state.turn ^ 1, state.their_hand, hand, state.variant, state.takes)


@compiled
def outcome(state):
    """Fewer than three pieces or no move loses.

    No board can be full, so a side with pieces in hand or exactly three always has a move.
    """
    own = popcount(state.mine)
    if own + state.my_hand < FEWEST:
        return state.turn ^ 1
    if popcount(state.theirs) + state.their_hand < FEWEST:
        return state.turn
    if state.my_hand or own == FEWEST or can_slide(state.mine, state.theirs, state.variant):
        return ONGOING
    return state.turn ^ 1


@compiled
def key(state):
    """All fields packed in one number, which is then mixed: a key without collisions."""
    pieces = state.theirs << 24 | state.mine
    rest = state.my_hand << 4 | state.their_hand
    rules = state.variant << 2 | state.takes << 1 | state.turn
    return mixed_key((rules << 56 | rest << 48 | pieces,))


@compiled
def is_tactical(state, move):
    """Whether a move removes a piece."""
    return move >> 2 * BITS != NOWHERE


@compiled
def map_points(pieces, variant, image):
    """A set of points under an automorphism of the board."""
    image_points = 0
    while pieces:
        image_points |= 1 << IMAGES[variant, image, lowest_bit(pieces)]
        pieces &= pieces - 1
    return image_points


@compiled
def image(state, index):
    """The state under an automorphism of its board."""
    return State(
        map_points(state.mine, state.variant, index),
        map_points(state.theirs, state.variant, index),
        state.turn,
        state.my_hand,
        state.their_hand,
        state.variant,
        state.takes,
    )


@compiled
def four_images(state, first):
    return (
        image(state, first),
        image(state, first + 1),
        image(state, first + 2),
        image(state, first + 3),
    )


@compiled
def symmetries(state):
    """The 16 symmetries of the classic board; smaller groups are repeated."""
    first_eight = four_images(state, 0) + four_images(state, 4)
    return first_eight + four_images(state, 8) + four_images(state, 12)


@compiled
def inputs(state):
    """The mover's pieces by point, the opponent's, then the numbers of both in hand."""
    points = POINTS[state.variant]
    indices = side_inputs(state.mine, state.theirs, points, NO_SPARE, 2)
    indices[-2] = 2 * points + state.my_hand
    indices[-1] = 2 * points + MOST_PIECES + 1 + state.their_hand
    return indices


@compiled
def input_count(state):
    return 2 * (POINTS[state.variant] + MOST_PIECES + 1)


def draw_claim(state: State, earlier: Sequence[State]) -> str:
    """Why a match is drawn: no piece was placed or removed for QUIET_PLIES.

    Both change a count that never grows again, so comparing two states is enough.
    """

    def counts(at: State) -> tuple[int, int]:
        waiting = at.my_hand + at.their_hand
        return waiting, waiting + popcount(at.mine) + popcount(at.theirs)

    is_quiet = len(earlier) >= QUIET_PLIES and counts(earlier[-QUIET_PLIES]) == counts(state)
    return f"no placement or removal for {QUIET_PLIES} plies" if is_quiet else ""


def ending(state: State) -> str:
    """Who has lost and why, empty while the game goes on."""
    winner = outcome(state)
    if winner == ONGOING:
        return ""
    loser = winner ^ 1
    if loser == state.turn:
        left = popcount(state.mine) + state.my_hand
    else:
        left = popcount(state.theirs) + state.their_hand
    return f"{SIDES[loser]} {LOST_WITH[left] if left < FEWEST else 'cannot move'}"


def board(state: State) -> Board:
    morris_board = BOARDS[NAMES[state.variant]]
    places = {name: ("abcdefg".index(name[0]), int(name[1])) for name in morris_board.points}
    return Board(places, morris_board.lines)


def pieces(state: State) -> dict[str, str]:
    points = BOARDS[NAMES[state.variant]].points
    return {
        point: mark for point, mark in zip(points, letters(state), strict=True) if mark != EMPTY
    }


def draw(state: State) -> str:
    """The board, and below it the pieces in hand while there are any."""
    drawing, below = draw_board(board(state), pieces(state)), situation(state)
    return f"{drawing}\n   {below}" if below else drawing


def situation(state: State) -> str:
    """The pieces in hand, empty where both hands are empty."""
    white, black = in_hand(state)
    return f"in hand: W {white}, B {black}" if white + black else ""


def in_hand(state: State) -> tuple[int, int]:
    """White's pieces in hand and Black's."""
    own, other = state.my_hand, state.their_hand
    return (own, other) if state.turn == 0 else (other, own)


def letters(state: State) -> str:
    """One letter for every point."""
    sides = state.mine, state.theirs
    white, black = sides if state.turn == 0 else sides[::-1]
    count = len(BOARDS[NAMES[state.variant]].points)
    return "".join(
        WHITE if white >> point & 1 else BLACK if black >> point & 1 else EMPTY
        for point in range(count)
    )


def steps(state: State, move: int) -> tuple[str, ...]:
    """The points that a move touches: origin, target and removed point, where it has them."""
    return points_touched(move, BOARDS[NAMES[state.variant]])


def move_notation(state: State, move: int) -> str:
    """`d1xg6`, `a0-d0xg6`: an x before the point that is removed."""
    return marked_text(move, BOARDS[NAMES[state.variant]])


def find_move(state: State, text: str) -> int | None:
    moves = [int(move) for move in legal_moves(state)]
    return read_move(text, BOARDS[NAMES[state.variant]], moves)


def position_text(state: State) -> str:
    white, black = in_hand(state)
    return f"{letters(state)} {MARKS[state.turn]} {white} {black}"


def parse_position(text: str, initial: State) -> State:
    board = BOARDS[NAMES[initial.variant]]
    turn, sides, hands = read_position(text, board)
    return initial._replace(
        mine=sides[turn],
        theirs=sides[turn ^ 1],
        turn=turn,
        my_hand=hands[turn],
        their_hand=hands[turn ^ 1],
    )


GAME = Game(__name__, title="Morris", name="morris", marks=(WHITE, BLACK), sides=SIDES)
