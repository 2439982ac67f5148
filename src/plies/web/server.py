"""The server: loopback only, reads only, no state.

/                          all games
/game/SPEC?position=P      a position, its moves as links
/game/SPEC?position=P&engine=1    the position after the engine's move
"""

import itertools
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from plies.api import search
from plies.core.contract import Game
from plies.core.errors import BadGame, GameOver, PliesError, UnknownGame
from plies.core.spec import split_spec
from plies.registry import named_game
from plies.web import pages

HOST = "127.0.0.1"
LOCAL_NAMES = ("127.0.0.1", "localhost")
ENGINE = "alphabeta:depth=4,nodes=20000000"
LONGEST_ADDRESS = 2000
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Site:
    """Answers an address with a status and a page."""

    def __init__(self, games: list[Game]):
        self.games = {game.spec: game for game in _named(games)}

    def answer(self, target: str) -> tuple[int, str]:
        if len(target) > LONGEST_ADDRESS:
            return 414, pages.problem("the address is too long")
        try:
            parts = urlsplit(target)
            kind, _, spec = parts.path.strip("/").partition("/")
            if not parts.path.strip("/"):
                return 200, pages.index(list(self.games.values()))
            if kind == "game":
                return 200, self._position(unquote(spec), parts.query)
        except UnknownGame as error:
            return 404, pages.problem(str(error))
        except BadGame as error:
            return 500, pages.problem(str(error))
        except PliesError as error:
            return 400, pages.problem(str(error))
        except Exception as error:  # one broken page, and the terminal stays quiet
            return 500, pages.problem(f"this page failed: {type(error).__name__}: {error}")
        return 404, pages.problem("there is no such page")

    def _game(self, spec: str) -> Game:
        if spec in self.games:
            return self.games[spec]
        name, texts = split_spec(spec)
        if "file" in texts:  # the address bar must not open files
            raise UnknownGame("this page shows only the games it was started with")
        return named_game(name).with_options(texts)

    def _position(self, spec: str, query: str) -> str:
        game = self._game(spec)
        values = parse_qs(query)
        text = values.get("position", [""])[0]
        state = game.parse_position(text) if text else game.initial()
        if "engine" not in values:
            return pages.position(game, state, None, state)
        if game.is_over(state):
            raise GameOver("the game is over: there is nothing to play")
        decision = search(game, state, ENGINE)
        return pages.position(game, game.play(state, decision.move), decision, state)


def _named(games: list[Game]) -> Iterator[Game]:
    """Each game once, under a name of its own: addresses show no path.

    Files of the same name in several folders become `g`, `g-2`, ...
    """
    known: dict[str, Game] = {}
    for game in games:
        for number in itertools.count(1):
            named = game.at(game.name if number == 1 else f"{game.name}-{number}")
            other = known.setdefault(named.spec, game)
            if other is game:
                yield named
            if other.State is game.State:
                break


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone away before it was answered is no news."""


def make_server(games: list[Game], port: int) -> ThreadingHTTPServer:
    """A server of these games on the loopback interface; port 0 takes any free one."""
    site = Site(games)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # A page of another site that points its name here must not read us.
            host = (self.headers.get("Host") or "").partition(":")[0]
            if host in LOCAL_NAMES:
                status, content = site.answer(self.path)
            else:
                status, content = 403, pages.problem("this server answers only on this machine")
            self.send_response(status)
            for name, value in HEADERS.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Quiet: the terminal belongs to the person who started the server."""

    return _QuietServer((HOST, port), Handler)
