"""Tournaments that lie in files: listed, looked at, replayed, and never a path told."""

import platform
import sqlite3
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plies.arena.plan import Entry
from plies.arena.store import Finished, Store
from plies.registry import game as find_game
from plies.web.app import Site, make_api
from plies.web.contests import limits
from report_samples import HOSTILE, TAKE, keep, keep_games, tournament

FILES = "db"  # the suffix of a run
PLAYED = tournament("random", Entry(HOSTILE, "greedy"), pairs=2, name=HOSTILE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def games(folder: Path) -> list[Finished]:
    """Those of the run `good`."""
    (folder / "runs").mkdir()
    return keep(folder / "runs" / f"good.{FILES}", PLAYED)


@pytest.fixture(scope="module")
def client(folder: Path, games: list[Finished]) -> Iterator[TestClient]:
    site = Site(
        [find_game("tictactoe"), find_game("nim"), find_game(TAKE)],
        folder / "data",
        folder / "runs",
    )
    with TestClient(make_api(site)) as client:
        yield client


@pytest.fixture
def extra(folder: Path) -> Iterator[Path]:
    """The folder of runs; what a test puts there goes away again."""
    runs = folder / "runs"
    before = set(runs.iterdir())
    yield runs
    for path in set(runs.iterdir()) - before:
        path.unlink()


def ask(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/tournaments{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def cards(client: TestClient) -> dict[str, Any]:
    return {card["id"]: card for card in ask(client, "")["tournaments"]}


# The list


def test_a_run_of_a_folder_is_listed_by_the_name_of_its_file(client: TestClient) -> None:
    card = cards(client)["good.db"]
    assert (card["name"], card["games"], card["agents"]) == (HOSTILE, ["tictactoe"], 2)
    assert (card["played"], card["total"], card["state"]) == (4, 4, "finished")


def test_a_run_that_was_not_finished_is_stopped(client: TestClient, extra: Path) -> None:
    keep(extra / "half.db", PLAYED, most=3)
    assert cards(client)["half.db"]["state"] == "stopped"
    view = ask(client, "/half.db")
    assert (view["state"], view["played"], view["total"]) == ("stopped", 3, 4)


def spoil(path: Path, games: list[Finished], way: str) -> None:
    """Write a file that is no good run."""
    if way == "text":
        path.write_text("no database at all" * 100)
        return
    if way == "empty":
        path.write_bytes(b"")
        return
    if way == "another database":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE other (x)")
        connection.close()
        return
    played = PLAYED
    if way == "a file that is not served":
        played = replace(PLAYED, games=(str(path.parent / "secret.py"),))
        (path.parent / "secret.py").write_text("raise SystemExit('executed')")
    keep_games(path, PLAYED, games)
    changes = {
        "cut": None,
        "no tournament": ("DELETE FROM run WHERE name = 'tournament'", ()),
        "no JSON": ("UPDATE run SET value = '{' WHERE name = 'tournament'", ()),
        "another game": ("UPDATE games SET game = '/etc/evil.py'", ()),
        "broken seats": ("UPDATE games SET seats = '3'", ()),
        "a file that is not served": (
            "UPDATE run SET value = json_quote(?) WHERE name = 'tournament'",
            (played.to_json(),),
        ),
    }
    if changes[way] is None:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        return
    with sqlite3.connect(path) as connection:
        connection.execute(*changes[way])
    connection.close()


@pytest.mark.parametrize(
    "way",
    [
        *("text", "empty", "another database", "cut", "no tournament", "no JSON"),
        *("another game", "broken seats", "a file that is not served"),
    ],
)
def test_a_strange_file_is_told_in_one_line_and_hides_no_other(
    client: TestClient, extra: Path, games: list[Finished], way: str
) -> None:
    spoil(extra / "bad.db", games, way)
    listed = cards(client)
    assert listed["good.db"]["problem"] == ""
    answer = client.get("/api/tournaments/bad.db")
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert "\n" not in error
    assert str(extra) not in error
    assert str(extra) not in str(listed)
    assert client.get("/api/tournaments/bad.db/charts").status_code == 400
    assert client.post("/api/tournaments/bad.db/resume").status_code == 400


@pytest.mark.parametrize(
    "name", ["nothing", "good", "..%2Fruns%2Fgood.db", "%2Fetc%2Fpasswd", "good.db%00"]
)
def test_only_a_name_of_the_list_opens_a_run(client: TestClient, name: str) -> None:
    for more in ("", "/games", "/games/0", "/charts", "/report"):
        assert client.get(f"/api/tournaments/{name}{more}").status_code == 404


# One tournament


def test_standings_and_cells_hold_every_point(client: TestClient, games: list[Finished]) -> None:
    view = ask(client, "/good.db")
    assert sum(row["points"] for row in view["standings"]) == len(games)
    names = [row["name"] for row in view["standings"]]
    assert sorted(names) == sorted(["random", HOSTILE])
    for cell in view["cells"]:
        row = view["standings"][cell["agent"]]
        assert (cell["points"], cell["games"]) == (row["points"], row["games"])
        assert cell["other"] == 1 - cell["agent"]


def test_the_games_of_a_cell_are_those_of_its_two_agents(client: TestClient) -> None:
    both = ask(client, "/good.db/games", first="random", second=HOSTILE)
    assert [game["number"] for game in both["games"]] == [0, 1, 2, 3]
    assert ask(client, "/good.db/games", first="random", second="nobody")["games"] == []
    assert len(ask(client, "/good.db/games")["games"]) == 4


def test_a_list_of_games_has_an_end(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LISTED_GAMES", 3)
    found = ask(client, "/good.db/games")
    assert (len(found["games"]), found["left_out"]) == (3, 1)


def test_a_replay_leads_from_the_opening_to_the_end(
    client: TestClient, games: list[Finished]
) -> None:
    for finished in games:
        record = finished.record
        shown = ask(client, f"/good.db/games/{finished.planned.number}")
        assert shown["seats"] == list(finished.planned.seats)
        assert [move["text"] for move in shown["played"]] == [move.text for move in record.moves]
        texts = [position["text"] for position in shown["positions"]]
        assert (texts[0], texts[-1]) == (record.start, record.final)
        assert len(texts) == len(record.moves) + 1
        assert all(position["motions"] is not None for position in shown["positions"])
        assert shown["positions"][1]["last"] != []


@pytest.mark.parametrize(("number", "status"), [(99, 404), (-1, 422), (2**60, 422)])
def test_a_game_that_was_not_played_is_not_shown(
    client: TestClient, number: int, status: int
) -> None:
    assert client.get(f"/api/tournaments/good.db/games/{number}").status_code == status


def test_a_game_that_the_rules_do_not_bear_out_is_refused(
    client: TestClient, extra: Path, games: list[Finished]
) -> None:
    keep_games(extra / "odd.db", PLAYED, games)
    with sqlite3.connect(extra / "odd.db") as connection:
        connection.execute("UPDATE moves SET text = 'z9' WHERE number = 0 AND ply = 0")
        connection.execute("UPDATE moves SET player = 7 WHERE number = 1 AND ply = 0")
    connection.close()
    for number in (0, 1):
        answer = client.get(f"/api/tournaments/odd.db/games/{number}")
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(f"game {number} cannot be replayed: ")
    ask(client, "/odd.db/games/2")


def test_charts_are_drawings_without_anything_that_runs(client: TestClient, extra: Path) -> None:
    keep(extra / "enough.db", replace(PLAYED, pairs=5))  # for a chart of ratings
    drawn = ask(client, "/enough.db/charts")
    assert drawn["games"] == 10
    assert {"ratings", "payoff", "seats", "lengths"} <= {chart["name"] for chart in drawn["charts"]}
    for chart in drawn["charts"]:
        root = ET.fromstring(chart["svg"])
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        for element in root.iter():
            assert element.tag.partition("}")[2] not in ("script", "foreignObject", "a", "image")
            assert not any(name.startswith("on") for name in element.attrib)
        assert "<img" not in chart["svg"]


def test_the_report_is_shown_apart_from_everything_else(client: TestClient) -> None:
    answer = client.get("/api/tournaments/good.db/report")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "'sha256-" in policy
    assert policy.endswith("sandbox allow-scripts")
    assert HOSTILE not in answer.text
    assert platform.platform() not in answer.text


@pytest.mark.parametrize("what", ["CHARTED_MOVES", "REPORTED_MOVES", "SHOWN_GAMES"])
def test_a_run_that_is_too_large_is_told_what_to_do(
    client: TestClient, extra: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    keep(extra / "large.db", PLAYED)
    monkeypatch.setattr(limits, what, 3)
    path = {"CHARTED_MOVES": "/charts", "REPORTED_MOVES": "/report", "SHOWN_GAMES": ""}[what]
    answer = client.get(f"/api/tournaments/large.db{path}")
    assert answer.status_code == 400
    assert "plies report makes a page of it" in answer.json()["error"]


def test_a_game_in_a_file_is_told_by_its_name(client: TestClient, extra: Path) -> None:
    keep(extra / "file.db", tournament("random", "greedy", games=(TAKE,), pairs=1))
    assert ask(client, "/file.db")["games"] == ["take"]
    assert ask(client, "/file.db/games/0")["game"] == "take"
    for more in ("", "/games", "/games/0", "/charts", "/report"):
        answer = client.get(f"/api/tournaments/file.db{more}")
        assert answer.status_code == 200
        assert str(Path(TAKE).parent) not in answer.text


def test_a_run_with_a_program_is_shown_and_not_resumed(client: TestClient, extra: Path) -> None:
    program = Entry("program", "process:/home/me/agent.py")
    with Store.create(extra / "program.db", {}) as store:
        store.say("tournament", tournament("random", program).to_json())
    view = ask(client, "/program.db")
    assert [each["agent"] for each in view["agents"]] == ["random", "process"]
    answer = client.post("/api/tournaments/program.db/resume")
    assert answer.status_code == 400
    assert "program is not an agent that a page may start" in answer.json()["error"]
    assert "/home/me" not in answer.text + str(view)


def test_a_finished_run_cannot_be_resumed(client: TestClient) -> None:
    answer = client.post("/api/tournaments/good.db/resume")
    assert answer.status_code == 422
    assert answer.json()["error"] == "all games of this tournament have been played"


def test_a_listener_hears_how_it_stands(client: TestClient) -> None:
    with client.websocket_connect("/api/tournaments/good.db/live") as socket:
        news = socket.receive_json()
        assert news["tournament"] == ask(client, "/good.db")
        socket.send_json({"type": "ping"})
        assert socket.receive_json() == {"type": "pong"}


def test_who_listens_to_nothing_is_told_so(client: TestClient) -> None:
    with client.websocket_connect("/api/tournaments/nothing/live") as socket:
        assert socket.receive_json()["type"] == "problem"


def test_not_everybody_can_listen_at_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LISTENERS", 1)
    with client.websocket_connect("/api/tournaments/good.db/live") as socket:
        assert socket.receive_json()["type"] == "tournament"
        with client.websocket_connect("/api/tournaments/good.db/live") as other:
            assert other.receive_json()["type"] == "problem"
