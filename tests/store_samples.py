"""Sessions to be stored, and ways to look at what is."""

from pathlib import Path

from plies.records import MoveRecord
from plies.web.sessions.store import Change, Head, Store, StoredMove

HEAD = Head("tictactoe", ".../.../... X", ["", "random"], {"hash": -1}, left=[1.5, 2.0])
MOVE = StoredMove(4, MoveRecord(0, "b2", 17, 3, 250, 0.25, ("b2", "a1"), ""), "", [1.0, 2.0])
OTHER = StoredMove(8, MOVE.record, "random", [0.0, 0.0])


def begin(
    store: Store, name: str, *moves: StoredMove, visitor: str = "local", is_over: bool = False
) -> None:
    store.create(Change(name, HEAD, is_over, 0, moves), visitor)


def append(store: Store, name: str, ply: int, *moves: StoredMove) -> None:
    assert store.write([Change(name, HEAD, False, ply, moves)]) == []


def moves_of(store: Store, name: str) -> list[int]:
    found = store.load(name)
    assert found is not None
    return [kept.move for kept in found[1]]


def names(store: Store) -> list[str]:
    rows = store._database.connection.execute("SELECT id FROM sessions ORDER BY id").fetchall()
    return [name for (name,) in rows]


def reopen(store: Store, folder: Path) -> Store:
    """Another one on the same folder, as after the program was killed."""
    store._database._lock.close()
    return Store(folder)
