"""The pages show positions, and nothing an address can say breaks them."""

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from html import unescape
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest

import plies
from plies.web import pages
from plies.web.pages import address
from plies.web.server import HEADERS, Site, make_server

TAKE = (Path(__file__).parent.parent / "data" / "games" / "take.py").read_text()


@pytest.fixture
def site() -> Site:
    return Site([plies.game("tictactoe"), plies.game("nim:players=3")])


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    running = make_server([plies.game("tictactoe")], port=0)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield running
    running.shutdown()
    running.server_close()


def test_the_first_page_shows_every_game_with_its_board(site: Site) -> None:
    status, content = site.answer("/")
    assert status == 200
    assert content.count("<svg") == 2
    assert "Tic-tac-toe" in content


def test_every_legal_move_is_a_link_to_the_position_after_it(site: Site) -> None:
    game = plies.game("tictactoe")
    state = game.initial()
    _, content = site.answer(address(game))
    for move in game.moves(state):
        link = address(game, game.position_text(game.play(state, move)))
        assert link in unescape(content)
        assert site.answer(link)[0] == 200


def test_the_engine_wins_when_it_can(site: Site) -> None:
    _, content = site.answer(address(plies.game("tictactoe"), "XX./OO./... X", engine="1"))
    assert "The engine played c3" in content
    assert "first (X) wins." in content


def test_a_game_that_minimax_does_not_fit_offers_no_engine(site: Site) -> None:
    status, content = site.answer(address(plies.game("nim:players=3")))
    assert status == 200
    assert "let the engine move" not in content


@pytest.mark.parametrize(
    ("target", "status", "said"),
    [
        ("/nowhere", 404, "there is no such page"),
        ("/game/chequers", 404, "there is no game chequers"),
        ("/game/tictactoe?position=XYZ", 400, "is no position of tictactoe"),
        ("/game/tictactoe:k=9", 400, "no line of 9 fits"),
        ("/game/tree:file=secret.tree", 404, "only the games it was started with"),
        ("/game/" + quote("/etc/passwd.py", safe=""), 404, "there is no game"),
        ("/game/" + quote("<script>alert(1)</script>"), 404, "&lt;script&gt;"),
        ("/game/tictactoe?position=" + quote("XXX/OO./... O") + "&engine=1", 400, "is over"),
        ("/" + "x" * 3000, 414, "too long"),
    ],
)
def test_a_bad_address_is_answered_with_one_line(
    site: Site, target: str, status: int, said: str
) -> None:
    answered, content = site.answer(target)
    assert answered == status
    assert said in content
    assert "Traceback" not in content
    assert "<script" not in content


def write_game(folder: Path, name: str, old: str = "", new: str = "") -> plies.Game:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(TAKE.replace(old, new) if old else TAKE)
    return plies.game(str(path))


def test_files_of_the_same_name_are_shown_as_several_games(tmp_path: Path) -> None:
    one = write_game(tmp_path / "one", "g", 'title="Take"', 'title="One"')
    two = write_game(tmp_path / "two", "g", 'title="Take"', 'title="Two"')
    site = Site([one, two, one, two.with_options({"heap": "3"})])
    assert list(site.games) == ["g", "g-2", "g:heap=3"]
    _, content = site.answer("/")
    assert str(tmp_path) not in content
    for link, title in {"/game/g": "One", "/game/g-2": "Two", "/game/g%3Aheap%3D3": "Two"}.items():
        assert f'href="{link}"' in content
        status, shown = site.answer(link)
        assert status == 200
        assert f"<h1>{title}</h1>" in shown
        assert f'href="{link}?position=' in shown


def test_a_broken_page_is_one_line_and_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = 'GAME = Game(__name__, title="Take")'
    raising = f'def svg(state):\n    return "abc"[7]\n\n\n{end}'
    site = Site([plies.game("tictactoe"), write_game(tmp_path, "bad", end, raising)])
    told = "bad: svg fails: IndexError: string index out of range (bad.py, line "
    status, content = site.answer("/")
    assert status == 200
    assert content.count("<svg") == 1
    assert told in content
    status, content = site.answer("/game/bad")
    assert status == 500
    assert told in content
    monkeypatch.setattr(pages, "index", lambda games: 1 // 0)
    status, content = site.answer("/")
    assert status == 500
    assert "this page failed: ZeroDivisionError" in content
    assert site.answer("//[")[0] == 500


def test_a_wide_board_has_the_whole_width(site: Site) -> None:
    assert '<section class="wide">' in site.answer("/game/tree")[1]
    assert '<section class="wide">' not in site.answer(address(plies.game("tictactoe")))[1]


def test_the_server_listens_on_loopback_and_forbids_scripts(server: ThreadingHTTPServer) -> None:
    host, port = server.server_address[:2]
    assert host == "127.0.0.1"
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
        assert answer.status == 200
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    assert "default-src 'none'" in HEADERS["Content-Security-Policy"]


def test_a_page_for_another_host_is_refused(server: ThreadingHTTPServer) -> None:
    port = server.server_address[1]
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(request, timeout=30)
    assert error.value.code == 403
    error.value.close()
