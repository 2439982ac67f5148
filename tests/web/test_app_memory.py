"""What requests leave behind: nothing that only a search for garbage would find."""

import gc
import weakref
from pathlib import Path

import pytest

from plies.web.sessions import routes
from web_samples import SMALL, begin, serving, wait_until


def test_a_request_that_was_answered_is_gone_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[weakref.ref[routes.Visit]] = []

    class Noted(routes.Visit):
        def __init__(self, *arguments: object):
            super().__init__(*arguments)  # type: ignore[arg-type]
            left.append(weakref.ref(self))

    monkeypatch.setattr(routes, "Visit", Noted)
    with serving(tmp_path) as client:
        player = begin(client, "", SMALL)
        player.move("a1")  # compiles
        gc.disable()
        try:
            left.clear()
            session = player.move("b2", ply=2)
            player.ask("POST", "/undo", ply=session["ply"])
            player.ask("POST", "/undo", ply=99)
            player.ask("GET", "/positions/0")
            assert len(left) == 4
            wait_until(lambda: not any(noted() for noted in left))
        finally:
            gc.enable()
