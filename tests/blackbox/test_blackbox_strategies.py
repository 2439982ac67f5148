"""Strategies: fair, sound, and as good as the documentation says."""

from statistics import median

import numpy as np
import pytest

from plies.blackbox import (
    STRATEGIES,
    SUCCESS,
    BadProblem,
    Problem,
    UnknownStrategy,
    evolution,
    find_strategy,
    linkage,
    local,
    problem,
    run,
)
from plies.blackbox.problem import Evaluate, class_value, random_genome

DRAWN = "recipe:tournament=2,flips=3"
UNSHUFFLED = "recipe:reorder=no,population=3,generations=0"
SHUFFLING = {"recipe", DRAWN}
SMALL = 60


class Enough(Exception):
    """Ends a search."""


def asked(name: str, value: Evaluate, calls: int, seed: int = 3) -> list[np.ndarray]:
    """The genomes that a strategy asks for, in order."""
    genomes: list[np.ndarray] = []

    def evaluate(genome: np.ndarray) -> float:
        if len(genomes) == calls:
            raise Enough
        genomes.append(genome.copy())
        return value(genome)

    with pytest.raises(Enough):
        find_strategy(name).search(evaluate, SMALL, np.random.default_rng(seed))
    return genomes


def masked(value: Evaluate, mask: np.ndarray) -> Evaluate:
    return lambda genome: value(genome ^ mask)


@pytest.mark.parametrize("name", [*STRATEGIES, DRAWN, UNSHUFFLED])
def test_a_strategy_does_the_same_when_zeros_and_ones_are_exchanged(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started at the mirrored place, it asks for the mirrored genomes, one by one.

    Those that shuffle loci are only asked to mirror all of them: a shuffle knows no single one.
    """
    rng = np.random.default_rng(7)
    mask = rng.integers(0, 2, SMALL, dtype=np.int8)
    if name in SHUFFLING:
        mask[:] = 1
    value = class_value(2, SMALL)
    plain = asked(name, value, 400)
    for module in (evolution, linkage, local):
        monkeypatch.setattr(
            module, "random_genome", lambda length, rng: random_genome(length, rng) ^ mask
        )
    mirrored = asked(name, masked(value, mask), 400)
    assert all(np.array_equal(a, b ^ mask) for a, b in zip(plain, mirrored, strict=True))


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_starts_at_random_and_repeats_itself_with_its_seed(name: str) -> None:
    value = class_value(2, SMALL)
    first, again, other = (asked(name, value, 50, seed) for seed in (3, 3, 4))
    assert all(map(np.array_equal, first, again))
    assert not np.array_equal(first[0], other[0])
    assert 10 < first[0].sum() < 50


@pytest.mark.parametrize("name", sorted(set(STRATEGIES) - {"tabu"}))
def test_a_strategy_solves_a_small_problem_of_one_class(name: str) -> None:
    trial = run(problem(1, SMALL), name, seed=1, budget=20_000)
    assert trial.solved is not None
    assert trial.best >= SUCCESS


# 30 runs of 1000 loci are in docs/blackbox.md; here are a few, and bounds that leave room.
@pytest.mark.parametrize("classes", [1, 2, 5, 10])
def test_linkage_needs_less_than_a_call_for_each_locus(classes: int) -> None:
    calls = [run(problem(classes), "linkage", seed, 5000).solved or 5001 for seed in range(1, 8)]
    assert median(calls) < 900
    assert max(calls) <= 5000


@pytest.mark.parametrize("classes", [1, 2, 5, 10])
def test_single_flips_need_little_more_than_a_call_for_each_locus(classes: int) -> None:
    calls = [run(problem(classes), "single-flips", seed, 3000).solved or 3001 for seed in (1, 2, 3)]
    assert median(calls) < 1100


def test_the_published_recipe_solves_one_class_as_it_was_published() -> None:
    # published 1217 calls; runs of the recipe took about 1.1k
    calls = [run(problem(1), "recipe", seed, 3000).solved or 3001 for seed in range(1, 6)]
    assert 1000 < median(calls) < 1300
    one = run(problem(1), "recipe:population=1,offspring=2", 1, 3000)
    assert (one.solved or 3001) < 600


def test_a_recipe_ends_after_its_generations_and_knows_no_value_beyond() -> None:
    value = problem(5, SMALL)
    trial = run(value, "recipe:population=4,offspring=3,generations=5", seed=1, budget=1000)
    assert (value.calls, trial.solved) == (4 + 3 * 5, None)
    assert trial.best_by(19) == trial.best
    assert trial.best_by(20) is None


def test_the_best_of_a_recipe_is_a_parent_unless_its_tournaments_are_narrow() -> None:
    value = class_value(5, SMALL)
    whole, wide, narrow = (
        asked(f"recipe:population=6,tournament={width}", value, 200) for width in (0, 6, 2)
    )
    assert all(map(np.array_equal, whole, wide))
    assert not all(map(np.array_equal, whole, narrow))


def test_every_operator_of_a_recipe_can_be_left_out() -> None:
    value = class_value(1, SMALL)

    def children(options: str) -> list[np.ndarray]:
        parent, *rest = asked(f"recipe:population=1,offspring=20,{options}", value, 21)
        return [child ^ parent for child in rest]

    assert {int(each.sum()) for each in children("reorder=no,crossover=no")} == {1}
    assert {int(each.sum()) for each in children("reorder=no,flips=1")} == {0, 1}
    # a shuffle alone keeps the number of ones
    parent, *shuffled = asked("recipe:population=1,crossover=no,flips=0", value, 21)
    assert {int(each.sum()) for each in shuffled} == {int(parent.sum())}


def rearranged(value: Evaluate, length: int, seed: int) -> Evaluate:
    """The same with loci in a random order and a random genome as the best."""
    rng = np.random.default_rng(seed)
    order, mask = rng.permutation(length), rng.integers(0, 2, length, dtype=np.int8)
    return lambda genome: value((genome ^ mask)[order])


@pytest.mark.parametrize("classes", [1, 2, 5, 10])
@pytest.mark.parametrize("length", [300, 500])
def test_linkage_does_not_depend_on_the_layout_or_on_what_is_best(
    classes: int, length: int
) -> None:
    value = rearranged(class_value(classes, length), length, seed=100 + classes)
    calls = [run(Problem(value, length), "linkage", each, 9000).solved for each in (1, 2, 3)]
    assert None not in calls
    assert min(each or 0 for each in calls) < length


def contiguous(genome: np.ndarray) -> float:
    """Three blocks of different weight and different size."""
    return float(genome[:200].sum() + 20 * genome[200:260].sum() + 400 * genome[260:].sum())


def spread_weights(genome: np.ndarray) -> float:
    """A weight of its own for every locus: nothing can be weighed."""
    return float(genome @ np.sqrt(np.arange(2, len(genome) + 2)))


def traps(genome: np.ndarray) -> float:
    """Blocks of five that lead away from what is best."""
    ones = genome.reshape(-1, 5).sum(axis=1)
    return float(np.where(ones == 5, 5, 4 - ones).sum())


def leading_ones(genome: np.ndarray) -> float:
    return float(np.argmin(np.append(genome, 0)))


def jump(genome: np.ndarray) -> float:
    """A valley of two ones before the best."""
    ones = int(genome.sum())
    return float(ones if ones <= len(genome) - 3 or ones == len(genome) else 0)


@pytest.mark.parametrize(
    ("value", "length", "budget"),
    [
        (contiguous, 300, 700),
        (spread_weights, 100, 200),
        (traps, 100, 300),
        (jump, 100, 200),
        (leading_ones, 40, 20_000),
    ],
)
def test_linkage_is_sound_on_problems_of_other_kinds(
    value: Evaluate, length: int, budget: int
) -> None:
    best = value(np.ones(length, np.int8))
    mask = np.random.default_rng(9).integers(0, 2, length, dtype=np.int8)
    for seed in (1, 2):
        trial = run(Problem(masked(value, mask), length), "linkage", seed, budget, best - 1e-9)
        assert trial.solved is not None


@pytest.mark.parametrize("name", ["linkage", "single-flips"])
def test_a_constant_or_a_noisy_value_ends_with_the_budget(name: str) -> None:
    noise = np.random.default_rng(1)
    for value in (lambda genome: 0.25, lambda genome: float(noise.random() / 2)):
        trial = run(Problem(value, 50), name, 1, 1500)
        assert (trial.solved, trial.best < SUCCESS) == (None, True)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_tiny_genomes_are_no_trouble(name: str, length: int) -> None:
    trial = run(problem(1, length), name, 1, 5000)
    assert trial.solved is not None


def test_a_run_never_asks_for_more_than_its_budget() -> None:
    value = problem(10, 100)
    trial = run(value, "one-plus-one", 1, 137)
    assert value.calls == trial.budget == 137
    assert trial.curve[-1][0] == 137


def test_what_does_not_exist_is_refused_before_anything_is_called() -> None:
    value = problem(1, 10)
    with pytest.raises(UnknownStrategy, match="did you mean linkage"):
        run(value, "linkge", 1, 10)
    with pytest.raises(BadProblem, match="at least one call"):
        run(value, "linkage", 1, 0)
    assert value.calls == 0
