"""What a game says is there, and patterns of it."""

from pathlib import Path

import pytest

import plies
from broken_games import BROKEN
from plies.core import verbs
from plies.errors import BadGame, BadSpec
from plies.learn.patterns import (
    check_inputs,
    find_patterns,
    input_images,
    point_places,
    symmetries_of,
)
from plies.learn.selfplay import check_game
from plies.learn.td import TdLearner, TdSettings

NEIGHBOURS = Path(__file__).parents[1] / "data" / "neighbours.py"

# One position at least of every game with inputs, with either side to move.
POSITIONS = [
    ("quixo", "X..O./...../..X../...../O...O X"),
    ("quixo", "XXXXX/OOOO./...../XO.../....O O"),
    ("quixo:n=7", "X.....O/......./......./.O...../......./......./O.....X O"),
    ("tictactoe", "X.O/.X./... O"),
    ("tictactoe:width=4,height=3", "X..O/..../OX.X O"),
    ("seega", "XX..X/....O/....X/..X../O.O.O X place"),
    ("seega", "XXOOX/OOX.O/X..XX/XO.XX/OOOOO O 2"),
    ("morris", "xxWxBWBxxxWWBWBxWWWBxW B 0 0"),
    ("morris:board=24", "WxxxxxxxxxxxxxxxxxxxxxxB W 8 8"),
]


@pytest.mark.parametrize(("spec", "text"), POSITIONS)
def test_inputs_are_the_pieces_that_are_shown(spec: str, text: str):
    game = plies.game(spec)
    state = game.parse_position(text)
    board = game.board(state)
    assert board is not None
    points = list(board.points)
    on = verbs.inputs(state).tolist()
    own, other = (
        {points[number - side * len(points)] for number in on if number // len(points) == side}
        for side in (0, 1)
    )
    mark, pieces = game.marks[game.mover(state)], game.pieces(state)
    assert own == {name for name, piece in pieces.items() if piece in mark}
    assert other == {name for name, piece in pieces.items() if piece not in mark}
    assert len(on) == len(set(on))
    assert max(on) < verbs.input_count(state)


@pytest.mark.parametrize(
    ("spec", "text", "more"),
    [
        ("seega", "XX..X/....O/....X/..X../O.O.O X place", [50]),
        ("seega", "XXOOX/OOX.O/X..XX/XO.XX/OOOOO O 2", []),
        # After 2 * 24 numbers of pieces: 0 to 9 in hand of the mover, then of the other side.
        ("morris:board=24", "WxxxxxxxxxxxxxxxxxxxxxxB W 8 8", [48 + 8, 58 + 8]),
        ("morris:board=24", "WxxxxxxxxxxxxxxxxxxxxxxB B 7 8", [48 + 8, 58 + 7]),
    ],
)
def test_what_is_not_on_the_board_has_inputs_of_its_own(spec: str, text: str, more: list[int]):
    game = plies.game(spec)
    state = game.parse_position(text)
    board = game.board(state)
    assert board is not None
    assert [number for number in verbs.inputs(state) if number >= 2 * len(board.points)] == more


# Rows and columns, and the diagonals; under the symmetries of the square the lines through
# the middle are one class, the diagonals another, and one for each distance from the edge.
@pytest.mark.parametrize(
    ("spec", "lines", "tables"),
    [("quixo", 12, 4), ("quixo:n=4", 10, 3), ("tictactoe", 8, 3), ("quixo:n=7", 16, 5)],
)
def test_lines_of_a_square_share_tables_by_their_distance_from_the_edge(
    spec: str, lines: int, tables: int
):
    patterns = find_patterns(plies.game(spec))
    assert len(patterns.lists) == lines
    assert len(set(patterns.tables)) == tables


def test_patterns_of_a_table_are_images_of_each_other_point_by_point():
    game = plies.game("quixo")
    images = symmetries_of(game, point_places(game))
    patterns = find_patterns(game, ("line5", "2x3"))
    assert len(patterns.lists) == 12 + 24
    for table in set(patterns.tables):
        own = [
            points
            for points, of in zip(patterns.lists, patterns.tables, strict=True)
            if of == table
        ]
        moved = {tuple(image[point] for point in own[0]) for image in images}
        assert set(own) <= moved


def test_an_oblong_board_has_four_symmetries():
    assert len(input_images(plies.game("tictactoe:width=4,height=3"))) == 4


@pytest.mark.parametrize(
    ("shape", "why"),
    [("star", "line5 or 2x3"), ("line6", "fits"), ("line0", "fits"), ("4x4", "at most 10")],
)
def test_a_shape_that_cannot_be_learned_is_refused(shape: str, why: str):
    with pytest.raises(BadSpec, match=why):
        find_patterns(plies.game("quixo"), (shape,))


def test_a_game_without_inputs_is_refused():
    with pytest.raises(BadSpec, match="no inputs"):
        find_patterns(plies.game("nim"))


def test_inputs_that_are_no_places_are_refused_before_anything_is_learned(tmp_path: Path):
    text = NEIGHBOURS.read_text(encoding="utf-8")
    path = tmp_path / "beyond.py"
    path.write_text(text.replace("return 2 * state.cells", "return state.cells"))
    with pytest.raises(BadGame, match=r"beyond: at .* inputs answers \d+, expected numbers from 0"):
        check_inputs(plies.game(str(path)))


def test_games_that_are_soon_over_are_looked_at_from_their_start(tmp_path: Path):
    path = tmp_path / "short.py"
    path.write_text(BROKEN["too_few_inputs"].text)
    with pytest.raises(BadGame, match=r"at 7 0 inputs answers 7, .* 0 to 2"):
        TdLearner(plies.game(str(path)), TdSettings(games=1))
    with pytest.raises(BadGame, match="0 to 2"):
        check_game(plies.game(str(path)))
