"""Searches that keep a population of genomes."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from plies.blackbox.problem import Evaluate, random_genome

Member = tuple[float, np.ndarray]  # a value and its genome

ISLANDS = 4
TOURNAMENT = 2
MIGRATION = 20  # generations


@dataclass(frozen=True)
class Sizes:
    """How many survive a generation and how many are born in it."""

    parents: int
    children: int


def recipe(sizes: Sizes, evaluate: Evaluate, length: int, rng: np.random.Generator) -> None:
    """The published recipe: the best shuffled, flipped at one locus and crossed with itself.

    Its tournaments are as wide as the population, so the best is always both parents; the
    shuffle moves all loci of the first at random, and a random subset of random size is then
    copied from the second.  The best of parents and children survive.
    """
    population = born(sizes.parents, evaluate, length, rng)
    while True:
        parent = max(population, key=worth)[1]
        children = [reordered(parent, rng) for _ in range(sizes.children)]
        population = best_of(valued(children, evaluate) + population, sizes.parents)


def reordered(parent: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Shuffle, flip one locus, copy a random subset of loci from the parent as it was."""
    length = len(parent)
    child = rng.permutation(parent)
    child[rng.integers(length)] ^= 1
    kept = rng.permutation(length)[: rng.integers(length + 1)]
    child[kept] = parent[kept]
    return child


def islands(
    count: int, sizes: Sizes, evaluate: Evaluate, length: int, rng: np.random.Generator
) -> None:
    """Populations side by side; each sends its best to the next one from time to time.

    A child takes each locus from one of two parents, winners of small tournaments, and each
    locus flips with probability 1 / length.
    """
    populations = [born(sizes.parents, evaluate, length, rng) for _ in range(count)]
    generation = 0
    while True:
        generation += 1
        for place, population in enumerate(populations):
            children = [crossed(population, rng) for _ in range(sizes.children)]
            populations[place] = best_of(valued(children, evaluate) + population, sizes.parents)
        if count > 1 and generation % MIGRATION == 0:
            bests = [population[0] for population in populations]
            for place, population in enumerate(populations):
                population[-1] = bests[place - 1]


def crossed(population: list[Member], rng: np.random.Generator) -> np.ndarray:
    first, second = (tournament(population, rng) for _ in range(2))
    length = len(first)
    child = np.where(rng.random(length) < 0.5, first, second)
    child[rng.random(length) < 1 / length] ^= 1
    return child


def tournament(population: list[Member], rng: np.random.Generator) -> np.ndarray:
    entrants = rng.integers(len(population), size=TOURNAMENT)
    return max((population[each] for each in entrants), key=worth)[1]


def born(count: int, evaluate: Evaluate, length: int, rng: np.random.Generator) -> list[Member]:
    return valued([random_genome(length, rng) for _ in range(count)], evaluate)


def valued(genomes: list[np.ndarray], evaluate: Evaluate) -> list[Member]:
    return [(evaluate(genome), genome) for genome in genomes]


def best_of(members: list[Member], count: int) -> list[Member]:
    """The best first; of equals, who stands first."""
    return sorted(members, key=worth, reverse=True)[:count]


def worth(member: Member) -> float:
    return member[0]


recipe_as_made = partial(recipe, Sizes(10, 30))
recipe_as_written = partial(recipe, Sizes(300, 30))
recipe_of_one = partial(recipe, Sizes(1, 2))
genetic = partial(islands, 1, Sizes(10, 30))
several_islands = partial(islands, ISLANDS, Sizes(10, 10))
