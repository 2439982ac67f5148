"""The kind of a file, and the checks for it."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from plies import game_files
from plies.agents import read_spec
from plies.agents.files import installed, searches_in
from plies.core.contract import Game
from plies.errors import BadSpec, UnknownGame
from plies.registry import game_names
from plies.testing import CheckResult
from plies.testing.agents import agent_checks
from plies.testing.evaluators import evaluator_checks
from plies.testing.watching import watched_file_checks


def kind_of(module: ModuleType) -> str:
    """`game`, `agent` or `evaluator`; empty where it is none of them."""
    names = vars(module)
    if isinstance(names.get("GAME"), Game):
        return "game"
    if "AGENT" in names or "choose" in names or searches_in(module):
        return "agent"
    return "evaluator" if {"evaluate", "EVALUATOR"} & names.keys() else ""


def _game_of(module: ModuleType, path: Path) -> str:
    """The game that an agent or an evaluator is for: a name, or a file beside it; or empty."""
    game = getattr(module, "GAME", "")
    if not isinstance(game, str):
        raise BadSpec(f"{path}: GAME is {game!r:.80}; write the name of a game, or leave it out")
    is_file = game.partition(":")[0].endswith(".py")
    return str(path.parent / game) if is_file else game


def checks_of_file(spec: str, seed: int = 0, patience: float = 10) -> Iterator[CheckResult] | None:
    """The checks of an agent's or evaluator's file, or an installed agent; None for a game."""
    name, options = read_spec(spec)
    if name in installed() and name not in game_names():
        return watched_file_checks(agent_checks(spec, (), seed), Path(name), patience)
    if not name.endswith(".py") or not Path(name).is_file():
        return None
    module = game_files.load(Path(name))
    kind = kind_of(module)
    game = _game_of(module, Path(name)) if kind in ("agent", "evaluator") else ""
    if kind == "agent":
        checks = agent_checks(spec, (game,) if game else (), seed)
        return watched_file_checks(checks, Path(name), patience)
    if kind == "evaluator":
        if options:
            raise BadSpec(f"{name} is an evaluator, which has no options")
        return watched_file_checks(evaluator_checks(Path(name), game, seed), Path(name), patience)
    if not kind:
        right = "GAME = Game(...), a function choose, a plies.Search, or a compiled evaluate"
        raise UnknownGame(f"{name} is no game, agent, search or evaluator: it has none of {right}")
    return None
