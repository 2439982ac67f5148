"""A game as text that can be copied and pasted.

Games of chess are PGN.  Those of any other game are in the same spirit: tags, then the moves.

    [Game "nim:rows=3-4-5"]
    [Start "3-4-5 first"]
    [First "a person"]
    [Second "alphabeta:depth=4"]
    [Result "first wins."]

    a-2 b-1 c-3
"""

import importlib
import importlib.util
import re
import textwrap
from typing import Any, NamedTuple

from plies.core.contract import Game
from plies.core.spec import split_spec
from plies.drawing.notation import ORDINALS
from plies.errors import BadSpec, PliesError, UnreadableMove
from plies.records import MoveRecord
from plies.web import limits
from plies.web.sessions.session import PERSON, Session

TAG = re.compile(r'^\s*\[\s*(\w+)\s+"(.*)"\s*\]\s*$', re.MULTILINE)
NUMBER = re.compile(r"^\d+\.+")  # of a move
WIDTH = 80


class LoadedGame(NamedTuple):
    """Where the game in a text begins, and its moves."""

    start: Any
    moves: list[int]


def game_text(session: Session, spec: str, result: str) -> str:
    """A session as text that `read` understands; `result` says in words how it has ended."""
    match, game = session.match, session.match.game
    if pgn := _pgn_of(game):
        return _as_pgn(pgn, session)
    seats = enumerate(session.seats)
    who = {ORDINALS[seat].capitalize(): agent or "a person" for seat, agent in seats}
    start = game.position_text(match.states[0])
    tags = {"Game": spec, "Start": start, **who, **({"Result": result} if result else {})}
    texts = [move.text for move in match.records]
    if any(len(text.split()) != 1 for text in texts):
        moves = "\n".join(texts)
    else:
        moves = textwrap.fill(
            " ".join(texts), WIDTH, break_long_words=False, break_on_hyphens=False
        )
    return "\n".join([*(f'[{key} "{value}"]' for key, value in tags.items()), "", moves, ""])


def read(game: Game, text: str) -> LoadedGame:
    """A position or a whole game, whichever the text is."""
    text = text.strip()
    has_tags = TAG.search(text) is not None
    if not has_tags:
        try:
            return LoadedGame(game.parse_position(text), [])
        except PliesError as error:
            if "\n" not in text and not _begins_with_move(game, text):
                raise error
    if pgn := _pgn_of(game):
        loaded = pgn.from_pgn(text)
        return _played(game, game.parse_position(loaded.start), list(loaded.moves))
    return _read_tagged(game, text)


def _read_tagged(game: Game, text: str) -> LoadedGame:
    tags = dict(TAG.findall(text))
    named = tags.get("Game", "")
    if named and split_spec(named)[0] != split_spec(game.spec)[0]:
        raise BadSpec(f"that is a game of {named[:50]}, not of {game.spec}")
    start = game.parse_position(tags["Start"]) if "Start" in tags else game.initial()
    body = [line.strip() for line in TAG.sub("", text).splitlines() if line.strip()]
    return _played(game, start, body)


def _begins_with_move(game: Game, text: str) -> bool:
    words = _words(text)
    try:
        game.parse_move(game.initial(), words[0] if words else "")
    except PliesError:
        return False
    return True


def _played(game: Game, start: Any, lines: list[str]) -> LoadedGame:
    """The moves of lines: each line is a move, or several with space between them."""
    state, moves = start, []
    for line in lines:
        found = _move_in(game, state, line)
        for word in [line] if found is not None else _words(line):
            if len(moves) >= limits.LONGEST_LOADED_GAME:
                raise BadSpec(f"the game has more than {limits.LONGEST_LOADED_GAME} moves")
            try:
                move = game.parse_move(state, word)
            except PliesError as error:
                raise UnreadableMove(f"move {len(moves) + 1}: {error}") from error
            state = game.play(state, move)
            moves.append(move)
    return LoadedGame(start, moves)


def _words(line: str) -> list[str]:
    """The moves of a line without their numbers."""
    return list(filter(None, (NUMBER.sub("", word) for word in line.split())))


def _move_in(game: Game, state: Any, line: str) -> int | None:
    try:
        return game.parse_move(state, line)
    except PliesError:
        return None


def _pgn_of(game: Game) -> Any:
    """The module that reads and writes this game's own kind of text, if it has one."""
    name = f"{game.package}.pgn"
    return importlib.import_module(name) if game.package and _exists(name) else None


def _exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _as_pgn(pgn: Any, session: Session) -> str:
    match, names = session.match, [who or "a person" for who in session.seats]
    if match.end is not None:
        return pgn.to_pgn(match.record(names))
    start = match.game.position_text(match.states[0])
    texts = [move.text for move in match.records]
    return pgn.to_pgn(texts, start, dict(zip(("White", "Black"), names, strict=True)))


def replay(session: Session, loaded: LoadedGame) -> None:
    """Play the moves of a text, which nobody has thought about, on a session at its start."""
    match = session.match
    for move in loaded.moves:
        if match.mover is None:
            raise BadSpec(f"the game is over after {match.ply} of {len(loaded.moves)} moves")
        text = match.game.move_text(match.state, move)
        record = MoveRecord(match.mover, text, None, 0, 0, 0.0)
        session.restore(move, record, PERSON, match.left[-1])
