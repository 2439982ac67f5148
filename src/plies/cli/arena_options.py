"""What `match` and `tournament` may be told, in the words of a tournament's TOML file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import UsageError

if TYPE_CHECKING:
    from plies.arena.config import Tournament

Pairs = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Openings of every meeting, each played with the seats swapped.",
        show_default="10",
    ),
]
RunSeed = Annotated[
    int | None,
    typer.Option(metavar="N", help="Random seed of openings and agents.", show_default="1"),
]
Openings = Annotated[
    str | None,
    typer.Option(
        metavar="N|FILE",
        help="Begin after so many random plies, or at the positions in a file.",
        show_default="4",
    ),
]
Credit = Annotated[
    str | None,
    typer.Option(
        metavar="SECONDS[+INCREMENT]",
        help="Time of a player for a game, such as 60+0.5.",
        show_default="no limit",
    ),
]
PerMove = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="The most that one move may take.", show_default=False),
]
MaxPlies = Annotated[
    int | None,
    typer.Option(metavar="N", help="Longer games are drawn.", show_default="1000"),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Any other key of a tournament file, such as rules.cycles=true.",
        show_default=False,
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="[ADDRESS]",
        help="Let a Ray cluster play: the one at an address, or one of this machine.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep the games here.", show_default=False),
]
Replay = Annotated[
    list[str] | None,
    typer.Option(
        metavar="AGENT",
        help="Play all games of this agent again, by its name; repeat it for more agents.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Only show the plan and how long it is going to take."),
]


def as_data(
    *,
    pairs: int | None,
    seed: int | None,
    openings: str | None,
    clock: str | None,
    per_move: float | None,
    max_plies: int | None,
    settings: Sequence[str],
) -> dict[str, Any]:
    """What was given, as a TOML file would say it."""
    data: dict[str, Any] = {}
    if pairs is not None:
        data["pairs"] = pairs
    if seed is not None:
        data["seed"] = seed
    if openings is not None:
        data["openings"] = openings_table(openings)
    clocks = {**credit(clock), **({} if per_move is None else {"per_move": per_move})}
    if clocks:
        data["clocks"] = clocks
    if max_plies is not None:
        data["rules"] = {"max_plies": max_plies}
    for setting in settings:
        put(data, setting)
    return data


def openings_table(text: str) -> dict[str, Any]:
    """`4` -> {"plies": 4}, else the path of a file, relative to where it was typed."""
    is_number = text.isdecimal() and len(text) < 20
    return {"plies": int(text)} if is_number else {"file": str(Path(text).absolute())}


def credit(text: str | None) -> dict[str, float]:
    """`60+0.5` -> {"credit": 60.0, "increment": 0.5}."""
    if text is None:
        return {}
    seconds, plus, increment = text.partition("+")
    try:
        return {"credit": float(seconds)} | ({"increment": float(increment)} if plus else {})
    except ValueError:
        raise UsageError(f"--clock is SECONDS or SECONDS+INCREMENT, not {text}") from None


def put(data: dict[str, Any], setting: str) -> None:
    """Set a dotted key to a value, which is TOML, or else a text."""
    from plies.arena.input_bounds import parse_toml
    from plies.errors import BadSpec

    key, equals, value = (part.strip() for part in setting.partition("="))
    if not (key and equals and value):
        raise UsageError(f"--set is KEY=VALUE, such as rules.cycles=true, not {setting}")
    try:
        found = parse_toml(f"value = {value}")["value"]
    except BadSpec:
        found = value
    *tables, last = key.split(".")
    for table in tables:
        data = data.setdefault(table, {})
        if not isinstance(data, dict):
            raise UsageError(f"--set {key}: {table} is not a table")
    data[last] = found


def test_bounds(text: str) -> dict[str, float]:
    """`0,10` -> {"elo0": 0.0, "elo1": 10.0}."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise UsageError(f"--sprt is ELO0,ELO1 such as 0,10, not {text}") from None
    return {"elo0": low, "elo1": high}


def entries(specs: Sequence[str]) -> list[dict[str, str]]:
    """Agents under their specs; one that comes twice is told apart by a number."""
    from plies.arena.plan import named

    return [{"name": entry.name, "spec": entry.spec} for entry in named(specs)]


def tournament(data: dict[str, Any], file: Path | None = None) -> "Tournament":
    """The tournament that was asked for, everything in it checked."""
    from plies.arena.reading import tournament_from

    return tournament_from(data, file)
