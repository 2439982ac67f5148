"""Depth-first proof-number search (df-pn; Nagai 2002, after Allis 1994): can the mover force
a win, whatever the others do?

Every position has two numbers: how many positions must still be won to prove that the
hero, the player to move at the root, wins (`proof`), and how many must be shown not to be
won to disprove it (`disproof`).  Where the hero moves, one won child proves the
position and all must fail to disprove it; where another player moves it is the other way
round.  The search goes where least is missing, and leaves a position when another one has
become easier: depth first, with all numbers in a table.

A game is won when the hero is the winner or has more than 0 points.  The numbers need
no evaluator and no depth, so that long forced wins are found where replies are few.

A *win* is proven by the rules alone.  The number of plies is that of the first proof found;
a shorter win may exist.  *No win* is proven as well, unless play can go round in circles: a
position that repeats an earlier one of its line (or comes after 127 plies) is assumed not to
be won.  After such an assumption a search never says that there is no win, and it may overlook
one, because a position not won along one path may be won along another (the graph-history
interaction problem).

Positions are known by their `key`; two with the same key would be mistaken for each other.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.scores import ONGOING, SCORED, win_in
from plies.core.verbs import key, legal_moves, mover, outcome, payoff, play
from plies.errors import BadSpec
from plies.search.decision import Decision
from plies.search.deepening import limits_of
from plies.search.limits import check_limits, checked_budget
from plies.search.runner import make_decision, run_timed
from plies.search.search import Search
from plies.search.table import EXACT, Entry, Table, probe, store
from plies.search.task import Task
from plies.search.workspace import (
    MAX_DEPTH,
    ROOT,
    count_node,
    extended,
    new_workspace,
    report_no_moves,
)

NEVER = 10**9  # a number for what cannot be done
PROVEN_DEPTH = 255  # as the depth of an entry: more than any unfinished search has

# keys: of the positions on the current line; is_assumed: whether a position was taken for not
# won without a proof
PROVING = extended([("keys", np.int64, (MAX_DEPTH + 2,)), ("is_assumed", np.int64)])


class Numbers(NamedTuple):
    """Proof and disproof number of a position, and the plies of a proven win."""

    proof: int
    disproof: int
    plies: int


UNKNOWN = Numbers(1, 1, 0)


@compiled
def is_won(state, result, hero):
    """Whether a game that has ended with `result` is won for the hero."""
    return payoff(state, hero) > 0 if result == SCORED else result == hero


@compiled
def is_repetition(work, own_key, ply):
    """Whether a position has occurred before on the current line."""
    for earlier in range(ply):  # noqa: SIM110  # a generator would be slower
        if work.keys[earlier] == own_key:
            return True
    return False


@compiled
def easiest(own):
    """The index of the smallest number, and the smallest of the others."""
    best, second = 0, NEVER
    for index in range(1, len(own)):
        if own[index] < own[best]:
            best, second = index, own[best]
        else:
            second = min(second, own[index])
    return best, second


@compiled
def probe_numbers(work, own_key):
    """The numbers of a position in the table.

    An entry holds the proof number as its value, and in place of a static evaluation the plies
    of a proven win or else the disproof number.
    """
    entry = probe(work, own_key, ROOT)  # proof numbers are no wins: no ply changes them
    if entry.bound == 0:
        return UNKNOWN
    if entry.value == 0:
        return Numbers(0, NEVER, entry.static_eval)
    return Numbers(entry.value, entry.static_eval, 0)


@compiled
def store_numbers(work, own_key, numbers, move, nodes):
    """Store the numbers of a position; the bits of `nodes`, its effort, serve as the depth."""
    depth = 0
    while nodes > 0:
        depth += 1
        nodes >>= 1
    if numbers.proof == 0 or numbers.disproof == 0:
        depth = PROVEN_DEPTH
    second = numbers.plies if numbers.proof == 0 else numbers.disproof
    store(work, own_key, ROOT, Entry(EXACT, depth, numbers.proof, move, second))


@compiled
def combine(is_hero, own, other, plies, best):
    """The numbers of a position from those of its children, and the index of its best move.

    Where all replies lose for the others it is the one that holds out longest.
    """
    if is_hero:
        if own[best] == 0:
            return Numbers(0, NEVER, plies[best] + 1), best
        return Numbers(own[best], min(other.sum(), NEVER - 1), 0), best
    if own[best] == 0:
        return Numbers(NEVER, 0, 0), best
    if own[best] == NEVER:
        longest = plies.argmax()
        return Numbers(0, NEVER, plies[longest] + 1), longest
    return Numbers(min(other.sum(), NEVER - 1), own[best], 0), best


@compiled
def dfpn(state, most_proof, most_disproof, ply, hero, work):
    """The numbers of `state`, once one of them has reached its limit.

    Proof and disproof numbers swap roles with the mover, so they are called by role: of its
    children's `own` numbers a position has the smallest, of the `other` ones the sum.
    """
    # Step 1. Stopped, decided, or a repetition.
    if not count_node(work):
        return UNKNOWN
    result = outcome(state)
    if result != ONGOING:
        work.leaves += 1
        return Numbers(0, NEVER, 0) if is_won(state, result, hero) else Numbers(NEVER, 0, 0)
    own_key = key(state)
    if ply >= MAX_DEPTH or is_repetition(work, own_key, ply):
        work.is_assumed = 1
        return Numbers(NEVER, 0, 0)

    # Step 2. The table: numbers beyond a limit answer at once.
    known = probe_numbers(work, own_key)
    if known.proof >= most_proof or known.disproof >= most_disproof:
        work.hits += 1
        return known
    moves = legal_moves(state)
    if len(moves) == 0:
        report_no_moves(work, ply)
        return known
    work.keys[ply] = own_key
    nodes = work.nodes
    is_hero = mover(state) == hero
    most_own, most_other = most_disproof, most_proof
    if is_hero:
        most_own, most_other = most_proof, most_disproof

    # Step 3. The most promising child, until a limit is reached or all is decided.
    own, other = np.ones(len(moves), np.int64), np.ones(len(moves), np.int64)
    plies = np.zeros(len(moves), np.int64)
    best, second = easiest(own)
    total = len(moves)
    while 0 < own[best] < most_own and total < most_other:
        child = play(state, moves[best])
        # A quarter more than the second best, against going to and fro (Pawlewicz & Lew 2007).
        own_limit = min(most_own, second + second // 4 + 1)
        other_limit = NEVER if most_other == NEVER else most_other - total + other[best]
        if is_hero:
            numbers = dfpn(child, own_limit, other_limit, ply + 1, hero, work)
            own[best], other[best] = numbers.proof, numbers.disproof
        else:
            numbers = dfpn(child, other_limit, own_limit, ply + 1, hero, work)
            own[best], other[best] = numbers.disproof, numbers.proof
        if work.is_stopped:
            work.path[ply] = moves[best]
            return known
        plies[best] = numbers.plies
        best, second = easiest(own)
        total = min(other.sum(), NEVER - 1)

    # Step 4. Combine the children's numbers, and store them.
    numbers, choice = combine(is_hero, own, other, plies, best)
    store_numbers(work, own_key, numbers, moves[choice], work.nodes - nodes)
    return numbers


@dataclass
class Proving:
    """A search for a proof: the numbers of the root, and the line of a proven win."""

    state: Any
    work: np.record
    numbers: Numbers = UNKNOWN
    line: tuple[int, ...] = ()

    def run(self) -> None:
        """Search for a proof; then play it out, the others holding out as long as they can."""
        hero = int(verbs.mover(self.state))
        state = self.state
        probe(self.work, ROOT, ROOT)  # compiled here, before the clock starts
        numbers = self.numbers = self._numbers(state, ROOT, hero)
        while numbers.proof == 0 and verbs.outcome(state) == ONGOING:
            ply, own_key = len(self.line), int(verbs.key(state))
            move = int(probe(self.work, own_key, ROOT).move)
            self.work.keys[ply] = own_key
            self.line += (move,)
            state = verbs.play(state, move)
            numbers = self._numbers(state, ply + 1, hero)

    def _numbers(self, state: Any, ply: int, hero: int) -> Numbers:
        return Numbers(*map(int, dfpn(state, NEVER, NEVER, ply, hero, self.work)))


@dataclass(frozen=True)
class Dfpn(Search):
    """Proof-number search for a forced win (table size in MB).

    A decision with a value has proven a win; one that is complete and has none has proven
    that there is no win.
    """

    table: int = 64
    seconds: float = 0.0
    nodes: int = 0

    for_any_game: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_limits(self)
        if self.table == 0:
            raise BadSpec("dfpn: table is at least 1 (megabytes): all numbers are stored there")

    def decide(self, task: Task) -> Decision:
        work = new_workspace(checked_budget(self.nodes), PROVING)
        # No other search's meanwhile: the numbers of another hero would make false proofs.
        table = task.memory.pop("table", None) or Table(self.table)
        table.forget_game()
        table.connect(work)
        search = Proving(task.state, work)
        watch = run_timed(task, [search.run], [work], limits_of(task, MAX_DEPTH, self.seconds).hard)
        task.memory["table"] = table
        decision = make_decision(task.state, 0, 0, [work], watch)
        numbers = search.numbers
        if numbers.proof == 0 and search.line:
            value, line = int(win_in(numbers.plies)), search.line
            return replace(decision, move=line[0], value=value, line=line, is_complete=True)
        is_disproven = numbers.disproof == 0 and not work.is_assumed
        return replace(decision, value=None, is_complete=is_disproven)
