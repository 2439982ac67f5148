"""The transposition table: what is known of positions that were searched before.

A slot is four numbers in memory:

    check        key ^ move ^ data ^ static_eval: a slot half written by another thread, or
                 belonging to another position, does not give the key back
    move         the best move, or NO_MOVE
    data         value (48 bits), depth (8 bits), age (6 bits), bound (2 bits; 0: empty)
    static_eval  the static evaluation, or NO_EVAL

So threads share a table without locks (Hyatt & Mann 2002).  A key belongs to a bucket of two
neighbouring slots, one line of the processor's cache; of the two, the one from an earlier
search is replaced first, then the shallower one (see Breuker, Uiterwijk and van den Herik
1994, replacement schemes).

A value is a bound of the kind `AT_LEAST`, `AT_MOST` or both, `EXACT`.  Wins and losses are
stored relative to the position (`win in 3 from here`), because the same position may be at
another ply next time; `probe` and `store` convert them.

With `work.table` 0 there is no table: every probe misses and nothing is stored.
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.memory import load, prefetch
from plies.core.memory import store as store_word
from plies.core.scores import MAX_EVALUATION
from plies.errors import BadSpec

AT_LEAST, AT_MOST, EXACT = 1, 2, 3
NO_MOVE = -(2**63)
NO_EVAL = 2**62

WORDS = 4  # of a slot
BUCKET = 8  # words of two slots
LINE_BYTES = 64
AGES = 64
CURRENT = 256  # the bonus for a slot of this search: more than any depth
AGE_SHIFT, DEPTH_SHIFT, VALUE_SHIFT = 2, 8, 16
GOLDEN = np.uint64(0x9E3779B1)
HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)


class Entry(NamedTuple):
    """What the table knows of a position; `bound` 0 means nothing."""

    bound: int
    depth: int
    value: int
    move: int
    static_eval: int


class Table:
    """Memory for positions, of a size in megabytes; a table of size 0 stores nothing."""

    def __init__(self, megabytes: int):
        self.buckets = megabytes * 2**20 // LINE_BYTES
        self.age = 0
        self.deepest = 0  # the greatest depth that a search with this table has finished
        spare = LINE_BYTES // 8 if self.buckets else 0
        try:
            # Written at once: reserved pages would cost a search its first milliseconds.
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
        """A new search begins: its results replace those of earlier searches first."""
        self.age = (self.age + 1) % AGES

    def forget_game(self) -> None:
        """Empty it."""
        self.words[:] = 0
        self.age = self.deepest = 0

    def share_used(self, sample: int = 1000) -> float:
        """The fraction of slots in use, by a sample."""
        data = self.words[2 : sample * WORDS : WORDS]
        return float(np.count_nonzero(data) / len(data)) if len(data) else 0.0


@inlined
def bucket_of(work, key):
    """The first slot of a key's bucket.  Keys may be small numbers, so they are mixed first."""
    # Multiplicative hashing (Knuth); scaling the product's upper half needs no division.
    halves = np.uint64((key ^ key >> 32) & 0xFFFFFFFF)
    mixed = halves * GOLDEN & LOW_HALF
    return np.int64(mixed * np.uint64(work.buckets) >> HALF) * BUCKET


@inlined
def entry_at(address, slot, key):
    """What a slot holds of a key."""
    check, move = load(address, slot), load(address, slot + 1)
    data, static_eval = load(address, slot + 2), load(address, slot + 3)
    bound = data & 3 if check ^ move ^ data ^ static_eval == key else 0
    return Entry(bound, data >> DEPTH_SHIFT & 255, data >> VALUE_SHIFT, move, static_eval)


@inlined
def prefetch_entry(work, key):
    """Have the processor fetch a bucket that will be probed soon."""
    if work.table != 0:
        prefetch(work.table, bucket_of(work, key))


@compiled
def probe(work, key, ply):
    """What the table knows of a position `ply` plies after the root."""
    if work.table != 0:
        slot = bucket_of(work, key)
        entry = entry_at(work.table, slot, key)
        if entry.bound == 0:
            entry = entry_at(work.table, slot + WORDS, key)
        if entry.bound != 0:
            value = from_table_value(entry.value, ply)
            return Entry(entry.bound, entry.depth, value, entry.move, entry.static_eval)
    return Entry(0, 0, 0, NO_MOVE, NO_EVAL)


@inlined
def slot_worth(work, slot):
    """What is lost when a slot is replaced: its depth, and more if it is of this search."""
    data = load(work.table, slot + 2)
    is_old = (data >> AGE_SHIFT & AGES - 1) != work.age
    return (data >> DEPTH_SHIFT & 255) + (0 if is_old else CURRENT) if data & 3 else -1


@compiled
def store(work, key, ply, entry):
    """Store what is known of a position `ply` plies after the root.

    An entry of the same position is replaced, unless it is deeper, of this search, and the
    new one only a bound; where the new one has no move the old move stays.
    """
    if work.table == 0:
        return
    slot = bucket_of(work, key)
    old = entry_at(work.table, slot, key)
    # The slot of the same key if there is one, else the one that is worth less.
    if old.bound == 0:
        other = entry_at(work.table, slot + WORDS, key)
        if other.bound != 0 or slot_worth(work, slot + WORDS) < slot_worth(work, slot):
            slot, old = slot + WORDS, other
    move, static_eval = entry.move, entry.static_eval
    if old.bound != 0:
        is_of_this_search = slot_worth(work, slot) >= CURRENT
        if entry.bound != EXACT and old.depth > entry.depth + 2 and is_of_this_search:
            return
        move = old.move if move == NO_MOVE else move
    data = to_table_value(entry.value, ply) << VALUE_SHIFT | entry.depth << DEPTH_SHIFT
    data |= work.age << AGE_SHIFT | entry.bound
    store_word(work.table, slot, key ^ move ^ data ^ static_eval)
    store_word(work.table, slot + 1, move)
    store_word(work.table, slot + 2, data)
    store_word(work.table, slot + 3, static_eval)


@inlined
def to_table_value(value, ply):
    """A value as the table stores it: wins and losses counted from the position, not the root."""
    if value > MAX_EVALUATION:
        return value + ply
    return value - ply if value < -MAX_EVALUATION else value


@inlined
def from_table_value(value, ply):
    """Inverse of `to_table_value`."""
    if value > MAX_EVALUATION:
        return value - ply
    return value + ply if value < -MAX_EVALUATION else value


@inlined
def bound_of(value, alpha, beta):
    """The kind of bound that an answer of a search with this window is."""
    if value <= alpha:
        return AT_MOST
    return AT_LEAST if value >= beta else EXACT


@inlined
def is_cutoff(entry, alpha, beta):
    """Whether what is known of a position answers a search with this window."""
    is_high = entry.value >= beta and entry.bound & AT_LEAST != 0
    is_low = entry.value <= alpha and entry.bound & AT_MOST != 0
    return is_high or is_low or entry.bound == EXACT


def table_in(memory: dict[str, Any], megabytes: int) -> Table:
    """The table in a game's memory, for one more search."""
    if "table" not in memory:
        memory["table"] = Table(megabytes)
    memory["table"].grow_older()
    return memory["table"]


def forget_game(memory: dict[str, Any]) -> None:
    """Empty a game's memory for a new game.

    What has `forget_game` stays, emptied, because a new table would cost the next search time.
    The rest goes, and is closed if it can be.
    """
    for name, value in list(memory.items()):
        if hasattr(value, "forget_game"):
            value.forget_game()
        else:
            del memory[name]
            if hasattr(value, "close"):
                value.close()
