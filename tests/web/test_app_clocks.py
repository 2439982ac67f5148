"""Clocks in the browser, while the compiler works."""

import time
from pathlib import Path
from typing import Any

import pytest
from numba.core import event

from fake_time import FakeTime, When, new_function
from plies.match import Match
from web_samples import begin, next_news, serving

CREDIT = 0.05  # seconds: a flag falls long before the compiler has finished
COMPILING = 0.3


def test_no_flag_falls_while_the_compiler_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, consult = FakeTime(), Match.consult
    clock.rule(monkeypatch)
    monkeypatch.setattr("plies.web.sessions.room.time", clock)

    def wait() -> None:
        time.sleep(COMPILING)
        clock.now += 1000

    def consult_late(match: Match, *arguments: Any, **details: Any) -> Any:
        with event.install_listener("numba:compile", When(wait)):
            new_function()(1)
        clock.now += CREDIT / 5
        return consult(match, *arguments, **details)

    with serving(tmp_path, "tictactoe") as client:
        owner = begin(client, "random", "", clock={"credit": CREDIT})
        monkeypatch.setattr(Match, "consult", consult_late)
        with owner.listen() as socket:
            session = next_news(socket, "session")["session"]
            while session["ply"] == 0 and session["ending"] is None:
                session = next_news(socket, "session")["session"]
    assert (session["ply"], session["ending"]) == (1, None)
    assert [seat["left"] for seat in session["seats"]] == [pytest.approx(0.8 * CREDIT), CREDIT]
