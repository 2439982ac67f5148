"""Evaluators of morris: the estimates by their definition, the improved one by lists."""

import random
import runpy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import morris_reference as reference
import plies
from plies.compiling.compiler import is_interpreting
from plies.core.scores import is_decided
from plies.core.verbs import evaluate
from plies.evaluators.morris import LOST, Improved, game_estimate, opening_estimate
from plies.games import morris as rules
from plies.games.morris.boards import BOARDS

pytestmark = pytest.mark.plain

NAMES = list(BOARDS)
TUNING = Path(__file__).parents[2] / "tuning" / "morris.py"
SWAPPED = str.maketrans("WB", "BW")


@st.composite
def states(draw):
    """Positions of random games on any board, from the empty one to the last move."""
    game = plies.game(f"morris:board={draw(st.sampled_from(NAMES))}")
    chance, state = random.Random(draw(st.integers(0, 10**6))), game.initial()
    for _ in range(draw(st.integers(0, 50))):
        child = rules.play(state, chance.choice(list(rules.legal_moves(state))))
        if rules.outcome(child) != plies.ONGOING:
            break
        state = child
    return state


def game_of(state):
    return plies.game(f"morris:board={NAMES[state.variant]}")


def swapped(state):
    """The same with the colours of the pieces, the hands and the mover exchanged."""
    letters, side, white, black = rules.position_text(state).split()
    text = f"{letters.translate(SWAPPED)} {side.translate(SWAPPED)} {black} {white}"
    return text, state._replace(turn=1 - state.turn)


@given(states())
def test_handout_is_the_published_estimate_seen_by_the_mover(state):
    layout = reference.LAYOUTS[NAMES[state.variant]]
    letters, side, *hands = rules.position_text(state).split()
    is_opening = hands != ["0", "0"]
    estimate = reference.opening_estimate if is_opening else reference.game_estimate
    white = estimate(layout, letters, side == "W")
    handout = game_of(state).evaluator("handout")
    assert evaluate(handout, state) == (white if side == "W" else -white)


def estimates(text):
    """Opening and game estimate of a board of 22 letters."""
    state = plies.game("morris").parse_position(text)
    found = game_estimate(state.mine, state.theirs, state.variant, state.takes)
    return opening_estimate(state.mine, state.theirs), found


def test_estimates_of_boards_that_can_be_counted_by_hand():
    # 3 white pieces, 4 black.  Black has 6 moves, none closes a mill: b5 goes to b3, c4 or
    # d5, d6 to d5, g6 to f5 or g3; a6 has White's a0 and its own d6 and b5 around it.
    assert estimates("WWxWxxxxxxxxxxxxBxxBBB") == (-1, -1000 - 6)
    # Two black pieces, then two white ones.
    assert estimates("WWxWxxxxxxxxxxxxxxxBxB") == (1, 10000)
    assert estimates("WWxxxxxxxxxxxxxxxxxBBB") == (-1, -10000)
    # Black is shut in.
    assert estimates("xxxxxxxWxxWWxWBWWBBWBW") == (4, 10000)


def counts(board, own, other):
    """What the improved evaluation counts of one side, with sets of points."""
    adjacency = [set(others) for others in board.adjacency]
    empty = set(range(len(board.points))) - own - other
    mills = [set(mill) for mill in board.mills]
    closed = [mill for mill in mills if mill <= own]
    pairs = [mill for mill in mills if len(mill & own) == 2 and mill & empty]
    closers = []
    for mill in pairs:
        (gap,) = mill & empty
        closers.append({p for p in own - mill if len(own) == 3 or p in adjacency[gap]})
    return {
        "mill": len(closed),
        "pair": len(pairs),
        "single": sum(len(mill & own) == 1 and len(mill & empty) == 2 for mill in mills),
        "reach": sum(len(mill & own) for mill in mills),
        "fork": len(pairs) > 1,
        "mobility": sum(len(adjacency[point] & empty) for point in own),
        "blocked": sum(not adjacency[point] & empty for point in own),
        "threat": sum(bool(found) for found in closers),
        "double": any(found & mill for found in closers for mill in closed),
        "hopping": len(own) == 3,
    }


def opening_worth(weights, found):
    terms = ("mill", "pair", "single", "reach", "fork", "mobility")
    return sum(getattr(weights, f"opening_{term}") * found[term] for term in terms)


def game_worth(weights, found):
    terms = ("mill", "pair", "threat", "double")
    terms += ("hopping",) if found["hopping"] else ("mobility", "blocked")
    return sum(getattr(weights, term) * found[term] for term in terms)


def plain_improved(weights, state):
    """The improved evaluation by its description."""
    board = BOARDS[NAMES[state.variant]]
    points = range(len(board.points))
    mine, theirs = ({p for p in points if side >> p & 1} for side in (state.mine, state.theirs))
    own, other = counts(board, mine, theirs), counts(board, theirs, mine)
    lead = len(mine) + state.my_hand - len(theirs) - state.their_hand
    if state.my_hand or state.their_hand:
        to_move = weights.opening_turn * (own["pair"] > 0)
        gain = opening_worth(weights, own) - opening_worth(weights, other)
    else:
        to_move = weights.turn * (own["threat"] > 0)
        gain = game_worth(weights, own) - game_worth(weights, other)
    return 1000 * lead + gain + to_move


@given(states(), st.integers(0, 10**6))
def test_the_improved_evaluation_is_what_counting_with_sets_says(state, seed):
    chance = random.Random(seed)
    weights = Improved(*(chance.randint(-500, 500) for _ in Improved._fields))
    assert evaluate(weights, state) == plain_improved(weights, state)


@given(states())
def test_exchanging_the_colours_does_not_change_the_improved_value(state):
    text, expected = swapped(state)
    # Black cannot have the first move, so the state is made by hand; its text is right.
    assert rules.position_text(expected) == text
    assert evaluate(Improved(), expected) == evaluate(Improved(), state)


@given(states())
def test_what_one_side_gains_the_other_loses_but_for_the_right_to_move(state):
    weights = Improved()._replace(opening_turn=0, turn=0)
    passed = state._replace(
        mine=state.theirs,
        theirs=state.mine,
        turn=1 - state.turn,
        my_hand=state.their_hand,
        their_hand=state.my_hand,
    )
    if rules.outcome(passed) == plies.ONGOING:
        assert evaluate(weights, passed) == -evaluate(weights, state)


def test_the_improved_evaluation_knows_lost_sides():
    game = plies.game("morris")
    shut_in = game.parse_position("xxxxxxxWxxWWxWBWWBBWBW B 0 0")
    assert evaluate(Improved(), shut_in) == LOST
    two_left = game.parse_position("WWxWxxxxxxxxxxxxxxxBxB B 0 0")
    assert evaluate(Improved(), two_left) == LOST
    assert evaluate(Improved(), two_left._replace(mine=two_left.theirs, theirs=two_left.mine)) == (
        -LOST
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_value_reaches_a_win(name):
    state = rules.initial(name)._replace(mine=(1 << 9) - 1, theirs=7 << 9, my_hand=0, their_hand=0)
    values = [evaluate(plies.game("morris").evaluator(e), state) for e in ("improved", "handout")]
    assert not any(is_decided(value) for value in [*values, LOST, -LOST])


def test_improved_is_the_games_default_evaluator():
    game = plies.game("morris")
    assert game.evaluator() == game.evaluator("improved") == Improved()


@pytest.mark.skipif(is_interpreting(), reason="whole games")
def test_the_same_seed_tunes_the_same_weights():
    tuning = runpy.run_path(str(TUNING))
    tuned = [tuning["tune"](tuning["START"], rounds=4, pairs=1, depth=1, seed=1) for _ in range(2)]
    assert tuned[0] == tuned[1] != tuning["START"]
