"""What a game says is there, and patterns of it."""

import random

import pytest

import plies
from plies.core import hints
from plies.core.errors import BadSpec
from plies.learn.patterns import find_patterns, input_images, point_places, symmetries_of

WITH_INPUTS = ("quixo", "tictactoe", "tictactoe:width=4,height=3", "seega", "morris")


@pytest.mark.parametrize("spec", WITH_INPUTS)
def test_inputs_are_the_pieces_that_are_shown(spec: str):
    game = plies.game(spec)
    state, rng = game.initial(), random.Random(1)
    points = list(game.board(state).points)
    while not game.is_over(state) and rng.random() < 0.97:
        on = hints.inputs(state).tolist()
        own, other = (
            {points[n - side * len(points)] for n in on if n // len(points) == side}
            for side in (0, 1)
        )
        mark = game.marks[game.mover(state)]
        pieces = game.pieces(state)
        assert len(on) == len(set(on))
        assert max(on, default=0) < hints.input_count(state)
        assert own == {name for name, piece in pieces.items() if piece in mark}
        assert other == {name for name, piece in pieces.items() if piece not in mark}
        state = game.play(state, rng.choice(game.moves(state)))


# Rows and columns, and the diagonals; under the symmetries of the square the lines through
# the middle are one class, the diagonals another, and one for each distance from the edge.
@pytest.mark.parametrize(
    ("spec", "lines", "tables"),
    [("quixo", 12, 4), ("quixo:n=4", 10, 3), ("tictactoe", 8, 3), ("seega:size=7", 16, 5)],
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


def test_boards_of_points_and_lines_have_lines_of_three():
    game = plies.game("morris:board=24")
    names = list(game.board(game.initial()).points)
    lines = {tuple(sorted(names[p] for p in points)) for points in find_patterns(game).lists}
    assert {("a0", "d0", "g0"), ("d0", "d1", "d2")} <= lines


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
