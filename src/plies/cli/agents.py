"""`plies agents`: who can search and play."""

from typing import Any

from plies.cli.parameters import Json

# An option that many agents have and the value that an example gives it.
EXAMPLES = {"simulations": 2000, "seconds": 1, "depth": 4}


def command(as_json: Json = False) -> None:
    """List the agents, what they do, and their options with defaults.

    \b
    Example:  plies agents --json
    """
    from plies.agents import METHODS
    from plies.cli.output import print_json

    found = [describe(name, method) for name, method in sorted(METHODS.items())]
    if as_json:
        print_json(found)
        return
    for number, agent in enumerate(found):
        if number:
            print()
        print(f"{agent['name']}: {agent['description']}")
        options = ", ".join(f"{key}={text}" for key, text in agent["options"].items())
        print(f"  options  {options or 'none'}")
        print(f"  example  {agent['example']}")


def describe(name: str, method: type[Any]) -> dict[str, Any]:
    """One agent as data."""
    from plies.core.spec import join_spec, option_text, options_of

    options = options_of(method)
    example = [(key, value) for key, value in EXAMPLES.items() if key in options]
    return {
        "name": name,
        "description": first_paragraph(method),
        "options": {key: option_text(default) for key, default in options.items()},
        "for_any_game": method.for_any_game,
        "example": join_spec(name, dict(example[:1])),
    }


def first_paragraph(method: type[Any]) -> str:
    """The first paragraph of what the method says about itself, on one line."""
    paragraph = (method.__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(paragraph.split())
