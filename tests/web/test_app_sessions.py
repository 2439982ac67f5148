"""Playing by request and answer: what is done, what is refused, and how."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import plies
from plies.agents import Agent
from plies.core.errors import BadSpec
from plies.web import limits
from plies.web.catalogue import Catalogue
from plies.web.messages import SessionCreated, SessionView
from plies.web.sessions.store import BadStore, Store
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
        ({"game": "tictactoe", "text": "XYZ"}, 400, "is no position of tictactoe"),
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


def test_sessions_outlive_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        owner = begin(first, "", SMALL, clock={"credit": 600.0, "increment": 1.0})
        before = owner.move("b2")
        given_up = begin(first, "", "")
        given_up.ask("POST", "/resign", ply=0)
        text = (tmp_path / "sessions.sqlite").read_bytes()
        assert owner.key.encode() not in text
    with serving(tmp_path) as second:
        owner.client = given_up.client = second
        after = owner.ask("GET")
        assert after["role"] == "owner"
        assert after["played"] == before["played"]
        assert after["position"] == before["position"]
        assert after["seats"][0]["left"] == pytest.approx(600.0, abs=5)
        assert owner.move("a1" if "a1" not in after["position"]["pieces"] else "c1")["ply"] == 4
        assert given_up.ask("GET")["ending"]["reason"] == "first (X) resigns"


def test_clocks_are_as_the_last_move_left_them_when_a_server_was_killed(tmp_path: Path) -> None:
    with serving(tmp_path / "one") as first:
        owner = begin(first, "", "", clock={"credit": 600.0})
        room = first.app.app.state.site.desk.rooms[owner.name]  # type: ignore[attr-defined]
        owner.move("b2", wait=False)
        room.session.left[-1] = (450.0, 600.0)
        left = [seat["left"] for seat in owner.move("a1", wait=False)["seats"]]
        shutil.copytree(tmp_path / "one", tmp_path / "two")  # as a kill leaves it
    with serving(tmp_path / "two") as second:
        owner.client = second
        assert [seat["left"] for seat in owner.ask("GET")["seats"]] == left
        assert left[0] == 450.0


def test_a_move_that_cannot_be_kept_is_not_played(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise BadStore("the move cannot be kept: database or disk is full")

    owner = begin(client, "", SMALL)
    with monkeypatch.context() as failing:
        failing.setattr(Store, "append", fail)
        refused = owner.move("b2")
    assert (refused["status"], refused["error"]) == (
        503,
        "the move cannot be kept: database or disk is full",
    )
    assert (owner.ask("GET")["ply"], owner.ask("GET")["played"]) == (0, [])
    assert owner.move("b2")["ply"] == 2


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
    assert "is no position of tictactoe" in answer.json()["error"]


def test_idle_sessions_leave_the_memory_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_SESSIONS", 3)
    with serving(tmp_path) as client:
        players = [begin(client, "", "") for _ in range(6)]
        desk = client.app.app.state.site.desk  # type: ignore[attr-defined]
        assert len(desk.rooms) == 3
        assert [player.move("b2")["ply"] for player in players] == [1] * 6
        assert len(desk.rooms) == 3
        assert desk.store.count() == 6


def test_files_of_the_same_name_are_several_games_and_no_path_is_told(tmp_path: Path) -> None:
    take = (Path(__file__).parent.parent / "data" / "games" / "take.py").read_text()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "g.py").write_text(take.replace('title="Take"', f'title="{name}"'))
    specs = [str(tmp_path / name / "g.py") for name in ("one", "two", "one")]
    with serving(tmp_path / "data", *specs, f"{specs[1]}:heap=3") as client:
        cards = client.get("/api/games")
        assert [card["spec"] for card in cards.json()] == ["g", "g-2", "g:heap=3"]
        assert [card["title"] for card in cards.json()] == ["one", "two", "two"]
        detail = client.get("/api/games/g-2")
        assert detail.json()["title"] == "two"
        session = begin(client, "", "", game="g-2").ask("GET")
        for said in (cards.text, detail.text, str(session)):
            assert str(tmp_path) not in said


def test_a_broken_game_hides_no_other(tmp_path: Path) -> None:
    take = (Path(__file__).parent.parent / "data" / "games" / "take.py").read_text()
    end = 'GAME = Game(__name__, title="Take")'
    raising = f'def board(state):\n    return "abc"[7]\n\n\n{end}'
    (tmp_path / "bad.py").write_text(take.replace(end, raising))
    with serving(tmp_path / "data", "tictactoe", str(tmp_path / "bad.py")) as client:
        good, bad = client.get("/api/games").json()
        assert good["problem"] == ""
        assert "board fails" in bad["problem"]
        refused = client.get("/api/games/bad")
        assert refused.status_code == 400
        assert str(tmp_path) not in refused.text


def test_a_tree_from_a_file_is_shown_under_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "small.tree").write_text("M(m(3, 5), m(2, 9))")
    with serving(tmp_path / "data", f"tree:file={tmp_path / 'small.tree'}") as client:
        (card,) = client.get("/api/games").json()
        assert card["spec"] == "small"
        answer = client.get("/api/games/small")
        assert str(tmp_path) not in answer.text
        assert begin(client, "", "", game="small").move("1")["ply"] == 1


def test_a_game_is_described_with_its_options_and_its_first_position(client: TestClient) -> None:
    detail = client.get("/api/games/nim%3Arows%3D3-4").json()
    assert detail["spec"] == "nim:rows=3-4"
    assert detail["name"] == "nim"
    options = {option["name"]: option for option in detail["options"]}
    assert options["rows"]["default"] == "3-4"
    assert options["misere"]["kind"] == "yes-no"
    assert detail["position"]["moves"][0] == {"text": "a-1", "clicks": ["a3"], "gone": ["a3"]}
    assert detail["rules"] == plies.game("nim").rules


def test_the_files_of_the_page_are_served_and_nothing_else_is(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-encoding"] == "gzip"
    tag = page.headers["etag"]
    assert client.get("/", headers={"if-none-match": tag}).status_code == 304
    script = client.get("/js/main.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    for path in (
        "/../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/js/",
        "/js",
        "/.git/config",
        "/a%00",
        "/a%00.js",
        f"/{'long' * 100}.js",
    ):
        assert client.get(path).status_code == 404, path
