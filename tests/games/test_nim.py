"""Nim against its theory, and its endings for two and more players."""

from functools import reduce
from operator import xor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import compiled, is_interpreting
from plies.core.scores import MAX_EVALUATION
from plies.drawing.notation import ORDINALS
from plies.errors import IllegalMove, UnreadablePosition
from plies.games import nim as rules
from plies.testing import assert_game


@compiled
def solve(start, sizes):
    """Whether the mover has lost, for all heaps up to `start`, by trying every move.

    The position whose row i holds h objects has the index sum of h * (product of the
    `sizes` before i), where a row of the start has sizes[i] - 1 objects.
    """
    is_lost = np.zeros(np.prod(sizes), np.int64)
    for index in range(len(is_lost)):
        heaps = 0
        rest = index
        for row in range(len(sizes)):
            heaps |= rest % sizes[row] << row * start.bits
            rest //= sizes[row]
        state = rules.State(heaps, 0, start.start, start.bits, start.k, start.misere, start.players)
        result = rules.outcome(state)
        if result != plies.ONGOING:
            is_lost[index] = result == 1
            continue
        is_lost[index] = 1
        for move in rules.legal_moves(state):
            left = rules.play(state, move).heaps
            child = 0
            for row in range(len(sizes) - 1, -1, -1):
                heap = left >> row * start.bits & (1 << start.bits) - 1
                child = child * sizes[row] + heap
            if is_lost[child]:
                is_lost[index] = 0
    return is_lost


def is_lost_in_theory(rows, k, misere):
    """The mover has lost: the nim-sum of residues, with misère's exception for ones."""
    residues = [row % (k + 1) if k else row for row in rows]
    if misere and max(residues) < 2:
        return sum(residues) % 2 == 1
    return reduce(xor, residues) == 0


def odd_rows(count):
    return tuple(range(1, 2 * count, 2))


@pytest.mark.parametrize(
    "spec",
    [
        "nim:rows=4-2,k=2,misere=true",
        "nim:rows=2-3,players=4",
        "nim:rows=3-2,misere=true,players=3",
    ],
)
def test_variants_keep_the_contract(spec):
    assert_game(plies.game(spec), games=5)


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("k", range(9))
def test_lost_positions_are_those_of_the_theory(k, misere):
    full = (5, 7, 6)
    sizes = np.array(full) + 1
    is_lost = solve(rules.initial(full, k, misere), sizes)
    for index, found in enumerate(is_lost):
        rows = np.unravel_index(index, sizes, order="F")
        assert bool(found) == is_lost_in_theory([int(row) for row in rows], k, misere), rows


# Facts of Nim: for which N the start 1, 3, ..., 2N - 1 is lost for the first player, N <= 11.
PUBLISHED = [
    (0, False, {4, 8}),
    (2, False, {6}),
    (3, False, {4, 8}),
    (0, True, {1, 4, 8}),
    (2, True, {1, 2, 6}),
]


@pytest.mark.parametrize(("k", "misere", "lost"), PUBLISHED)
def test_the_first_player_loses_the_published_starts(k, misere, lost):
    assert {n for n in range(1, 12) if is_lost_in_theory(odd_rows(n), k, misere)} == lost
    largest = 4 if is_interpreting() else 6  # positions grow as 2 * 4 * ... * 2N
    for n in range(1, largest + 1):
        rows = odd_rows(n)
        is_lost = solve(rules.initial(rows, k, misere), np.array(rows) + 1)
        assert bool(is_lost[-1]) == (n in lost)


def test_a_search_finds_the_only_move_that_wins():
    game = plies.game("nim:rows=1-2-5")
    decision = plies.search(game, game.initial(), "alphabeta:depth=8")
    # 1 xor 2 xor 5 = 6, and only the row of 5 becomes smaller by xor 6: it must become 3.
    assert game.move_text(game.initial(), decision.move) == "c-2"
    assert (decision.value or 0) > MAX_EVALUATION


@given(data=st.data())
def test_a_move_takes_its_objects_from_one_row(data):
    rows = tuple(data.draw(st.lists(st.integers(1, 20), min_size=1, max_size=8)))
    k = data.draw(st.integers(0, 21))
    state = rules.initial(rows, k)
    legal = [rules.unpack_rows(int(move), state) for move in rules.legal_moves(state)]
    expected = [
        tuple(taken if other == row else 0 for other in range(len(rows)))
        for row, size in enumerate(rows)
        for taken in range(1, min(size, k or size) + 1)
    ]
    assert legal == expected
    move = int(data.draw(st.sampled_from([int(move) for move in rules.legal_moves(state)])))
    left = rules.unpack_rows(rules.play(state, move).heaps, state)
    took = rules.unpack_rows(move, state)
    assert tuple(a + b for a, b in zip(left, took, strict=True)) == rows


@pytest.mark.parametrize(
    ("options", "payoffs"),
    [
        ("", (1, -1)),
        ("misere=true", (-1, 1)),
        ("players=3", (1, 0, 0)),
        ("players=3,misere=true", (0, 1, 1)),
        ("players=5,misere=true", (0, 1, 1, 1, 1)),
    ],
)
def test_the_last_taker_wins_or_with_misere_loses(options, payoffs):
    game = plies.game(f"nim:rows=3,{options}")
    last = game.play(game.initial(), game.parse_move(game.initial(), "a-3"))
    assert game.payoffs(last) == payoffs


def test_three_players_take_turns():
    game = plies.game("nim:rows=1-1-1-1,players=3")
    state = game.initial()
    movers = []
    for move in ("a-1", "b-1", "c-1", "d-1"):
        movers.append(game.mover(state))
        state = game.play(state, game.parse_move(state, move))
    assert movers == [0, 1, 2, 0]
    assert game.outcome(state) == 0
    assert game.payoffs(state) == (1, 0, 0)


def test_rows_are_drawn_with_their_letters():
    game = plies.game("nim")
    state = game.parse_position("1-0-5-2 second")
    drawn = [line.rstrip() for line in game.draw(state).splitlines()]
    assert drawn == ["a |", "b . . .", "c | | | | |", "d | | . . . . ."]
    assert game.move_texts(state)[:3] == ["a-1", "c-1", "c-2"]
    with pytest.raises(IllegalMove):
        game.parse_move(state, "b-1")


@pytest.mark.parametrize("options", ["rows=2-3", "rows=2-3,k=1", "rows=1-4,k=2,players=3"])
def test_exactly_the_reachable_positions_can_be_written(options):
    game = plies.game(f"nim:{options}")
    start = game.initial()
    found, waiting = set(), [start]
    while waiting:
        state = waiting.pop()
        found.add(game.position_text(state))
        waiting += [game.play(state, move) for move in game.moves(state)]
    full = rules.unpack_rows(start.start, start)
    readable = set()
    for rows in np.ndindex(*(row + 1 for row in full)):
        for seat in ORDINALS[: start.players]:
            text = f"{rules.rows_text(rows)} {seat}"
            try:
                readable.add(game.position_text(game.parse_position(text)))
            except UnreadablePosition:
                continue
    assert readable == found


def test_a_bound_beyond_the_longest_row_is_no_bound():
    assert rules.initial((1, 3, 5), k=9) == rules.initial((1, 3, 5))
