"""Searches that change one genome a little at a time, and take back what is worse."""

import math

import numpy as np

from plies.blackbox.problem import Evaluate, random_genome

COOLING = 1000  # the first temperature of a cycle is so many times the last
CYCLE = 20  # steps for every locus in a cycle of annealing
LOOKED_AT = 20  # neighbours of a step of tabu search
TENURE = 50  # steps that a locus stays as it is after tabu search has flipped it


def hill_climbing(evaluate: Evaluate, length: int, rng: np.random.Generator) -> None:
    """Flip loci in random order, keep what is better; start again at a local optimum."""
    while True:
        genome = random_genome(length, rng)
        value = evaluate(genome)
        failures = 0
        while failures < length:
            for locus in rng.permutation(length):
                worth = evaluate(flipped(genome, locus))
                failures += 1
                if worth > value:
                    genome, value, failures = flipped(genome, locus), worth, 0
                if failures == length:
                    break


def evolution_of_one(evaluate: Evaluate, length: int, rng: np.random.Generator) -> None:
    """The (1+1) evolutionary algorithm from a random genome."""
    genome = random_genome(length, rng)
    one_plus_one(evaluate, genome, evaluate(genome), rng)


def one_plus_one(
    evaluate: Evaluate,
    genome: np.ndarray,
    value: float,
    rng: np.random.Generator,
    calls: float = math.inf,
) -> None:
    """Each locus flips with probability 1 / length, at least one does; keep what is not worse."""
    length = len(genome)
    done = 0
    while done < calls:
        flips = max(1, rng.binomial(length, 1 / length))
        child = flipped(genome, rng.choice(length, flips, replace=False))
        worth = evaluate(child)
        done += 1
        if worth >= value:
            genome, value = child, worth


def annealing(evaluate: Evaluate, length: int, rng: np.random.Generator) -> None:
    """Simulated annealing in cycles, from the usual size of a change down to a thousandth."""
    genome = random_genome(length, rng)
    value = evaluate(genome)
    sample = [evaluate(flipped(genome, locus)) - value for locus in rng.permutation(length)[:20]]
    hot = float(np.mean(np.abs(sample))) or 1.0
    steps = CYCLE * length
    while True:
        for step in range(steps):
            temperature = hot * COOLING ** (-step / steps)
            child = flipped(genome, rng.integers(length))
            worth = evaluate(child)
            if worth >= value or rng.random() < math.exp((worth - value) / temperature):
                genome, value = child, worth


def tabu(evaluate: Evaluate, length: int, rng: np.random.Generator) -> None:
    """The best of some single flips, worse or not; a flipped locus is left alone for a while.

    Unless flipping it back is better than all that was seen.
    """
    genome = random_genome(length, rng)
    best = evaluate(genome)
    free_from = np.zeros(length, np.int64)
    step = 0
    while True:
        step += 1
        looked_at = rng.choice(length, min(LOOKED_AT, length), replace=False)
        worths = np.array([evaluate(flipped(genome, locus)) for locus in looked_at])
        is_allowed = (free_from[looked_at] <= step) | (worths > best)
        if is_allowed.any():
            chosen = int(np.argmax(np.where(is_allowed, worths, -np.inf)))
            genome = flipped(genome, looked_at[chosen])
            best = max(best, float(worths[chosen]))
            free_from[looked_at[chosen]] = step + min(TENURE, length // 4)


def flipped(genome: np.ndarray, loci: int | np.integer | np.ndarray) -> np.ndarray:
    """A copy with these loci flipped."""
    copy = genome.copy()
    copy[loci] ^= 1
    return copy
