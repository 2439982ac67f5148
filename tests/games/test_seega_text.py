"""Seega as text: positions, moves, drawings, reasons."""

import pytest
from hypothesis import example, given

import plies
from plies.core import set_bits
from plies.games import seega as rules
from seega_samples import GOING, TWO_CATCHES, after, states


@given(states())
@example(GOING)
def test_positions_read_back_from_their_text(state):
    options = f"size={state.size},chain={bool(state.chain)},limit={state.limit}"
    game = plies.game(f"seega:{options}")
    assert game.parse_position(game.position_text(state)) == state


def test_the_positions_of_the_rules_are_positions():
    game = plies.game("seega:chain=true")
    texts = [line.strip().split("   ")[0] for line in game.rules.splitlines() if "/" in line]
    assert len(texts) == 3
    assert [game.position_text(game.parse_position(text)) for text in texts] == texts


def test_a_drawing_marks_the_empty_centre_and_counts():
    game, state = after("seega:size=3", "X.X/OO./..X X 5")
    assert game.draw(state).splitlines() == [
        "3  X . X",
        "2  O O .",
        "1  . . X",
        "   a b c",
        "captured: X 2, O 1; quiet steps: 5 of 50",
    ]
    assert game.draw(game.initial()).splitlines()[1:] == [
        "2  . + .",
        "1  . . .",
        "   a b c",
        "to place: X 4, O 4",
    ]
    _, state = after("seega:chain=true", TWO_CATCHES, "b2-a2")
    assert game.draw(state).endswith("captured: X 10, O 9; a2 may go on")


OPENING = "O is blocked: X must make an opening, with a piece next to O"


@pytest.mark.parametrize(
    ("position", "line"),
    [
        ("..X../...../...../X..../OX... X 1", OPENING),
        ("OOOXX/OOXXX/OX.XO/OOXXX/OOOXX X 0", OPENING),
        ("..O../...../...../O..../XO... O 1", OPENING.translate(str.maketrans("XO", "OX"))),
        (
            "....X/...../X..../XX.../OXX.. X 1",
            "O is blocked: no piece next to O can step, any step is allowed",
        ),
    ],
)
def test_a_drawing_says_which_steps_a_blocked_opponent_leaves(position, line):
    game, state = after("seega", position)
    assert game.draw(state).splitlines()[7:] == [line]


@pytest.mark.parametrize(
    "position",
    [
        "..X../...../X..../...../OX... X 1",  # a1 can step to a2
        "..X../...../...../X..../OX... X 50",  # the game is over, and so it is below
        "X..../...../...../...../..... X 0",
    ],
)
def test_a_drawing_speaks_of_no_blockade_where_there_is_none(position):
    game, state = after("seega", position)
    assert "blocked" not in game.draw(state)


def test_a_picture_marks_the_centre():
    game = plies.game("seega")
    cells = [line for line in game.svg(game.initial()).splitlines() if "crispEdges" in line]
    fills = [line.partition('fill="')[2].partition('"')[0] for line in cells]
    # Cells are drawn row by row: the centre is the only one of its colour.
    assert len(fills) == 25
    assert [index for index, fill in enumerate(fills) if fill != fills[0]] == [12]


@given(states())
@example(GOING)
def test_a_board_has_eight_images(state):
    def drawn(state):
        """Rows of symbols, of which the piece that may go on is a small letter."""
        rows = [list(row) for row in rules.position_text(state).split()[0].split("/")]
        for bit in set_bits(state.chaining):
            y, x = divmod(int(bit), state.size + 1)
            row = rows[state.size - 1 - y]
            row[x] = row[x].lower()
        return tuple(tuple(row) for row in rows)

    rows = drawn(state)
    expected = set()
    for seen in (rows, tuple(zip(*rows, strict=True))):
        for upright in (seen, seen[::-1]):
            expected |= {upright, tuple(row[::-1] for row in upright)}
    images = rules.symmetries(state)
    assert len(images) == 8
    assert {drawn(image) for image in images} == expected
    rest = {(image.turn, image.to_place, image.quiet, image[6:]) for image in images}
    assert rest == {(state.turn, state.to_place, state.quiet, state[6:])}
