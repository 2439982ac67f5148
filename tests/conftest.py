"""Settings shared by every test."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples in every run: a test fails because of the code, never by luck.
settings.register_profile("plies", derandomize=True, deadline=None, database=None)
settings.load_profile("plies")

# A shell that runs the tests in the background switches Ctrl-C off, for what they start as well.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent
# Searches that plain Python finishes in seconds.
QUICK = ("random_trees", "[tictactoe]", "[nim]", "[tree]", "[quixo:n=2]")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of rules and of searches run a second time without the compiler (`-m plain`)."""
    for item in items:
        is_quick = any(name in item.name for name in QUICK)
        if TESTS / "games" in item.path.parents or (is_quick and item.path.parent.name == "search"):
            item.add_marker("plain")
