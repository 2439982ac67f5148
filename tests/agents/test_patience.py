"""A user's agent that does not answer is named while everybody waits for it."""

from io import StringIO
from threading import Event, Thread

import pytest

import plies
from web_samples import wait_until


def test_an_agent_that_is_busy_for_long_is_named_once_with_its_position(
    monkeypatch: pytest.MonkeyPatch,
):
    errors = StringIO()  # pytest may lose what another thread writes while it reads
    monkeypatch.setattr("sys.stderr", errors)
    monkeypatch.setenv("PLIES_QUIET", "1")  # nothing about compiling
    monkeypatch.setattr("plies.agents.patience._calls", {})  # none that other tests left hanging
    monkeypatch.setattr("plies.agents.patience.PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr("plies.agents.patience.GLANCE_SECONDS", 0.01)
    go = Event()

    def ponderer(game, state):
        go.wait()
        return game.moves(state)[0]

    game = plies.game("tictactoe")
    player = plies.agent(ponderer, game)
    thinking = Thread(target=player.choose, args=(game.initial(),))
    thinking.start()
    wait_until(lambda: "\n" in errors.getvalue())
    thinking.join(0.1)  # time enough to say it twice
    go.set()
    thinking.join()
    line = "plies: ponderer is still busy with tictactoe at .../.../... X after 0.01 s"
    assert errors.getvalue() == f"{line}; Ctrl-C ends the run\n"
