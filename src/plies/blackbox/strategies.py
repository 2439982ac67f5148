"""Every search by its name."""

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, Literal

import numpy as np

from plies.blackbox.evolution import Recipe, genetic, several_islands
from plies.blackbox.linkage import linkage, single_flips
from plies.blackbox.local import annealing, evolution_of_one, hill_climbing, tabu
from plies.blackbox.problem import Evaluate
from plies.core.spec import options_of, read_options, split_spec, suggestion
from plies.errors import PliesError

# A search asks for values until it is stopped by an exception of what it asks.
Search = Callable[[Evaluate, int, np.random.Generator], None]


class UnknownStrategy(PliesError):
    """No search has that name."""


@dataclass(frozen=True)
class Strategy:
    """A search, a dataclass if it has options; the grey-box ones learn from the calls which loci
    act alike.
    """

    search: Search
    track: Literal["black box", "grey box"]
    description: str

    @property
    def make(self) -> Callable[..., Any]:
        """What makes such a search from the options of a text `name:key=value,...`."""
        return type(self.search) if is_dataclass(self.search) else lambda: self.search

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its default."""
        return options_of(self.make)


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
        Recipe(), "black box", "the published (10+30): reorder, flip, copy from the best"
    ),
    "single-flips": Strategy(
        single_flips, "grey box", "learns which loci act alike by single flips, moves them together"
    ),
    "linkage": Strategy(
        linkage, "grey box", "the same, but many loci are weighed at once"
    ),
}  # fmt: skip

# What `plies blackbox list` says about options.
OPTIONS = {
    "population": "parents; the report says 300, its run had 10",
    "offspring": "children of a generation",
    "tournament": "members drawn, of which the best is a parent; 0: all",
    "flips": "loci drawn and flipped in each child",
    "crossover": "copy a random subset of loci from a second parent",
    "reorder": "shuffle the loci of the first parent",
    "generations": "then the search ends; 0: when the calls are spent",
}


def find_strategy(spec: str) -> Strategy:
    """The strategy of that text, `name` or `name:key=value,...`."""
    name, texts = split_spec(spec)
    if name not in STRATEGIES:
        raise UnknownStrategy(f"there is no strategy {name}{suggestion(name, STRATEGIES)}")
    strategy = STRATEGIES[name]
    options = read_options(name, texts, strategy.make)
    return replace(strategy, search=strategy.make(**options))
