"""Quixo: slides, lines, both double rules, small boards solved, and the line evaluation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import compiled
from plies.core.scores import is_decided
from plies.core.verbs import evaluate
from plies.errors import IllegalMove
from plies.evaluators.quixo import Lines, line_masks
from plies.games import quixo as rules
from plies.search import perft as counting
from plies.testing import assert_game

SIZES = range(rules.SMALLEST, rules.LARGEST + 1)


@st.composite
def states(draw):
    """Any arrangement of cubes on a board of any size."""
    n = draw(st.sampled_from(SIZES))
    cells = draw(st.lists(st.sampled_from("XO."), min_size=n * n, max_size=n * n))
    rows = ["".join(cells[start : start + n]) for start in range(0, n * n, n)]
    text = f"{'/'.join(rows)} {draw(st.sampled_from('XO'))}"
    return plies.game(f"quixo:n={n}").parse_position(text)


def cubes_of(state):
    """Rows of marks from the bottom, as lists; the mover's mark is `me`."""
    n = state.n
    marks = [
        "me" if state.mine >> c & 1 else "you" if state.theirs >> c & 1 else ""
        for c in range(n * n)
    ]
    return [marks[start : start + n] for start in range(0, n * n, n)]


def lines_of(cubes):
    """Every row, column and diagonal as a list of marks."""
    n = len(cubes)
    columns = [[row[x] for row in cubes] for x in range(n)]
    rising = [cubes[i][i] for i in range(n)]
    falling = [cubes[i][n - 1 - i] for i in range(n)]
    return [*cubes, *columns, rising, falling]


def pushed(lane, taken, entry):
    """A row or column after one of its cubes was taken and pushed in elsewhere."""
    rest = lane[:taken] + lane[taken + 1 :]
    return [*rest[:entry], "me", *rest[entry:]]


def played(cubes, taken, entry):
    """The board after a move, by moving marks in lists; points are (x, y)."""
    cubes = [list(row) for row in cubes]
    (x, y), (to_x, to_y) = taken, entry
    if y == to_y:
        cubes[y] = pushed(cubes[y], x, to_x)
    else:
        column = pushed([row[x] for row in cubes], y, to_y)
        for row, mark in zip(cubes, column, strict=True):
            row[x] = mark
    return cubes


def allowed(cubes):
    """Every (taken, entry) that the rules allow, by looking at each pair of points."""
    n = len(cubes)
    border = [(x, y) for y in range(n) for x in range(n) if {x, y} & {0, n - 1}]
    return {
        (taken, entry)
        for taken in border
        for entry in border
        if cubes[taken[1]][taken[0]] != "you" and taken != entry
        if (taken[1] == entry[1] and entry[0] in (0, n - 1))
        or (taken[0] == entry[0] and entry[1] in (0, n - 1))
    }


def points_of(state, move):
    """Where a move takes and where it pushes in, as (x, y)."""
    points = rules.board(state).points
    taken, entry = rules.steps(state, move)
    return points[taken], points[entry]


def has_line(cubes, mark):
    return any(set(line) == {mark} for line in lines_of(cubes))


@pytest.mark.parametrize("spec", ["quixo:n=2", "quixo:n=4,double=mover-wins"])
def test_variants_keep_the_contract(spec):
    assert_game(plies.game(spec), games=1)


def test_perft_of_the_empty_board_is_as_published():
    game = plies.game("quixo")
    # Facts of Quixo: lines of play and distinct boards after 1, 2 and 3 plies.
    counts = [plies.perft(game, game.initial(), depth) for depth in (1, 2, 3)]
    assert counts == [44, 1836, 76596]
    distinct = counting.count(counting.distinct_positions, game.initial(), 3)
    assert list(distinct) == [1, 16, 240, 2240]


# Facts of Quixo for 5, 4 and 3; the others: 2 slides for 4 corners, 3 for 4 (n - 2) more cubes.
@pytest.mark.parametrize(("n", "slides"), [(5, 44), (4, 32), (3, 20), (2, 8), (6, 56), (7, 68)])
def test_an_empty_board_has_the_published_number_of_moves(n, slides):
    assert len(rules.legal_moves(rules.initial(n))) == slides


@given(states())
def test_slides_move_marks_as_in_plain_lists(state):
    cubes = cubes_of(state)
    moves = [int(move) for move in rules.legal_moves(state)]
    assert {points_of(state, move) for move in moves} == allowed(cubes)
    for move in moves:
        expected = played(cubes, *points_of(state, move))
        swapped = [[{"me": "you", "you": "me", "": ""}[mark] for mark in row] for row in expected]
        child = rules.play(state, move)
        assert cubes_of(child) == swapped
        assert child.turn == 1 - state.turn


@given(states(), st.integers(0, 1))
def test_outcome_is_what_a_look_at_every_line_says(state, double):
    state = state._replace(double=double)
    for move in rules.legal_moves(state):
        child = rules.play(state, move)
        mine, theirs = (has_line(cubes_of(child), mark) for mark in ("you", "me"))
        if mine and theirs:
            expected = state.turn if double else 1 - state.turn
        elif mine or theirs:
            expected = state.turn if mine else 1 - state.turn
        else:
            expected = plies.ONGOING
        assert rules.outcome(child) == expected


@given(states())
def test_full_lines_are_seen_wherever_they_are(state):
    for line in line_masks(state.n):
        for cubes in (line, line | state.mine):
            assert rules.has_line(cubes, state.n)
        for cell in range(state.n**2):
            if line >> cell & 1:
                assert not rules.has_line(line & ~(1 << cell), state.n)


@pytest.mark.parametrize(("double", "winner"), [("mover-loses", 1), ("mover-wins", 0)])
def test_a_move_that_makes_lines_of_both_marks_is_judged_by_the_double_rule(double, winner):
    game = plies.game(f"quixo:n=3,double={double}")
    state = game.parse_position("XOX/OXO/.X. X")
    after = game.play(state, game.parse_move(state, "b1-b3"))
    assert game.position_text(after) == "XXX/OOO/.X. O"
    assert game.outcome(after) == winner


@pytest.mark.parametrize("double", ["mover-loses", "mover-wins"])
def test_a_move_that_makes_only_the_opponents_line_loses(double):
    game = plies.game(f"quixo:n=3,double={double}")
    state = game.parse_position("XOO/O../O.. X")
    after = game.play(state, game.parse_move(state, "a3-c3"))
    assert game.position_text(after) == "OOX/O../O.. O"
    assert game.outcome(after) == 1


@compiled
def children(states_mine, states_theirs, start, table, results):
    """Fill in the outcome of every board and the index (base 3) of every child, -1 for none."""
    cells = start.n * start.n
    for index in range(len(results)):
        state = rules.State(states_mine[index], states_theirs[index], 0, start.n, start.double)
        results[index] = rules.outcome(state)
        if results[index] != plies.ONGOING:
            continue
        for move in rules.legal_moves(state):
            child = rules.play(state, move)
            code = 0
            for cell in range(cells - 1, -1, -1):
                code = 3 * code + (child.mine >> cell & 1) + 2 * (child.theirs >> cell & 1)
            table[index, move] = code


def solution(n):
    """Plies to the end of every board (base 3: 1 mine, 2 theirs), and who wins: 1, -1, 0."""
    boards = np.arange(3 ** (n * n))
    digits = [boards // 3**cell % 3 for cell in range(n * n)]
    mine = sum((digit == 1).astype(np.int64) << cell for cell, digit in enumerate(digits))
    theirs = sum((digit == 2).astype(np.int64) << cell for cell, digit in enumerate(digits))
    table = np.full((len(boards), len(rules.SLIDES[n])), -1)
    results = np.zeros(len(boards), np.int64)
    children(mine, theirs, rules.initial(n), table, results)
    value = np.select([results == 0, results == 1], [1, -1], 0)
    plies_left = np.where(results == plies.ONGOING, -1, 0)
    is_child = table >= 0
    for distance in range(1, len(boards)):
        can_win = (is_child & (value[table] == -1)).any(axis=1)
        must_lose = (~is_child | (value[table] == 1)).all(axis=1)
        is_open = value == 0
        if not (is_open & (can_win | must_lose)).any():
            break
        plies_left[is_open & (can_win | must_lose)] = distance
        value = np.where(is_open & can_win, 1, np.where(is_open & must_lose, -1, value))
    return value, plies_left


@pytest.mark.parametrize(
    ("n", "wins", "losses", "plies_of_empty", "longest"),
    [
        # Facts of Quixo: full solution over all boards, official rule; n = 2 has no
        # published longest line, 3 is what this solver finds.
        (2, 50, 31, 3, 3),
        (3, 12748, 6935, 7, 8),
    ],
)
def test_small_boards_have_the_published_solution(n, wins, losses, plies_of_empty, longest):
    value, plies_left = solution(n)
    assert ((value == 1).sum(), (value == -1).sum()) == (wins, losses)
    assert len(value) == 3 ** (n * n) == wins + losses
    assert (value[0], plies_left[0]) == (1, plies_of_empty)
    assert plies_left.max() == longest


def test_a_cube_of_the_opponent_cannot_be_taken():
    game = plies.game("quixo:n=3")
    state = game.parse_position("O../.X./..X X")
    assert not any(text.startswith("a3") for text in game.move_texts(state))
    with pytest.raises(IllegalMove):
        game.parse_move(state, "a3-c3")


def test_a_corner_has_two_slides_and_another_border_cube_three():
    game = plies.game("quixo")
    texts = game.move_texts(game.initial())
    assert [text for text in texts if text.startswith("a1")] == ["a1-e1", "a1-a5"]
    assert [text for text in texts if text.startswith("c5")] == ["c5-c1", "c5-a5", "c5-e5"]


def test_a_board_has_eight_images():
    game = plies.game("quixo:n=3")
    state = game.parse_position("XO./.../... X")
    images = {game.position_text(image).split()[0] for image in game.symmetries(state)}
    corner = {"XO./.../...", ".OX/.../...", ".../.../XO.", ".../.../.OX"}
    assert images == corner | {"X../O../...", "..X/..O/...", ".../O../X..", ".../..O/..X"}


@given(states())
def test_positions_read_back_from_their_text(state):
    game = plies.game(f"quixo:n={state.n}")
    assert game.parse_position(game.position_text(state)) == state


@given(states(), st.integers(0, 9), st.integers(0, 9))
def test_the_line_evaluation_counts_cubes_on_every_line(state, own, other):
    lines = lines_of(cubes_of(state))
    worths = [
        sum(line.count(mark) * 3 ** line.count(mark) for line in lines) for mark in ("me", "you")
    ]
    assert evaluate(Lines(own, other), state) == own * worths[0] - other * worths[1]


def test_the_line_evaluation_is_the_games_default_evaluator():
    game = plies.game("quixo")
    assert game.evaluator() == game.evaluator("lines") == Lines(own=1, other=1)
    state = game.parse_position("X..../...../..X../...../....O X")
    # a5 is on 3 lines, c3 on 4, e1 on 3.  They share one diagonal, where X has 2 cubes:
    # 2 + 3 lines with one cube for X, the diagonal with two; 3 lines with one for O.
    assert evaluate(game.evaluator("lines"), state) == 5 * 3 + 2 * 9 - 3 * 3


def test_an_evaluation_never_reaches_a_win():
    # Facts of Quixo: no evaluation of the 5 x 5 board exceeds 12 * 5 * 3^5.
    full = rules.State((1 << 25) - 1, 0, 0, 5, 0)
    assert evaluate(Lines(), full) == 12 * 5 * 3**5 == 14580
    assert not is_decided(14580)
