"""Playing by request and answer: what is done, what is refused, and how."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from plies.agents import Agent
from plies.errors import BadSpec
from plies.web.catalogue import Catalogue
from plies.web.messages import SessionCreated, SessionView
from web_samples import SMALL, Player, begin, next_news, serving


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data"), "tictactoe", "nim", "tree") as found:
        yield found


def test_a_game_is_begun_and_an_agent_replies_to_a_move(client: TestClient) -> None:
    answer = client.post("/api/sessions", json={"game": "tictactoe", "seats": ["", SMALL]})
    begun = SessionCreated.model_validate(answer.json())
    assert begun.session.role == "owner"
    assert begun.session.yours == [0]
    assert next(move.text for move in begun.session.position.moves) == "a1"
    player = Player(client, begun.session.id, begun.key)
    player.ask("PUT", "/pace", is_paused=False, seconds=0.0)
    after = SessionView.model_validate(player.move("b2"))
    assert after.ply == 2
    assert after.position.pieces["b2"] == "X"
    assert [move.player for move in after.played] == [0, 1]
    assert after.played[1].depth == 2
    assert after.played[1].nodes > 0
    assert after.played[1].share is not None


def test_a_game_goes_on_to_its_end(client: TestClient) -> None:
    owner = begin(client, "", "", game="nim:rows=1-2")
    owner.move("b-2")
    session = owner.move("a-1")
    assert session["ending"]["payoffs"] == [-1, 1]
    assert session["ending"]["text"] == "second wins."
    assert session["position"]["mover"] is None
    assert session["position"]["moves"] == []
    late = owner.move("a-1")
    assert (late["status"], late["error"]) == (422, "the game is over")


def test_the_last_move_and_what_moved_are_shown(client: TestClient) -> None:
    owner = begin(client, "", "")
    position = owner.move("b2")["position"]
    assert position["last"] == ["b2"]
    earlier = owner.ask("GET", "/positions/0")
    assert earlier["last"] == []
    assert len(earlier["moves"]) == 9
    assert owner.ask("GET", "/positions/7")["error"] == "there is no position 7; they are 0 to 1"


def test_an_illegal_move_is_refused_with_the_legal_ones_and_nothing_is_lost(
    client: TestClient,
) -> None:
    owner = begin(client, "", "")
    owner.move("b2")
    refused = owner.move("b2", ply=1)
    assert refused["status"] == 422
    assert "b2 is not legal here" in refused["error"]
    assert len(refused["legal"]) == 8
    assert owner.move("zebra")["status"] == 422
    assert owner.ask("GET")["ply"] == 1


def test_a_move_in_an_old_position_is_refused_with_the_new_one(client: TestClient) -> None:
    owner = begin(client, "", "")
    owner.move("b2")
    stale = owner.move("a1", ply=0)
    assert stale["status"] == 409
    assert stale["error"] == "the game has gone on: 1 moves are played, not 0"
    assert stale["session"]["ply"] == 1
    for path in ("/undo", "/resign", "/step", "/hint"):
        assert owner.ask("POST", path, ply=9)["status"] == 409


def test_without_a_key_one_may_only_watch(client: TestClient) -> None:
    owner = begin(client, "", "")
    watcher = Player(client, owner.name)
    seen = watcher.ask("GET")
    assert (seen["role"], seen["yours"]) == ("watcher", [])
    assert watcher.move("b2")["status"] == 403
    for method, path, content in (
        ("POST", "/undo", {"ply": 0}),
        ("POST", "/resign", {"ply": 0}),
        ("POST", "/step", {"ply": 0}),
        ("POST", "/hint", {"ply": 0}),
        ("PUT", "/pace", {"is_paused": True, "seconds": 1.0}),
        ("PUT", "/seats/0", {"agent": "random"}),
        ("DELETE", "", {}),
    ):
        assert watcher.ask(method, path, **content)["status"] == 403, path
    assert Player(client, owner.name, "wrong").move("b2")["status"] == 403
    assert owner.ask("GET")["ply"] == 0


def test_who_is_invited_plays_that_seat_and_nobody_else_does(client: TestClient) -> None:
    owner: Any = begin(client, "", "")
    _, guest = owner.invites
    assert guest.ask("GET")["yours"] == [1]
    assert guest.move("b2")["error"] == "it is for first (X) to do that"
    assert owner.ask("GET")["yours"] == [0, 1]
    owner.move("b2")
    seated = guest.move("a1")
    assert (seated["ply"], seated["role"]) == (2, "player")
    assert [seat["is_taken"] for seat in seated["seats"]] == [False, True]
    assert owner.ask("GET")["yours"] == [0]
    owner.move("c3")
    assert owner.move("a3")["status"] == 403
    assert guest.ask("PUT", "/seats/0", agent="random")["status"] == 403
    assert guest.ask("POST", "/undo", ply=3)["status"] == 403


def test_moves_are_taken_back_to_the_persons_turn(client: TestClient) -> None:
    owner = begin(client, "", SMALL)
    owner.move("b2")
    assert owner.ask("POST", "/undo", ply=2)["ply"] == 0
    again = owner.move("a1")
    assert next(move["text"] for move in again["played"]) == "a1"
    assert owner.ask("POST", "/undo", ply=2)["ply"] == 0
    refused = owner.ask("POST", "/undo", ply=0)
    assert (refused["status"], refused["error"]) == (
        422,
        "there is no move of a person to take back",
    )


def test_giving_up_ends_the_game(client: TestClient) -> None:
    owner = begin(client, "", SMALL)
    session = owner.ask("POST", "/resign", ply=0)
    assert session["ending"]["text"] == "second (O) wins: first (X) resigns."
    assert owner.move("b2")["status"] == 422
    assert owner.ask("POST", "/resign", ply=0)["status"] == 422


def test_any_seat_is_handed_over_in_the_middle(client: TestClient) -> None:
    owner = begin(client, "", "")
    owner.move("b2")
    handed = owner.ask("PUT", "/seats/1", agent="random")
    assert handed["seats"][1]["agent"] == "random"
    assert handed["yours"] == [0]
    assert owner.ask("POST", "/step", ply=1)["ply"] == 2
    assert owner.ask("PUT", "/seats/1", agent="")["yours"] == [0, 1]
    assert owner.ask("PUT", "/seats/1", agent="uci:/bin/sh")["status"] == 400
    assert owner.ask("PUT", "/seats/5", agent="random")["status"] == 404


def test_two_agents_are_watched_step_by_step(client: TestClient) -> None:
    owner = begin(client, "random", SMALL, is_paused=True)
    assert owner.ask("POST", "/step", ply=0)["ply"] == 1
    assert owner.ask("POST", "/step", ply=1)["ply"] == 2
    assert owner.ask("GET")["ply"] == 2
    assert owner.ask("POST", "/undo", ply=2)["status"] == 422


def test_a_session_begins_with_a_position_a_game_or_a_copy(client: TestClient) -> None:
    there = begin(client, "", "", text="XX./OO./... X").move("c3")
    assert there["ending"]["text"] == "first (X) wins."
    owner = begin(client, "", "", text="b2 a1 c3")
    assert owner.ask("GET")["ply"] == 3
    copied = begin(client, "", "", copy_of={"session": owner.name, "ply": 2})
    seen = copied.ask("GET")
    assert (seen["ply"], len(seen["played"])) == (2, 2)
    text = owner.ask("GET", "/text")
    assert text["position"].endswith("O")
    pasted = begin(client, "", "", text=text["game"])
    assert pasted.ask("GET")["position"]["text"] == text["position"]


@pytest.mark.parametrize(
    ("wanted", "status", "said"),
    [
        ({"game": "chequers"}, 404, "there is no game chequers here"),
        ({"game": "../../etc/passwd"}, 404, "there is no game"),
        ({"game": "/etc/passwd.py"}, 404, "there is no game"),
        ({"game": "tictactoe:k=9"}, 400, "no line of 9 fits"),
        ({"game": "tree:file=secret.tree"}, 400, "this page opens no files"),
        ({"game": "tictactoe", "text": "XYZ"}, 400, "not a tictactoe position"),
        ({"game": "tictactoe", "seats": ["human", ""]}, 400, "human does not play here"),
        ({"game": "tictactoe", "seats": [""]}, 400, "has 2 players, not 1"),
        ({"game": "tictactoe", "seats": ["", "", ""]}, 400, "has 2 players, not 3"),
        ({"game": "tictactoe", "copy_of": {"session": "x", "ply": 0}}, 404, "no such game"),
        ({"game": "tictactoe", "nonsense": 1}, 422, "nonsense"),
        ({"game": 3}, 422, "game"),
        ({"game": "tictactoe", "clock": {"credit": 0}}, 422, "clock.credit"),
        ({"game": "tictactoe", "text": "x" * 20_001}, 422, "text"),
        ({}, 422, "game"),
    ],
)
def test_what_cannot_be_begun_is_refused_in_one_line(
    client: TestClient, wanted: dict[str, Any], status: int, said: str
) -> None:
    answer = client.post("/api/sessions", json=wanted)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert said in error
    assert "\n" not in error
    assert "Traceback" not in error


def test_what_is_no_request_is_refused(client: TestClient) -> None:
    assert client.post("/api/sessions", content=b"{not json").status_code == 422
    deep = b"[" * 50_000
    assert client.post("/api/sessions", content=deep).status_code in (400, 422)
    assert client.post("/api/sessions", content=b"x" * 70_000).status_code == 413
    surrogate = b'{"game": "tictactoe\\ud800"}'
    assert client.post("/api/sessions", content=surrogate).status_code in (404, 422)
    assert client.get("/api/nothing").status_code == 404
    assert client.get(f"/api/games/{'x' * 5000}").status_code == 404
    assert client.get("/api/sessions/unknown").json() == {
        "error": "there is no such game here; it may have expired"
    }


def test_a_deleted_game_is_gone(client: TestClient) -> None:
    owner = begin(client, "", "")
    assert owner.ask("DELETE")["status"] == 204
    assert owner.ask("GET")["status"] == 404


def test_an_agent_that_cannot_move_waits_and_a_better_one_takes_over(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise BadSpec("it knows nothing")

    owner = begin(client, "", SMALL)
    with monkeypatch.context() as failing, owner.listen() as socket:
        failing.setattr(Agent, "choose", fail)
        session = owner.move("b2")
        assert next_news(socket, "problem")["error"] == "the agent cannot move: it knows nothing"
    assert session["ply"] == 1
    assert session["pace"]["is_paused"]
    assert owner.ask("GET")["problem"] == "the agent cannot move: it knows nothing"
    after = owner.ask("PUT", "/seats/1", agent="random")
    assert after["problem"] == ""
    assert not after["pace"]["is_paused"]
    assert owner.ask("POST", "/step", ply=1)["ply"] == 2


def test_an_error_that_nobody_foresaw_says_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("/home/somebody/secret.py")

    monkeypatch.setattr(Catalogue, "cards", fail)
    answer = client.get("/api/games")
    assert (answer.status_code, answer.json()) == (500, {"error": "something went wrong here"})
    assert capsys.readouterr().err.count("\n") == 1


def test_a_complaint_about_a_long_text_is_short(client: TestClient) -> None:
    answer = client.post("/api/sessions", json={"game": "tictactoe", "text": "." * 15_000})
    assert answer.status_code == 400
    assert len(answer.text) < 1000
    assert "not a tictactoe position" in answer.json()["error"]
