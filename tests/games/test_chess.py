"""Chess: published counts, keys, and the draws that a match declares.

`test_chess_oracle.py` compares the rules with another implementation of them.
"""

import pytest

import plies
from chess_oracle import PERFT
from plies.compiling.compiler import is_interpreting
from plies.games import chess as rules
from plies.search import perft as counting

GAME = plies.game("chess")
# Lines that are played out, and that are counted at the last ply; most lists end between.
# Without the compiler a position takes up to a millisecond.
MOST_PLAYED, MOST_COUNTED = (3_000, 10_000) if is_interpreting() else (12_000_000, 200_000_000)


def published():
    """Every position of the list with its counts by depth."""
    for line in PERFT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            text, *counts = (part.strip() for part in line.split(";"))
            numbers = dict(part.removeprefix("D").split() for part in counts)
            yield text, {int(depth): int(count) for depth, count in numbers.items()}


def after(*moves, start=rules.START):
    """The position after moves in any notation, one or more in each text."""
    state = GAME.parse_position(start)
    for move in " ".join(moves).split():
        state = GAME.play(state, GAME.parse_move(state, move))
    return state


def lines_of(board, depth):
    """Perft of python-chess."""
    if depth == 0:
        return 1
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += lines_of(board, depth - 1)
        board.pop()
    return count


def expect_count(state, depth, counted, expected):
    """Where a count is wrong, the counts behind every move tell which is."""
    if counted != expected:
        counts = counting.split(state, depth).items()
        ours = {GAME.move_text(state, move): count for move, count in counts}
        board = rules.to_board(state)
        theirs = {}
        for move in list(board.legal_moves):
            board.push(move)
            theirs[move.uci()] = lines_of(board, depth - 1)
            board.pop()
        rows = (f"{move} {ours.get(move)} {theirs.get(move)}" for move in sorted(ours | theirs))
        table = "\n".join(rows)
        pytest.fail(f"{counted} lines, expected {expected}; split, ours and python-chess:\n{table}")


@pytest.mark.parametrize(("text", "counts"), list(published()))
def test_perft_is_as_published(text, counts):
    state = GAME.parse_position(text)
    for depth, expected in counts.items():
        if expected <= MOST_PLAYED:
            expect_count(state, depth, counting.count(counting.perft, state, depth), expected)
        if expected <= MOST_COUNTED:
            expect_count(state, depth, counting.count(counting.bulk_perft, state, depth), expected)


def test_a_wrong_count_is_split_by_move():
    with pytest.raises(pytest.fail.Exception, match=r"(?s)^400 lines, .* 401.*\ne2e4 20 20\n"):
        expect_count(GAME.initial(), 2, 400, 401)


def test_different_positions_after_a_few_plies_are_as_published():
    depth = 2 if is_interpreting() else 4
    # OEIS A083276: 20, 400, 5362, 72078, where en passant counts only if it is legal.
    expected = [1, 20, 400, 5362, 72078][: depth + 1]
    assert list(counting.count(counting.distinct_positions, GAME.initial(), depth)) == expected


def test_positions_reached_in_another_order_have_the_same_key():
    first = after("Nf3 Nf6 Nc3 Nc6")
    assert GAME.key(first) == GAME.key(after("Nc3 Nc6 Nf3 Nf6"))
    assert first == after("Nc3 Nc6 Nf3 Nf6")
    assert GAME.key(first) != GAME.key(after("Nf3 Nf6 Nc3"))


def test_the_key_does_not_depend_on_the_counts():
    late = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 30 60"
    assert GAME.key(GAME.parse_position(late)) == GAME.key(GAME.initial())


def test_knights_that_return_repeat_the_position():
    shuffle = "Nf3 Nf6 Ng1 Ng8"
    assert GAME.key(after(shuffle)) == GAME.key(after(shuffle, shuffle)) == GAME.key(after())


def test_a_rook_that_returns_has_lost_the_right_to_castle():
    start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    state = after("Rb1 Rb8 Ra1 Ra8", start=start)
    assert GAME.position_text(state) == "r3k2r/8/8/8/8/8/8/R3K2R w Kk - 4 3"
    assert GAME.key(state) != GAME.key(GAME.parse_position(start))


def test_a_double_step_counts_only_where_it_can_be_captured():
    # Nobody beside e4; a black pawn on d4; that pawn pinned to its king by a rook on d1.
    texts = (
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
        "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
    )
    squares = [GAME.position_text(after("e2e4", start=text)).split()[3] for text in texts]
    assert squares == ["-", "e3", "-"]
    for text, square in zip(texts, squares, strict=True):
        stepped = after("e2e4", start=text)
        same = GAME.position_text(stepped).replace(" e3 ", " - ")
        is_forgotten = GAME.key(GAME.parse_position(same)) == GAME.key(stepped)
        assert is_forgotten == (square == "-")


def test_fifty_moves_without_progress_are_a_draw_in_a_match():
    claim = "fifty moves without capture or pawn move"
    start = "4k3/4p3/8/8/8/8/4P3/R3K3 w Q - 98 90"
    assert GAME.draw_claim(after(start=start), ()) == ""
    assert GAME.draw_claim(after("Ra2", start=start), ()) == ""
    assert GAME.draw_claim(after("Ra2 Kd8", start=start), ()) == claim
    assert GAME.draw_claim(after("Ra2 e6", start=start), ()) == ""
    assert GAME.draw_claim(after("e4 Kd8", start=start), ()) == ""


def test_mate_comes_before_the_fifty_moves():
    mated = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 120"
    record = plies.play_game(GAME, "random", "random", start=mated)
    assert (record.reason, record.winner, record.moves) == ("rules", 0, ())


# What is left besides the kings, and whether the rules of FIDE call the position dead.
@pytest.mark.parametrize(
    ("pieces", "is_dead"),
    [
        ("8/8/8/8/8/8/8", True),
        ("8/8/8/8/8/8/N7", True),
        ("8/8/8/8/8/8/b7", True),
        ("8/8/8/8/8/8/B1b5", True),  # a2 and c2 are light squares
        ("8/8/8/8/8/8/Bb6", False),
        ("8/8/8/8/8/8/NN6", False),
        ("8/8/8/8/8/8/Nn6", False),
        ("8/8/8/8/8/8/Nb6", False),
        ("8/8/8/8/8/8/P7", False),
        ("8/8/8/8/8/8/r7", False),
        ("8/8/8/8/8/8/Q7", False),
    ],
)
def test_a_match_is_drawn_when_the_material_gives_no_mate(pieces, is_dead):
    ranks = pieces.split("/")
    text = f"7k/{'/'.join(ranks[1:])}/7K w - - 0 1"
    state = GAME.parse_position(text)
    assert rules.to_board(state).is_insufficient_material() == is_dead
    assert GAME.draw_claim(state, ()) == ("insufficient material" if is_dead else "")


def test_a_match_stops_at_a_dead_position():
    record = plies.play_game(GAME, "random", "random", start="7k/8/8/8/8/8/6n1/6K1 w - - 0 1")
    assert record.reason == "insufficient material"
    assert len(record.moves) == 0
    assert record.payoffs == (0, 0)


def test_captures_and_promotions_are_tactical():
    state = GAME.parse_position("1n2k3/P7/8/3Pp3/8/8/8/4K2R w K e6 0 1")
    tactical = [move for move in GAME.moves(state) if rules.is_tactical(state, move)]
    counted = {GAME.move_text(state, move) for move in tactical}
    straight = {f"a7a8{piece}" for piece in "qrbn"}
    assert counted == straight | {f"a7b8{piece}" for piece in "qrbn"} | {"d5e6"}


# A pawn that could step is pinned, along a rank and along a diagonal.
@pytest.mark.parametrize(
    "text", ["8/1k6/8/KP5r/7r/8/8/8 w - - 0 1", "1q5k/8/8/3b4/8/8/4n1P1/7K w - - 0 1"]
)
def test_a_pinned_pawn_does_not_save_from_stalemate(text: str):
    state = GAME.parse_position(text)
    assert rules.to_board(state).is_stalemate()
    assert GAME.outcome(state) == plies.DRAW


# a1 and b2 are dark, c2 is light.
@pytest.mark.parametrize(("text", "is_dead"), [("b2", True), ("c2", False)])
def test_the_corners_have_the_right_colour(text: str, is_dead: bool):
    second = {"b2": "1b6", "c2": "2b5"}[text]
    state = GAME.parse_position(f"8/7k/8/8/8/8/{second}/B6K w - - 0 1")
    assert rules.to_board(state).is_insufficient_material() == is_dead
    assert bool(GAME.draw_claim(state, ())) == is_dead
