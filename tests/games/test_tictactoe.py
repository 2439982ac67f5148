"""Tic-tac-toe and its m,n,k relatives."""

from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.games import tictactoe as rules
from plies.testing import assert_game

GAME = plies.game("tictactoe")


def reachable() -> set[rules.State]:
    """Every state that play from the empty board leads to."""
    found, waiting = set(), [rules.initial()]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            if rules.outcome(state) == plies.ONGOING:
                waiting += [rules.play(state, move) for move in rules.legal_moves(state)]
    return found


@cache
def games_from(state: rules.State) -> int:
    """How many ways there are to finish a game."""
    if rules.outcome(state) != plies.ONGOING:
        return 1
    return sum(games_from(rules.play(state, move)) for move in rules.legal_moves(state))


def is_line(marks: set[tuple[int, int]], k: int) -> bool:
    """Lines looked for cell by cell."""
    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(
        all((x + dx * i, y + dy * i) in marks for i in range(k))
        for x, y in marks
        for dx, dy in directions
    )


@pytest.mark.parametrize("spec", ["tictactoe:width=4,height=3", "tictactoe:width=2,height=5,k=4"])
def test_variants_keep_the_contract(spec):
    assert_game(plies.game(spec), games=5)


def test_there_are_5478_positions_and_765_up_to_symmetry():
    positions = reachable()
    # Facts of tic-tac-toe: 5 478 positions, the empty board included; 765 up to symmetry.
    assert len(positions) == 5478
    assert len({min(rules.symmetries(state)) for state in positions}) == 765


def test_there_are_255168_games():
    # Facts of tic-tac-toe: 255 168 complete games.
    assert games_from(rules.initial()) == 255168


def test_perft_counts_arrangements_until_a_line_can_exist():
    # 9 * 8 * 7 * 6 * 5: nobody has three marks before ply 5.
    counts = [plies.perft(GAME, GAME.initial(), depth) for depth in range(1, 6)]
    assert counts == [9, 72, 504, 3024, 15120]


def test_perfect_play_is_a_draw():
    # Known since the game has been analysed by hand.
    assert plies.search(GAME, GAME.initial(), "alphabeta:depth=9").value == 0


@given(data=st.data())
def test_lines_are_found_wherever_they_are(data):
    width, height = data.draw(st.sampled_from([(3, 3), (5, 4), (4, 6), (1, 7), (7, 1), (7, 7)]))
    k = data.draw(st.integers(1, max(width, height)))
    cells = [(x, y) for x in range(width) for y in range(height)]
    blanks = data.draw(st.sets(st.sampled_from(cells), max_size=len(cells)))
    marks = set(cells) - blanks
    bits = sum(1 << y * (width + 1) + x for x, y in marks)
    assert rules.has_line(bits, width + 1, k) == is_line(marks, k)


def test_exactly_the_reachable_positions_can_be_written():
    texts = {GAME.position_text(state) for state in reachable()}
    readable = set()
    for cells, mark in product(product("XO.", repeat=9), "XO"):
        rows = ("".join(cells[start : start + 3]) for start in (0, 3, 6))
        text = f"{'/'.join(rows)} {mark}"
        try:
            readable.add(rules.position_text(rules.parse_position(text, rules.initial())))
        except ValueError:
            continue
    assert readable == texts


def test_the_last_mark_may_finish_two_lines_at_once():
    state = GAME.parse_position("XXX/XOO/XOO O")
    assert GAME.outcome(state) == 0


def test_an_oblong_board_has_four_images():
    wide = plies.game("tictactoe:width=4,height=3")
    state = wide.parse_position("X.../.O../.... X")
    images = {wide.position_text(image) for image in wide.symmetries(state)}
    assert images == {
        "X.../.O../.... X",
        "...X/..O./.... X",
        "..../.O../X... X",
        "..../..O./...X X",
    }


def test_a_square_board_has_eight_images():
    state = GAME.parse_position("XO./.../... X")
    images = {GAME.position_text(image).split()[0] for image in GAME.symmetries(state)}
    corner = {"XO./.../...", ".OX/.../...", ".../.../XO.", ".../.../.OX"}
    assert images == corner | {"X../O../...", "..X/..O/...", ".../O../X..", ".../..O/..X"}


def test_a_board_is_drawn_with_its_coordinates():
    state = GAME.parse_position("X.O/.X./... O")
    assert GAME.draw(state).splitlines() == ["3  X . O", "2  . X .", "1  . . .", "   a b c"]
    assert GAME.move_texts(state) == ["a1", "b1", "c1", "a2", "c2", "b3"]
