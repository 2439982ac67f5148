"""Every search by its name."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

import numpy as np

from plies.blackbox.evolution import (
    genetic,
    recipe_as_made,
    recipe_as_written,
    recipe_of_one,
    several_islands,
)
from plies.blackbox.linkage import linkage, single_flips
from plies.blackbox.local import annealing, evolution_of_one, hill_climbing, tabu
from plies.blackbox.problem import Evaluate
from plies.core.errors import PliesError

# A search asks for values until it is stopped by an exception of what it asks.
Search = Callable[[Evaluate, int, np.random.Generator], None]


class UnknownStrategy(PliesError):
    """No search has that name."""


@dataclass(frozen=True)
class Strategy:
    """A search; the grey-box ones learn from the calls which loci act alike."""

    search: Search
    track: Literal["black box", "grey box"]
    description: str


STRATEGIES = {
    "hill-climbing": Strategy(
        hill_climbing, "black box", "single flips that are better, with random restarts"
    ),
    "one-plus-one": Strategy(
        evolution_of_one, "black box", "(1+1): every locus flips with probability 1/n"
    ),
    "annealing": Strategy(annealing, "black box", "simulated annealing by single flips, in cycles"),
    "tabu": Strategy(tabu, "black box", "the best of 20 single flips; flipped loci rest"),
    "genetic": Strategy(
        genetic, "black box", "(10+30): tournaments, uniform crossover, mutation"
    ),
    "islands": Strategy(
        several_islands, "black box", "four such populations of (10+10) that send their best on"
    ),
    "recipe": Strategy(
        recipe_as_made, "black box", "the published (10+30): reorder, flip, copy from the best"
    ),
    "recipe-300": Strategy(
        recipe_as_written, "black box", "the same with the 300 parents that were written down"
    ),
    "recipe-1": Strategy(
        recipe_of_one, "black box", "the same operators in a (1+2): one parent, two children"
    ),
    "single-flips": Strategy(
        single_flips, "grey box", "learns which loci act alike by single flips, moves them together"
    ),
    "linkage": Strategy(
        linkage, "grey box", "the same, but many loci are weighed at once"
    ),
}  # fmt: skip


def find_strategy(name: str) -> Strategy:
    """The strategy of that name."""
    if name not in STRATEGIES:
        near = get_close_matches(name, STRATEGIES, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(STRATEGIES)}"
        raise UnknownStrategy(f"there is no strategy {name}; {hint}")
    return STRATEGIES[name]
