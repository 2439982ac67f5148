"""max^n to a fixed depth: any number of players, each of whom looks after themselves.

The value of a position is a vector with one number for each player (`shares` says how
leaves get theirs); the mover takes the child that is best in the mover's own number.
Which of two children that are equally good for the mover changes what the others get, so
that ties matter more than in minimax: `first` takes the first, `worst` the one that is worst
for the player to move at the root.

With two players and values that sum to zero all this is minimax.

Pruning is possible only where something is known about what players can get:

most   what one player can get
pair   what two players can get together

`immediate`  the mover stops looking when there is nothing better to have than `most`.
`shallow`    in addition: where the player before already has x, the mover stops as soon as
             the mover's own number is `pair` - x or more.  Whatever follows leaves the other
             player no more than x, and of equal children the first is taken.

(Where a sum S of all numbers and a least number L are known, `most` is S - (n - 1) L and
`pair` is S - (n - 2) L.)  What is found is the same vector, line and move as without
pruning.  Bounds on a grandparent's behalf, which alpha-beta uses, would not be valid.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY, MAX_EVALUATION, ONGOING, WIN, win_in
from plies.core.verbs import (
    ZERO,
    evaluate,
    legal_moves,
    mover,
    outcome,
    play,
    rules_of,
)
from plies.errors import BadSpec
from plies.search.decision import Decision
from plies.search.limits import checked_budget, checked_depth
from plies.search.player_values import evaluation_for, result_for
from plies.search.search import Search
from plies.search.task import Task, decide_at_depth
from plies.search.workspace import (
    MAX_DEPTH,
    ROOT,
    enter,
    extended,
    new_workspace,
    report_no_moves,
    save_line,
)

Prune = Literal["none", "immediate", "shallow"]
Ties = Literal["first", "worst"]

MAX_PLAYERS = 16
NO_BOUND = 2**61
# vector: what each player has of the best line from a ply on
VECTORS = extended([("vector", np.int64, (MAX_DEPTH + 2, MAX_PLAYERS))])


@compiled
def put_leaf(state, result, ply, players, evaluator, work):
    """Write down what everybody has of a leaf, which is counted."""
    work.leaves += 1
    opinion = 0
    if result == ONGOING:
        work.evaluations += 1
        opinion = evaluate(evaluator, state)
    for player in range(players):
        if result == ONGOING:
            work.vector[ply, player] = evaluation_for(player, state, opinion, players)
        else:
            work.vector[ply, player] = result_for(player, state, result, ply)


@compiled
def maxn(state, depth, claim, ply, kind, evaluator, work):
    """What the mover of `state` gets; `work.vector[ply]` is what everybody gets.

    `claim` is what the player before has already, if that is somebody else.  `kind` is
    (players, hero, is_worst, is_shallow, most, pair), where `hero` moves at the root.
    """
    if not enter(work):
        return 0
    work.length[ply] = ply
    players, hero, is_worst, is_shallow, most, pair = kind
    result = outcome(state)
    player = mover(state)
    if result != ONGOING or depth == 0:
        put_leaf(state, result, ply, players, evaluator, work)
        return work.vector[ply, player]
    enough = min(win_in(ply + 1) if most == WIN else most, pair - claim)
    best = -INFINITY
    moves = legal_moves(state)
    if len(moves) == 0:
        report_no_moves(work, ply)
    for move in moves:
        child = play(state, move)
        known = best if is_shallow and mover(child) != player else -INFINITY
        maxn(child, depth - 1, known, ply + 1, kind, evaluator, work)
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
    """What one player, and what two together, can have of any leaf; None if nobody knows.

    A game whose ends are wins, losses and draws needs to say nothing; one that gives
    points says it with `payoff_bounds(state)`.
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
    """Every player takes what is best for themselves, `depth` plies deep."""

    depth: int = 3
    eval: str = ""
    prune: Prune = "none"
    ties: Ties = "first"
    nodes: int = 0

    for_any_game: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_depth(self.depth)
        checked_budget(self.nodes)
        if self.prune != "none" and self.ties != "first":
            raise BadSpec(
                f"maxn: prune={self.prune} leaves out equal moves; it needs ties=first,"
                f" and ties={self.ties} needs prune=none"
            )

    def decide(self, task: Task) -> Decision:
        if task.players > MAX_PLAYERS:
            raise BadSpec(f"maxn is for at most {MAX_PLAYERS} players, not {task.players}")
        work = new_workspace(checked_budget(self.nodes), VECTORS)
        kind = self._kind(task)
        decision = decide_at_depth(
            maxn, -INFINITY, ROOT, kind, task.evaluator, task=task, depth=self.depth, work=work
        )
        if decision.value is None:
            return decision
        return replace(decision, payoffs=tuple(work.vector[ROOT, : task.players].tolist()))

    def _kind(self, task: Task) -> tuple[int, ...]:
        """What the kernel has to know of the game and of the options."""
        most, pair = NO_BOUND, NO_BOUND
        if self.prune != "none":
            known = bounds(task.state, task.players, task.evaluator)
            if known is None:
                raise BadSpec(
                    f"maxn: prune={self.prune} needs to know what players can get at most,"
                    " which the file of this game does not say (payoff_bounds); use prune=none"
                )
            most, pair = known
        is_worst, is_shallow = self.ties == "worst", self.prune == "shallow"
        hero = int(mover(task.state))
        return task.players, hero, int(is_worst), int(is_shallow), most, pair
