"""The named checks: every game kept here passes them, and each can fail."""

from pathlib import Path

import pytest

from broken_games import BROKEN
from game_samples import ARRAY, LEGAL_MOVES, changed, extended, replaced
from plies import testing
from plies.core.contract import Game
from plies.core.rules import RULES
from plies.registry import game, game_names, interpreted_twin
from plies.testing import CheckResult, assert_game, check_game, checks
from plies.testing.watching import watched_checks

EXAMPLES = sorted(Path(__file__).parents[2].glob("examples/*.py"))
NAMES = list(testing.CHECKS)


def load(folder: Path, name: str, text: str | None = None) -> Game:
    path = folder / f"{name}.py"
    path.write_text(text or BROKEN[name].text)
    return game(str(path))


def line_of(file: Game, text: str) -> int:
    lines = Path(file.source).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def failures(results: list[CheckResult]) -> dict[str, str]:
    return {result.name: result.detail for result in results if not result.passed}


@pytest.mark.parametrize("name", game_names())
def test_every_game_of_the_package_keeps_the_contract(name: str):
    assert_game(game(name))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_keeps_the_contract(path: Path):
    assert_game(game(str(path)))


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_fails_exactly_the_checks_it_breaks(tmp_path: Path, name: str):
    """Without the compiler where it plays no part: the checks are the same and start at once."""
    file = load(tmp_path, name)
    results = check_game(file if BROKEN[name].needs_compiler else interpreted_twin(file))
    assert set(failures(results)) == set(BROKEN[name].breaks), failures(results)
    assert all("\n" not in result.detail for result in results)


def test_every_check_is_broken_by_some_game():
    assert {name for file in BROKEN.values() for name in file.breaks} == set(NAMES)


def test_every_rule_of_the_table_is_looked_at_by_a_check():
    assert {rule.check for rule in RULES} <= set(NAMES)


def test_results_come_one_by_one_in_a_fixed_order(tmp_path: Path):
    results = checks(interpreted_twin(load(tmp_path, "take")), games=1)
    assert next(results).name == NAMES[0]
    assert [result.name for result in results] == NAMES[1:]


def test_a_failure_names_the_position_and_what_was_expected(tmp_path: Path):
    problems = failures(check_game(interpreted_twin(load(tmp_path, "third_mover"))))
    # The first position after the start that the seed reaches: 2 taken from a heap of 7.
    expected = "at 5 1: mover is 2, expected 0 to 1"
    assert problems["the mover is one of the players"] == expected


def test_a_position_without_a_text_is_named_by_its_fields(tmp_path: Path):
    file = load(tmp_path, "raising_text")
    problems = failures(check_game(interpreted_twin(file)))
    detail = problems["positions read back from their text"]
    blamed = "raising_text: position_text fails: IndexError: "
    assert detail.startswith(f"at raising_text.State(heap=7, turn=0): {blamed}")
    assert detail.endswith(f"(raising_text.py, line {line_of(file, 'abcdefg')})")


def test_a_rule_that_raises_is_a_failure_of_one_line(tmp_path: Path):
    file = load(tmp_path, "raising_rule")
    problems = failures(check_game(interpreted_twin(file)))
    assert problems["random games run"].startswith("at 3 ")
    assert problems["random games run"].endswith(
        f"ValueError: a crowd (raising_rule.py, line {line_of(file, 'a crowd')})"
    )


def test_a_game_that_is_stuck_at_the_start_fails(tmp_path: Path):
    game = changed(tmp_path, (LEGAL_MOVES, "return np.arange(1, 1)"))
    assert "no legal move" in failures(check_game(game))["random games run"]


def test_a_game_that_is_over_before_the_first_move_fails(tmp_path: Path):
    game = changed(tmp_path, ("heap: int = 7", "heap: int = 0"))
    assert "over" in failures(check_game(game))["random games run"]


def test_a_rule_that_leaves_the_program_is_a_failure(tmp_path: Path):
    game = extended(tmp_path, "def steps(state, move):", "    raise SystemExit(3)")
    results = list(watched_checks(game, seed=0, games=1, patience=60))
    assert "SystemExit" in failures(results)["every move has steps of its own"]


def test_a_rule_that_does_not_compile_is_a_failure_of_one_line_and_the_last_one(tmp_path: Path):
    file = load(tmp_path, "uncompilable")
    results = check_game(file)
    assert [result.name for result in results] == NAMES[:4]
    detail = failures(results)["the rules compile"]
    assert detail.startswith("uncompilable: play does not compile: ")
    assert detail.endswith(f"(uncompilable.py, line {line_of(file, 'str(')})")


@pytest.mark.parametrize("name", ["bool_after_a_move", "moves_as_list"])
def test_a_rule_compiled_to_another_type_than_the_contract_says_is_found(tmp_path: Path, name: str):
    problems = failures(check_game(load(tmp_path, name)))
    assert set(problems) == {"the rules compile", *BROKEN[name].breaks}


def test_annotations_that_are_kept_as_text_mean_the_same(tmp_path: Path):
    wrong = "state.heaps[0] -= move\n    return State(state.heaps, 1 - state.turn)"
    right = "return State(state.heaps - move, 1 - state.turn)"
    first = "from __future__ import annotations\n\nfrom typing"
    text = replaced(ARRAY, (wrong, right), ("from typing", first))
    assert_game(load(tmp_path, "later", text))


def test_an_array_that_compiled_code_would_misread_is_found_in_plain_python(tmp_path: Path):
    text = replaced(ARRAY, ("State(state.heaps,", "State(np.repeat(state.heaps, 4)[::2],"))
    problems = failures(check_game(interpreted_twin(load(tmp_path, "gaps", text))))
    detail = problems["play leads to states of this game"]
    assert "makes heaps a slice with gaps, expected a contiguous int64 array" in detail


def test_the_same_seed_finds_the_same(tmp_path: Path):
    file = interpreted_twin(load(tmp_path, "careless_key"))
    assert check_game(file, seed=3, games=5) == check_game(file, seed=3, games=5)
    lengths = {
        next(result.detail for result in checks(file, seed=seed) if result.name == "games end")
        for seed in range(5)
    }
    assert len(lengths) > 1


def test_assert_game_tells_every_failure(tmp_path: Path):
    with pytest.raises(AssertionError) as error:
        assert_game(interpreted_twin(load(tmp_path, "same_steps")))
    lines = str(error.value).splitlines()
    assert lines[0] == "same_steps breaks the contract:"
    names = [line.strip().partition(":")[0] for line in lines[1:]]
    assert names == list(BROKEN["same_steps"].breaks)


def test_options_are_checked_as_they_are_set(tmp_path: Path):
    file = interpreted_twin(load(tmp_path, "take").with_options({"heap": "4"}))
    results = {result.name: result.detail for result in check_game(file)}
    # A heap of four, one or two at a time: two to four moves.
    assert results["games end"] == "20 of 20 after 2 to 4 plies"
