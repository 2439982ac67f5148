"""A session out of the file: its moves are played again, by the rules as they are now."""

from typing import Any

from plies.match import Clocks, Match
from plies.match.endings import Ending
from plies.web.sessions.room import Pacing, Room
from plies.web.sessions.session import Session
from plies.web.sessions.store import Head, StoredMove
from plies.web.view import Viewer


def restored_room(name: str, head: Head, moves: list[StoredMove], viewer: Viewer) -> Room:
    """A room as it was stored; `BadSpec` where its moves are not those of the game any more."""
    game = viewer.game
    start = game.initial()
    if head.start != game.position_text(start):
        start = game.parse_position(head.start)
    clocks = Clocks(credit=head.clock[0], increment=head.clock[1])
    session = Session(game, head.seats, start, clocks)
    match = session.match
    for stored in moves:
        session.restore(_same_move(match, stored), stored.record, stored.player, stored.left)
    if head.ply == match.ply:  # otherwise the last move knows better what was left
        match.left[-1] = tuple(head.left)
    if head.ending is not None and match.end is None:
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in head.ending.items()
        }
        match.conclude(Ending(**values))
    pacing = Pacing(head.is_paused, head.seconds)
    return Room(name, head.game, viewer, session, head.keys, pacing, set(head.taken))


def _same_move(match: Match, stored: StoredMove) -> int:
    """The number of a move, which may be another one since the rules were edited."""
    game, state = match.game, match.state
    is_same = stored.move in game.moves(state)
    if is_same and game.move_text(state, stored.move) == stored.record.text:
        return stored.move
    return game.parse_move(state, stored.record.text)
