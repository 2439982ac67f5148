"""The games that are served, and the files of the page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import plies
from web_samples import begin, serving


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data"), "tictactoe", "nim") as found:
        yield found


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
