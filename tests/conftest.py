"""Settings shared by every test."""

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from plies import processes

# The same examples in every run: a test fails because of the code, never by luck, nor because
# something was compiled while an example was made.
settings.register_profile(
    "plies",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("plies")

# A shell that runs the tests in the background switches Ctrl-C off, for what they start as well.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Compiling makes many short-lived objects beside many that stay: look for rubbish seldom.
gc.set_threshold(200_000, 20, 100)

# What is not told how many workers to use works in this process, which costs less than to start
# others for the few games of a test.
processes.cores = lambda: 1

TESTS = Path(__file__).parent
BOTH_WAYS = ("games", "search")  # the folders of tests of rules and of searches
# Searches that plain Python finishes in seconds.
QUICK = ("random_trees", "[tictactoe]", "[nim]", "[tree]", "[quixo:n=2]")
LARGE = ("chess", "morris", "seega")
SHARING = ("tree", "kalah.py", "hexapawn.py", "connect_four.py", "nim:rows=2-3-4,k=2,misere=true")
# What takes longest, mostly to compile, while shorter tests look at the same thing.
LONG = (
    "test_ray_workers.py::test_ray_plays_the_same_games",
    "test_killing.py::test_a_run_that_is_killed_ten_times_has_every_game_once_and_as_if_undisturbed",
    "test_small_runs.py::test_a_study_runs_from_its_first_step_to_the_report[quixo-learned]",
    "test_small_runs.py::test_a_study_runs_from_its_first_step_to_the_report[players]",
    "test_datasets.py::test_a_chunk_does_not_depend_on_the_chunks_before_it",
    "test_an_exact_engine_has_the_value_of_minimax_on_every_game[chess]",
    "test_an_exact_engine_has_the_value_of_minimax_on_every_game[connect_four.py]",
    "test_an_exact_engine_has_the_value_of_minimax_on_every_game[hexapawn.py]",
    "test_mcts_tree.py::test_the_visits_of_children_add_up[nim:rows=2-3,players=3]",
    *(f"test_signatures.py::test_every_method_has_its_signature[{game}]" for game in LARGE),
    *(f"the_same_seed_and_budget_give_the_same_search_twice[{game}]" for game in LARGE),
    *(f"has_the_same_value_while_others_search_the_best_moves[{game}]" for game in SHARING),
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m plain`, files without such tests are not even loaded."""
    if config.option.markexpr != "plain" or collection_path.suffix != ".py":
        return None
    is_both_ways = collection_path.parent.name in BOTH_WAYS
    return None if is_both_ways or "mark.plain" in collection_path.read_text("utf-8") else True


def pytest_collection_finish() -> None:
    """What tests write is read anew every time, here and in the processes that they start.

    Python takes a module that was written twice in a second, in the same length, for the same
    one.  The tests themselves are kept as bytecode, which is half of the time to load them.
    """
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of rules and of searches run a second time without the compiler (`-m plain`)."""
    for item in items:
        if any(name in item.nodeid for name in LONG) and "PLIES_TEST_LONG" not in os.environ:
            item.add_marker(pytest.mark.skip(reason="takes long: make test-long"))
        is_quick = any(name in item.name for name in QUICK)
        if "keep_the_contract" in item.name:
            continue  # the contract itself compares compiled rules with plain ones
        if TESTS / "games" in item.path.parents or (is_quick and item.path.parent.name == "search"):
            item.add_marker("plain")
