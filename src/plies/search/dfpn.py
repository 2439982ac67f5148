"""Proof-number search (df-pn): can the mover force a win, whatever the others do?

Every position has two numbers: how many positions must still be won to prove that the
hero, the player to move at the root, wins (`proof`), and how many must be shown not to be
won to disprove it (`disproof`).  Where the hero moves, one won child proves the
position and all must fail to disprove it; where another player moves it is the other way
round.  The search goes where least is missing, and leaves a position when something
elsewhere has become easier: depth first, with all numbers in a table.

A game is won when the hero is the winner or has more than 0 points.  The numbers ask
for no evaluator and no depth, so that long forced wins are found where replies are few.

A *win* is proven by the rules alone.  It is won in at most so many plies as are told,
perhaps in fewer: the search takes the first proof it finds.  *No win* is proven as well,
unless play can go round in circles: a position that repeats an earlier one of its line (or
comes after 127 plies) is assumed not to be won.  After such an assumption a search never says
that there is no win, and it may overlook one, because what is not won on one way to a
position may be won on another.

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
from plies.search.limits import checked_budget, checked_seconds, checked_table
from plies.search.proving import run_proof
from plies.search.runner import make_decision
from plies.search.search import Search
from plies.search.table import EXACT, Entry, Table, probe, store
from plies.search.task import Task
from plies.search.workspace import MAX_DEPTH, ROOT, enter, extended, new_workspace, report_no_moves

NEVER = 10**9  # a number for what cannot be done
DONE = 255  # the worth of a proof in the table: more than that of any unfinished search

# keys: the positions of the line that is looked at; is_assumed: whether something was
# taken for not won without a proof
PROVING = extended([("keys", np.int64, (MAX_DEPTH + 2,)), ("is_assumed", np.int64)])


class Numbers(NamedTuple):
    """What is missing to prove and to disprove a win, and how many plies a proven one takes."""

    proof: int
    disproof: int
    plies: int


UNKNOWN = Numbers(1, 1, 0)


@compiled
def is_won(state, result, hero):
    """Whether a game that has ended with `result` is won for the hero."""
    return payoff(state, hero) > 0 if result == SCORED else result == hero


@compiled
def is_repetition(work, position, ply):
    """Whether a position has occurred before in the line that is looked at."""
    for earlier in range(ply):  # noqa: SIM110  # a generator would be slower
        if work.keys[earlier] == position:
            return True
    return False


@compiled
def easiest(own):
    """The place of the smallest number, and the smallest of the others."""
    best, second = 0, NEVER
    for index in range(1, len(own)):
        if own[index] < own[best]:
            best, second = index, own[best]
        else:
            second = min(second, own[index])
    return best, second


@compiled
def kept_numbers(work, position):
    """What the table knows of a position."""
    entry = probe(work, position)
    if entry.bound == 0:
        return UNKNOWN
    if entry.value == 0:
        return Numbers(0, NEVER, entry.static_eval)
    return Numbers(entry.value, entry.static_eval, 0)


@compiled
def keep_numbers(work, position, numbers, move, nodes):
    """Write down the numbers of a position on which so many nodes were spent."""
    worth = 0
    while nodes > 0:
        worth += 1
        nodes >>= 1
    if numbers.proof == 0 or numbers.disproof == 0:
        worth = DONE
    second = numbers.plies if numbers.proof == 0 else numbers.disproof
    store(work, position, Entry(EXACT, worth, numbers.proof, move, second))


@compiled
def taken_together(is_hero, own, other, plies, best):
    """The numbers of a position by those of its children, and the move that they speak for.

    Where all replies are lost for the others it is the one that holds out longest.
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

    From the mover's side a child has an `own` number, of which the mover takes the smallest,
    and an `other` one, which add up.
    """
    if not enter(work):
        return UNKNOWN
    result = outcome(state)
    if result != ONGOING:
        work.leaves += 1
        return Numbers(0, NEVER, 0) if is_won(state, result, hero) else Numbers(NEVER, 0, 0)
    position = key(state)
    if ply >= MAX_DEPTH or is_repetition(work, position, ply):
        work.is_assumed = 1
        return Numbers(NEVER, 0, 0)
    known = kept_numbers(work, position)
    if known.proof >= most_proof or known.disproof >= most_disproof:
        work.hits += 1
        return known
    moves = legal_moves(state)
    if len(moves) == 0:
        report_no_moves(work, ply)
        return known
    work.keys[ply] = position
    nodes = work.nodes
    is_hero = mover(state) == hero
    most_own, most_other = most_disproof, most_proof
    if is_hero:
        most_own, most_other = most_proof, most_disproof
    own, other = np.ones(len(moves), np.int64), np.ones(len(moves), np.int64)
    plies = np.zeros(len(moves), np.int64)
    best, second = easiest(own)
    total = len(moves)
    while 0 < own[best] < most_own and total < most_other:
        child = play(state, moves[best])
        own_limit = min(most_own, second + second // 4 + 1)
        other_limit = NEVER if most_other == NEVER else most_other - total + other[best]
        if is_hero:
            found = dfpn(child, own_limit, other_limit, ply + 1, hero, work)
            own[best], other[best] = found.proof, found.disproof
        else:
            found = dfpn(child, other_limit, own_limit, ply + 1, hero, work)
            own[best], other[best] = found.disproof, found.proof
        if work.is_stopped:
            work.path[ply] = moves[best]
            return known
        plies[best] = found.plies
        best, second = easiest(own)
        total = min(other.sum(), NEVER - 1)
    numbers, choice = taken_together(is_hero, own, other, plies, best)
    keep_numbers(work, position, numbers, moves[choice], work.nodes - nodes)
    return numbers


@dataclass
class Proving:
    """A search for a proof: the numbers of the root, and the line of a proven win."""

    state: Any
    work: np.record
    numbers: Numbers = UNKNOWN
    line: tuple[int, ...] = ()

    def run(self) -> None:
        """Look for a proof; then play it out, the others holding out as long as they can."""
        hero = int(verbs.mover(self.state))
        state = self.state
        probe(self.work, ROOT)  # for the compiler, which is not to be met after the clock starts
        numbers = self.numbers = self._numbers(state, ROOT, hero)
        while numbers.proof == 0 and verbs.outcome(state) == ONGOING:
            ply, position = len(self.line), int(verbs.key(state))
            move = int(probe(self.work, position).move)
            self.work.keys[ply] = position
            self.line += (move,)
            state = verbs.play(state, move)
            numbers = self._numbers(state, ply + 1, hero)

    def _numbers(self, state: Any, ply: int, hero: int) -> Numbers:
        return Numbers(*map(int, dfpn(state, NEVER, NEVER, ply, hero, self.work)))


@dataclass(frozen=True)
class Dfpn(Search):
    """Looks for a forced win of the mover with a table of so many megabytes.

    A decision with a value has proven a win; one that is complete and has none has proven
    that there is no win.
    """

    table: int = 64
    seconds: float = 0.0
    nodes: int = 0

    for_any_game: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if checked_table(self.table) == 0:
            raise BadSpec("dfpn: table is at least 1 (megabytes): all that is known is kept there")
        checked_seconds(self.seconds)
        checked_budget(self.nodes)

    def decide(self, task: Task) -> Decision:
        work = new_workspace(checked_budget(self.nodes), PROVING)
        # Nobody else's meanwhile: the numbers of another attacker would make false proofs.
        table = task.memory.pop("table", None) or Table(self.table)
        table.forget_game()
        table.connect(work)
        search = Proving(task.state, work)
        watch = run_proof(task, search.run, work, self.seconds, [])
        task.memory["table"] = table
        found = make_decision(task.state, 0, 0, [work], watch)
        numbers = search.numbers
        if numbers.proof == 0 and search.line:
            value, line = int(win_in(numbers.plies)), search.line
            return replace(found, move=line[0], value=value, line=line, is_complete=True)
        is_disproven = numbers.disproof == 0 and not work.is_assumed
        return replace(found, value=None, is_complete=is_disproven)
