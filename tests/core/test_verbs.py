"""Verbs find a game's rules by the class of its state, compiled or not."""

from pathlib import Path

import pytest

import plies
from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.rules import COMPILED, RULE
from plies.core.verbs import is_tactical, legal_moves
from plies.registry import interpreted_twin

SHARING = Path(__file__).parents[1] / "data" / "sharing.py"


@compiled
def tactical_moves(state):
    return [move for move in legal_moves(state) if is_tactical(state, move)]


@pytest.mark.parametrize(("seeds", "expected"), [(7, [3]), (3, [3]), (2, [])])
def test_is_tactical_is_the_rule_of_the_game_compiled_and_plain(
    seeds: int, expected: list[int]
) -> None:
    game = plies.game(str(SHARING))
    twin = interpreted_twin(game)
    state, plain = game.State(seeds, 0), twin.State(seeds, 0)
    assert [move for move in game.moves(state) if is_tactical(state, move)] == expected
    assert [move for move in twin.moves(plain) if is_tactical(plain, move)] == expected
    assert list(tactical_moves(state)) == expected


def test_no_move_is_tactical_in_a_game_that_declares_none() -> None:
    game = plies.game("tictactoe")
    state = game.initial()
    assert not any(is_tactical(state, move) for move in game.moves(state))
    assert list(tactical_moves(state)) == []


@pytest.mark.parametrize("name", COMPILED)
def test_every_compiled_rule_of_the_table_has_a_verb(name: str) -> None:
    assert getattr(verbs, name).__doc__ == RULE[name].sentence
