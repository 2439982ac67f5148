"""Tournaments from TOML files: read, checked, and every mistake told in one line."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

from plies.agents import agent, read_spec, spec_text
from plies.agents.spec import EVALUATOR, SUFFIX, leading_option, short_spec
from plies.arena.config import Tournament
from plies.arena.input_bounds import (
    MOST_GAMES,
    MOST_OPENINGS_BYTES,
    MOST_POSITIONS,
    MOST_TOML_BYTES,
    check_bounds,
    parse_toml,
    read_text,
)
from plies.arena.plan import Book
from plies.arena.schedule import total
from plies.errors import BadSpec, PliesError
from plies.registry import FILE_SPEC
from plies.registry import game as find_game

PAIRS_OF_A_TEST = 5000  # at most, where it is not said: a test ends when it is decided
# The tables that say something about one kind of tournament only.
TABLE_OF_KIND = {"sprt": "sprt", "swiss": "swiss", "gauntlet": "gauntlet", "knock_out": "knock-out"}


def read_tournament(path: Path) -> Tournament:
    """The tournament that a TOML file describes, everything in it checked."""
    return tournament_from(read_toml(path), path)


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file says."""
    text = read_text(path, MOST_TOML_BYTES)
    try:
        return parse_toml(text)
    except BadSpec as error:
        raise BadSpec(f"{path}: {error}") from error


def tournament_from(data: dict[str, Any], path: Path | None = None) -> Tournament:
    """The tournament that a TOML file, perhaps that at `path`, describes by saying `data`.

    Paths in it are relative to the folder of the file.  Every game and agent is known to
    exist and to fit afterwards.
    """
    try:
        return _tournament(data, path or Path("tournament"))
    except PliesError as error:
        raise BadSpec(f"{path}: {error}" if path else str(error)) from error


def _tournament(data: dict[str, Any], path: Path) -> Tournament:
    check_bounds(data)
    if "earlier" in data:
        raise BadSpec("there is no key earlier that a file may set")
    data = _normal({"name": path.stem, **data}, path.parent)
    if data.get("kind") == "sprt":
        data.setdefault("pairs", PAIRS_OF_A_TEST)
    tournament = Tournament.from_json(json.dumps(data, default=str))
    for table, kind in TABLE_OF_KIND.items():
        if table in data and tournament.kind != kind:
            raise BadSpec(f'the table [{table}] is for kind = "{kind}" only')
    check(tournament)
    return tournament


def check(tournament: Tournament) -> None:
    """Raise the error of the first game or agent that does not exist or does not fit."""
    books = []
    for spec in tournament.games:
        game = find_game(spec)
        players = game.players(game.initial())
        books.append(Book(spec, players, ()))
        if players > 2 and tournament.kind != "round-robin":
            raise BadSpec(f"{spec} has {players} players; kind is round-robin for such games")
        if players > len(tournament.agents):
            raise BadSpec(f"{spec} has {players} players, and agents names fewer")
        if tournament.rules.at_length != "draw":
            game.evaluator(tournament.rules.at_length)
        for entry in tournament.agents:
            agent(entry.spec, game)
    if (games := total(tournament, books)) > MOST_GAMES:
        raise BadSpec(
            f"that would be {games:,} games, and a run holds at most {MOST_GAMES:,};"
            " ask for fewer pairs, agents or games"
        )


# From what TOML gives to a tournament


def _normal(data: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same with `games` and `agents` in full, paths found, and positions read."""
    if "game" in data:
        if "games" in data:
            raise BadSpec("game and games are both given; one is enough")
        data["games"] = [data.pop("game")]
    if isinstance(data.get("games"), list):
        data["games"] = [_game_found(spec, folder) for spec in data["games"]]
    if isinstance(data.get("agents"), list):
        data["agents"] = [_entry(entry, folder) for entry in data["agents"]]
    if isinstance(data.get("openings"), dict):
        data["openings"] = read_openings(data["openings"], folder)
    return data


def _entry(entry: Any, folder: Path) -> Any:
    """An agent's spec alone is also its name, without the folders of files."""
    if isinstance(entry, str):
        entry = {"spec": entry}
    if isinstance(entry, dict) and isinstance(entry.get("spec"), str):
        return {
            "name": short_spec(entry["spec"]),
            **entry,
            "spec": _agent_found(entry["spec"], folder),
        }
    return entry


def read_openings(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The table of openings with the positions of its file, a line each, read."""
    ways = [key for key in ("plies", "file", "positions") if key in table]
    if len(ways) > 1:
        raise BadSpec(f"openings has {' and '.join(ways)}; one of them says where games begin")
    if isinstance(table.get("file"), str):
        path = folder / table["file"]
        text = read_text(path, MOST_OPENINGS_BYTES)
        lines = (line.partition("#")[0].strip() for line in text.splitlines())
        table = {**table, "positions": [line for line in lines if line]}
    if table.get("positions") == []:
        raise BadSpec(f"openings.{ways[0]} holds no position; write at least one")
    positions = table.get("positions")
    if isinstance(positions, list) and len(positions) > MOST_POSITIONS:
        raise BadSpec(f"openings holds {len(positions):,} positions, at most {MOST_POSITIONS:,}")
    return table


def _game_found(spec: Any, folder: Path) -> Any:
    if isinstance(spec, str) and (match := FILE_SPEC.fullmatch(spec.strip())):
        options = spec.strip().removeprefix(match["path"])
        return _word_found(match["path"], folder) + options
    return spec


def _agent_found(spec: str, folder: Path) -> str:
    """The spec with the files and folders that it names found."""
    name, options = read_spec(spec)
    if name.endswith(SUFFIX):
        name = _word_found(name, folder)
    if EVALUATOR in options:
        options[EVALUATOR] = _word_found(options[EVALUATOR], folder)
    if (key := leading_option(name)) not in options:
        return spec_text(name, options)
    words = _words(options[key])
    found = [_word_found(word, folder) for word in words]
    if found == words:
        return spec_text(name, options)
    if commas := [word for word in found if "," in word]:
        raise BadSpec(f"{commas[0]} has a comma in it, which ends an option; rename the folder")
    return spec_text(name, {**options, key: shlex.join(found)})


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise BadSpec(f"{text!r} cannot be split into words: {error}") from error


def _word_found(word: str, folder: Path) -> str:
    """Where a word names something in a folder: its full path; commands stay as they are."""
    is_command = "/" not in word and shutil.which(word) is not None
    found = (folder / word).absolute()
    try:
        is_there = found.exists()
    except OSError:  # a name that no file can have, such as one that is too long
        is_there = False
    return str(found) if word and not is_command and is_there else word
