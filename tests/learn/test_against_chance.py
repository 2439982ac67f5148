"""Exact chances against random play, and the command that tells them."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import plies
from plies.cli.main import main
from plies.core import verbs
from plies.core.scores import ONGOING
from plies.errors import BadSpec
from plies.learn.against_chance import (
    agent_policy,
    chance,
    exactly,
    graph_of,
    greedy,
    optimum,
)

CIRCLE = Path(__file__).parents[1] / "data" / "circle.py"
SEATS = (0, 1)


@pytest.fixture(scope="module")
def tictactoe():
    game = plies.game("tictactoe")
    return game, graph_of(game)


@cache
def by_recursion(state, seat, is_best):
    """Wins and losses of a seat, in fractions; it plays for wins or any move at all."""
    result = verbs.outcome(state)
    if result != ONGOING:
        return Fraction(result == seat), Fraction(result == 1 - seat)
    children = [verbs.play(state, move) for move in verbs.legal_moves(state)]
    found = [by_recursion(child, seat, is_best) for child in children]
    if is_best and verbs.mover(state) == seat:
        return max(found, key=lambda fare: (fare[0], -fare[1]))
    return sum(fare[0] for fare in found) / len(found), sum(fare[1] for fare in found) / len(found)


# Wins and losses; the decimals are those of facts that others published, 99.48 % and 93.86 % at
# best, 58.49 and 28.81 % of random players; the fractions come from `by_recursion`.
CHANCES = {
    (0, True): (Fraction(191, 192), Fraction(0)),
    (1, True): (Fraction(887, 945), Fraction(1, 63)),
    (0, False): (Fraction(737, 1260), Fraction(121, 420)),
    (1, False): (Fraction(121, 420), Fraction(737, 1260)),
}


@pytest.mark.parametrize(("seat", "is_best"), CHANCES)
def test_chances_in_tictactoe_are_those_of_a_recursion_in_fractions(tictactoe, seat, is_best):
    game, graph = tictactoe
    wins, losses = CHANCES[seat, is_best]
    assert by_recursion(game.initial(), seat, is_best) == (wins, losses)
    fare = optimum(graph, seat) if is_best else exactly(graph, chance(graph), seat)
    assert (fare.wins, fare.losses) == pytest.approx((float(wins), float(losses)), abs=1e-12)
    assert fare.wins + fare.draws + fare.losses == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("seat", SEATS)
def test_perfect_play_never_loses_to_chance_and_wins_no_more_than_the_optimum(tictactoe, seat):
    game, graph = tictactoe
    perfect = plies.agent("perfect:choice=first", game)
    fare = exactly(graph, agent_policy(game, graph, perfect, seat), seat)
    assert fare.losses == 0
    assert 0.75 < fare.wins <= optimum(graph, seat).wins


def test_without_an_opinion_any_move_is_played_that_does_not_end_the_game(tictactoe):
    game, graph = tictactoe
    policy = greedy(game, graph, game.evaluator("zero"))
    start, end = graph.first[0], graph.first[1]
    assert policy[start:end] == pytest.approx([1 / 9] * 9)
    assert exactly(graph, policy, 0).wins > exactly(graph, chance(graph), 0).wins


def test_an_agent_that_draws_lots_is_refused(tictactoe):
    game, graph = tictactoe
    lots = plies.agent("greedy", game)
    with pytest.raises(BadSpec, match="greedy does not always answer the same"):
        agent_policy(game, graph, lots, 0)


def test_a_game_with_too_many_positions_is_refused():
    with pytest.raises(BadSpec, match="tictactoe has more than 5477 positions, too many"):
        graph_of(plies.game("tictactoe"), 5477)


def test_play_that_goes_round_for_ever_is_drawn_and_chances_on_the_way_add_up():
    # Without an exit nobody wins.  With one, the first player stands at place 2 with the second
    # move, having gone 0-1-2 or 0-3-2, and leaves.
    endless = graph_of(plies.game(str(CIRCLE)))
    assert optimum(endless, 0).draws == 1
    leaving = graph_of(plies.game(f"{CIRCLE}:exits=1"))
    assert optimum(leaving, 0).wins == 1
    # Random players pass place 2 again and again: one leaves in the end.
    assert exactly(leaving, chance(leaving), 0).wins == pytest.approx(1, abs=1e-9)


def test_the_command_tells_the_chances_of_both_seats(capsys):
    assert main(["train", "exact", "tictactoe", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["positions"] == 5478  # facts: reachable positions, the empty board included
    assert round(told["first"]["wins"], 4) == 0.9948
    assert round(told["second"]["wins"], 4) == 0.9386
    assert main(["train", "exact", "tictactoe", "--agent", "random"]) == 0
    assert "58.49%" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["tictactoe", "--positions", "10"], "has more than 10 positions"),
        (["tictactoe", "--agent", "missing.npz"], "there is no model file missing.npz"),
        (["tictactoe", "--agent", "alphbeta"], "did you mean alphabeta?"),
        (["nim:players=3"], "is not a game of two players"),
    ],
)
def test_what_cannot_be_computed_is_one_line(capsys, words, complaint):
    assert main(["train", "exact", *words]) == 2
    errors = capsys.readouterr().err.strip()
    assert complaint in errors
    assert "\n" not in errors
