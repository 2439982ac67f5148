"""Othello with 64-bit sets and Hex with an array, beside slow versions in plain lists."""

from collections import deque
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.core.scores import SCORED
from plies.testing import assert_game

EXAMPLES = Path(__file__).parents[2] / "examples"
LINES = {"othello": 150, "hex": 110}
RAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
AROUND = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
OTHELLO_ROWS = "......../......../......../...BW.../...WB.../......../......../........"
choices = st.lists(st.integers(0, 10**6), max_size=130)


def example(spec: str) -> plies.Game:
    return plies.game(str(EXAMPLES / spec))


@pytest.mark.parametrize("name", LINES)
def test_the_examples_fit_on_two_screens(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES[name]


@pytest.mark.parametrize("spec", ["hex.py:size=2", "hex.py:size=5"])
def test_small_boards_of_hex_keep_the_contract(spec: str) -> None:
    assert_game(example(spec), games=5)


# Othello


def test_othello_counts_the_published_lines() -> None:
    game = example("othello.py")
    # Published perft counts of Othello, plies 1 to 8; a pass counts as a move.
    published = [4, 12, 56, 244, 1396, 8200, 55092, 390216]
    counted = [plies.perft(game, game.initial(), depth) for depth in range(1, 9)]
    assert counted == published


Discs = dict[tuple[int, int], str]


def turned_by(discs: Discs, own: str, x: int, y: int) -> list[tuple[int, int]]:
    """The discs that a disc on an empty square encloses, ray by ray."""
    enclosed: list[tuple[int, int]] = []
    for dx, dy in RAYS:
        line, place = [], (x + dx, y + dy)
        while discs.get(place, own) != own:
            line.append(place)
            place = (place[0] + dx, place[1] + dy)
        enclosed += line if discs.get(place) == own else []
    return enclosed


def placeable_by(discs: Discs, own: str) -> set[tuple[int, int]]:
    cells = {(x, y) for x in range(8) for y in range(8)} - discs.keys()
    return {cell for cell in cells if turned_by(discs, own, *cell)}


@given(choices)
def test_othello_agrees_with_a_board_of_rays(picks: list[int]) -> None:
    game = example("othello.py")
    state = game.initial()
    discs: Discs = {(3, 3): "W", (4, 4): "W", (3, 4): "B", (4, 3): "B"}
    own = "B"
    for pick in picks:
        other = "BW".replace(own, "")
        placeable = placeable_by(discs, own)
        names = {plies_name(x, y): (x, y) for x, y in placeable}
        if not placeable and not placeable_by(discs, other):
            break
        assert set(game.move_texts(state)) == (names.keys() or {"pass"})
        move = game.moves(state)[pick % len(game.moves(state))]
        text = game.move_text(state, move)
        if text != "pass":
            cell = names[text]
            discs |= dict.fromkeys([cell, *turned_by(discs, own, *cell)], own)
        state = game.play(state, move)
        own = other
        assert game.pieces(state) == {plies_name(x, y): disc for (x, y), disc in discs.items()}
    is_over = not placeable_by(discs, "B") and not placeable_by(discs, "W")
    assert game.is_over(state) == is_over
    if is_over:
        lead = sum(1 if disc == "B" else -1 for disc in discs.values())
        assert game.outcome(state) == SCORED
        assert game.payoffs(state) == (lead, -lead)


def plies_name(x: int, y: int) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[x]}{y + 1}"


def test_a_player_who_encloses_nothing_passes() -> None:
    game = example("othello.py")
    state = game.parse_position("......../" * 7 + "WB...... W")
    assert game.move_texts(state) == ["c1"]
    state = game.parse_position("......../" * 7 + "WB...... B")
    assert game.move_texts(state) == ["pass"]
    passed = game.play(state, game.moves(state)[0])
    assert (game.mover(passed), game.pieces(passed)) == (1, game.pieces(state))


def test_lines_do_not_go_round_the_edge_of_the_board() -> None:
    game = example("othello.py")
    # White on h1 and a2 lie side by side as bits 7 and 8, between Black's 6 and the empty 9.
    state = game.parse_position("......../" * 6 + "W......./......BW B")
    assert "b2" not in game.move_texts(state)


@pytest.mark.parametrize(
    "text",
    ["", OTHELLO_ROWS, f"{OTHELLO_ROWS} X", f"{OTHELLO_ROWS}/B B", f"{OTHELLO_ROWS[:-1]} B"],
)
def test_a_text_that_is_no_position_of_othello_is_refused(text: str) -> None:
    with pytest.raises(plies.PliesError, match="not a othello position"):
        example("othello.py").parse_position(text)


# Hex


def joins(game: plies.Game, state: object, symbol: str, size: int) -> bool:
    """Whether a player's stones join the own two sides, by breadth-first search over names."""
    pieces = game.pieces(state)
    stones = {
        (x, y) for x in range(size) for y in range(size) if pieces.get(plies_name(x, y)) == symbol
    }
    axis = 1 if symbol == "X" else 0
    queue = deque(cell for cell in stones if cell[axis] == 0)
    seen = set(queue)
    while queue:
        x, y = queue.popleft()
        if (x, y)[axis] == size - 1:
            return True
        near = {(x + dx, y + dy) for dx, dy in AROUND} & stones
        queue.extend(near - seen)
        seen |= near
    return False


@given(st.integers(2, 11), choices)
def test_hex_agrees_with_a_breadth_first_search(size: int, picks: list[int]) -> None:
    game = example(f"hex.py:size={size}")
    state = game.initial()
    for ply, pick in enumerate(picks):
        winners = [symbol for symbol in "XO" if joins(game, state, symbol, size)]
        assert (game.outcome(state) != plies.ONGOING) == bool(winners)
        if winners:
            assert winners == ["XO"[game.outcome(state)]]
            return
        moves = game.moves(state)
        assert len(moves) == size**2 - ply
        state = game.play(state, moves[pick % len(moves)])


@given(st.integers(2, 6), st.randoms(use_true_random=False))
def test_a_full_board_of_hex_has_exactly_one_winner(size: int, chance) -> None:
    game = example(f"hex.py:size={size}")
    cells = size**2
    stones = ["X"] * (cells - cells // 2) + ["O"] * (cells // 2)
    chance.shuffle(stones)
    rows = ["".join(stones[row * size : (row + 1) * size]) for row in range(size)]
    state = game.parse_position("/".join(rows))
    assert joins(game, state, "X", size) != joins(game, state, "O", size)


def test_the_first_player_wins_small_hex() -> None:
    # Known since J. Nash, 1949: no draw is possible, and a stone more never hurts.
    for size in (2, 3):
        game = example(f"hex.py:size={size}")
        value = plies.search(game, game.initial(), "alphabeta:depth=9").value
        assert value is not None
        assert value > 0


def test_a_search_of_hex_completes_a_chain() -> None:
    game = example("hex.py")
    column = "/".join(["...........", *[".....XO...."] * 10])
    state = game.parse_position(column)
    for spec in ("alphabeta:depth=2", "mcts:simulations=2000"):
        move = plies.search(game, state, spec).move
        assert game.move_text(state, move) in ("f11", "e11")


def test_the_board_of_hex_is_drawn_sloped() -> None:
    game = example("hex.py:size=3")
    state = game.parse_position("..O/.X./...")
    assert game.draw(game.initial()).splitlines()[0].startswith("  ")
    assert game.draw(game.parse_position("..O/.X./...")).splitlines() == [
        "   3  . . O",
        "  2  . X .",
        " 1  . . .",
        "    a b c",
    ]
    board = game.board(state)
    assert board is not None
    assert board.points["a3"] == (1, 2)


@pytest.mark.parametrize("text", ["", ".../.../..", "XX./.../...", "O../.../...", "Z../.../..."])
def test_a_text_that_is_no_position_of_hex_is_refused(text: str) -> None:
    with pytest.raises(plies.PliesError, match="not a hex position"):
        example("hex.py:size=3").parse_position(text)


@pytest.mark.parametrize("size", [1, 27])
def test_a_size_of_hex_that_does_not_fit_is_refused(size: int) -> None:
    with pytest.raises(plies.PliesError, match=f"size is 2 to 26, not {size}"):
        example(f"hex.py:size={size}")
