"""States with arrays are values: nobody changes one, and they compare by their contents."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from game_samples import ARRAY, replaced
from plies.compiling.compiler import name_class
from plies.core import verbs
from plies.core.contract import Game
from plies.core.states import fresh
from plies.registry import game, interpreted_twin

PLAY = "state.heaps[0] -= move\n    return State(state.heaps, 1 - state.turn)"
COPYING = "return State(state.heaps - move, 1 - state.turn)"
PASSING = "return State(state.heaps, 1 - state.turn)"


def heap_game(folder: Path, play: str = COPYING) -> Game:
    path = folder / "heaps.py"
    path.write_text(replaced(ARRAY, (PLAY, play)))
    return game(str(path))


@pytest.fixture(params=[game, interpreted_twin], ids=["compiled", "interpreted"])
def rules(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    return request.param(heap_game(tmp_path))


@pytest.mark.parametrize(
    "source",
    [
        lambda rules: rules.initial(),
        lambda rules: rules.play(rules.initial(), 1),
        lambda rules: rules.play(rules.play(rules.initial(), 1), 2),
        lambda rules: rules.parse_position("7 0"),
        lambda rules: rules.symmetries(rules.initial())[0],
    ],
    ids=["initial", "play", "play twice", "parse_position", "symmetries"],
)
def test_nobody_writes_into_the_array_of_a_state(rules: Game, source: Callable[[Game], Any]):
    state = source(rules)
    before = state.heaps.tolist()
    with pytest.raises(ValueError, match="read-only"):
        state.heaps[0] = 2
    assert state.heaps.tolist() == before


def test_an_array_that_a_rule_passes_on_is_read_only_too(tmp_path: Path):
    rules = heap_game(tmp_path, PASSING)
    state = rules.initial()
    child = rules.play(state, 1)
    assert child.heaps is state.heaps
    assert not child.heaps.flags.writeable


def test_whoever_made_an_array_can_still_write_into_it(tmp_path: Path):
    path = tmp_path / "shared.py"
    scratch = "SCRATCH = np.zeros(1, np.int64)\n\n\ndef initial("
    made = ("return State(np.array([heap]), 0)", "SCRATCH[0] = heap\n    return State(SCRATCH, 0)")
    path.write_text(replaced(ARRAY, ("def initial(", scratch), made))
    rules = game(str(path))
    assert rules.initial().heaps.tolist() == rules.initial().heaps.tolist() == [7]


def test_a_fresh_copy_may_be_written_into(rules: Game):
    state = rules.initial()
    copy = fresh(state)
    copy.heaps[0] = 2
    assert state.heaps.tolist() == [7]
    assert rules.moves(copy) == (1, 2)
    assert type(copy) is type(state)


def test_read_only_arrays_need_no_second_version_of_a_rule(tmp_path: Path):
    rules = heap_game(tmp_path)
    for state in (fresh(rules.initial()), rules.initial()):
        child = rules.play(state, 2)
        assert (child.heaps.tolist(), rules.outcome(child)) == ([5], rules.outcome(state))
    compiled: Any = verbs.rules_of[rules.State]["play"]
    assert len(compiled.signatures) == 1


def test_states_with_arrays_are_equal_where_their_contents_are(rules: Game):
    state, same, other = rules.initial(), rules.initial(), rules.play(rules.initial(), 1)
    assert state is not same
    assert (state == same, state != same, hash(state) == hash(same)) == (True, False, True)
    assert (state == other, state != other) == (False, True)
    assert {state: 1, other: 2} == {same: 1, rules.play(same, 1): 2}
    assert same in [other, state]
    assert state == fresh(state) == pickle.loads(pickle.dumps(state))


def test_states_of_two_classes_are_never_equal(tmp_path: Path):
    rules = heap_game(tmp_path)
    state = rules.initial()
    assert state != tuple(state)
    assert tuple(state) != state
    assert state != interpreted_twin(rules).initial()


def test_the_length_of_an_array_is_a_part_of_its_contents(rules: Game):
    short, long = (rules.State(np.zeros(length, np.int64), 0) for length in (1, 2))
    assert short != long
    assert len({short, long}) == 2


def test_equality_that_a_game_s_author_defined_stays():
    tree = game("tree")
    state = tree.initial()
    assert state == state._replace(tree=state.tree.astype(float))
    assert state != tree.play(state, 0)


def test_weights_with_arrays_compare_by_their_contents_and_can_be_changed():
    class Weights(NamedTuple):
        table: np.ndarray
        scale: float

    name_class(Weights, "weighty", [], part="table")
    first, second = (Weights(np.arange(3), 0.5) for _ in range(2))
    assert first == second
    first.table[0] = 7
    assert first != second
