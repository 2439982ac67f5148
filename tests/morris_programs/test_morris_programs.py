"""The eight morris programs: their answers and their counts."""

import random
from collections.abc import Iterator

import pytest

import morris_reference as reference
from plies.compiling.compiler import is_interpreting
from plies.evaluators.morris import Improved, improved_game, improved_opening
from plies.games.morris.boards import BOARDS
from plies.games.morris.position import read_letters
from plies.morris_programs.programs import BOARD_NAMES, PROGRAMS, NoMove, answer, swap
from plies.morris_programs.rules import GAME
from plies.testing import assert_game

AGENTS = ("MiniMax", "AB")
BOARDS_EACH = 2 if is_interpreting() else 4  # one for each depth
BOARD = "WWxxxxxWWWWBBBBxxBWBxB"

# From the programs as they were published: input, depth, program, and what it prints.  The
# board is given where it is known.
CHECK_VALUES = [
    (BOARD, 2, "MiniMaxOpening", "WWWxxxxWWWWxBBBxxBWBxB", 444, 0),
    (BOARD, 2, "ABOpening", "WWWxxxxWWWWxBBBxxBWBxB", 80, 0),
    (BOARD, 2, "MiniMaxGame", "WWxxxxxWWWWBBBBWxxxBxB", 410, 981),
    (BOARD, 2, "ABGame", "WWxxxxxWWWWBBBBWxxxBxB", 355, 981),
    (BOARD, 2, "MiniMaxOpeningBlack", "", 408, 1),
    ("WWxxxxxWWWBBBxBxxBWBBB", 3, "MiniMaxOpening", "", 637, -1),
    ("WWxxxxxWWWBBBxBxxBWBBB", 3, "ABOpening", "", 67, -1),
    ("WWxxxxxWWWBBBxBxxBWBBB", 3, "MiniMaxGame", "", 755, -1009),
    ("WWxxxxxWWWBBBxBxxBWBBB", 3, "ABGame", "", 343, -1009),
    ("BWBWWWBBxWxxxBWxWxxBBW", 4, "MiniMaxOpening", "xWBWWWBBWWxxxBWxWxxBBW", 5046, 2),
]
# The one way to turn the board of 22 points into itself: where every point goes.
TURNED = [6, 9, 13, 3, 8, 16, 0, 19, 4, 1, 20, 17, 14, 2, 12, 21, 5, 11, 18, 7, 10, 15]
# Where the rules have an exception, or end.
EDGES = {
    "one point is empty": "WBWBWBWBWBWBWBWBWBWBWx",
    "White is shut in": "WBxBxxxxxxxxxxxxxxxBxx",
    "Black is shut in": "BWxWxxWxxxxxxxxxxxxWxx",
    "nobody has a piece": "x" * 22,
    "Black has two pieces": "WWWWxxxxxxxxxxxxxxxxBB",
    "both have two pieces": "WWxxxxxxxxxxxxxxxxxxBB",
    "White hops": "WxxxWxxxBBxxxxBBxxxxWx",
    "Black hops": "WWWWWxxxxxxxxxxxBBBxxx",
    "every black piece stands in a mill": "BBBxxxWxxWxxxxWxxWxxxx",
}


def random_board(chance: random.Random, variant: str, white: int, black: int) -> str:
    letters = "W" * white + "B" * black
    letters += "x" * (len(BOARDS[variant].points) - len(letters))
    return "".join(chance.sample(letters, len(letters)))


def random_boards(seed: int, count: int, variant: str = "22", least: int = 3) -> Iterator[str]:
    """Up to eight pieces a side; few pieces, which hop, make for many children."""
    chance = random.Random(seed)
    for _ in range(count):
        yield random_board(chance, variant, chance.randint(least, 8), chance.randint(least, 8))


def improved_estimate(name: str, variant: str) -> reference.Estimate | None:
    """The improved estimate of the evaluators, for a program that has it, from White's side."""
    if not PROGRAMS[name].is_improved:
        return None
    value_of = improved_opening if PROGRAMS[name].is_opening else improved_game

    def estimate(layout: reference.Layout, board: str, is_white: bool) -> int:
        white, black = read_letters(board, BOARDS[variant])
        mine, theirs = (white, black) if is_white else (black, white)
        value = int(value_of(Improved(), mine, theirs, BOARD_NAMES.index(variant)))
        return value if is_white else -value

    return estimate


def compare(name: str, board: str, depth: int, variant: str = "22") -> None:
    """The program and its slow twin say the same."""
    layout = reference.LAYOUTS[variant]
    expected = reference.answer_of(name, board, depth, layout, improved_estimate(name, variant))
    found = answer(name, board, depth, variant)
    assert (found.board, found.positions, found.estimate) == tuple(expected), (name, board, depth)


def test_the_rules_of_the_programs_keep_the_contract():
    assert_game(GAME, games=5)


def test_the_programs_know_the_boards_of_the_game():
    assert tuple(BOARDS) == BOARD_NAMES


def test_the_slow_twin_draws_the_boards_of_the_game():
    assert set(reference.LAYOUTS) == set(BOARDS)
    for name, layout in reference.LAYOUTS.items():
        board = BOARDS[name]
        assert tuple(layout.points) == board.points
        assert tuple(map(tuple, layout.neighbours)) == board.adjacency
        assert sorted(map(sorted, layout.mills)) == [list(mill) for mill in board.mills]
        assert layout.takes_from_mills == board.takes


@pytest.mark.plain
@pytest.mark.parametrize(
    ("board", "depth", "name", "chosen", "positions", "estimate"), CHECK_VALUES
)
def test_published_answers_come_out(board, depth, name, chosen, positions, estimate):
    found = answer(name, board, depth)
    assert (found.positions, found.estimate) == (positions, estimate)
    assert found.board == chosen or not chosen
    assert reference.answer_of(name, board, depth, reference.LAYOUTS["22"]) == found[:3]


@pytest.mark.plain
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("variant", BOARD_NAMES)
def test_every_program_agrees_with_its_slow_twin(name, variant):
    for index, board in enumerate(
        random_boards(seed=len(name), count=BOARDS_EACH, variant=variant)
    ):
        compare(name, board, 1 + index % 2, variant)


@pytest.mark.parametrize("name", PROGRAMS)
def test_deep_searches_agree_with_their_slow_twins(name):
    chance = random.Random(len(name))
    depth = 4 if PROGRAMS[name].is_opening or PROGRAMS[name].has_cuts else 3
    for white, black in ((8, 8), (9, 8), (9, 9)):
        compare(name, random_board(chance, "22", white, black), depth)


@pytest.mark.plain
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("board", EDGES.values(), ids=EDGES)
def test_boards_at_the_edge_of_the_rules_agree_with_their_slow_twins(name, board):
    own = swap(board) if PROGRAMS[name].is_black else board
    layout = reference.LAYOUTS["22"]
    is_opening = PROGRAMS[name].is_opening
    if reference.children_of(layout, own, is_opening=is_opening, is_white=True):
        compare(name, board, 2)
    else:
        with pytest.raises(NoMove, match="no move is possible"):
            answer(name, board, 2)


def test_minimax_and_alpha_beta_agree_on_1200_random_boards():
    saved = 0
    for phase in ("Opening", "Game"):
        for depth, least in ((1, 3), (2, 3), (3, 3), (4, 5)):
            for board in random_boards(seed=depth, count=150, least=least):
                full, cut = (answer(f"{method}{phase}", board, depth) for method in AGENTS)
                assert (full.board, full.estimate) == (cut.board, cut.estimate), (board, depth)
                assert cut.positions <= full.positions
                saved += full.positions - cut.positions
    assert saved > 0


def test_counts_and_estimates_stay_when_the_board_is_turned():
    for board in random_boards(seed=5, count=40):
        turned = list(board)
        for point, letter in enumerate(board):
            turned[TURNED[point]] = letter
        for name, program in PROGRAMS.items():
            for depth in (1, 2, 3):
                here, there = answer(name, board, depth), answer(name, "".join(turned), depth)
                assert here.estimate == there.estimate, (name, board, depth)
                assert program.has_cuts or here.positions == there.positions


def test_black_plays_like_white_on_the_swapped_board():
    for board in random_boards(seed=6, count=30):
        for phase in ("Opening", "Game"):
            black = answer(f"MiniMax{phase}Black", board, 2)
            white = answer(f"MiniMax{phase}", swap(board), 2)
            assert black[:3] == (swap(white.board), white.positions, white.estimate)


def test_five_plies_from_the_empty_board_are_counted_by_hand():
    # 22 * 21 * 20 * 19 * 18 ways to put five pieces; the fifth closes a mill in 16 mills * 3!
    # orders * 19 * 18 of them and may then remove either of two black pieces: one leaf more.
    expected = 22 * 21 * 20 * 19 * 18 + 16 * 6 * 19 * 18
    assert answer("MiniMaxOpening", "x" * 22, 5).positions == expected == 3_192_912
    assert answer("ABOpening", "x" * 22, 5).estimate == 1


@pytest.mark.plain
def test_a_full_board_ends_a_line_before_its_depth():
    # White fills the last point, a6, and closes no mill; Black cannot add, so the one leaf
    # is one ply deep, whatever depth was asked for.
    board = "BWBWBWBBWWBWBBWBWWBxBW"
    filled = board.replace("x", "W")
    for depth in (1, 2, 9):
        found = answer("MiniMaxOpening", board, depth)
        assert found[:3] == (filled, 1, filled.count("W") - filled.count("B"))
