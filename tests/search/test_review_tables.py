"""What a table must not change, and numbers at the edge of their range."""

import random
from itertools import product
from typing import Any

import plies
from plies.core.scores import WIN, lose_in, win_in
from plies.search.branch import Branch
from plies.search.mcts import Mcts
from plies.search.table import AT_LEAST, AT_MOST, EXACT, NO_MOVE, Entry, is_cutoff
from plies.search.task import Task

SMALL = range(-2, 3)


def test_an_entry_settles_a_window_exactly_if_every_value_it_allows_is_answered_there() -> None:
    for bound, value, alpha, beta in product((AT_LEAST, AT_MOST, EXACT), SMALL, SMALL, SMALL):
        if alpha >= beta:
            continue
        allowed = {
            AT_LEAST: range(value, 4),
            AT_MOST: range(-3, value + 1),
            EXACT: range(value, value + 1),
        }[bound]

        def clamped(number: int, low: int = alpha, high: int = beta) -> int:
            return min(max(number, low), high)

        is_answer = all(clamped(truth) == clamped(value) for truth in allowed)
        entry = Entry(bound, 1, value, NO_MOVE, 0)
        assert bool(is_cutoff(entry, alpha, beta)) == is_answer, (bound, value, alpha, beta)


def test_branch_tells_how_far_a_win_is_from_here_where_its_table_knows_it_from_elsewhere() -> None:
    game = plies.game("nim:rows=2-3")
    state = game.initial()
    memory: dict[str, Any] = {}
    hits = 0
    # Who makes the heaps equal wins; five plies remain when both play as long as they can.
    for value in (win_in(5), lose_in(4), win_in(3), lose_in(2), win_in(1)):
        method = Branch(WIN - abs(value), look=0, width=1000, table=1)
        found = method.decide(Task(state, game.evaluator(), memory=memory))
        assert found.value == value
        hits += found.table_hits
        state = game.play(state, found.move)
    assert hits > 0


def test_however_low_the_temperature_the_best_move_has_the_greatest_prior() -> None:
    """The power of a win is beyond all floats there."""
    game = plies.game("tictactoe")
    state = game.initial()
    for text in ("a1", "a2", "b1", "b2"):  # now c1 wins
        state = game.play(state, game.parse_move(state, text))
    method = Mcts(simulations=3, priors="eval", temperature=0.0001, solver=False)
    found = method.decide(Task(state, game.evaluator(), rng=random.Random(1)))
    assert found.move == game.parse_move(state, "c1")
