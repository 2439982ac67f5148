"""The transposition table: what is known of positions that were searched before.

A slot is four numbers in memory:

    check    key ^ move ^ data ^ opinion: a slot half written by another thread, or
             belonging to another position, does not give the key back
    move     the best move that was found, or NO_MOVE
    data     value (48 bits), depth (8 bits), age (6 bits), bound (2 bits; 0: empty)
    opinion  what the evaluator said, or NO_OPINION

So threads share a table without locks.  Two neighbouring slots, one line of the
processor's cache, are the places a position can be in; of the two, the one from an
earlier search is overwritten first, then the one of lesser depth.

A value is a bound of the kind `AT_LEAST`, `AT_MOST` or both, `EXACT`.  Decided values
are kept relative to the position (`win in 3 from here`), not to the root.

With `work.table` 0 there is no table: nothing is found and nothing kept.
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.memory import load, prefetch, store
from plies.core.scores import MAX_EVALUATION
from plies.errors import BadSpec

AT_LEAST, AT_MOST, EXACT = 1, 2, 3
NO_MOVE = -(2**63)
NO_OPINION = 2**62

WORDS = 4  # of a slot
BUCKET = 8  # words of two slots
LINE_BYTES = 64
AGES = 64
NEW = 256  # more than any depth
AGE_SHIFT, DEPTH_SHIFT, VALUE_SHIFT = 2, 8, 16
GOLDEN = np.uint64(0x9E3779B1)
HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)


class Entry(NamedTuple):
    """What was found; `bound` 0 means nothing."""

    bound: int
    depth: int
    value: int
    move: int
    opinion: int


class Table:
    """Memory for positions, of a size in megabytes; 0 is a table that keeps nothing."""

    def __init__(self, megabytes: int):
        self.buckets = megabytes * 2**20 // LINE_BYTES
        self.age = 0
        self.deepest = 0  # the greatest depth that a search with this table has finished
        spare = LINE_BYTES // 8 if self.buckets else 0
        try:
            # Filled now: memory that is only promised would cost a search its first milliseconds.
            self.words = np.full(self.buckets * BUCKET + spare, 0, np.int64)
        except MemoryError as error:
            raise BadSpec(f"this machine has no memory for a table of {megabytes} MB") from error
        self.address = -(-self.words.ctypes.data // LINE_BYTES) * LINE_BYTES

    def connect(self, work: np.record) -> None:
        """Let a search use this table, which must outlive it."""
        work.table = self.address if self.buckets else 0
        work.buckets = self.buckets
        work.age = self.age

    def grow_older(self) -> None:
        """A new search begins: what is there gives way to what it finds."""
        self.age = (self.age + 1) % AGES

    def forget_game(self) -> None:
        """Empty it."""
        self.words[:] = 0
        self.age = self.deepest = 0

    def share_used(self, sample: int = 1000) -> float:
        """The share of slots that hold something, by a sample."""
        data = self.words[2 : sample * WORDS : WORDS]
        return float(np.count_nonzero(data) / len(data)) if len(data) else 0.0


@inlined
def bucket_of(work, key):
    """The place of a key's first slot; keys may be small numbers, so they are mixed."""
    halves = np.uint64((key ^ key >> 32) & 0xFFFFFFFF)
    mixed = halves * GOLDEN & LOW_HALF
    return np.int64(mixed * np.uint64(work.buckets) >> HALF) * BUCKET


@inlined
def entry_at(address, place, key):
    check, move = load(address, place), load(address, place + 1)
    data, opinion = load(address, place + 2), load(address, place + 3)
    bound = data & 3 if check ^ move ^ data ^ opinion == key else 0
    return Entry(bound, data >> DEPTH_SHIFT & 255, data >> VALUE_SHIFT, move, opinion)


@inlined
def expect(work, key):
    """A position will be looked up soon."""
    if work.table != 0:
        prefetch(work.table, bucket_of(work, key))


@compiled
def find(work, key):
    """What the table knows of a position."""
    if work.table != 0:
        place = bucket_of(work, key)
        entry = entry_at(work.table, place, key)
        if entry.bound != 0:
            return entry
        entry = entry_at(work.table, place + WORDS, key)
        if entry.bound != 0:
            return entry
    return Entry(0, 0, 0, NO_MOVE, NO_OPINION)


@inlined
def worth_keeping(work, place):
    """How much is lost when a slot is overwritten: its depth, if it is of this search."""
    data = load(work.table, place + 2)
    is_old = (data >> AGE_SHIFT & AGES - 1) != work.age
    return (data >> DEPTH_SHIFT & 255) + (0 if is_old else NEW) if data & 3 else -1


@compiled
def keep(work, key, entry):
    """Write down what is known of a position.

    An entry of the same position is replaced, unless it is deeper, of this search, and the
    new one only a bound; where the new one has no move the old one's is kept.
    """
    if work.table == 0:
        return
    place = bucket_of(work, key)
    old = entry_at(work.table, place, key)
    if old.bound == 0:
        other = entry_at(work.table, place + WORDS, key)
        if other.bound != 0 or worth_keeping(work, place + WORDS) < worth_keeping(work, place):
            place, old = place + WORDS, other
    move, opinion = entry.move, entry.opinion
    if old.bound != 0:
        is_of_this_search = worth_keeping(work, place) >= NEW
        if entry.bound != EXACT and old.depth > entry.depth + 2 and is_of_this_search:
            return
        move = old.move if move == NO_MOVE else move
    data = entry.value << VALUE_SHIFT | entry.depth << DEPTH_SHIFT
    data |= work.age << AGE_SHIFT | entry.bound
    store(work.table, place, key ^ move ^ data ^ opinion)
    store(work.table, place + 1, move)
    store(work.table, place + 2, data)
    store(work.table, place + 3, opinion)


@inlined
def from_here(value, ply):
    """A value as seen from a position `ply` plies after the root."""
    if value > MAX_EVALUATION:
        return value + ply
    return value - ply if value < -MAX_EVALUATION else value


@inlined
def from_root(value, ply):
    """The same the other way round."""
    if value > MAX_EVALUATION:
        return value - ply
    return value + ply if value < -MAX_EVALUATION else value


@inlined
def bound_of(value, alpha, beta):
    """What a value is that a search with this window has answered."""
    if value <= alpha:
        return AT_MOST
    return AT_LEAST if value >= beta else EXACT


@inlined
def settles(entry, value, alpha, beta):
    """Whether an entry (its `value` seen from the root) answers a search with this window."""
    is_high = value >= beta and entry.bound & AT_LEAST != 0
    is_low = value <= alpha and entry.bound & AT_MOST != 0
    return is_high or is_low or entry.bound == EXACT


def table_in(memory: dict[str, Any], megabytes: int) -> Table:
    """The table that a game's memory holds, for one more search."""
    if "table" not in memory:
        memory["table"] = Table(megabytes)
    memory["table"].grow_older()
    return memory["table"]


def forget_game(memory: dict[str, Any]) -> None:
    """Empty a game's memory for a new game.

    What knows how to forget a game stays, emptied: a new table would cost the next search
    time.  The rest goes, and is closed if it can be.
    """
    for name, value in list(memory.items()):
        if hasattr(value, "forget_game"):
            value.forget_game()
        else:
            del memory[name]
            if hasattr(value, "close"):
                value.close()
