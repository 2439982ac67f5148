"""Which searches can be recorded, and with which options."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plies.core.spec import options_text, suggestion
from plies.errors import BadSpec
from plies.search import reference
from plies.search.limits import checked_depth
from plies.search.reference import Answer

OF_THE_TREE = {"root", "children", "evaluate", "is_max", "mover", "arrange", "window", "watch"}


@dataclass(frozen=True)
class Algorithm:
    """A reference search: what it needs of a tree, and whether its nodes have windows."""

    run: Callable[..., Answer]
    has_vectors: bool = False
    has_windows: bool = False
    is_growing: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """Name -> default, without what describes the tree."""
        parameters = inspect.signature(self.run).parameters.values()
        return {p.name: p.default for p in parameters if p.name not in OF_THE_TREE}


ALGORITHMS: Mapping[str, Algorithm] = {
    "minimax": Algorithm(reference.minimax),
    "alphabeta": Algorithm(reference.alphabeta, has_windows=True),
    "deepening": Algorithm(reference.deepening, has_windows=True),
    "branch": Algorithm(reference.branch, has_windows=True),
    "beam": Algorithm(reference.beam, has_windows=True),
    "maxn": Algorithm(reference.maxn, has_vectors=True),
    "paranoid": Algorithm(reference.paranoid, has_vectors=True, has_windows=True),
    "mcts": Algorithm(reference.mcts, has_vectors=True, is_growing=True),
}


def find_algorithm(name: str, options: Mapping[str, Any]) -> Algorithm:
    """The algorithm of that name, if it has these options."""
    if name not in ALGORITHMS:
        raise BadSpec(f"no trace can be made of {name}{suggestion(name, ALGORITHMS)}")
    algorithm = ALGORITHMS[name]
    for key in options:
        if key not in algorithm.options:
            raise BadSpec(f"{name} has no option {key}; {options_text(algorithm.options)}")
    if "depth" in options:
        checked_depth(options["depth"])
    return algorithm
