"""Learned players: model files that are named when the server starts, never by a visitor.

Outside, a model has a name made of its file's: visitors write `q:NAME` or `eval=NAME`.
Paths stay inside; a text that is no such name is refused like any other.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from plies.agents import AGENTS, Agent, agent, read_spec, spec_text
from plies.agents.files import search_in
from plies.agents.learned import PREDICTORS
from plies.agents.spec import leading_option
from plies.core.contract import Game
from plies.core.spec import options_of, split_spec
from plies.errors import BadSpec, PliesError
from plies.models.files import BadModel, Model
from plies.models.kinds import is_for, read_model, trained
from plies.models.predictor import VALUE
from plies.web.messages import Level

EVALUATOR = "eval"
TITLES = {
    "forest": "Random forest",
    "mlp": "Perceptron",
    "moves": "Table of moves",
    "network": "Network",
    "table": "Q-learning",
    "tuples": "TD learning",
    "weights": "Learned weights",
}
UNFIT = re.compile(r"[^\w.-]+")  # for a name in a spec
SIGN_OF_SPECS = ","  # what ends an option
NO_AGENTS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Served:
    """A model under its name outside; its arrays are read by the agents that need them."""

    name: str
    path: str
    model: Model
    agent: str  # of the visitors' list: who plays by it

    @property
    def title(self) -> str:
        """What it is, from its card."""
        card = self.model.card
        parts = [TITLES.get(self.model.kind, self.model.kind)]
        if isinstance(card.get("games"), int):
            parts.append(f"{card['games']:,} games")
        if isinstance(card.get("inputs"), list):
            count = len(card["inputs"])
            parts.append(f"{count} input{'s' if count > 1 else ''}")
        return f"{', '.join(parts)} ({self.name})"

    def is_asked_for(self, name: str, texts: Mapping[str, str]) -> bool:
        """Whether the agent of that name and options is to use it."""
        key = key_of(name)
        player = read_spec(self.agent)[0]
        is_fit = player == name
        if key == EVALUATOR:  # of a method that has an evaluator
            is_fit = name in AGENTS and EVALUATOR in options_of(AGENTS[name])
            is_fit = is_fit and self.model.kind != "moves"
        return is_fit and texts.get(key) == self.name


class Models:
    """The models of a server; `original` answers a game as it was found, under its own name.

    `agents` are the users' agents that the server was started with, paths by the names outside.
    """

    def __init__(
        self,
        served: Iterable[Served],
        original: Callable[[Game], Game],
        agents: Mapping[str, str] = NO_AGENTS,
    ):
        self._served = list(served)
        self._original = original
        self._agents = agents
        self.searches = {name: search_in(Path(path)) for name, path in agents.items()}

    def of(self, game: Game) -> list[Served]:
        """Those that were made for a game."""
        if not self._served:
            return []
        original = self._original(game)
        return [each for each in self._served if is_for(each.model, original)]

    def levels(self, game: Game) -> list[Level]:
        return [Level(name=each.title, agent=each.agent) for each in self.of(game)]

    def evaluators(self, game: Game) -> list[str]:
        return [each.name for each in self.of(game) if each.model.kind != "moves"]

    def asked_for(self, spec: str, game: Game) -> Served | None:
        """The model that a spec from outside names."""
        name, texts = read_spec(spec)
        own = self.of(game)
        return next((each for each in own if each.is_asked_for(name, texts)), None)

    def agent(self, spec: str, game: Game, served: Served) -> Agent:
        """The agent of a spec from outside that names this model."""
        try:
            found = agent(with_model(spec, served.path), self._original(game))
        except BadModel as error:  # which would tell its path
            raise BadSpec(f"the model {served.name} can no longer be used") from error
        except PliesError as error:
            raise BadSpec(self.without_paths(str(error))) from error
        return replace(
            found, options=read_spec(with_model(found.spec, served.name)).options, game=game
        )

    def inner(self, spec: str, game: Game) -> str:
        """The same agent for those who find models by their paths."""
        served, (name, texts) = self.asked_for(spec, game), read_spec(spec)
        if name in self._agents:
            return spec_text(self._agents[name], texts)
        return spec if served is None else with_model(spec, served.path)

    def file_agent(self, spec: str, game: Game) -> Agent:
        """The agent of a spec from outside that names a user's agent."""
        name = read_spec(spec).name
        try:
            return replace(agent(self.inner(spec, game), game), name=name)
        except PliesError as error:
            raise BadSpec(self.without_paths(str(error))) from error

    def without_paths(self, text: str) -> str:
        """A text for visitors: models are called by their names."""
        for served in self._served:
            text = text.replace(served.path, served.name)
        for name, path in self._agents.items():
            text = text.replace(path, name)
        return text

    def public(self, spec: str) -> str | None:
        """The agent of a run as it is named outside; None where it uses no file of ours."""
        name, texts = read_spec(spec)
        if own := next((each for each in self._agents if self._agents[each] == name), ""):
            return spec_text(own, texts)
        path = texts.get(key_of(name))
        served = next((each for each in self._served if each.path == path), None)
        return None if served is None else with_model(spec, served.name)


def key_of(name: str) -> str:
    """The option by which an agent is given a model."""
    return leading_option(name) or EVALUATOR


def with_model(spec: str, text: str) -> str:
    """The spec with that text for its model."""
    name, texts = read_spec(spec)
    return spec_text(name, {**texts, key_of(name): text})


def read_served(paths: Iterable[Path], originals: Mapping[str, Game]) -> list[Served]:
    """The models in files, each with a name of its own; `BadModel` where one cannot be used."""
    found: list[Served] = []
    for path in paths:
        model = read_model(path)
        where = str(path.absolute())
        if SIGN_OF_SPECS in where:
            raise BadModel(f"{path} has a comma in its path, which no agent can be given")
        game = _game_of(path, model, originals)
        used = {each.name for each in found} | {*game.evaluators, "zero", *trained(game)}
        stem = UNFIT.sub("-", path.stem).strip("-") or "model"
        names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
        name = next(each for each in names if each not in used)
        spec = _player(model, game, name)
        agent(with_model(spec, where), game)  # complains where it does not fit
        found.append(Served(name, where, replace(model, arrays={}), spec))
    return found


def named_agents(paths: Iterable[Path]) -> dict[str, str]:
    """The full paths of users' agents, by names that no other agent has."""
    found: dict[str, str] = {}
    for path in paths:
        stem = UNFIT.sub("-", path.stem).strip("-") or "agent"
        names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
        name = next(each for each in names if each not in found and each not in AGENTS)
        found[name] = str(path.absolute())
    return found


def _game_of(path: Path, model: Model, originals: Mapping[str, Game]) -> Game:
    """The game that is served and that the model was made for, with its options."""
    options = split_spec(f"game:{model.game.partition(':')[2]}")[1]
    for spec, original in originals.items():
        games = [original]
        if ":" not in spec and options.keys() <= original.defaults.keys():
            games.append(original.with_options(options))
        for game in games:
            if is_for(model, game):
                return game
    raise BadModel(f"{path} was made for {model.game}, which is not served here")


def _player(model: Model, game: Game, name: str) -> str:
    """Who plays by a model: the agent of its kind, or a search that judges by it."""
    if model.kind == "moves":
        return f"moves:{name}"
    if model.kind == "table":
        return f"q:{name}"
    if model.kind in PREDICTORS:
        return f"{'pred' if model.card['inputs'] == [VALUE] else 'mi_pred'}:{name}"
    search = "engine:seconds=0.5" if game.is_zero_sum(game.initial()) else "maxn:depth=2"
    return f"{search},eval={name}"
