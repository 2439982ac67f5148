"""Reading morris positions: letters, side to move, pieces in hand."""

import re

from plies.games.morris.boards import MorrisBoard
from plies.games.morris.moves import FEWEST

WHITE, BLACK, EMPTY = "W", "B", "x"
MARKS = (WHITE, BLACK)  # by the number of the side
SIDES = ("White", "Black")
HAND = re.compile("[0-9]{1,2}")

Pair = tuple[int, int]  # White's and Black's


def read_position(text: str, board: MorrisBoard) -> tuple[int, Pair, Pair]:
    """The side to move, the points of White and Black as bits, and their pieces in hand."""
    fields = text.split()
    if len(fields) not in (1, 2, 4):
        raise ValueError(
            f"write {len(board.points)} letters, optionally the side to move and the pieces in hand"
            f" of White and Black, such as {start_text(board)}"
        )
    sides = read_letters(fields[0], board)
    turn = _read_side(fields[1]) if len(fields) > 1 else 0
    is_empty = sides == (0, 0)
    if len(fields) == 4:
        hands = _read_hand(fields[2]), _read_hand(fields[3])
    else:
        hands = (board.pieces, board.pieces) if is_empty else (0, 0)
    _refuse_impossible(board, turn, sides, hands)
    return turn, sides, hands


def start_text(board: MorrisBoard) -> str:
    return f"{EMPTY * len(board.points)} {WHITE} {board.pieces} {board.pieces}"


def read_letters(letters: str, board: MorrisBoard) -> Pair:
    """The points of White and Black as bits."""
    if len(letters) != len(board.points):
        raise ValueError(
            f"board {board.name} has {len(board.points)} points: write one letter for each,"
            f" not {len(letters)}"
        )
    for point, letter in zip(board.points, letters, strict=True):
        if letter not in (*MARKS, EMPTY):
            number = board.points.index(point) + 1
            raise ValueError(f"letter {number} ({point}) is {letter!r}; write W, B or x")
    white, black = (
        sum(1 << point for point, letter in enumerate(letters) if letter == mark) for mark in MARKS
    )
    return white, black


def _read_side(text: str) -> int:
    if text not in MARKS:
        raise ValueError(f"the side to move is W or B, not {text}")
    return MARKS.index(text)


def _read_hand(text: str) -> int:
    if not HAND.fullmatch(text):
        raise ValueError(f"the pieces in hand are a whole number, not {text}")
    return int(text)


def _refuse_impossible(board: MorrisBoard, turn: int, sides: Pair, hands: Pair) -> None:
    """Refuse too many pieces, hands that do not fit the turn, and two sides that have lost."""
    totals = [points.bit_count() + hand for points, hand in zip(sides, hands, strict=True)]
    for side, total, hand in zip(SIDES, totals, hands, strict=True):
        if total > board.pieces:
            in_hand = f", {hand} of them in hand" if hand else ""
            raise ValueError(
                f"{side} has {total} pieces{in_hand}; board {board.name} has {board.pieces} a side"
            )
    white, black = hands
    if turn == 0 and white != black:
        raise ValueError(
            f"with White to move both have the same number in hand, not {white} and {black}"
        )
    if turn == 1 and black != white + 1 and hands != (0, 0):
        raise ValueError(
            "with Black to move in the opening Black has one more in hand than White,"
            f" not {white} and {black}"
        )
    if max(totals) < FEWEST:
        raise ValueError(f"one side must have at least {FEWEST} pieces, those in hand counted")
