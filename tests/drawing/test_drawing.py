"""Drawings: the same board as text and as a picture."""

from string import ascii_lowercase
from textwrap import dedent
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.drawing.board import Board, cell_name, grid
from plies.drawing.svg import HIGHLIGHT, STONES
from plies.drawing.svg import draw_board as svg
from plies.drawing.svg import draw_text as svg_of_text
from plies.drawing.text import draw_board as text
from plies.errors import BadGame

SVG = "{http://www.w3.org/2000/svg}"
MARKS = ("X", "O")

# A square of eight points with spokes, as on merels boards.
RING = Board(
    {
        "a1": (0, 0), "b1": (1, 0), "c1": (2, 0), "a2": (0, 1), "b2": (1, 1),
        "c2": (2, 1), "a3": (0, 2), "b3": (1, 2), "c3": (2, 2),
    },
    (
        ("a1", "c1"), ("c1", "c3"), ("c3", "a3"), ("a3", "a1"),
        ("a1", "b2"), ("b2", "c3"), ("a3", "b2"), ("b2", "c1"), ("b1", "b2"), ("a2", "b2"),
    ),
)  # fmt: skip

TREE = Board(
    {
        "root": (2, 2),
        "A": (0.5, 1),
        "B": (3.5, 1),
        "p": (0, 0),
        "q": (1, 0),
        "r": (3, 0),
        "s": (4, 0),
    },
    (("root", "A"), ("root", "B"), ("A", "p"), ("A", "q"), ("B", "r"), ("B", "s")),
)
VALUES = {"root": "M", "A": "m", "B": "m", "p": "3", "q": "12", "r": "-5", "s": "0"}

HEAPS = Board(
    {
        "a": (0, 1), "a1": (1, 1),
        "b": (0, 0), "b1": (1, 0), "b2": (2, 0), "b3": (3, 0),
    }
)  # fmt: skip


def drawn(expected: str) -> str:
    return dedent(expected).strip("\n")


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def count(picture: str, tag: str) -> int:
    return sum(1 for _ in ElementTree.fromstring(picture).iter(f"{SVG}{tag}"))


def test_cells_have_their_coordinates_at_the_left_and_below():
    expected = """
        3  . . O
        2  . X .
        1  . . .
           a b c
    """
    assert text(grid(3, 3), {"b2": "X", "c3": "O"}) == drawn(expected)


def test_row_numbers_are_aligned_to_the_right():
    lines = text(grid(2, 10), {}).splitlines()
    assert lines[0] == "10  . ."
    assert lines[1] == " 9  . ."
    assert lines[-1] == "    a b"


def test_lines_join_points_in_eight_directions():
    expected = r"""
        3  .-------X
           | \   / |
        2  .---O   |
           | / | \ |
        1  .---.---.
           a   b   c
    """
    pieces = {"b2": "O", "c3": "X"}
    points = {name: place for name, place in RING.points.items() if name not in ("b3", "c2")}
    assert text(Board(points, RING.lines), pieces) == drawn(expected)


def test_lines_that_cross_meet_in_a_plus():
    cross = Board(
        {"a1": (0, 0), "c1": (2, 0), "a3": (0, 2), "c3": (2, 2)}, (("a1", "c3"), ("a3", "c1"))
    )
    assert text(cross, {}).splitlines()[2] == "       +"


def test_a_tree_has_corners_and_its_labels_have_room():
    expected = """
                M
          +-----+-----+
          m           m
         / \\         / \\
        3   12      -5  0
    """
    assert text(TREE, VALUES) == drawn(expected)


def test_a_flat_line_over_several_rows_goes_down_first():
    expected = """
        X
        |
        |
        +-----------+
                    O
    """
    slope = Board({"p": (0, 2), "q": (3, 0)}, (("p", "q"),))
    assert text(slope, {"p": "X", "q": "O"}) == drawn(expected)


def test_a_point_whose_piece_is_its_name_is_a_label():
    pieces = {"a": "a", "b": "b", "a1": "o", "b1": "o", "b2": "o"}
    assert text(HEAPS, pieces) == "a o\nb o o ."
    picture = svg(HEAPS, pieces, MARKS)
    assert texts(picture) == ["a", "b"]
    assert count(picture, "circle") == 3


def test_letters_that_name_rows_stand_at_the_left():
    heaps = {name: place for name, place in HEAPS.points.items() if len(name) == 2}
    assert text(Board(heaps), {"b2": "o"}) == "a  .\nb  . o .\n   1 2 3"


def test_empty_points_show_their_names_when_there_are_no_coordinates():
    compass = Board({"north": (0, 1), "south": (0, 0)}, (("north", "south"),))
    assert text(compass, {"north": "X"}) == "  X\n  |\nsouth"
    assert texts(svg(compass, {"north": "P"}, ("P",))) == ["south", "P"]


def test_names_that_do_not_follow_the_coordinates_are_no_coordinates():
    slanted = Board({"a1": (0, 1), "b1": (1, 1), "a2": (0.5, 0), "b2": (1.5, 0)})
    assert text(slanted, {}) == "a1 b1\n a2 b2"


def test_points_do_not_become_cells_before_the_first_line_is_drawn():
    dots = {"a1": (0, 0), "b1": (1, 0), "a2": (0, 1), "b2": (1, 1), "box": (0.5, 0.5)}
    before, after = Board(dots, ()), Board(dots, (("a1", "b1"),))
    assert text(before, {}).replace(" ", "") == text(after, {}).replace(" ", "").replace("-", "")
    with_line, without = (svg(board, {"box": "X"}, MARKS) for board in (after, before))
    assert [line for line in with_line.splitlines() if "<line" not in line] == without.splitlines()


def test_a_board_without_points_can_be_drawn():
    assert text(Board({}), {}) == ""
    assert "an empty board" in svg(Board({}), {}, MARKS)


@pytest.mark.parametrize("draw", [text, lambda board, pieces: svg(board, pieces, MARKS)])
def test_a_piece_beside_the_board_is_an_error_of_the_game(draw):
    with pytest.raises(BadGame, match="does not have: d4"):
        draw(grid(3, 3), {"d4": "X"})


def test_a_cross_a_ring_a_disc_a_square_and_a_token_tell_pieces_apart():
    board = grid(5, 1)
    empty = svg(board, {}, ("XP", "Oq"))
    assert count(empty, "rect") == 1 + 5  # the panel and the cells
    assert [count(empty, tag) for tag in ("path", "circle")] == [0, 0]
    cross = svg(board, {"a1": "X"}, ("XP", "Oq"))
    ring = svg(board, {"b1": "O"}, ("XP", "Oq"))
    disc = svg(board, {"c1": "P"}, ("XP", "Oq"))
    square = svg(board, {"d1": "q"}, ("XP", "Oq"))
    token = svg(board, {"e1": "#"}, ("XP", "Oq"))
    assert count(cross, "path") == 1
    assert [count(ring, "circle"), 'fill="none"' in ring] == [1, True]
    assert [count(disc, "circle"), texts(disc)[-1]] == [1, "P"]
    assert [count(square, "rect"), texts(square)[-1]] == [7, "q"]
    assert [count(token, "circle"), texts(token)] == [1, texts(empty)]


def test_numbers_and_words_of_nobody_are_written_out():
    assert sorted(texts(svg(TREE, VALUES, ("M", "m")))) == sorted(VALUES.values())


def test_long_texts_stay_inside_the_picture():
    leaves = Board({"l": (0, 0), "root": (1, 1), "r": (2, 0)}, (("root", "l"), ("root", "r")))
    words = {"l": "(-10, 20, -30)", "root": "?", "r": "(1, 2, 3)"}
    root = ElementTree.fromstring(svg(leaves, words, MARKS))
    for box in root.iter(f"{SVG}rect"):
        left = float(box.get("x", "0"))
        assert left >= 0
        assert left + float(box.get("width", "inf")) <= float(root.get("width", "0"))


def test_a_highlighted_cell_stands_out():
    plain = svg(grid(2, 2), {}, MARKS)
    marked = svg(grid(2, 2), {}, MARKS, highlight=("b2",))
    assert marked != plain
    assert count(marked, "rect") == count(plain, "rect")


def test_a_highlighted_point_glows_around_its_piece_however_long():
    def glow(piece: str) -> float:
        marked = ElementTree.fromstring(svg(RING, {"a1": piece}, MARKS, highlight=("a1",)))
        boxes = (box for box in marked.iter(f"{SVG}rect") if box.get("fill") == HIGHLIGHT)
        return max(float(box.get("width", "0")) for box in boxes)

    assert glow("X") == glow("17") == 48
    # A text of 11 letters is drawn 118 pixels wide.
    assert glow("(1, 22, 33)") > 118


def test_a_picture_is_self_contained_and_says_what_it_shows():
    root = ElementTree.fromstring(svg(grid(3, 3), {"a1": "X", "b2": "O", "c3": "X"}, MARKS))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "X on a1, c3; O on b2"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    references = {"href", "src", "{http://www.w3.org/1999/xlink}href"}
    assert not any(references & set(element.attrib) for element in root.iter())
    assert not {"style", "script", "image", "use"} & {
        element.tag.removeprefix(SVG) for element in root.iter()
    }


def test_lines_of_text_become_a_picture():
    assert texts(svg_of_text("7 <0>\n  & 1")) == ["7 <0>", "  & 1"]
    assert texts(svg_of_text("")) == [""]


cells = st.builds(
    lambda width, height, data: (width, height, data),
    st.integers(1, 9),
    st.integers(1, 9),
    st.dictionaries(
        st.tuples(st.integers(0, 8), st.integers(0, 8)), st.text(min_size=1, max_size=3)
    ),
)


@given(cells)
def test_every_symbol_makes_a_well_formed_picture(case):
    width, height, placed = case
    pieces = {cell_name(x, y): s for (x, y), s in placed.items() if x < width and y < height}
    root = ElementTree.fromstring(svg(grid(width, height), pieces, ("ABC", "abc")))
    limits = [float(part) for part in (root.get("viewBox") or "").split()]
    for element in root.iter(f"{SVG}text"):
        assert 0 <= float(element.get("x", "-1")) <= limits[2]
        assert 0 <= float(element.get("y", "-1")) <= limits[3]


@given(cells)
def test_every_piece_is_where_its_coordinates_say(case):
    width, height, placed = case
    symbols = {cell: ascii_lowercase[sum(cell)] for cell in placed}
    pieces = {cell_name(x, y): s for (x, y), s in symbols.items() if x < width and y < height}
    lines = text(grid(width, height), pieces).splitlines()
    for y in range(height):
        label, *row = lines[height - 1 - y].split()
        assert label == str(y + 1)
        assert row == [pieces.get(cell_name(x, y), ".") for x in range(width)]
    assert lines[-1].split() == list(ascii_lowercase[:width])


def test_white_and_black_have_stones_of_their_colour() -> None:
    picture = svg(grid(2, 1), {"a1": "W", "b1": "B"}, ("W", "B"))
    white, black = STONES.values()
    assert [picture.count(f'fill="{colour}"') for colour in (white, black)] == [1, 1]
    assert "W on a1; B on b1" in picture
