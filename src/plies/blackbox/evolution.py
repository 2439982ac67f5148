"""Searches that keep a population of genomes."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from plies.blackbox.problem import LENGTH, Evaluate, random_genome
from plies.errors import BadSpec

Member = tuple[float, np.ndarray]  # a value and its genome

ISLANDS = 4
TOURNAMENT = 2
MIGRATION = 20  # generations


@dataclass(frozen=True)
class Sizes:
    """How many survive a generation and how many are born in it."""

    parents: int
    children: int


@dataclass(frozen=True)
class Recipe:
    """The published recipe; its parameters as they were when it was run.

    300 parents were written down, 10 were used: 10 + 1000 * 30 are the published 30 010 calls.
    """

    population: int = 10
    offspring: int = 30
    tournament: int = 0
    flips: int = 1
    crossover: bool = True
    reorder: bool = True
    generations: int = 1000

    def __post_init__(self) -> None:
        for name in ("population", "offspring"):
            if getattr(self, name) < 1:
                raise BadSpec(f"recipe: {name} is at least 1, not {getattr(self, name)}")
        for name in ("flips", "generations"):
            if getattr(self, name) < 0:
                raise BadSpec(f"recipe: {name} is at least 0, not {getattr(self, name)}")
        if self.flips > LENGTH:
            raise BadSpec(
                f"recipe: flips is at most {LENGTH}, the loci there are, not {self.flips}"
            )
        if not 0 <= self.tournament <= self.population:
            most = f"1 to {self.population} (the population), or 0 for all of them"
            raise BadSpec(f"recipe: tournament is {most}, not {self.tournament}")
        if not (self.flips or self.crossover or self.reorder):
            raise BadSpec("recipe: children need flips, crossover or reorder to differ")

    def __call__(self, evaluate: Evaluate, length: int, rng: np.random.Generator) -> None:
        """The best of parents and children survive a generation."""
        population = best_of(born(self.population, evaluate, length, rng), self.population)
        generation = 0
        while generation < self.generations or not self.generations:
            children = (self.child(population, rng) for _ in range(self.offspring))
            population = best_of(valued(children, evaluate) + population, self.population)
            generation += 1

    def child(self, population: list[Member], rng: np.random.Generator) -> np.ndarray:
        """Shuffle the first parent, flip loci, copy a random subset from the second."""
        parent = self.parent(population, rng)
        length = len(parent)
        child = rng.permutation(parent) if self.reorder else parent.copy()
        for _ in range(self.flips):
            child[rng.integers(length)] ^= 1
        if self.crossover:
            other = self.parent(population, rng)
            kept = rng.permutation(length)[: rng.integers(length + 1)]
            child[kept] = other[kept]
        return child

    def parent(self, population: list[Member], rng: np.random.Generator) -> np.ndarray:
        """The winner of a tournament of different members; the best is the first of them."""
        if self.tournament in (0, self.population):
            return population[0][1]
        entrants = rng.choice(self.population, self.tournament, replace=False)
        return population[min(entrants)][1]


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
            children = (crossed(population, rng) for _ in range(sizes.children))
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
    return valued((random_genome(length, rng) for _ in range(count)), evaluate)


def valued(genomes: Iterable[np.ndarray], evaluate: Evaluate) -> list[Member]:
    """Each is made when its turn comes: a budget ends a population of any size."""
    return [(evaluate(genome), genome) for genome in genomes]


def best_of(members: list[Member], count: int) -> list[Member]:
    """The best first; of equals, who stands first."""
    return sorted(members, key=worth, reverse=True)[:count]


def worth(member: Member) -> float:
    return member[0]


genetic = partial(islands, 1, Sizes(10, 30))
several_islands = partial(islands, ISLANDS, Sizes(10, 10))
