"""Morris: boards, placing, moving, hopping, mills, endings and the draw of a match."""

import pytest

import plies
from morris_samples import NAMES, after, random_state
from plies.compiling.compiler import is_interpreting
from plies.errors import (
    AmbiguousMove,
)
from plies.games import morris as rules
from plies.games.morris.boards import BOARDS, IMAGES, MOST_NEIGHBOURS, automorphisms
from plies.games.morris.moves import parts, placements, relocations
from plies.search.alphabeta import AlphaBeta
from plies.search.minimax import Minimax
from plies.search.task import Task
from plies.testing import assert_game


@pytest.mark.parametrize("spec", ["morris:board=24", "morris:board=18,all_in_mills=take"])
def test_variants_keep_the_contract(spec):
    assert_game(plies.game(spec), games=1)


# Facts of morris: points, mills and pieces of a side; the lines are those of the drawings.
@pytest.mark.parametrize(
    ("name", "points", "mills", "lines", "pieces"),
    [
        ("22", 22, 16, 36, 9),
        ("23", 23, 18, 38, 9),
        ("21b", 21, 13, 29, 9),
        ("21n", 21, 12, 27, 8),
        ("21x", 21, 16, 35, 8),
        ("18", 18, 12, 30, 8),
        ("24", 24, 16, 32, 9),
    ],
)
def test_boards_have_the_published_size(name, points, mills, lines, pieces):
    board = BOARDS[name]
    assert (len(board.points), len(board.mills)) == (points, mills)
    assert (len(board.lines), board.pieces) == (lines, pieces)
    assert max(len(others) for others in board.adjacency) <= MOST_NEIGHBOURS


@pytest.mark.parametrize("name", NAMES)
def test_lines_and_mills_are_straight_and_points_are_counted_row_by_row(name):
    board = BOARDS[name]
    places = rules.board(rules.initial(name)).points
    assert list(places) == sorted(places, key=lambda point: (places[point][1], places[point][0]))
    for first, second in board.lines:
        across, up = (abs(a - b) for a, b in zip(places[first], places[second], strict=True))
        assert across == 0 or up == 0 or across == up
    for mill in board.mills:
        ends = [
            [b - a for a, b in zip(places[board.points[i]], places[board.points[j]], strict=True)]
            for i, j in ((mill[0], mill[1]), (mill[1], mill[2]))
        ]
        assert ends[0][0] * ends[1][1] == ends[0][1] * ends[1][0]
        assert mill[1] in board.adjacency[mill[0]]
        assert mill[2] in board.adjacency[mill[1]]


# Facts of morris for board 22; a square has 8 images, and the classic board can also be
# turned inside out.  The other sizes are what the search for them finds.
@pytest.mark.parametrize(
    ("name", "size"),
    [("22", 2), ("23", 2), ("21b", 2), ("21n", 4), ("21x", 4), ("18", 4), ("24", 16)],
)
def test_boards_have_their_automorphisms(name, size):
    board = BOARDS[name]
    group = set(automorphisms(board))
    assert len(group) == size
    assert tuple(range(len(board.points))) in group
    for images in group:
        for point, others in enumerate(board.adjacency):
            assert {images[other] for other in others} == set(board.adjacency[images[point]])
    table = IMAGES[NAMES.index(name)]
    assert {tuple(map(int, row[: len(board.points)])) for row in table} == group


def test_the_default_board_has_the_published_automorphism():
    published = (6, 9, 13, 3, 8, 16, 0, 19, 4, 1, 20, 17, 14, 2, 12, 21, 5, 11, 18, 7, 10, 15)
    assert list(automorphisms(BOARDS["22"])) == [tuple(range(22)), published]


@pytest.mark.parametrize("plies_played", [0, 5, 11, 18, 25, 40])
def test_counts_and_values_are_the_same_on_both_images_of_the_default_board(plies_played):
    depth = 2 if is_interpreting() else 3
    state = random_state("22", plies_played, plies_played)
    image = rules.image(state, 1)
    game = plies.game("morris")
    assert plies.perft(game, state, depth) == plies.perft(game, image, depth)
    for evaluator in (game.evaluator("handout"), game.evaluator("improved")):
        tasks = [Task(each, evaluator) for each in (state, image)]
        answers = [Minimax(depth).decide(task) for task in tasks]
        assert answers[0].value == answers[1].value
        assert answers[0].leaves == answers[1].leaves
        assert AlphaBeta(depth).decide(tasks[1]).value == answers[0].value


def test_a_lopsided_position_of_the_classic_board_has_sixteen_images():
    game = plies.game("morris:board=24")
    images = game.symmetries(after(game, "a0", "d0", "b1", "g3"))
    assert len(images) == len(set(images)) == 16


# n points: n (n - 1) ... lines; at ply 5 a mill of White's first three pieces, in any
# order, removes one of Black's two, on any of the other points: one line more for each.  On the
# classic board that is the published 5 140 800.
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("depth", [1, 2, 3] if is_interpreting() else [1, 2, 3, 4, 5])
def test_perft_of_the_empty_board_is_what_counting_says(name, depth):
    board = BOARDS[name]
    n, expected = len(board.points), 1
    for ply in range(depth):
        expected *= n - ply
    if depth == 5:
        expected += len(board.mills) * 6 * (n - 3) * (n - 4)
    game = plies.game(f"morris:board={name}")
    assert plies.perft(game, game.initial(), depth) == expected


# Facts of morris: two plies of the first position are the 410 of MiniMaxGame.  The other
# numbers are those of the implementation in plain lists of test_morris_oracle.
@pytest.mark.parametrize(
    ("name", "board", "expected"),
    [
        ("22", "WWxxxxxWWWWBBBBxxBWBxB W 0 0", [16, 410, 5037, 63243]),
        ("24", "WWxBxxWWxBxxxBBWWxxxWBBx B 0 0", [15, 130, 1398, 14547]),
    ],
)
def test_perft_of_positions_of_the_midgame(name, board, expected):
    game = plies.game(f"morris:board={name}")
    state = game.parse_position(board)
    depths = range(1, 4 if is_interpreting() else 5)
    assert [plies.perft(game, state, depth) for depth in depths] == expected[: len(depths)]


def test_a_placement_that_closes_a_mill_removes_a_piece():
    game = plies.game("morris")
    state = after(game, "a0", "g6", "d0", "g3")
    assert [text for text in game.move_texts(state) if text.startswith("g0")] == ["g0-g3", "g0-g6"]
    child = after(game, "g0-g3", start=game.position_text(state))
    assert game.position_text(child) == "WWWxxxxxxxxxxxxxxxxxxB B 6 7"
    with pytest.raises(AmbiguousMove):
        game.parse_move(state, "g0")


def test_a_slide_that_closes_a_mill_removes_a_piece():
    game = plies.game("morris")
    state = game.parse_position("WWxxxWxxxxxBxxxxBxBxxB")
    assert "f1-g0-b5" in game.move_texts(state)
    assert game.position_text(after(game, "f1-g0-b5", start="WWxxxWxxxxxBxxxxBxBxxB")) == (
        "WWWxxxxxxxxBxxxxxxBxxB B 0 0"
    )


def test_a_piece_that_leaves_a_mill_does_not_close_it_by_standing_beside_it():
    game = plies.game("morris")
    # a0, d0, g0 are a mill; a piece that leaves it for d1 closes nothing.
    state = game.parse_position("WWWxxxxWxxxBxxxxBxBxxB")
    assert [text for text in game.move_texts(state) if text.startswith("d0")] == ["d0-d1"]


def test_a_piece_that_comes_back_closes_its_mill_again():
    game = plies.game("morris")
    state = game.parse_position("WxWxWxxWxxxBxxxxBxBxxB")
    assert "d1-d0-f3" in game.move_texts(state)


def test_two_mills_at_once_remove_one_piece():
    game = plies.game("morris")
    # a0 closes a0-d0-g0 and a0-b1-c2.
    start = "xWWWxxWxxxxBxxxxBxBxBx W 1 1"
    texts = [text for text in game.move_texts(game.parse_position(start)) if text[:2] == "a0"]
    assert texts == ["a0-f3", "a0-b5", "a0-f5", "a0-d6"]
    assert game.pieces(after(game, "a0-b5", start=start)).keys() >= {"f3", "f5", "d6", "a0"}


def test_a_piece_in_a_mill_is_not_removed_while_another_stands_outside():
    game = plies.game("morris")
    # Black's a6-d6-g6 are a mill, b5 is in none.
    state = game.parse_position("WWxxxWxxWxxxxxxxBxxBBB")
    assert [text for text in game.move_texts(state) if "g0" in text] == ["d0-g0", "f1-g0-b5"]


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ("morris", ["f1-g0"]),
        ("morris:all_in_mills=keep", ["f1-g0"]),
        ("morris:all_in_mills=take", ["f1-g0-a6", "f1-g0-d6", "f1-g0-g6"]),
    ],
)
def test_opponents_who_all_stand_in_mills_are_treated_by_the_rule_of_the_board(spec, texts):
    game = plies.game(spec)
    state = game.parse_position("WWxWxWxxxxxxxxxxxxxBBB")
    assert [text for text in game.move_texts(state) if text.startswith("f1-g0")] == texts


def test_the_classic_board_removes_from_mills_when_there_is_nothing_else():
    game = plies.game("morris:board=24")
    board = "WWxxxxxxxxxxxxWWxxxxxBBB"
    texts = [text for text in game.move_texts(game.parse_position(board)) if "g3-g0" in text]
    assert texts == ["g3-g0-a6", "g3-g0-d6", "g3-g0-g6"]
    keeping = plies.game("morris:board=24,all_in_mills=keep")
    assert "g3-g0" in keeping.move_texts(keeping.parse_position(board))


def test_all_in_mills_in_the_opening_keeps_them_too():
    game = plies.game("morris")
    state = game.parse_position("WWxxxxxxxxxxxxxxxxxBBB W 6 6")
    assert "g0" in game.move_texts(state)
    assert not any(text.startswith("g0-") for text in game.move_texts(state))


def test_a_side_with_three_pieces_hops_and_one_with_four_slides():
    game = plies.game("morris")
    three = game.move_texts(game.parse_position("WWxxxxxxxxxxxxxxWxxBBB"))
    assert "a0-e3" in three
    assert len([text for text in three if text.startswith("b5")]) == 16
    four = game.move_texts(game.parse_position("WWxxxxxxxxxxxxxWWxxBBB"))
    assert [text for text in four if text.startswith("a0")] == ["a0-b1"]


def test_three_pieces_on_the_board_do_not_hop_while_others_are_in_hand():
    game = plies.game("morris")
    texts = game.move_texts(game.parse_position("WxxxWxxxxWxxxxxxxxxBxB W 3 3"))
    assert len(texts) == 22 - 5
    assert all("-" not in text for text in texts)


def test_a_side_with_two_pieces_has_lost_unless_more_are_in_hand():
    game = plies.game("morris")
    assert game.outcome(game.parse_position("WWxWxxxxxxxxxxxxxxxBxB B 0 0")) == 0
    assert game.outcome(game.parse_position("WWxWxxxxxxxxxxxxxxxBxB W 0 0")) == 0
    assert game.outcome(game.parse_position("WxxWxxxxxxxxxxxxxxxBBB W 0 0")) == 1
    assert game.outcome(game.parse_position("WWxWxxxxxxxxxxxxxxxBxB B 0 1")) == plies.ONGOING


def test_a_side_that_cannot_move_has_lost():
    game = plies.game("morris")
    blocked = "xxxxxxxWxxWWxWBWWBBWBW"  # Black's d4, d5, f5 and d6 are shut in
    assert game.outcome(game.parse_position(f"{blocked} B 0 0")) == 0
    assert game.moves(game.parse_position(f"{blocked} B 0 0")) == ()
    assert game.outcome(game.parse_position(f"{blocked} W 0 0")) == plies.ONGOING
    # With three pieces Black would hop.
    hopping = "xxxxxxxWxxWWxWBWWBWWBW B 0 0"
    assert game.outcome(game.parse_position(hopping)) == plies.ONGOING


def test_a_whole_game_is_played_from_the_first_placement_to_the_last_removal():
    game = plies.game("morris")
    placing = "e2 d4 g0 f5 f1-f5 g6 e3 b5 e4-g6 f3 f5 d6 g6-f3 a0 g3-a0 a6 f3-d4 c2"
    sliding = "f1-d1 b5-c4 f3-f1-d6"
    hopping = "c2-b5-d1 f1-d1 a6-a0 d1-f1-a0"  # Black hops, White slides on
    state = after(game, placing)
    assert game.position_text(state) == "xxWxxWBWxxWWWxxWBxWBBW W 0 0"
    state = after(game, placing, sliding)
    assert game.position_text(state) == "xxWxWWBWxxWxWBxWxxWBxW B 0 0"
    state = after(game, placing, sliding, hopping)
    assert game.position_text(state) == "xxWxxWxWxxWxWBxWBxWxxW B 0 0"
    assert (game.outcome(state), game.payoffs(state)) == (0, (1, -1))


def test_moves_that_remove_a_piece_are_tactical():
    game = plies.game("morris")
    state = after(game, "a0", "g6", "d0", "g3")
    tactical = [game.move_text(state, m) for m in game.moves(state) if rules.is_tactical(state, m)]
    assert tactical == ["g0-g3", "g0-g6"]


def test_generators_list_origins_targets_and_removals_in_ascending_order():
    game = plies.game("morris")
    state = game.parse_position("WWxxxWxxxxxBxxxxBxBxxB")
    position = (state.mine, state.theirs, state.variant, state.takes)
    slides, hops = (relocations(*position, is_hopping) for is_hopping in (False, True))
    for moves in (placements(*position), slides, hops):
        listed = [parts(int(move)) for move in moves]
        assert listed == sorted(listed)
        assert len(set(listed)) == len(listed)


def quiet_game(game, count):
    """Positions of a game in which White walks to and fro and Black does, too."""
    states = [game.parse_position("WWxxxWxxxxxxxxxxBxxBxB")]
    for ply in range(count):
        walk = ("f1-d1", "b5-b3", "d1-f1", "b3-b5")[ply % 4]
        states.append(game.play(states[-1], game.parse_move(states[-1], walk)))
    return states


def test_a_match_is_drawn_after_a_hundred_plies_without_placement_or_removal():
    game = plies.game("morris")
    states = quiet_game(game, rules.QUIET_PLIES)
    assert game.draw_claim(states[-1], states[:-1]) == "no placement or removal for 100 plies"
    assert game.draw_claim(states[-2], states[:-2]) == ""
    assert game.draw_claim(states[-1], states[1:-1]) == ""


def test_a_removal_begins_the_count_to_the_draw_anew():
    game = plies.game("morris")
    before = game.parse_position("WWxxWxxxxxxxxxxxBxxBBB")._replace(turn=0)
    states = [before, *quiet_game(game, rules.QUIET_PLIES - 1)]
    assert game.draw_claim(states[-1], states[:-1]) == ""
