"""The searches, one file each; none of them knows a game.

The package is also the function `plies.search(game, state, spec)`, which lives in
`plies.api`: a module and a function of the same name are one object here.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(
        self,
        game: Any,
        state: Any,
        spec: Any,
        evaluator: Any = None,
        *,
        seed: int | None = None,
        stop: Any = None,
    ) -> Any:
        """The decision of an agent, as `plies.api.search` describes it."""
        search = import_module("plies.api").search
        return search(game, state, spec, evaluator, seed=seed, stop=stop)


sys.modules[__name__].__class__ = _Callable
