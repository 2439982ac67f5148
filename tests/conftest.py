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

GAMES = Path(__file__).parent / "games"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of rules run a second time without the compiler (`pytest -m rules`)."""
    for item in items:
        if GAMES in item.path.parents:
            item.add_marker("rules")
