"""The positions that a learner has met, what they are worth, and the moves between them.

A position is kept under the key that all its equivalents share, and its value is what it is
worth to its mover.  The value of a move is that of the position it leads to, seen by the
player who moves: Q(state, move) = -value(child), or +value(child) where the same player
moves again.

The moves of a position that is met for the second time are looked up once for all: from then
on a game that passes there needs no rules.  All games are played on the image that has the
shared key, so that a position can be found again from its parent and the move.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import ONGOING
from plies.core.verbs import features, legal_moves, mover, outcome, play
from plies.models.table import GOING, NOWHERE, canonical, filled_slots, slot_of, slots_for
from plies.search.leaf import result_for

# The number of the position in which games begin; no literal, so that kernels have one signature.
FIRST = np.int64(0)
UNMET, MET_ONCE = -2, -1  # in place of where the links of a position begin
DAMAGED, NO_MOVE = 1, 2  # kinds of trouble
LINKS_PER_STATE = 8  # at most, on the average: what is looked up once for all
LEAST_ROOM = 1024


# Of every position: how often it was learned, how it was reached, and the result for its mover,
# as in a model; where its links begin (or UNMET, MET_ONCE) and how many there are.
VISITS, PARENT, MOVE, RESULT, FIRST_LINK, LINK_COUNT = range(6)
COLUMNS = {"visits": VISITS, "parents": PARENT, "moves": MOVE, "results": RESULT}


class Table(NamedTuple):
    """Room for positions and the links between them.

    slots     where the keys are, as `plies.models.table` looks for them
    keys      of the positions
    values    what they are worth to their mover
    facts     facts[number, column], with the columns above
    links     for every legal move, in their order: see `link_to`
    """

    slots: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    facts: np.ndarray
    links: np.ndarray


class Setup(NamedTuple):
    """What a kernel needs of a game.

    start      the state in which games begin
    evaluator  its features tell which moves get a bonus
    """

    start: Any
    evaluator: Any


# What a link says besides the position: the mover stays, makes a pattern, takes one away.
SAME, MAKES, BLOCKS = 1, 2, 4
LINK_BITS = 3


@inlined
def link_to(number, flags):
    """A move as one number: the position it leads to (or NOWHERE), and the flags above."""
    return (number + 1) << LINK_BITS | flags


@inlined
def target_of(link):
    return (link >> LINK_BITS) - 1


@inlined
def worth(table, link):
    """What a move is worth to the player who makes it; 0 where nothing is known."""
    number = target_of(link)
    if number < 0:
        return 0.0
    return table.values[number] if link & SAME else -table.values[number]


@compiled
def result_of(state):
    """What the mover has of a state: 1, 0 or -1 where the game is over, else GOING."""
    result = outcome(state)
    if result == ONGOING:
        return GOING
    found = result_for(mover(state), state, result, 0)
    return np.int64(found > 0) - np.int64(found < 0)


@compiled
def add(table, work, place, name, result, parent, move):
    """Keep one more position; NOWHERE if there is no room for it."""
    number = work.states
    if number == len(table.keys):
        work.is_full = 1
        return NOWHERE
    table.slots[place] = number + 1
    table.keys[number] = name
    table.values[number] = 0.0
    facts = table.facts
    facts[number, VISITS], facts[number, PARENT], facts[number, MOVE] = 0, parent, move
    facts[number, RESULT], facts[number, FIRST_LINK] = result, UNMET
    work.states += 1
    return number


@inlined
def flags_of(work, evaluator, state, child):
    """What the move from a state to a child is, for `link_to`."""
    is_same = mover(child) == mover(state)
    flags = np.int64(SAME if is_same else 0)
    if work.has_bonus:
        before, after = features(evaluator, state), features(evaluator, child)
        own, other = work.own_feature, work.other_feature
        if after[own if is_same else other] > before[own]:
            flags |= MAKES
        if after[other if is_same else own] < before[other]:
            flags |= BLOCKS
    return flags


@compiled
def look_around(table, work, evaluator, node, state):
    """The links of a position; they are kept if it was met before and there is room."""
    moves = legal_moves(state)
    count = len(moves)
    if count == 0:
        work.trouble = NO_MOVE
    links = np.empty(count, np.int64)
    is_kept = node >= 0 and table.facts[node, FIRST_LINK] == MET_ONCE
    is_kept &= work.states + count <= len(table.keys) and work.links + count <= len(table.links)
    for index in range(count):
        child = play(state, moves[index])
        name, image = canonical(child, work.has_symmetry)
        place = slot_of(table.slots, table.keys, name)
        number = table.slots[place] - 1
        if number < 0 and is_kept:
            number = add(table, work, place, name, result_of(image), node, moves[index])
        links[index] = link_to(number, flags_of(work, evaluator, state, child))
    if is_kept:
        table.facts[node, FIRST_LINK], table.facts[node, LINK_COUNT] = work.links, count
        table.links[work.links : work.links + count] = links
        work.links += count
    elif node >= 0:
        table.facts[node, FIRST_LINK] = MET_ONCE
    return links


@compiled
def state_at(table, work, start, node: Any):
    """The state of a position, found again from `start`; it is DAMAGED if that fails."""
    length = 0
    at = node
    while at != FIRST:
        at = table.facts[at, PARENT]
        length += 1
    way = np.empty(length, np.int64)
    at = node
    for index in range(length - 1, -1, -1):
        way[index] = table.facts[at, MOVE]
        at = table.facts[at, PARENT]
    state = start
    for index in range(length):
        move = way[index]
        if outcome(state) != ONGOING or not np.any(legal_moves(state) == move):
            work.trouble = DAMAGED
            return start
        _, state = canonical(play(state, move), work.has_symmetry)
    name, _ = canonical(state, work.has_symmetry)
    if name != table.keys[node]:
        work.trouble = DAMAGED
    return state


@compiled
def is_tight(table, work):
    """Whether the table should grow before the next game, and may."""
    has_few = 2 * work.states > len(table.keys) and len(table.keys) < work.most
    most_links = LINKS_PER_STATE * work.most
    return has_few or (2 * work.links > len(table.links) and len(table.links) < most_links)


def empty_table(states: int, links: int) -> Table:
    """Room for so many."""
    slots = np.zeros(slots_for(states), np.int64)
    facts = np.zeros((states, LINK_COUNT + 1), np.int64)
    return Table(
        slots, np.zeros(states, np.int64), np.zeros(states), facts, np.zeros(links, np.int64)
    )


def grown(table: Table, work: Any) -> Table:
    """The same table with room for twice as much, as far as it may grow."""
    states, links, most = len(table.keys), len(table.links), int(work.most)
    more_states = min(2 * states, most) if 2 * work.states > states else states
    more_links = min(2 * links, LINKS_PER_STATE * most) if 2 * work.links > links else links
    larger = empty_table(more_states, more_links)
    for name in ("keys", "values", "facts", "links"):
        old = getattr(table, name)
        getattr(larger, name)[: len(old)] = old
    return larger._replace(slots=filled_slots(larger.keys, int(work.states), len(larger.slots)))


def columns_of(table: Table, count: int) -> dict[str, np.ndarray]:
    """The first so many positions as a model of the kind keeps them."""
    facts = {name: table.facts[:count, column].copy() for name, column in COLUMNS.items()}
    return {"keys": table.keys[:count].copy(), "values": table.values[:count].copy(), **facts}


def table_from(columns: Mapping[str, np.ndarray], states: int) -> Table:
    """A table with the positions of a model, and room for so many."""
    table = empty_table(states, 4 * states)
    count = len(columns["keys"])
    table.keys[:count], table.values[:count] = columns["keys"], columns["values"]
    for name, column in COLUMNS.items():
        table.facts[:count, column] = columns[name]
    table.facts[:count, FIRST_LINK] = UNMET
    return table._replace(slots=filled_slots(table.keys, count, len(table.slots)))
