"""The bands of the score scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.core.scores import (
    DRAW,
    INFINITY,
    MAX_EVALUATION,
    MAX_PLIES,
    ONGOING,
    SCORED,
    WIN,
    is_decided,
    lose_in,
    value_text,
    win_in,
)

plies = st.integers(0, MAX_PLIES)
evaluations = st.integers(-MAX_EVALUATION, MAX_EVALUATION)


def test_outcomes_that_are_no_player_are_negative_and_different():
    assert len({ONGOING, DRAW, SCORED}) == 3
    assert max(ONGOING, DRAW, SCORED) < 0


@given(plies, evaluations)
def test_a_win_beats_every_evaluation_and_a_loss_is_worse_than_any(away: int, evaluation: int):
    assert lose_in(away) < evaluation < win_in(away)
    assert is_decided(win_in(away))
    assert is_decided(lose_in(away))
    assert not is_decided(evaluation)


@given(plies, plies)
def test_nearer_wins_and_farther_losses_are_better(one: int, other: int):
    assert (win_in(one) > win_in(other)) == (one < other)
    assert (lose_in(one) > lose_in(other)) == (one > other)


@given(plies)
def test_what_one_side_wins_the_other_loses(away: int):
    assert win_in(away) == -lose_in(away)
    assert -INFINITY < lose_in(away) < win_in(away) < INFINITY


@given(plies)
def test_decided_values_are_said_in_plies(away: int):
    assert value_text(win_in(away)) == f"win in {away}"
    assert value_text(lose_in(away)) == f"loss in {away}"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (14, "+14"), (-3, "-3"), (MAX_EVALUATION, f"+{MAX_EVALUATION}"), (WIN, "win in 0")],
)
def test_evaluations_are_said_with_their_sign(value: int, text: str):
    assert value_text(value) == text
