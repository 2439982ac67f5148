"""Which agents may be named from outside, with which options, and a few to choose at once.

No agent that opens a file, starts a program or asks at the terminal; but models that the server
was started with may be named.
"""

from dataclasses import replace

from plies.agents import Agent, agent, read_spec
from plies.agents.agent import no_evaluator_text
from plies.agents.builtin import AGENTS
from plies.agents.options import OPTIONS
from plies.agents.theory import strategy_agents
from plies.core import report_words
from plies.core.contract import Game
from plies.core.spec import suggestion
from plies.errors import BadSpec, PliesError
from plies.search.search import Search
from plies.web import limits
from plies.web.messages import AgentKind, Level, Opponents, OptionView
from plies.web.models import EVALUATOR, Models
from plies.web.view import options_view

ALLOWED = {
    name: search for name, search in AGENTS.items() if not search.leading and not search.is_outside
}
HIDDEN = AGENTS.keys() - ALLOWED.keys()
NO_MODELS = Models((), lambda game: game)
STRONG = (("Hard", "seconds=0.5"), ("Strongest", "seconds=3.0"))
EASY = (
    Level(name="Beginner", agent="random"),
    Level(name="Easy", agent="alphabeta:depth=2,choice=random"),
    Level(name="Medium", agent="alphabeta:depth=4,choice=random"),
)
BY_EVALUATOR = (*EASY, *(Level(name=name, agent=f"engine:{time}") for name, time in STRONG))
# The engine sees no farther than it searches where nobody says what positions are worth.
BY_PLAYOUTS = (*EASY, *(Level(name=name, agent=f"mcts:{time}") for name, time in STRONG))
MANY = (
    Level(name="Beginner", agent="random"),
    Level(name="Easy", agent="maxn:depth=2"),
    Level(name="Medium", agent="maxn:depth=4"),
    *(Level(name=name, agent=f"mcts:{time}") for name, time in STRONG),
)
PERFECT = Level(name="Perfect", agent="theory")


def checked(spec: str, game: Game, models: Models = NO_MODELS) -> str:
    """The spec as it is told and kept, of an agent that may play here; `BadSpec` if it may not."""
    return allowed_agent(spec, game, models).spec


def allowed(game: Game, models: Models = NO_MODELS) -> dict[str, type[Search]]:
    """Who may play this game: strategies of its file and users' agents of the server as well."""
    return {**models.searches, **ALLOWED, **strategy_agents(game)}


def allowed_agent(spec: str, game: Game, models: Models = NO_MODELS) -> Agent:
    """The agent that a spec names, if it may be named from outside."""
    name, texts = read_spec(spec)
    known, served = allowed(game, models), models.asked_for(spec, game)
    playable = [each.name for each in models.of(game) if read_spec(each.agent)[0] == name]
    if name not in known and served is None and playable:
        raise BadSpec(f"{name} has no such model here; there are {', '.join(playable)}")
    if name not in known and served is None:
        near = suggestion(name, known, report_words.agent(name, texts))
        raise BadSpec(f"{name[:50]} does not play here{near}")
    for key, most in limits.MOST.items():
        if key in texts and _number(texts[key]) > most:
            raise BadSpec(f"{key} is at most {most:g} here, not {texts[key]}")
    if served is not None:
        return models.agent(spec, game, served)
    opinion = texts.get(EVALUATOR, "")
    if opinion and opinion not in game.evaluators and opinion != "zero":
        known = [*game.evaluators, "zero", *models.evaluators(game)]
        near = suggestion(opinion, known, report_words.EVALUATORS)
        raise BadSpec(f"{game.spec} has no evaluator {opinion[:50]}{near}")
    return models.file_agent(spec, game) if name in models.searches else agent(spec, game)


def _number(text: str) -> float:
    """A number that can be compared; what is none is for others to complain about."""
    try:
        return float(text)
    except ValueError:
        return 0.0


def fresh(model: Agent) -> Agent:
    """The same agent with a memory of its own."""
    return replace(model, memory={})


def opponents(game: Game, models: Models = NO_MODELS) -> Opponents:
    """Whoever plays this game."""
    kinds = [
        AgentKind(name=name, summary=_summary(method, game), options=_options(method, game, models))
        for name, method in allowed(game, models).items()
        if _plays(name, game, models)
    ]
    usual = BY_EVALUATOR if game.evaluators else BY_PLAYOUTS
    usual = usual if game.is_zero_sum(game.initial()) else MANY
    levels = [level for level in usual if _plays(level.agent, game)]
    if _plays(PERFECT.agent, game):
        levels.append(PERFECT)
    return Opponents(levels=levels, learned=models.levels(game), kinds=kinds)


def _plays(spec: str, game: Game, models: Models = NO_MODELS) -> bool:
    try:
        allowed_agent(spec, game, models)
    except PliesError:
        return False
    return True


def _summary(method: type[Search], game: Game) -> str:
    """What an agent does, in a sentence: the first of its docstring; what it lacks in this game."""
    first = " ".join((method.__doc__ or "").split()).partition(". ")[0].removesuffix(".")
    is_blind = not game.evaluators and method().needs_evaluator
    return f"{first}. {no_evaluator_text(game)}." if is_blind else f"{first}."


def _options(method: type, game: Game, models: Models) -> list[OptionView]:
    """Its options; an evaluator is one of the game's, or a model."""
    evaluators = ["", *game.evaluators, "zero", *models.evaluators(game)]
    return [
        option.model_copy(update={"kind": "choice", "choices": evaluators})
        if option.name == EVALUATOR
        else option
        for option in options_view(method, told=lambda name: OPTIONS.get(name, ""))
    ]
