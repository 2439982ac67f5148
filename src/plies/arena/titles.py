"""What readers are told of games and agents: titles and file names, never where files lie."""

import shlex
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from plies.agents import read_spec, spec_text
from plies.agents.spec import SUFFIX
from plies.arena.config import Tournament
from plies.arena.digests import MODELS, PATHS
from plies.arena.plan import Entry
from plies.core.spec import option_text
from plies.errors import PliesError
from plies.registry import FILE_SPEC
from plies.registry import game as find_game


def game_titles(specs: Iterable[str]) -> dict[str, str]:
    """By spec: `Tic-tac-toe`, `Nim (rows=3-4-5)`; games that share a title are told apart."""
    found = {spec: _title(spec) for spec in dict.fromkeys(specs)}
    counts = Counter(found.values())
    for spec, title in found.items():
        if counts[title] > 1:
            found[spec] = f"{title} ({_plain(spec)})"
    if len(set(found.values())) < len(found):  # files of one name in several folders
        return {spec: f"{title} {n}" for n, (spec, title) in enumerate(found.items(), start=1)}
    return found


def _title(spec: str) -> str:
    try:
        game = find_game(spec)
    except PliesError:
        return _plain(spec)
    options = ",".join(f"{key}={option_text(value)}" for key, value in game.options.items())
    return f"{game.title} ({_public_options(options)})" if options else game.title


def _plain(spec: str) -> str:
    """A spec without the folder of its file."""
    if match := FILE_SPEC.fullmatch(spec):
        options = f" ({_public_options(match['options'])})" if match["options"] else ""
        return Path(match["path"]).stem + options
    name, colon, options = spec.partition(":")
    return f"{name}{colon}{_public_options(options)}"


def _public_options(text: str) -> str:
    """Options as readers are told of them: `file=/a/b.json` names the file alone."""
    parts = []
    for option in map(str.strip, text.split(",")):
        key, equals, value = option.partition("=") if "=" in option else ("", "", option)
        parts.append(f"{key}{equals}{Path(value).name if '/' in value else value}")
    return ", ".join(parts)


def public_spec(spec: str) -> str:
    """An agent's spec with the names of its files, and without their folders."""
    with suppress(PliesError, ValueError):
        name, options = read_spec(spec)
        for key in options.keys() & {*PATHS, *MODELS}:
            words = shlex.split(options[key])
            options[key] = shlex.join(Path(word).name if "/" in word else word for word in words)
        return spec_text(Path(name).name if name.endswith(SUFFIX) else name, options)
    return spec


def public(tournament: Tournament) -> Tournament:
    """A tournament as readers are told of it."""
    titles = game_titles(tournament.games)
    return replace(
        tournament,
        games=tuple(titles[spec] for spec in tournament.games),
        agents=tuple(Entry(each.name, public_spec(each.spec)) for each in tournament.agents),
        openings=replace(tournament.openings, file=Path(tournament.openings.file).name),
    )
