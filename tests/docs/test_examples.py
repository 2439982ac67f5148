"""The example games keep the contract and agree with what is known about them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.core.scores import value_text
from plies.core.verbs import evaluate
from plies.testing import assert_game

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*.py"))


def example(name: str, options: str = "") -> plies.Game:
    return plies.game(f"{EXAMPLES / name}.py{options}")


def after(game: plies.Game, *texts: str):
    """The state after moves given as text."""
    state = game.initial()
    for text in texts:
        state = game.play(state, game.parse_move(state, text))
    return state


@pytest.mark.parametrize("spec", ["hexapawn.py:size=5", "kalah.py:pits=3,seeds=2"])
def test_examples_keep_the_contract_with_other_options(spec):
    assert_game(plies.game(str(EXAMPLES / spec)), games=5)


# Connect four


def test_connect_four_counts_the_published_lines():
    game = example("connect_four")
    # John Tromp's perft counts of connect four, 7 x 6, plies 1 to 8.
    published = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    counted = [plies.perft(game, game.initial(), depth) for depth in range(1, 9)]
    assert counted == published


def test_connect_four_fits_on_a_screen():
    assert len((EXAMPLES / "connect_four.py").read_text().splitlines()) <= 80


@pytest.mark.parametrize(
    "line",
    [
        "a1 a2 b1 b2 c1 c2 d1",
        "d1 e1 d2 e2 d3 e3 d4",
        "a1 b1 b2 c1 c2 d1 c3 d2 d3 g1 d4",
        "g1 f1 f2 e1 e2 d1 e3 d2 d3 a1 d4",
    ],
    ids=["row", "column", "rising", "falling"],
)
def test_four_in_a_line_win(line):
    game = example("connect_four")
    moves = line.split()
    assert game.outcome(after(game, *moves[:-1])) == plies.ONGOING
    assert game.outcome(after(game, *moves)) == 0


def test_four_stones_that_go_on_in_the_next_column_are_no_line():
    game = example("connect_four")
    # X holds a4 a5 a6 b1: adjacent bits of the board, were it not for the spare one.
    state = after(game, "b1", "a1", "a2", "a3", "a4", "b2", "a5", "c1", "a6", "c2")
    assert game.outcome(state) == plies.ONGOING


def test_alphabeta_finds_the_open_three_of_connect_four():
    game = example("connect_four")
    state = after(game, "d1", "d2", "c1", "c2")
    decision = plies.search(game, state, "alphabeta:depth=5")
    assert game.move_text(state, decision.move) in ("b1", "e1")
    assert decision.value is not None
    assert value_text(decision.value) == "win in 3"


# Hexapawn


def test_hexapawn_is_won_by_the_second_player():
    game = example("hexapawn")
    # Martin Gardner, Mathematical Games, Scientific American, March 1962.
    decision = plies.search(game, game.initial(), "alphabeta:depth=20")
    assert decision.value is not None
    assert decision.value < 0


def test_a_blocked_side_of_hexapawn_has_lost():
    game = example("hexapawn")
    state = game.parse_position("B../W../... w")
    assert game.moves(state) == ()
    assert game.outcome(state) == 1


def test_a_pawn_on_the_far_row_has_won():
    game = example("hexapawn")
    assert game.outcome(game.parse_position("W.B/.../.W. b")) == 0
    assert game.outcome(game.parse_position("..B/.../BW. w")) == 1


def test_pawns_take_diagonally_and_never_around_the_edge():
    game = example("hexapawn")
    state = game.parse_position("B.B/W.B/.W. w")
    assert game.move_texts(state) == ["b1-b2", "b1-c2"]
    state = game.parse_position("..B/B../.WW b")
    assert game.move_texts(state) == ["a2-a1", "a2-b1", "c3-c2"]


@pytest.mark.parametrize("text", ["BBB/.../WWW", "BBB/.../WWWw", "BB/../WW w", "WWW/WWW/BBB w"])
def test_a_text_that_is_no_position_of_hexapawn_is_refused(text):
    with pytest.raises(plies.PliesError, match="not a hexapawn position"):
        example("hexapawn").parse_position(text)


@pytest.mark.parametrize("size", [2, 8])
def test_a_size_that_does_not_fit_is_refused(size):
    with pytest.raises(plies.PliesError, match=f"size is 3 to 7, not {size}"):
        example("hexapawn", f":size={size}")


# Kalah


def test_a_last_seed_in_the_store_earns_another_move():
    game = example("kalah")
    state = after(game, "d1")
    assert game.mover(state) == 0
    assert game.mover(game.play(state, game.parse_move(state, "b1"))) == 1


def test_a_last_seed_in_an_empty_pit_takes_the_pit_opposite():
    game = example("kalah")
    state = game.parse_position("1,0,4,4,4,4,7 4,4,4,4,4,4,0 1")
    taken = game.play(state, game.parse_move(state, "b1"))
    assert game.position_text(taken) == "0,0,4,4,4,4,12 4,4,4,4,0,4,0 2"


@pytest.mark.parametrize(
    ("pits", "published"), [(1, "DLWLWD"), (2, "WLLL"), (3, "DWW"), (4, "W"), (5, "D")]
)
def test_small_kalah_has_its_published_values(pits, published):
    # G. Irving, J. Donkers, J. Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000:
    # won, drawn or lost for the first player, with 1, 2, 3, ... seeds in a pit.
    found = ""
    for seeds in range(1, len(published) + 1):
        game = example("kalah", f":pits={pits},seeds={seeds}")
        value = plies.search(game, game.initial(), "alphabeta:depth=60").value or 0
        found += "DWL"[(value > 0) - (value < 0)]
    assert found == published


def sown(own: list[int], other: list[int], pit: int) -> tuple[list[int], list[int], bool]:
    """Kalah a second time, with lists: both sides after a move, and whether it earned another."""
    ring = own[:] + other[:-1]
    store = len(own) - 1
    hand, ring[pit] = ring[pit], 0
    at = pit
    while hand:
        at = (at + 1) % len(ring)
        ring[at] += 1
        hand -= 1
    across = len(ring) - 1 - at
    if at < store and ring[at] == 1 and ring[across] > 0:
        ring[store] += ring[at] + ring[across]
        ring[at] = ring[across] = 0
    own, other = ring[: store + 1], [*ring[store + 1 :], other[-1]]
    if not any(own[:-1]) or not any(other[:-1]):
        own, other = [0] * store + [sum(own)], [0] * store + [sum(other)]
    return own, other, at == store


@given(st.integers(1, 6), st.integers(1, 9), st.lists(st.integers(0, 5), max_size=60))
def test_kalah_agrees_with_lists(pits, seeds, choices):
    game = example("kalah", f":pits={pits},seeds={seeds}")
    state = game.initial()
    sides = [[seeds] * pits + [0], [seeds] * pits + [0]]
    for choice in choices:
        moves = game.moves(state)
        if not moves:
            break
        move, player = moves[choice % len(moves)], game.mover(state)
        own, other, moves_again = sown(sides[player], sides[1 - player], move)
        sides = [own, other] if player == 0 else [other, own]
        state = game.play(state, move)
        first, second = (",".join(map(str, side)) for side in sides)
        mover = player if moves_again else 1 - player
        assert game.position_text(state) == f"{first} {second} {mover + 1}"
    if game.is_over(state):
        assert game.payoffs(state)[0] == sides[0][-1] - sides[1][-1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4,4,4,4,4,4,0 4,4,4,4,4,4,0", "write it like"),
        ("4,4,4 4,4,4 1", "6 pits and a store"),
        ("4,4,4,4,4,4,0 4,4,4,4,4,4,1 1", "48 seeds"),
        ("0,0,0,0,0,0,24 4,4,4,4,4,4,0 1", "those of the other are"),
        ("04,4,4,4,4,4,0 4,4,4,4,4,4,0 1", "leading zeros"),
    ],
)
def test_a_text_that_is_no_position_of_kalah_is_refused(text, reason):
    with pytest.raises(plies.PliesError, match=reason):
        example("kalah").parse_position(text)


def test_weights_change_an_opinion_without_a_new_game():
    game = example("kalah")
    state = game.parse_position("4,4,4,4,4,4,0 1,0,0,0,0,0,23 1")
    evaluator = game.evaluator("seeds")
    # 23 seeds behind in the stores and 23 ahead in the pits, at 25, 0 and 100 hundredths.
    assert evaluate(evaluator, state) == -23 + 5
    assert evaluate(evaluator._replace(pit=0), state) == -23
    assert evaluate(evaluator._replace(pit=100), state) == 0


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_example_plays_to_the_end(file):
    game = plies.game(str(file))
    record = plies.play_game(game, "alphabeta:depth=3", "random", seed=7)
    assert record.reason == "rules"
    assert game.is_over(game.parse_position(record.final))
