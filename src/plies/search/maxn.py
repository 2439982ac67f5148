"""max^n (Luckhardt & Irani 1986) to a fixed depth: each of any number of players maximises
their own value.

The value of a position is a vector with one number for each player (those of leaves come from
`leaf`); the mover takes the child that is best in the mover's own number.
Which of two children that are equally good for the mover is taken changes what the others
get, so that ties matter more than in minimax: `first` takes the first, `worst` the one that is
worst for the player to move at the root.

With two players and values that sum to zero all this is minimax.

Pruning (Korf 1991) needs bounds of what players can get:

most   the most that one player can get
pair   the most that two players can get together

`immediate`  the mover stops searching when nothing can be better than `most`.
`shallow`    in addition: where the player before already has x, the mover stops as soon as
             the mover's own number is `pair` - x or more.  Whatever follows leaves the other
             player no more than x, and of equal children the first is taken.

(Where a sum S of all numbers and a least number L are known, `most` is S - (n - 1) L and
`pair` is S - (n - 2) L.)  Vector, line and move are the same as without pruning.  Deep pruning,
by a grandparent's bound as in alpha-beta, would not be valid (Korf 1991).
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY, MAX_EVALUATION, ONGOING, WIN, win_in
from plies.core.verbs import ZERO, evaluate, mover, outcome, play, rules_of
from plies.errors import BadSpec
from plies.search.decision import Decision
from plies.search.leaf import evaluation_for, result_for
from plies.search.limits import check_limits, checked_budget
from plies.search.runner import decide_at_depth
from plies.search.search import Search
from plies.search.task import Task
from plies.search.workspace import (
    MAX_DEPTH,
    ROOT,
    enter,
    extended,
    moves_at,
    new_workspace,
    save_line,
)

MaxnPrune = Literal["none", "immediate", "shallow"]
Ties = Literal["first", "worst"]

MAX_PLAYERS = 16
NO_BOUND = 2**61
# vector: by ply, the value of the best line from there on for each player
VECTORS = extended([("vector", np.int64, (MAX_DEPTH + 2, MAX_PLAYERS))])


class MaxnRules(NamedTuple):
    """What the kernel knows of the game and of the options; `hero` moves at the root."""

    players: int
    hero: int
    is_worst: int
    is_shallow: int
    most: int
    pair: int


@compiled
def save_leaf(state, result, ply, players, evaluator, work):
    """Write down the vector of a leaf; counts it."""
    work.leaves += 1
    evaluation = 0
    if result == ONGOING:
        work.evaluations += 1
        evaluation = evaluate(evaluator, state)
    for player in range(players):
        if result == ONGOING:
            work.vector[ply, player] = evaluation_for(player, state, evaluation, players)
        else:
            work.vector[ply, player] = result_for(player, state, result, ply)


@compiled
def maxn(state, depth, claim, ply, rules, evaluator, work):
    """The value of `state` for its mover; `work.vector[ply]` holds that for everybody.

    `claim` is what the player before has already, if that is somebody else.
    """
    if not enter(work, ply):
        return 0
    players, hero, is_worst, is_shallow, most, pair = rules
    result = outcome(state)
    player = mover(state)
    if result != ONGOING or depth == 0:
        save_leaf(state, result, ply, players, evaluator, work)
        return work.vector[ply, player]
    # From this value on nothing better can follow (immediate pruning: not even a win is nearer
    # than the next ply), or the player before will not come here (shallow pruning).
    enough = min(win_in(ply + 1) if most == WIN else most, pair - claim)
    best = -INFINITY
    for move in moves_at(state, ply, work):
        child = play(state, move)
        # A bound reaches one player down only: that is what makes the pruning shallow.
        own_claim = best if is_shallow and mover(child) != player else -INFINITY
        maxn(child, depth - 1, own_claim, ply + 1, rules, evaluator, work)
        if work.is_stopped:
            work.path[ply] = move
            break
        value = work.vector[ply + 1, player]
        is_worse = work.vector[ply + 1, hero] < work.vector[ply, hero]
        if value > best or (is_worst and value == best and is_worse):
            best = value
            for seat in range(players):
                work.vector[ply, seat] = work.vector[ply + 1, seat]
            save_line(work, ply, move)
            if best >= enough:
                work.cutoffs += 1
                break
    return best


def bounds(state: Any, players: int, evaluator: Any) -> tuple[int, int] | None:
    """The most that one player, and that two together, can get; None where it is unknown.

    A game whose ends are wins, losses and draws need not declare it; one that gives points
    does with `payoff_bounds(state)`.
    """
    rules = rules_of[type(state)]
    if "payoff_bounds" in rules:
        most, pair = (int(number) for number in rules["payoff_bounds"](state))
    elif "payoff" not in rules:
        most, pair = WIN, 0
    else:
        return None
    if evaluator is ZERO:
        return max(most, 0), max(pair, 0)
    return max(most, MAX_EVALUATION), max(pair, 0 if players == 2 else MAX_EVALUATION)


@dataclass(frozen=True)
class Maxn(Search):
    """max^n, `depth` plies deep: every player maximises their own value."""

    depth: int = 3
    eval: str = ""
    prune: MaxnPrune = "none"
    ties: Ties = "first"
    nodes: int = 0

    for_any_game: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_limits(self)
        if self.prune != "none" and self.ties != "first":
            raise BadSpec(
                f"maxn: prune={self.prune} prunes equal moves; it needs ties=first,"
                f" and ties={self.ties} needs prune=none"
            )

    def decide(self, task: Task) -> Decision:
        if task.players > MAX_PLAYERS:
            raise BadSpec(f"maxn is for at most {MAX_PLAYERS} players, not {task.players}")
        work = new_workspace(checked_budget(self.nodes), VECTORS)
        rules = self._rules(task)

        def search_depth(depth: int) -> Any:
            return maxn(task.state, depth, -INFINITY, ROOT, rules, task.evaluator, work)

        decision = decide_at_depth(task, search_depth, self.depth, work)
        if decision.value is None:
            return decision
        return replace(decision, payoffs=tuple(work.vector[ROOT, : task.players].tolist()))

    def _rules(self, task: Task) -> MaxnRules:
        most, pair = NO_BOUND, NO_BOUND
        if self.prune != "none":
            known = bounds(task.state, task.players, task.evaluator)
            if known is None:
                raise BadSpec(
                    f"maxn: prune={self.prune} needs the most that players can get, which this"
                    " game does not declare (payoff_bounds); use prune=none"
                )
            most, pair = known
        is_worst, is_shallow = self.ties == "worst", self.prune == "shallow"
        hero = int(mover(task.state))
        return MaxnRules(task.players, hero, int(is_worst), int(is_shallow), most, pair)
