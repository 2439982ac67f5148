"""Judges of two kinds: whoever runs the tests, and, when that is root, an ordinary user."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hostile_judge
import pytest
from courts import HOSTILE, ORDINARY, Court, copy, delegated_groups, ordinary_judge


@pytest.fixture(params=["myself", "ordinary user"])
def judge(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Court]:
    with tempfile.TemporaryDirectory(prefix="plies-tests-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "temporary").mkdir()
        copy(HOSTILE, folder / "hostile")  # some try to change their own file
        if request.param == "myself":
            monkeypatch.setattr(tempfile, "tempdir", str(folder / "temporary"))
            yield Court(hostile_judge.judge, os.geteuid(), folder)
        else:
            yield Court(ordinary_judge(folder), ORDINARY, folder, has_groups=False)


@pytest.fixture
def delegate() -> Iterator[Court]:
    """An ordinary user to whom control groups were handed over."""
    if os.geteuid() != 0:
        pytest.skip("only root can hand control groups over")
    with (
        tempfile.TemporaryDirectory(prefix="plies-tests-", dir="/tmp") as name,
        delegated_groups() as groups,
    ):
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "temporary").mkdir()
        copy(HOSTILE, folder / "hostile")
        yield Court(ordinary_judge(folder, groups), ORDINARY, folder)
