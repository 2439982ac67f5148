"""`plies agents`: who can search and play."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from plies.cli.errors import complain
from plies.cli.parameters import Json

# An option that many agents have and the value that an example gives it.
EXAMPLES = {"elo": 1500, "simulations": 2000, "seconds": 1, "depth": 4}


Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]", help="Explain this one only; it may be a file.", show_default=False
    ),
]
OfGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="Take the strategies of this game only; it may be a file.",
        show_default="all games that are installed",
    ),
]


def command(name: Name = None, game: OfGame = None, as_json: Json = False) -> None:
    """List the agents, what they do, and their options with defaults; or explain one of them.

    \b
    Example:  plies agents engine
              plies agents --game my_game.py
    """
    from plies.agents.files import search_in
    from plies.cli.output import print_json
    from plies.core import report_words
    from plies.core.spec import suggestion
    from plies.errors import BadSpec

    if name is not None and name.endswith(".py"):
        known = {name: search_in(Path(name))}
    else:
        known = known_agents(game)
    if name is not None:
        if name not in known:
            place = "" if game is None else f" for {game}"
            near = suggestion(name, known, report_words.AGENTS)
            raise BadSpec(f"there is no agent {name}{place}{near}")
        if as_json:
            print_json(describe(name, known[name]))
        else:
            explain(name, known[name])
        return
    found = [describe(name, method) for name, method in sorted(known.items())]
    if as_json:
        print_json(found)
        return
    for number, agent in enumerate(found):
        if number:
            print()
        print(f"{agent['name']}: {agent['description']}")
        print(f"  options  {options_text(agent) or 'none'}")
        print(f"  games    {games_text(agent)}")
        print(f"  example  {agent['example']}")


def known_agents(game: str | None) -> dict[str, type[Any]]:
    """Every agent by name, with the strategies of one game or of all that are installed.

    Agents of other installed packages are among them.
    """
    from plies.agents import AGENTS, agents_of
    from plies.agents.files import installed, installed_search
    from plies.errors import PliesError
    from plies.registry import game as find_game
    from plies.registry import game_names

    known: dict[str, type[Any]] = {}
    for name, point in installed().items():
        if name in AGENTS:
            what = f"the agent {name} of {point.module}"
            complain(f"warning: {what} is left out: plies has one of that name")
        try:
            known[name] = installed_search(name)
        except PliesError as error:
            complain(f"warning: {error}")
    if game is not None:
        return {**known, **agents_of(find_game(game))}
    for spec in game_names():
        with suppress(PliesError):  # what is wrong with a game is told when it is played
            known.update(agents_of(find_game(spec)))
    return {**known, **AGENTS}


def explain(name: str, method: type[Any]) -> None:
    """All that a method says about itself, and one line for every option."""
    from inspect import getdoc
    from typing import get_type_hints

    from plies.agents.faults import is_foreign
    from plies.agents.options import OPTIONS
    from plies.cli.output import print_facts, print_table

    agent, hints = describe(name, method), get_type_hints(method)
    print(f"{name}: {getdoc(method)}\n")
    if agent["options"]:
        defaults = agent["options"].items()
        columns = 3 if is_foreign(method) else 4  # our words need not fit a user's option
        rows = [
            (key, "needed" if text is None else text, kind_text(hints[key]), OPTIONS.get(key, ""))
            for key, text in defaults
        ]
        heads = ("option", "default", "is", "what it does")
        print_table(heads[:columns], [row[:columns] for row in rows])
        print()
    print_facts({"games": games_text(agent), "example": agent["example"]})


def games_text(agent: dict[str, Any]) -> str:
    if agent["game"] is not None:
        return agent["game"]
    return "of any number of players" if agent["for_any_game"] else "of two players, zero-sum"


def kind_text(kind: Any) -> str:
    """What may be written for an option of that type."""
    from plies.core.spec import EXAMPLES as KINDS

    if get_origin(kind) is Literal:
        return " or ".join(get_args(kind))
    return KINDS.get(kind, "a name")


def options_text(agent: dict[str, Any]) -> str:
    """All options as a spec has them, capital letters for what must be filled in."""
    from plies.agents.spec import leading_option

    leading = leading_option(agent["name"])
    values = {key: key.upper() if text is None else text for key, text in agent["options"].items()}
    texts = [text if key == leading else f"{key}={text}" for key, text in values.items()]
    return ", ".join([*texts, *([f"{agent['any_option']}, ..."] if agent["any_option"] else [])])


def describe(name: str, method: type[Any]) -> dict[str, Any]:
    """One agent as data; an option that must be given has the default None.

    `any_option` is how options of any name are written, `game` the only one that it plays.
    """
    from inspect import Parameter

    from plies.agents import spec_text
    from plies.core.spec import option_text, options_of

    options = options_of(method)
    needed = {key: key.upper() for key, default in options.items() if default is Parameter.empty}
    usual = [(key, value) for key, value in EXAMPLES.items() if key in options]
    example = {**needed, **dict(usual[:1]), **method.example}
    return {
        "name": name,
        "description": first_paragraph(method),
        "options": {
            key: None if key in needed else option_text(default) for key, default in options.items()
        },
        "any_option": method.any_option,
        "for_any_game": method.for_any_game,
        "game": getattr(method, "game", None),
        "example": spec_text(name, example),
    }


def first_paragraph(method: type[Any]) -> str:
    """The first paragraph of what the method says about itself, on one line."""
    paragraph = (method.__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(paragraph.split())
