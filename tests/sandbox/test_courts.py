"""What the tests of hostile agents rely on."""

from pathlib import Path
from typing import Any

import courts
import pytest
from courts import Court


def test_a_hostile_agent_does_not_run_without_the_guard_that_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(courts, "_missing", {})
    asked = []

    def ask(agent: Path, *_: str, **__: Any) -> dict[str, Any]:
        asked.append(agent.stem)
        return {"missing": {"pids": "no such controller"}, "message": ""}

    court = Court(ask, 0, tmp_path)
    for _ in range(2):
        with pytest.raises(pytest.skip.Exception, match="no guard pids: no such controller"):
            court("outruns_stops", guards=("freezer", "pids"), needs=("freezer", "pids"))
    assert asked == ["harmless"]
