"""Problems: the published value, and a counter that cannot be cheated."""

import copy
import pickle

import numpy as np
import pytest

from plies.blackbox import CLASSES, LENGTH, SUCCESS, BadGenome, BadProblem, Problem, problem


def slow_value(genome: list[int], classes: int) -> float:
    """The definition word by word."""
    counts = sorted((sum(genome[start::classes]) for start in range(classes)), reverse=True)
    largest = [count for count in counts if count == counts[0]]
    rest = counts[len(largest) :]
    taken = sum(0.1**place * count for place, count in enumerate(rest, 1))
    return (sum(largest) - taken) / len(genome)


@pytest.mark.parametrize("classes", CLASSES)
def test_the_value_is_the_published_one(classes: int) -> None:
    rng = np.random.default_rng(1)
    value = problem(classes, 40)
    for share in (0.1, 0.5, 0.9):
        for _ in range(50):
            genome = (rng.random(40) < share).astype(int).tolist()
            assert value(genome) == pytest.approx(slow_value(genome, classes), abs=1e-15)


# Two classes of 3 loci: 0, 2, 4 and 1, 3, 5.  Ones: 2 and 1, so (2 - 0.1 * 1) / 6;
# 2 and 2, so (2 + 2) / 6; 0 and 3, so (3 - 0.1 * 0) / 6.
@pytest.mark.parametrize(
    ("genome", "value"),
    [([1, 0, 1, 0, 0, 1], 1.9 / 6), ([1, 1, 1, 0, 0, 1], 4 / 6), ([0, 1, 0, 1, 0, 1], 0.5)],
)
def test_small_genomes_have_the_values_computed_by_hand(genome: list[int], value: float) -> None:
    assert problem(2, 6)(genome) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("classes", [each for each in range(1, 201) if LENGTH % each == 0])
def test_all_ones_succeed_and_all_zeros_are_worth_nothing(classes: int) -> None:
    value = problem(classes)
    assert value(np.ones(LENGTH)) >= SUCCESS
    assert value(np.zeros(LENGTH)) == 0


def test_every_call_counts_and_a_refused_genome_does_not() -> None:
    value = problem(2, 10)
    for _ in range(3):
        value([1] * 10)
    assert value.calls == 3
    for wrong in (
        [1] * 9,
        [1] * 11,
        [[1] * 10],
        [2] * 10,
        [0.5] * 10,
        ["1"] * 10,
        [float("nan")] * 10,
    ):
        with pytest.raises(BadGenome):
            value(wrong)
    assert value.calls == 3


def test_the_counter_cannot_be_set_and_the_problem_not_be_copied() -> None:
    value = problem(1, 4)
    value([1, 1, 0, 0])
    for name in ("calls", "_calls", "length", "anything"):
        with pytest.raises(AttributeError):
            setattr(value, name, 0)
    with pytest.raises(AttributeError):
        del value.length
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="copied"):
            attempt(value)
    assert value.calls == 1


def test_a_function_of_ones_own_gets_a_genome_that_it_may_change() -> None:
    def spoil(genome: np.ndarray) -> float:
        genome[:] = 0
        return 1.0

    genome = np.ones(5, np.int8)
    assert Problem(spoil, 5)(genome) == 1.0
    assert genome.tolist() == [1] * 5


@pytest.mark.parametrize(("classes", "length"), [(0, 10), (-1, 10), (3, 10), (1, 0), (20, 10)])
def test_classes_that_do_not_fit_are_refused(classes: int, length: int) -> None:
    with pytest.raises(BadProblem):
        problem(classes, length)
