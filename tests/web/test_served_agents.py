"""Users' agents in the browser: files that the server was started with, and no others."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import plies
from plies.errors import BadSpec
from plies.web.app import Site, make_app
from plies.web.catalogue import Catalogue
from plies.web.contests.names import Names
from plies.web.opponents import checked, opponents
from user_samples import AGENT, EVALUATOR, SEARCH, written
from web_samples import ADDRESS, begin, wait_until


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue([plies.game("tictactoe")], agents=[AGENT, SEARCH])


def test_files_of_the_server_are_offered_under_their_names(catalogue: Catalogue):
    game = catalogue.find("tictactoe")
    kinds = {kind.name: kind for kind in opponents(game, catalogue.models).kinds}
    assert [option.name for option in kinds["careful"].options] == ["care"]
    assert "pvs" in kinds
    assert checked("careful:care=0.5", game, catalogue.models) == "careful:care=0.5"


def test_names_are_those_of_no_other_agent(tmp_path: Path):
    paths = [written(tmp_path, AGENT.read_text(), name) for name in ("random.py", "mine.py")]
    catalogue = Catalogue([plies.game("tictactoe")], agents=[*paths, AGENT.parent / "careful.py"])
    assert set(catalogue.models.searches) == {"random-2", "mine", "careful"}


@pytest.mark.parametrize(
    "spec",
    [
        str(AGENT),
        f"{AGENT}:care=1",
        "careful.py",
        f"alphabeta:eval={EVALUATOR}",
        f"pvs:eval={EVALUATOR}",
    ],
)
def test_no_file_is_named_from_outside(spec: str, catalogue: Catalogue):
    for models in (catalogue.models, Catalogue([plies.game("tictactoe")]).models):
        with pytest.raises(BadSpec) as error:
            checked(spec, catalogue.find("tictactoe"), models)
        assert "does not play here" in str(error.value) or "no evaluator" in str(error.value)


def test_a_file_plays_in_the_browser_and_its_path_is_told_to_nobody(tmp_path: Path):
    site = Site([plies.game("tictactoe")], tmp_path, agents=[AGENT])
    with TestClient(make_app(site), base_url=ADDRESS) as client:
        owner = begin(client, "", "careful:care=1.0", game="tictactoe")
        session: Any = owner.move("a1")
        assert (session["ply"], session["seats"][1]["agent"]) == (2, "careful:care=1.0")
        assert str(AGENT.parent) not in str(session)


def test_workers_of_a_tournament_find_a_file_by_its_path(catalogue: Catalogue):
    names, game = Names(catalogue), catalogue.find("tictactoe")
    inner = names.bounded("careful:care=0.5", game)
    assert inner == f"{AGENT}:care=0.5"
    assert names.told_spec(inner) == "careful:care=0.5"
    assert names.bounded("pvs:depth=3", game).startswith(f"{SEARCH}:depth=3,nodes=")
    assert Names(Catalogue([plies.game("tictactoe")])).told_spec(inner) == "careful.py"


HANGING = """
from threading import Event

def choose(game, state):
    if {when}:
        Event().wait()
    return game.moves(state)[0]
"""


@pytest.mark.parametrize(
    ("when", "limit", "seconds"),
    [("state.theirs", "ANSWER_SECONDS", 0.5), ("True", "PREPARE_SECONDS", 0.2)],
)
def test_an_agent_that_never_answers_is_given_up_and_another_takes_over(
    when: str, limit: str, seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In its turn, or already while it gets ready for the game."""
    monkeypatch.setattr(f"plies.web.limits.{limit}", seconds)
    hanging = written(tmp_path, HANGING.format(when=when), "hanging.py")
    site = Site([plies.game("tictactoe")], tmp_path, agents=[hanging])
    with TestClient(make_app(site), base_url=ADDRESS) as client:
        owner = begin(client, "", "hanging", game="tictactoe")
        problem = f"the agent cannot move: no answer within {seconds:g} seconds"
        assert owner.move("b2")["problem"] == problem
        owner.ask("PUT", "/seats/1", agent="random")
        with owner.listen():
            wait_until(lambda: owner.ask("GET")["ply"] == 2)
