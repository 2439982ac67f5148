"""Retrograde analysis (Thompson 1986): every reachable position is solved, working back from
the final ones.

First all positions that play from a state can lead to are listed (`reachable`).  Then the
values of the final ones are carried back, from each position to those before it
(`carry_back`).  For each player the best ends come first, those of equal value together:

* Where the player moves, one solved child is enough.
* Where the other one moves all children must be solved.  The last of them counts: it has the
  least value for the player, and takes longest.

So a position gets its value and the number of plies to an end of that value, by the fastest
way against the longest resistance.  Turns need not alternate.  What is never solved is worth
0: best play leads to a draw, or neither can keep the other from going round for ever.

Only the state counts, no rule of matches such as a draw by repetition.  Positions are told
apart by their `key`: two with the same key would be mistaken for each other.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.scores import INFINITY, MAX_PLIES, ONGOING, WIN, win_in
from plies.core.verbs import key, legal_moves, mover, outcome, play
from plies.search.leaf import result_for
from plies.search.runner import NoLegalMove, first_move
from plies.search.workspace import MAX_DEPTH, count_node

NO_END = INFINITY  # in place of the value of an end


class Graph(NamedTuple):
    """Positions, numbered in the order of discovery, and the moves between them.

    keys      of every position
    movers    who is to move there
    ends      the value for player 0 where the game is over, elsewhere NO_END
    first     where the children of a position begin in `children`; one more at the end
    children  the positions that the legal moves lead to, in the order of the moves
    """

    keys: np.ndarray
    movers: np.ndarray
    ends: np.ndarray
    first: np.ndarray
    children: np.ndarray


@compiled
def reachable(state, most, work):
    """The graph of all positions that play from `state` leads to, and the one expanded last.

    It ends early, with `work.is_stopped`, when it is stopped, at more than `most` positions,
    and at one that is not over and has no legal move: `work.no_moves_ply` is then its number.
    """
    numbers = {key(state): 0}
    states = [state]
    keys, movers, ends, first, children = [key(state)], [mover(state)], [NO_END], [0], [0]
    children.clear()
    number = 0
    position = state
    while number < len(states) and count_node(work):
        position = states[number]
        result = outcome(position)
        if result != ONGOING:
            ends[number] = result_for(0, position, result, 0)
        else:
            moves = legal_moves(position)
            if len(moves) == 0:
                work.is_stopped, work.no_moves_ply = 1, number
                break
            for move in moves:
                child = play(position, move)
                child_key = key(child)
                if child_key not in numbers:
                    numbers[child_key] = len(states)
                    states.append(child)
                    keys.append(child_key)
                    movers.append(mover(child))
                    ends.append(NO_END)
                children.append(numbers[child_key])
        first.append(len(children))
        number += 1
        if len(states) > most:
            work.is_stopped = 1
            break
    graph = Graph(
        np.array(keys, np.int64),
        np.array(movers, np.int64),
        np.array(ends, np.int64),
        np.array(first, np.int64),
        np.array(children, np.int64),
    )
    return graph, position


@compiled
def parents_of(first, children):
    """The edges reversed: where the parents of each position begin, and the parents."""
    positions = len(first) - 1
    starts = np.zeros(positions + 1, np.int64)
    for child in children:
        starts[child + 1] += 1
    starts = np.cumsum(starts)
    parents = np.empty(len(children), np.int64)
    free = starts.copy()
    for parent in range(positions):
        for child in children[first[parent] : first[parent + 1]]:
            parents[free[child]] = parent
            free[child] += 1
    return starts, parents


@compiled
def carry_back(graph, work):
    """The value of every position for player 0, and in how many plies it comes."""
    positions = len(graph.movers)
    values = np.zeros(positions, np.int64)
    plies = np.zeros(positions, np.int64)
    starts, parents = parents_of(graph.first, graph.children)
    queue = np.empty(positions, np.int64)
    # Draws are not carried back: what stays unsolved is worth 0 anyway.
    decided = np.flatnonzero((graph.ends != NO_END) & (graph.ends != 0))
    order = decided[np.argsort(graph.ends[decided])]
    # Each player's gains by themselves: a position belongs to the one who can force something.
    for player in range(2):
        unsolved = graph.first[1:] - graph.first[:-1]  # children not known to be good for them
        ends = order if player else order[::-1]
        solved = carried = index = 0
        while index < len(ends) and (graph.ends[ends[index]] > 0) == (player == 0):
            value = graph.ends[ends[index]]
            while index < len(ends) and graph.ends[ends[index]] == value:
                queue[solved] = ends[index]
                values[ends[index]] = value
                solved += 1
                index += 1
            # Breadth first: positions leave the queue in the order of their plies, so that the
            # mover takes the shortest way and the opponent the longest resistance.
            while carried < solved:
                if work.budget == 0:
                    work.is_stopped = 1
                    return values, plies
                position = queue[carried]
                carried += 1
                for parent in parents[starts[position] : starts[position + 1]]:
                    unsolved[parent] -= 1
                    is_due = graph.movers[parent] == player or unsolved[parent] == 0
                    if is_due and values[parent] == 0:
                        values[parent] = value
                        plies[parent] = plies[position] + 1
                        queue[solved] = parent
                        solved += 1
    return values, plies


@compiled
def analyse(state, most, work):
    """The graph of `state`, its values and plies, and the position expanded last.

    There are no values where `work.is_stopped`.
    """
    graph, position = reachable(state, most, work)
    if work.is_stopped:
        return graph, graph.keys[:0], graph.keys[:0], position
    values, plies = carry_back(graph, work)
    return graph, values, plies, position


@dataclass(frozen=True)
class Solution:
    """The value of every position that play from a state can lead to.

    `values` are those for player 0 and come in `plies` plies (0 where the value is 0).
    `by_key` holds the numbers of the positions in the order of their keys.
    """

    graph: Graph
    values: np.ndarray
    plies: np.ndarray
    by_key: np.ndarray

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.values)

    def __contains__(self, state: Any) -> bool:
        return self._number(state) is not None

    def value(self, state: Any) -> int:
        """The value for the mover, on the scale of searches.

        A win or a loss farther away than the scale reaches counts as that far.
        """
        number = self._known(state)
        value, plies = self._result(number, int(self.graph.movers[number]))
        if abs(value) < WIN:
            return value
        far = int(win_in(min(plies, MAX_PLIES)))
        return far if value > 0 else -far

    def best_moves(self, state: Any) -> list[int]:
        """The moves that preserve the value: the fastest to a win, the slowest to a loss."""
        number = self._known(state)
        player = int(self.graph.movers[number])
        start, end = self.graph.first[number], self.graph.first[number + 1]
        merits = []
        for child in self.graph.children[start:end]:
            value, plies = self._result(int(child), player)
            merits.append((value, plies if value < 0 else -plies))
        best = max(merits)
        moves = zip(verbs.legal_moves(state), merits, strict=True)
        return [int(move) for move, merit in moves if merit == best]

    def line(self, state: Any, move: int) -> tuple[int, ...]:
        """A move and then best play of both, until the game is over or goes round."""
        line, seen = [move], {verbs.key(state)}
        state = verbs.play(state, move)
        while verbs.outcome(state) == ONGOING and verbs.key(state) not in seen:
            if len(line) == MAX_DEPTH:
                break
            seen.add(verbs.key(state))
            line.append(self.best_moves(state)[0])
            state = verbs.play(state, line[-1])
        return tuple(line)

    def forget_game(self) -> None:
        """Nothing to forget: a solution holds for the next game, too."""

    def _result(self, number: int, player: int) -> tuple[int, int]:
        """The value of a position for a player, and in how many plies it comes."""
        value = int(self.values[number])
        return value if player == 0 else -value, int(self.plies[number])

    def _known(self, state: Any) -> int:
        number = self._number(state)
        if number is None:
            raise KeyError(state)
        return number

    def _number(self, state: Any) -> int | None:
        """The number of a position, None where play does not lead."""
        keys, own_key = self.graph.keys, verbs.key(state)
        index = int(np.searchsorted(keys, own_key, sorter=self.by_key))
        if index == len(keys):
            return None
        number = int(self.by_key[index])
        return number if keys[number] == own_key else None


def solution(state: Any, most: int, work: np.record) -> Solution | None:
    """The solution of a two-player zero-sum game that is not over in `state`.

    None where `work`, which counts the positions, was stopped, and where there are more than
    `most`.
    """
    # What reads a solution is compiled now, too, so that no clock waits for it later.
    verbs.key(verbs.play(state, *first_move(state)))
    win_in(0)
    graph, values, plies, position = analyse(state, most, work)
    if work.no_moves_ply >= 0:
        raise NoLegalMove(position)
    if work.is_stopped:
        return None
    return Solution(graph, values, plies, np.argsort(graph.keys))
