"""Evaluators of Seega against slow ones that look at cells one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.core.verbs import evaluate
from plies.evaluators.seega import Improved
from plies.games import seega as rules
from plies.games.seega.cells import numbers
from seega_samples import after, states

pytestmark = pytest.mark.plain


def cells_of(state):
    """(x, y) -> `me`, `you` or nothing, of every cell."""
    cells = {}
    for name, bit in numbers(state.size).items():
        mark = "me" if state.mine >> bit & 1 else "you" if state.theirs >> bit & 1 else ""
        cells[rules.board(state).points[name]] = mark
    return cells


def beside(place, distance=1):
    x, y = place
    return [(x + distance, y), (x - distance, y), (x, y + distance), (x, y - distance)]


def placing_worth(weights, state, side):
    cells = cells_of(state)
    last = state.size - 1
    middle = (last // 2, last // 2)
    own = {place for place, mark in cells.items() if mark == side}
    near = [way for way in range(4) if beside(middle)[way] in own]
    far = [way for way in range(4) if beside(middle, 2)[way] in own]
    worth = weights.beside * min(len(near), 2)
    worth += weights.partner * sum(any(other != way for other in far) for way in near)
    worth += weights.border * sum(x in (0, last) or y in (0, last) for x, y in own)
    if (side == "me") == (state.turn == 0):
        worth += weights.backed * sum(way in far for way in near)
    return worth


def catchable(cells, size, side, hunters):
    """The pieces of the other side that one of `hunters` can capture by a step."""
    other = {"me": "you", "you": "me"}[side]
    found = set()
    for place in hunters:
        for to in beside(place):
            for way, victim in enumerate(beside(to)):
                behind = beside(to, 2)[way]
                is_between = cells.get(victim) == other and cells.get(behind) == side
                if cells.get(to) == "" and is_between and victim != (size // 2, size // 2):
                    found.add(victim)
    return found


def moving_worth(weights, state):
    cells = cells_of(state)
    own, enemy = ({p for p, mark in cells.items() if mark == side} for side in ("me", "you"))
    lead = len(own) - len(enemy)
    middle = cells[state.size // 2, state.size // 2]
    touched = sum(bool(own & set(beside(place))) for place in enemy)
    touched -= sum(bool(enemy & set(beside(place))) for place in own)
    threatened = catchable(cells, state.size, "me", own)
    endangered = catchable(cells, state.size, "you", enemy - threatened)
    boring = weights.boring * state.quiet // state.limit
    return (
        weights.piece * lead
        + weights.centre * ((middle == "me") - (middle == "you"))
        + weights.contact * touched
        + weights.threat * len(threatened)
        - weights.danger * len(endangered)
        + boring * ((lead > 0) - (lead < 0))
    )


@given(states(), st.lists(st.integers(0, 99), min_size=10, max_size=10))
def test_the_improved_evaluation_agrees_with_lists_of_cells(state, values):
    weights = Improved(*values)
    if state.to_place:
        sides = [placing_worth(weights, state, side) for side in ("me", "you")]
        expected = sides[0] - sides[1]
    else:
        expected = moving_worth(weights, state)
    assert evaluate(weights, state) == expected


@given(states())
def test_the_basic_evaluation_counts_what_the_mover_has_captured(state):
    enemies = sum(mark == "you" for mark in cells_of(state).values())
    captured = 0 if state.to_place else state.size**2 // 2 - enemies
    assert evaluate(plies.game("seega").evaluator("basic"), state) == captured


@pytest.mark.parametrize(
    ("position", "value"),
    [
        # X: c4 beside the centre (3) with a partner on c1 (3), c1 on the border (2).
        # O: b3 beside the centre (3) with nobody across or at its side, but behind it,
        # which counts for X only; a3 on the border (2).
        ("...../..X../OO.../...../..X.. X place", 8 - 5),
        # The same arrangement of X with c5 for c1: no partner, but backed.
        ("..X../..X../OO.../...../..... X place", 7 - 5),
        # A piece more (10), X on the centre (2); b1 is touched by c1 and touches it (1 - 1);
        # X can catch b1 by a2-a1 (3), and O nothing.
        ("....O/...../..X../X..../.OX.. X 0", 10 + 2 + 3),
        # After 25 of 50 quiet steps half of the malus counts for the player who is ahead.
        ("....O/...../..X../X..../.OX.. X 25", 10 + 2 + 3 + 5),
        # O sees the same the other way round.
        ("....O/...../..X../X..../.OX.. O 0", -10 - 2 - 3),
        ("....O/...../..X../X..../.OX.. O 25", -10 - 2 - 3 - 5),
        # Both of O are touched (2) and touch two (2).  O could catch c1 by d2-d1, but X can
        # catch d2 now, by c3-c2 (3).
        ("...../...../..X../...OX/.OX.. X 0", 10 + 2 + 3),
        # Without e2 X cannot: an even number of pieces, b1 touched and c1 touched (1 - 1),
        # X on the centre (2), and c1 in danger (3).
        ("...../...../..X../...O./.OX.. X 0", 2 - 3),
    ],
)
def test_worked_examples_of_the_improved_evaluation(position, value):
    game, state = after("seega", position)
    assert evaluate(game.evaluator("improved"), state) == value


def test_the_improved_evaluation_has_the_weights_of_the_study_and_is_the_default():
    # Facts of Seega: 3, 3, 2, 2 while placing, 10, 2, 1, 3, 3 afterwards.
    assert Improved()[:9] == (3, 3, 2, 2, 10, 2, 1, 3, 3)
    assert plies.game("seega").evaluator() == Improved()
