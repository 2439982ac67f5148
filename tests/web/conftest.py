"""What tests of the server have in common: they wait for whatever has to be compiled."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plies.web import limits
from plies.web.sessions.store import Store


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "WAIT_SECONDS", 180.0)
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "new" / "folder"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    opened = Store(folder)
    yield opened
    opened._database.connection.close()
