"""`plies games`: the games, their options and evaluators."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import complain
from plies.cli.parameters import Json
from plies.errors import PliesError

if TYPE_CHECKING:
    from plies.core.contract import Game


Name = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="Show the rules of this one; it may be a file.",
        show_default="all games, a line each",
    ),
]


def command(name: Name = None, as_json: Json = False) -> None:
    """List the games, their options with defaults, and their evaluators; or show one's rules.

    \b
    Example:  plies games quixo
    """
    from plies.cli.output import print_facts, print_json, print_table
    from plies.registry import game, game_names, hidden_games, named_game

    if name is not None:
        one = game(name)
        facts = describe(one)
        if as_json:
            print_json({**facts, "rules": one.rules})
        else:
            print(f"{one.rules}\n")
            print_facts({key: cell(fact) or "none" for key, fact in facts.items()})
        return
    for point in hidden_games():
        what = f"the game {point.name} of {point.module}"
        complain(f"warning: {what} is left out: plies has one of that name")
    rows: list[dict[str, Any]] = []
    for name in game_names():
        try:
            rows.append(describe(named_game(name)))
        except PliesError as error:  # a broken game of another package must not hide the rest
            complain(f"warning: {error}")
    if as_json:
        print_json(rows)
        return
    columns = ("game", "title", "players", "options", "evaluators")
    print_table(columns, [[cell(row[key]) for key in ("name", *columns[1:])] for row in rows])


def describe(game: "Game") -> dict[str, Any]:
    """One game as JSON; `players` is for the default options."""
    from plies.core.spec import option_text
    from plies.models.kinds import trained

    return {
        "name": game.name,
        "title": game.title,
        "players": game.players(game.initial()),
        "options": {name: option_text(default) for name, default in game.defaults.items()},
        "evaluators": [*game.evaluators, *trained(game), "zero"],
    }


def cell(value: Any) -> str:
    """A value as text in a cell of the table."""
    if isinstance(value, dict):
        return ", ".join(f"{name}={default}" for name, default in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)
