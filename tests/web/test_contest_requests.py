"""Which tournaments may be asked for, and what they would come to."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plies.registry import game as find_game
from plies.web.app import Site, make_api
from plies.web.catalogue import Catalogue
from plies.web.contests import limits
from plies.web.contests.names import Names
from report_samples import TAKE

REQUEST: dict[str, Any] = {
    "name": "t",
    "games": ["tictactoe"],
    "agents": [{"name": "a", "agent": "random"}, {"name": "b", "agent": "greedy"}],
    "pairs": 2,
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    games = [find_game(spec) for spec in ("tictactoe", "nim", TAKE)]
    with TestClient(make_api(Site(games, tmp_path_factory.mktemp("site")))) as client:
        yield client


def cards(client: TestClient) -> list[dict[str, Any]]:
    return client.get("/api/tournaments").json()["tournaments"]


def agents(*specs: str) -> dict[str, Any]:
    return {"agents": [{"name": f"agent {n}", "agent": spec} for n, spec in enumerate(specs)]}


def named(name: str) -> dict[str, Any]:
    """Agents of which one has this name."""
    return {"agents": [{"name": name, "agent": "random"}, {"name": "b", "agent": "random"}]}


# Colours of a terminal, in both spellings; NUL, bell, delete, a new line; text turned round.
UNPRINTABLE = ("\x1b[31m", "\x9b31m", "\0", "\a", "\x7f", "\n", "\u202e")
THREE = [*REQUEST["agents"], {"name": "c", "agent": "random"}]
FOUR = [*THREE, {"name": "d", "agent": "random"}]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        # Meetings times pairs times the two games of a pair.
        ({"agents": THREE}, 3 * 2 * 2),
        ({"agents": THREE, "games": ["tictactoe", "nim:rows=3-4"]}, 2 * 3 * 2 * 2),
        ({"agents": FOUR, "kind": "gauntlet"}, 3 * 2 * 2),
        ({"agents": FOUR, "kind": "gauntlet", "challengers": 2}, 4 * 2 * 2),
        ({"agents": FOUR, "kind": "swiss", "rounds": 3}, 3 * 2 * 2 * 2),
        # Three meetings, each with up to three more pairs.
        ({"agents": FOUR, "kind": "knock-out"}, 3 * (2 + 3) * 2),
        ({"kind": "match"}, 2 * 2),
        ({"kind": "sprt", "pairs": 50}, 50 * 2),
        # Three take every seat once.
        ({**agents("random", "random", "random"), "games": ["nim:rows=3-4,players=3"]}, 2 * 3),
    ],
    ids=str,
)
def test_a_plan_tells_how_many_games_there_will_be(
    client: TestClient, more: dict[str, Any], expected: int
) -> None:
    answer = client.post("/api/tournaments/plan", json=REQUEST | more)
    assert answer.status_code == 200, answer.text
    plan = answer.json()
    assert plan["games"] == expected
    assert plan["seconds"] is None
    assert plan["is_most"] == (more.get("kind") in ("sprt", "knock-out"))


def test_a_plan_tells_how_long_it_takes_where_that_is_asked(client: TestClient) -> None:
    answer = client.post("/api/tournaments/plan?timed=true", json=REQUEST).json()
    assert answer["seconds"] > 0
    assert "timed" in answer["basis"]


@pytest.mark.parametrize(
    ("more", "status", "told"),
    [
        ({"games": ["nothing"]}, 404, "there is no game nothing here"),
        ({"games": ["tree:file=/etc/passwd"]}, 404, "no game tree"),
        ({"games": ["./take.py"]}, 404, "there is no game ./take.py here"),
        ({"games": ["tictactoe"] * 2}, 400, "2 games are called tictactoe"),
        ({"games": ["tictactoe"] * 9}, 422, "games"),
        ({"games": []}, 422, "games"),
        (agents("random"), 422, "agents"),
        (agents(*["random"] * 17), 422, "agents"),
        (agents("random", "human"), 400, "agent 1: human does not play here"),
        (agents("random", "process:./x.py"), 400, "agent 1: process does not play here"),
        (agents("random", "uci:stockfish"), 400, "agent 1: uci does not play here"),
        (agents("random", "alphabeta:eval=/etc/passwd"), 400, "has no evaluator"),
        (agents("random", "alphabeta:depth=x"), 400, "agent 1: alphabeta"),
        (agents("random", "minimax:nodes=99999999999"), 400, "nodes is at most"),
        (agents("random", "mcts:simulations=99999999"), 400, "simulations is at most"),
        (agents("random", "engine:seconds=9999"), 400, "seconds is at most"),
        ({"agents": [{"name": "a", "agent": "random"}] * 2}, 400, "2 agents are called a"),
        ({"agents": [{"name": "a\n", "agent": "random"}] * 2}, 400, "is no name"),
        ({"name": " "}, 400, "is no name"),
        *(({"name": f"a{sign}b"}, 400, "is no name") for sign in UNPRINTABLE),
        *((named(f"a{sign}b"), 400, "is no name") for sign in UNPRINTABLE),
        ({"name": "x" * 61}, 422, "name"),
        ({"pairs": 0}, 422, "pairs"),
        ({"pairs": 2000}, 422, "pairs"),
        ({"pairs": 1000, **agents(*["random"] * 16)}, 400, "that would be 240,000 games"),
        ({"opening_plies": 3}, 400, "openings.plies is even"),
        ({"opening_plies": 40}, 400, "is over after 40 random plies"),
        ({"kind": "league"}, 422, "kind"),
        ({"kind": "match", "agents": THREE}, 400, "kind match is for two agents"),
        ({"kind": "sprt", "elo0": 5, "elo1": 5}, 400, "elo0 below elo1"),
        ({"clock": {"increment": 1}}, 400, "an increment needs a credit"),
        ({**agents("random", "random"), "games": ["nim:rows=3,players=3"]}, 400, "names fewer"),
        ({"unknown": 1}, 422, "unknown"),
    ],
    ids=lambda each: str(each)[:60],
)
@pytest.mark.parametrize("path", ["/plan", ""])
def test_what_cannot_be_played_is_refused_in_one_line(
    client: TestClient, more: dict[str, Any], status: int, told: str, path: str
) -> None:
    before = cards(client)
    answer = client.post(f"/api/tournaments{path}", json=REQUEST | more)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert told in error
    assert "\n" not in error
    assert str(Path(TAKE).parent) not in error
    assert cards(client) == before


def test_agents_without_a_limit_get_one() -> None:
    game = find_game("tictactoe")
    bounded = Names(Catalogue([game])).bounded
    assert bounded("alphabeta:depth=9", game) == f"alphabeta:depth=9,nodes={limits.MOST_NODES}"
    assert bounded("engine:seconds=1", game) == "engine:seconds=1.0"
    assert bounded("minimax:nodes=5", game) == "minimax:nodes=5"
    assert bounded("random", game) == "random"


def test_games_are_found_under_both_names() -> None:
    names = Names(Catalogue([find_game("nim"), find_game(TAKE)]))
    take = names.inner("take")
    assert Path(take).is_absolute()
    for public in ("nim", "nim:rows=3-4", "take"):
        assert names.public(names.inner(public)) == public
