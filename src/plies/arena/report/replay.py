"""Games played through once more by the rules: their pictures, and what a mover faced."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from plies.arena.report.pictures import Pictures, edits
from plies.arena.store import Finished
from plies.core.contract import Game
from plies.errors import BadSpec, PliesError
from plies.records import GameRecord
from plies.registry import game as find_game


@dataclass(frozen=True)
class Faced:
    """What a player had before a move."""

    pieces: int  # its own, as the board shows them
    moves: int  # legal ones


@dataclass(frozen=True)
class Replay:
    """A game as it can be shown: one text, one change of the picture for every move."""

    opening: int  # the number of the first picture
    changes: list[list[int]]
    texts: list[str]  # the moves as players write them
    faced: list[Faced]  # before each move
    ending: str  # what the rules say of the last position


def replayed(game: Game, record: GameRecord, pictures: Pictures | None) -> Replay:
    """Play a record through; one that the rules do not bear out is refused.

    Without a place for pictures nothing is drawn.
    """

    def drawn(state: Any) -> tuple[int, ...]:
        return pictures.numbers(game.svg(state)) if pictures is not None else ()

    last = game.parse_position(record.start)
    picture = drawn(last)
    opening = pictures.opening(picture) if pictures is not None else 0
    changes, texts, faced = [], [], []
    for state, move, last in transitions(game, record):
        texts.append(game.move_notation(state, move))
        faced.append(Faced(own_pieces(game, state), len(game.moves(state))))
        before, picture = picture, drawn(last)
        changes.append(edits(before, picture))
    return Replay(opening, changes, texts, faced, game.ending(last))


def transitions(game: Game, record: GameRecord) -> Iterator[tuple[Any, int, Any]]:
    """Every position with the move played in it and the position after it."""
    state = game.parse_position(record.start)
    for played in record.moves:
        move = _move(game, state, played.text)
        after = game.play(state, move)
        yield state, move, after
        state = after
    if game.position_text(state) != record.final:
        raise BadSpec(f"the moves lead to {game.position_text(state)}, not to {record.final}")


def _move(game: Game, state: Any, text: str) -> int:
    """As `Game.parse_move`, but quicker where the text is the game's own."""
    for move in game.moves(state):
        if game.move_text(state, move) == text:
            return move
    return game.parse_move(state, text)


def own_pieces(game: Game, state: Any) -> int:
    """How many pieces the player to move has on the board."""
    mover = game.mover(state)
    own = game.marks[mover] if mover < len(game.marks) else ""
    return sum(len(symbol) == 1 and symbol in own for symbol in game.pieces(state).values())


def replays(games: Iterable[Finished], pictures: Pictures | None) -> list[Replay | str]:
    """Every game, or why it cannot be played through, such as rules that are no longer the same."""
    known: dict[str, Game] = {}
    found: list[Replay | str] = []
    for finished in games:
        spec = finished.planned.game
        try:
            if spec not in known:
                known[spec] = find_game(spec)
            found.append(replayed(known[spec], finished.record, pictures))
        except PliesError as error:
            found.append(f"{spec} cannot be replayed: {error}")
    return found
