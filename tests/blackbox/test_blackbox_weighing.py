"""Designs, and the whole numbers behind sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.blackbox.lattice import multiples, relations
from plies.blackbox.weighing import BASE, design_for, most_loci, read


# B. Lindström 1964: 2^k - 1 weighings tell k 2^(k-1) bits.
@pytest.mark.parametrize(("order", "loci"), [(2, 4), (3, 12), (4, 32), (5, 80), (6, 192)])
def test_designs_have_the_published_size(order: int, loci: int) -> None:
    plan = design_for(order, 1, 10_000)
    assert plan.rows.shape == (2**order - 1, loci)
    assert plan.loci == loci == most_loci(order)


@given(st.integers(2, 5), st.integers(1, 4), st.integers(1, 80), st.integers(0, 2**32))
def test_every_choice_of_sides_is_read_back_from_its_sums(order, components, loci, seed) -> None:
    rng = np.random.default_rng(seed)
    plan = design_for(order, components, loci)
    numbers = [
        int(rng.choice([-1, 1])) * BASE ** int(rng.integers(components)) for _ in range(plan.loci)
    ]
    sums = [
        sum(number for number, is_on in zip(numbers, row, strict=True) if is_on)
        for row in plan.rows
    ]
    assert read(plan, sums, components) == numbers


def test_sums_that_no_sides_have_are_not_read() -> None:
    plan = design_for(3, 1, 12)
    assert read(plan, [100] * 7, 1) is None
    assert read(plan, [0] * 7, 1) is None


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=10))
def test_small_multiples_of_powers_of_ten_are_found(times: list[int]) -> None:
    weights = [10.0**-place for place in range(len(times))]
    value = sum(each * weight for each, weight in zip(times, weights, strict=True))
    steps = sum(map(abs, times))
    assert multiples(weights, value, steps, 1e-13) == tuple(times)


def test_multiples_that_nothing_has_or_that_are_doubtful_are_not_given() -> None:
    assert multiples([1.0, 0.1], 0.05, 4, 1e-9) is None
    assert multiples([1.0, 0.1], 3.0, 2, 1e-9) is None  # three steps at least
    assert multiples([1.0, 0.1], 3.0, 4, 1e-9) is None  # an odd number of steps
    # 2.0 in 12 steps is 1 + 10 tenths in 11, or 2 in 2; 1.0 in 10 steps is 1 or ten tenths
    assert multiples([1.0, 0.1], 2.0, 12, 1e-9) == (2, 0)
    assert multiples([1.0, 0.1], 1.0, 11, 1e-9) == (1, 0)


def test_balances_tell_the_signs_of_weights_and_which_stay_apart() -> None:
    # one step of the first instead of two of the second would not balance, of -1 of it would
    found = relations([5.0, 3.0, 1.0, 0.5], [{5.0: 1, 3.0: 1}, {3.0: 2, 1.0: -2}])
    assert found[5.0] == (0, 1)
    assert found[3.0] == (0, -1)
    assert found[1.0] == (0, -1)
    assert found[0.5] == (1, 1)


def test_a_balance_that_contradicts_the_others_is_outvoted() -> None:
    balances = [{2.0: 1, 1.0: 1}, {2.0: 3, 1.0: 3}, {2.0: 1, 1.0: -1}]
    assert relations([2.0, 1.0], balances) == {2.0: (0, 1), 1.0: (0, -1)}
