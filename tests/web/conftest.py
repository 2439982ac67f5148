"""What all tests of the server have in common: they wait for whatever has to be compiled."""

from collections.abc import Iterator

import pytest

from plies.web import limits


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "WAIT_SECONDS", 180.0)
        yield
