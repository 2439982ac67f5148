"""Games that a learner plays, and what it learns from each.

Everything is seen from the players' side: seat 0 is the one who began.  When a game is over
its moves are gone through from the last to the first.  With r the reward of a move, its bonus
included, the value of that move goes towards

    r + discount * (the best value at the same player's next decision, 0 after its last move).

The next decision is the one after the other player's reply, whatever that was.
"""

from typing import Any

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.verbs import legal_moves, play
from plies.learn.qlearning.table import (
    BLOCKS,
    FIRST,
    FIRST_LINK,
    LINK_BITS,
    LINK_COUNT,
    MAKES,
    RESULT,
    SAME,
    VISITS,
    add,
    is_tight,
    look_around,
    result_of,
    state_at,
    target_of,
    worth,
)
from plies.match.rules import MAX_PLIES
from plies.models.table import GOING, canonical, slot_of
from plies.search.random_numbers import random_below

POLICY = np.int64(-1)  # in place of a move: the learner's own choice
FINE = 1 << 30  # chances are drawn in parts of this
LOST, DRAWN, WON = 0, 1, 2  # rows of the rewards

# random        the state of the generator of random numbers, never 0
# states, links    how many of them the table has; most: positions it may have
# is_full       whether a position could not be kept
# trouble       0, or DAMAGED: the table does not fit the game, or NO_MOVE: the rules are broken
# games, plies, results    played so far; results by LOST, DRAWN, WON of the one who learns, in
#               self-play of the player who began
# rate ... max_plies       the settings
# rewards       by result and seat: the square roots of the first and the last, and the sign
# has_bonus     whether moves get one: make_bonus for more of own_feature, block_bonus for less
#               of other_feature, which are places in the features of the evaluator
# epsilon, learns    by seat: the chance of any move at all, and whether anything is learned
# seat          to move; has_state: whether the state at hand is that of the position
# length        of this game so far: its links, who moved, and what the best other move was worth
WORK = np.dtype(
    [
        ("random", np.uint64),
        ("states", np.int64),
        ("links", np.int64),
        ("most", np.int64),
        ("is_full", np.int64),
        ("trouble", np.int64),
        ("games", np.int64),
        ("plies", np.int64),
        ("results", np.int64, (3,)),
        ("rate", np.float64),
        ("fade", np.float64),
        ("discount", np.float64),
        ("exploration", np.float64),
        ("is_ramp", np.int64),
        ("has_symmetry", np.int64),
        ("max_plies", np.int64),
        ("rewards", np.float64, (3, 2, 3)),
        ("has_bonus", np.int64),
        ("own_feature", np.int64),
        ("other_feature", np.int64),
        ("make_bonus", np.float64),
        ("block_bonus", np.float64),
        ("epsilon", np.float64, (2,)),
        ("learns", np.int64, (2,)),
        ("seat", np.int64),
        ("has_state", np.int64),
        ("length", np.int64),
        ("path", np.int64, (MAX_PLIES,)),
        ("seats", np.int64, (MAX_PLIES,)),
        ("others", np.float64, (MAX_PLIES,)),
    ],
    align=True,
)


def new_work() -> Any:
    return np.zeros(1, WORK).view(np.recarray)[0]


@inlined
def pick(table, work, links, first, last):
    """The place of a move in `links`: one of the best, or with `epsilon` any at all."""
    if random_below(FINE, work) < work.epsilon[work.seat] * FINE:
        return first + random_below(last - first, work)
    best, equals = worth(table, links[first]), 1
    for place in range(first + 1, last):
        value = worth(table, links[place])
        if value > best:
            best, equals = value, 1
        elif value == best:
            equals += 1
    wanted = random_below(equals, work) if equals > 1 else 0
    for place in range(first, last):
        if worth(table, links[place]) == best:
            if wanted == 0:
                return place
            wanted -= 1
    return first


@inlined
def note(table, work, links, first, last, chosen):
    """Write a move down, with what the best of the others was worth."""
    others = -np.inf
    for place in range(first, last):
        if place != chosen:
            others = max(others, worth(table, links[place]))
    link = links[chosen]
    work.path[work.length] = link
    work.seats[work.length] = work.seat
    work.others[work.length] = others
    work.length += 1
    work.seat ^= 1 - (link & SAME)


@compiled
def new_turn(table, work, setup, node, state, wanted):
    """A move from a position whose links are not kept."""
    if not work.has_state:
        state = state_at(table, work, setup.start, node)
    links = look_around(table, work, setup.evaluator, node, state)
    if work.trouble:
        return node, state, GOING
    chosen = pick(table, work, links, 0, len(links)) if wanted < 0 else wanted
    move = legal_moves(state)[chosen]
    name, image = canonical(play(state, move), work.has_symmetry)
    result = result_of(image)
    child = target_of(links[chosen])
    if child < 0 and node >= 0:
        place = slot_of(table.slots, table.keys, name)
        child = add(table, work, place, name, result, node, move)
        links[chosen] |= (child + 1) << LINK_BITS
    note(table, work, links, 0, len(links), chosen)
    work.has_state = 1
    return child, image, result


@inlined
def turn(table, work, setup, node, state, wanted):
    """One move: the position and the state after it, and the result for the mover there.

    `wanted` is the number of the move among the legal ones, or POLICY.  The state is only
    told where `work.has_state`.
    """
    if node < 0 or table.facts[node, FIRST_LINK] < 0:
        return new_turn(table, work, setup, node, state, wanted)
    first = table.facts[node, FIRST_LINK]
    last = first + table.facts[node, LINK_COUNT]
    links = table.links
    chosen = pick(table, work, links, first, last) if wanted < 0 else first + wanted
    note(table, work, links, first, last, chosen)
    work.has_state = 0
    child = target_of(links[chosen])
    return child, state, table.facts[child, RESULT]


@inlined
def reward(work, result, seat, index, count):
    """What the own move of this index among so many gets."""
    if not work.is_ramp:
        return float(result - DRAWN) if index == count - 1 else 0.0
    low, high = work.rewards[result, seat, 0], work.rewards[result, seat, 1]
    part = index / (count - 1) if count > 1 else 1.0
    root = low + (high - low) * part
    return work.rewards[result, seat, 2] * root * root


@inlined
def bonus(work, link):
    """What a move gets for what it makes, or takes from the other player."""
    made = work.make_bonus if link & MAKES else 0.0
    return made + (work.block_bonus if link & BLOCKS else 0.0)


@inlined
def learn_from(table, work, result, seat):
    """Learn from the moves of one seat in the game that is over."""
    count = 0
    for ply in range(work.length):
        count += work.seats[ply] == seat
    index, later = count - 1, 0.0
    for ply in range(work.length - 1, -1, -1):
        if work.seats[ply] != seat:
            continue
        link = work.path[ply]
        value = worth(table, link)
        gained = reward(work, result, seat, index, count) + bonus(work, link)
        goal = gained + work.discount * later
        number = target_of(link)
        if number >= 0:
            rate = work.rate
            if work.fade > 0:
                rate *= work.fade / (work.fade + table.facts[number, VISITS])
            value += rate * (goal - value)
            table.values[number] = value if link & SAME else -value
            table.facts[number, VISITS] += 1
        later = max(value, work.others[ply])
        index -= 1


@inlined
def finish(table, work, result):
    """A game is over; `result` is that of the player to move, who gets no move any more."""
    if result == GOING:
        result = 0
    for_first = result if work.seat == 0 else -result
    for seat in range(2):
        if work.learns[seat]:
            own = for_first if seat == 0 else -for_first
            learn_from(table, work, own + DRAWN, seat)
    shown = for_first if work.learns[0] else -for_first
    work.results[shown + DRAWN] += 1
    work.plies += work.length
    work.games += 1


@inlined
def take_seats(work, is_self_play):
    """Who learns, and who explores how much; answers the learner's seat, drawn at random."""
    own = random_below(2, work)
    for seat in range(2):
        is_own = is_self_play or seat == own
        work.epsilon[seat] = work.exploration if is_own else 1.0
        work.learns[seat] = is_own
    return own


@inlined
def begin(work):
    """A game begins."""
    work.length, work.seat, work.has_state = 0, 0, 1


@compiled
def play_games(table, work, setup, games, is_self_play):
    """Play so many games, or fewer where the table is to grow or there is trouble.

    Against chance the learner's seat is drawn for every game.
    """
    for _ in range(games):
        if is_tight(table, work):
            break
        take_seats(work, is_self_play)
        begin(work)
        node, state, result = FIRST, setup.start, GOING
        while result == GOING and work.length < work.max_plies:
            node, state, result = turn(table, work, setup, node, state, POLICY)
            if work.trouble:
                return
        finish(table, work, result)
