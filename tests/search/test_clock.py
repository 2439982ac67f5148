"""The time for one move: a fair share, never more than there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.errors import BadSpec
from plies.search.clock import MOVES_AHEAD, OVERHEAD_SECONDS, Clock, time_budget

LEAST = 0.001  # seconds: what is taken when nothing is left
ROUNDING = 1e-9
REMAINING = st.one_of(st.floats(0, 2), st.floats(0, 1e5))
INCREMENTS = st.one_of(st.just(0.0), st.floats(0, 60))
MOVES = st.integers(0, 60)
CLOCKS = st.builds(Clock, REMAINING, INCREMENTS, MOVES)


@given(CLOCKS)
def test_no_move_takes_more_than_is_left(clock: Clock) -> None:
    share = time_budget(clock)
    assert 0 < share.soft <= share.hard
    assert share.hard <= max(clock.remaining - OVERHEAD_SECONDS, LEAST)


@given(CLOCKS)
def test_the_reserve_is_never_touched(clock: Clock) -> None:
    if clock.remaining > OVERHEAD_SECONDS + LEAST:
        assert time_budget(clock).hard <= clock.remaining - OVERHEAD_SECONDS


@given(CLOCKS, st.floats(0, 100), st.floats(0, 100))
def test_who_has_more_time_may_take_more(clock: Clock, more: float, faster: float) -> None:
    richer = Clock(clock.remaining + more, clock.increment + faster, clock.moves_to_go)
    assert time_budget(richer).soft >= time_budget(clock).soft - ROUNDING
    assert time_budget(richer).hard >= time_budget(clock).hard - ROUNDING


@given(REMAINING, INCREMENTS, st.integers(1, 59))
def test_who_has_fewer_moves_to_go_may_take_more(left: float, added: float, moves: int) -> None:
    sooner, later = Clock(left, added, moves), Clock(left, added, moves + 1)
    assert time_budget(sooner).soft >= time_budget(later).soft - ROUNDING
    assert time_budget(sooner).hard >= time_budget(later).hard - ROUNDING


@given(CLOCKS)
def test_a_game_without_controls_is_expected_to_go_on_for_some_moves(clock: Clock) -> None:
    forever = Clock(clock.remaining, clock.increment)
    assert time_budget(forever) == time_budget(Clock(clock.remaining, clock.increment, MOVES_AHEAD))


@given(REMAINING, INCREMENTS)
def test_the_last_move_before_new_time_may_take_all_but_the_reserve(
    left: float, added: float
) -> None:
    share = time_budget(Clock(left, added, moves_to_go=1))
    assert share.hard == pytest.approx(max(left - OVERHEAD_SECONDS, LEAST))


@pytest.mark.parametrize("moves_to_go", [0, 2, 40])
@given(left=REMAINING, added=INCREMENTS)
def test_no_other_move_takes_half_of_what_is_left(
    moves_to_go: int, left: float, added: float
) -> None:
    share = time_budget(Clock(left, added, moves_to_go))
    assert share.hard <= max(left - OVERHEAD_SECONDS, LEAST) / 2


@given(left=st.floats(1, 1e4), added=INCREMENTS, moves=st.integers(1, 60))
def test_the_time_lasts_until_the_control(left: float, added: float, moves: int) -> None:
    """However often a search takes all it may, there is something left for the last move."""
    for to_go in range(moves, 0, -1):
        spent = time_budget(Clock(left, added, to_go)).hard
        assert spent < left
        left += added - spent


def test_the_shares_of_a_common_game() -> None:
    # 60 s for 25 moves or more and 1 s a move: (60 - 0.02) / 25 + 0.8 = 3.1992 s is fair.
    share = time_budget(Clock(60.0, increment=1.0))
    assert share.soft == pytest.approx(0.6 * 3.1992)
    assert share.hard == pytest.approx(4 * 3.1992)
    # Long thoughts end at 35 % of what is left: 4 * (0.98 / 25 + 0.8) would be 3.4 s.
    assert time_budget(Clock(1.0, increment=1.0)).hard == pytest.approx(0.35 * 0.98)


@pytest.mark.parametrize(
    "wrong", [(float("nan"),), (float("inf"),), (10**400,), (1, -1), (1, float("nan")), (1, 0, -1)]
)
def test_a_clock_that_makes_no_sense_is_refused(wrong: tuple[float, ...]) -> None:
    with pytest.raises(BadSpec, match="at least 0, not Clock"):
        Clock(*wrong)  # pyright: ignore[reportArgumentType]


def test_after_the_flag_has_fallen_there_is_hardly_any_time() -> None:
    assert time_budget(Clock(-5)).hard <= LEAST


def test_a_clock_never_has_less_than_nothing_left() -> None:
    assert (Clock(-5).remaining, Clock(-5, per_move=2).for_this_move) == (0, 0)
