"""Populations, what a generation does to them, islands, and going on from a file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.errors import BadSpec
from plies.learn.evolution import (
    Evolution,
    Genomes,
    Plan,
    keep_best,
    resume_evolution,
    save_evolution,
)
from plies.models.files import BadModel, Model, load_model, save_model

CHOICES = np.array([2, 3, 5, 1, 4, 3, 2, 6, 3, 3] * 4)
SMALL = Plan(population=40, offspring=20, tournament=3)


def total(genomes: Genomes) -> Any:
    return genomes.sum(axis=1).astype(np.float64)


def evolved(generations: int, plan: Plan = SMALL, seed: int = 1) -> Evolution:
    evolution = Evolution(CHOICES, total, plan, seed)
    for _ in range(generations):
        evolution.advance()
    return evolution


def test_the_best_genome_of_a_simple_task_is_found():
    genome, score = evolved(60, Plan(population=300, offspring=150)).best
    assert (genome == CHOICES - 1).all()
    assert score == (CHOICES - 1).sum()


@given(st.integers(0, 2**32), st.sampled_from([1, 2, 4]), st.floats(0, 1))
def test_genes_stay_in_their_range_and_the_best_is_never_lost(seed, islands, mutation):
    plan = replace(SMALL, islands=islands, mutation=mutation, migration=2)
    evolution = evolved(5, plan, seed)
    assert (evolution.genomes >= 0).all()
    assert (evolution.genomes < CHOICES).all()
    assert [total(island).tolist() for island in evolution.genomes] == evolution.scores.tolist()
    best = [score for score, _ in evolution.history]
    assert best == sorted(best)
    assert evolution.generation == len(best) - 1 == 5


def test_the_seed_decides_everything():
    assert (evolved(10).genomes == evolved(10).genomes).all()
    assert (evolved(10).genomes != evolved(10, seed=2).genomes).any()


def test_an_interrupted_generation_leaves_the_one_before():
    evolution = evolved(2, replace(SMALL, islands=2))
    before, calls = evolution.genomes.copy(), []

    def interrupted(genomes: Genomes) -> Any:
        calls.append(1)
        if len(calls) == 2:  # the first island has its children already
            raise KeyboardInterrupt
        return total(genomes)

    evolution.fitness = interrupted
    with pytest.raises(KeyboardInterrupt):
        evolution.advance()
    assert (evolution.genomes == before).all()
    assert evolution.generation == 2


def test_a_mutant_differs_from_a_resident_in_one_gene_at_most():
    evolution = evolved(0, replace(SMALL, mutation=1))
    before = evolution.genomes[0].copy()
    evolution.advance()
    for genome in evolution.genomes[0]:
        assert (before != genome).sum(axis=1).min() <= 1


def test_a_crossing_takes_every_gene_from_one_of_two_residents():
    evolution = evolved(0, Plan(population=2, offspring=2, mutation=0, tournament=1))
    before = evolution.genomes[0].copy()
    evolution.advance()
    for genome in evolution.genomes[0]:
        assert ((genome == before[0]) | (genome == before[1])).all()


def test_the_best_of_residents_and_children_stay_and_of_equals_the_resident():
    genomes = np.array([[0], [1], [2], [3]])
    scores = np.array([5.0, 1.0, 3.0, 2.0])
    keep_best(genomes, scores, np.array([[4], [5], [6]]), np.array([3.0, 4.0, 0.0]))
    # Of 5, 4, 3 and 3 among the residents 5, 3, 2, 1 and the children 4, 3, 0.
    assert sorted(zip(scores.tolist(), genomes[:, 0].tolist(), strict=True)) == [
        (3.0, 2),
        (3.0, 4),
        (4.0, 5),
        (5.0, 0),
    ]


@pytest.mark.parametrize(("migration", "has_arrived"), [(1, True), (2, False)])
def test_the_best_of_an_island_visits_the_next_one_when_it_is_time(migration, has_arrived):
    plan = Plan(population=6, offspring=3, islands=3, tournament=1, mutation=0, migration=migration)
    evolution = Evolution(CHOICES, total, plan, seed=1)
    genomes = np.zeros_like(evolution.genomes)
    genomes[2] = CHOICES - 1
    evolution.resume(genomes, np.zeros((1, 2)))
    evolution.advance()
    assert (evolution.scores.max(axis=1) > 0).tolist() == [has_arrived, False, True]


def test_going_on_from_a_file_is_the_same_as_never_having_stopped(tmp_path: Path):
    path = tmp_path / "half.npz"
    plan = replace(SMALL, islands=2, migration=3)
    half = evolved(7, plan)
    save_evolution(path, half, "nim", {"aim": "all"})
    later = evolved(0, plan)
    resume_evolution(path, later, "nim", {"aim": "all"})
    for _ in range(8):
        later.advance()
    whole = evolved(15, plan)
    assert (later.genomes == whole.genomes).all()
    assert later.history == whole.history


@pytest.mark.parametrize(
    ("plan", "seed", "game", "aim", "message"),
    [
        (replace(SMALL, mutation=0.5), 1, "nim", "all", "mutation 0.3, not 0.5"),
        (SMALL, 2, "nim", "all", "seed 1, not 2"),
        (SMALL, 1, "nim:k=3", "all", "game nim, not nim:k=3"),
        (SMALL, 1, "nim", "one", "aim all, not one"),
    ],
)
def test_the_file_of_another_evolution_is_refused(tmp_path: Path, plan, seed, game, aim, message):
    path = tmp_path / "kept.npz"
    save_evolution(path, evolved(1), "nim", {"aim": "all"})
    with pytest.raises(BadModel, match=message):
        resume_evolution(path, evolved(0, plan, seed), game, {"aim": aim})


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"genomes": np.full((1, 40, 40), 6)}, "other genes"),
        ({"genomes": np.zeros((1, 40, 40))}, "other genes"),
        ({"genomes": np.zeros((1, 4, 40), int)}, "of another size"),
        ({"history": np.zeros(3)}, "no history"),
        ({"history": None}, "has no history"),
        ({"history": np.array([["a", "b"]])}, "no history"),
        ({"history": np.full((2, 2), np.nan)}, "no history"),
    ],
)
def test_a_file_with_strange_arrays_is_refused(tmp_path: Path, arrays, message):
    path = tmp_path / "kept.npz"
    save_evolution(path, evolved(1), "nim", {})
    model = load_model(path)
    changed = {name: array for name, array in (model.arrays | arrays).items() if array is not None}
    save_model(path, Model(model.kind, model.game, model.card, changed))
    with pytest.raises(BadModel, match=message):
        resume_evolution(path, evolved(0), "nim", {})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 1}, "population is 2 to"),
        ({"offspring": 0}, "offspring is 1 to"),
        ({"mutation": 1.5}, "mutation is a probability"),
        ({"mutation": float("nan")}, "mutation is a probability"),
        ({"tournament": 0}, "tournament is 1 to"),
        ({"islands": 3}, "population is a multiple of the 3 islands, not 1000"),
        ({"migration": 0}, "migration is 1 to"),
    ],
)
def test_plans_that_make_no_sense_are_refused(options, message):
    with pytest.raises(BadSpec, match=message):
        Plan(**options)
