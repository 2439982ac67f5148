"""Verbs find a game's rules by the class of its state, compiled or not."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.rules import COMPILED, RULE
from plies.core.verbs import is_tactical, key, legal_moves
from plies.registry import interpreted_twin
from search_samples import EVERY_GAME, position_after

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


@pytest.mark.parametrize("name", COMPILED)
def test_every_compiled_rule_of_the_table_has_a_verb(name: str) -> None:
    assert getattr(verbs, name).__doc__ == RULE[name].sentence


# Games without optional rules, and images as one; `plies check` tests the rules.

TAKE = str(Path(__file__).parents[1] / "data" / "games" / "take.py")
WITHOUT_OPTIONS = [TAKE, "nim"]
TACTICAL = [spec for spec in EVERY_GAME if verbs.has_tactical_moves(plies.game(spec).initial())]
SYMMETRIC = [spec for spec in EVERY_GAME if verbs.has_symmetries(plies.game(spec).initial())]


@compiled
def answers(state, move):
    """What compiled code hears about a state and a move."""
    return (
        verbs.is_tactical(state, move),
        verbs.capture_gain(state, move),
        verbs.static_exchange(state, move),
        verbs.threatens(state, move),
        verbs.must_respond(state),
        len(verbs.tactical_moves(state)),
        key(verbs.null_move(state)),
        verbs.canonical_key(state),
    )


@compiled
def declared(state):
    return verbs.has_tactical_moves(state), verbs.has_null_move(state), verbs.has_symmetries(state)


answers_in_python = getattr(answers, "py_func", answers)


@pytest.mark.parametrize("spec", WITHOUT_OPTIONS, ids=lambda spec: Path(spec).stem)
def test_a_game_without_optional_rules_has_no_tactics_no_threats_and_no_images(spec: str) -> None:
    game = plies.game(spec)
    state = game.initial()
    assert tuple(declared(state)) == (False, False, False)
    assert verbs.null_move(state) is state
    assert verbs.phase(state) == 0
    assert verbs.tactical_moves(state).dtype == np.int64
    for move in game.moves(state):
        expected = (False, 1, 1, False, False, 0, key(state), key(state))
        assert tuple(answers(state, move)) == expected
        assert answers_in_python(state, move) == expected


def test_there_are_games_with_optional_rules_to_try() -> None:
    assert {"chess", "morris", "seega"} <= set(TACTICAL)
    assert {"tictactoe", "quixo", "seega", "morris"} <= set(SYMMETRIC)


@pytest.mark.parametrize("spec", SYMMETRIC, ids=lambda spec: Path(spec).name)
@settings(max_examples=40)
@given(plies_played=st.integers(0, 12), seed=st.integers(0, 10**6))
def test_all_images_of_a_state_have_the_same_least_key(
    spec: str, plies_played: int, seed: int
) -> None:
    game = plies.game(spec)
    state = position_after(game, plies_played, seed)
    images = game.symmetries(state)
    assert verbs.canonical_key(state) == min(key(image) for image in (state, *images))
    assert {verbs.canonical_key(image) for image in images} == {verbs.canonical_key(state)}
