"""`plies serve`: the games in the browser."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plies.cli.errors import UsageError, complain
from plies.errors import PliesError

if TYPE_CHECKING:
    from socket import socket as Socket  # noqa: N812

    from plies.core.contract import Game
    from plies.web.access import SecurityMiddleware

SHORTEST_TOKEN = 12
GARBAGE = (20_000, 20, 20)  # how much is made before garbage is looked for


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Which games; all, if none.", show_default=False),
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", help="0 takes any free port.")] = 8000,
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Listen address; any but 127.0.0.1 requires a token."),
    ] = "127.0.0.1",
    token: Annotated[
        str, typer.Option(metavar="TEXT", help="Access token; generated if omitted.")
    ] = "",
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where games and tournaments are kept."),
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Tournaments to show besides.")
    ] = None,
    model: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A learned player to offer, made by plies train; repeat it for more.",
            show_default=False,
        ),
    ] = None,
    agent: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="An agent or a search of your own to offer, FILE.py; repeat it for more.",
            show_default=False,
        ),
    ] = None,
    tables: Annotated[
        int | None,
        typer.Option(
            metavar="MB",
            help="Megabytes for the tables of all searches together, 128 or more if omitted.",
            show_default=False,
        ),
    ] = None,
    proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address of a reverse proxy in front of the server; it limits its own visitors.",
            show_default=False,
        ),
    ] = "",
    warm: Annotated[
        bool, typer.Option(help="Compile games and agents in the background from the start.")
    ] = True,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play, watch and look inside, in the browser; on this machine only, unless told otherwise.

    \b
    Example:  plies serve ./my_game.py
    """
    if not 0 <= port <= 65535:
        raise UsageError(f"--port is 0 to 65535, not {port}")
    if token and len(token) < SHORTEST_TOKEN:
        raise UsageError(f"--token has at least {SHORTEST_TOKEN} characters, not {len(token)}")
    if token and not (token.isascii() and token.replace("-", "").replace("_", "").isalnum()):
        raise UsageError("--token is made of letters, digits, - and _")
    if proxy and not _is_address(proxy):
        raise UsageError(f"--proxy is an address such as 127.0.0.1 or ::1, not {proxy!r}")

    import secrets
    import webbrowser

    from plies.files import data_root
    from plies.web import limits
    from plies.web.access import EVERYWHERE, LOOPBACK, Access
    from plies.web.app import Site, make_app

    if host not in LOOPBACK and not token:
        token = secrets.token_urlsafe(16)
    tables = limits.TABLES if tables is None else tables
    if tables < limits.SEARCHES:
        raise UsageError(
            f"--tables is at least {limits.SEARCHES}, a megabyte for each search at once,"
            f" not {tables}"
        )
    found = _found(games)
    with _listening(host, port) as socket:
        folder = data or data_root() / "serve"
        files = {"models": model or (), "agents": agent or ()}
        site = Site(
            found, folder, runs, tables=tables, compiles_apart=True, is_warming=warm, **files
        )
        access = Access(host, token)
        address = access.address(socket.getsockname()[1])
        where = "on every address of this machine; " if host in EVERYWHERE else ""
        print(f"plies: {address} ({where}Ctrl-C stops)", flush=True)
        if browser:
            webbrowser.open(address)
        _serve(make_app(site, access), socket, site.stop, proxy)


def _is_address(text: str) -> bool:
    from ipaddress import ip_address

    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _found(specs: list[str] | None) -> "list[Game]":
    """The games that were asked for; of all there are, those that can be loaded."""
    from plies.registry import game, game_names

    if specs:
        return [game(spec) for spec in specs]
    found = []
    for name in game_names():
        try:
            found.append(game(name))
        except PliesError as error:  # one hides no other
            complain(f"{name} is left out: {error}")
    return found


def _listening(host: str, port: int) -> "Socket":
    """A socket that listens, before anything else is begun."""
    import socket

    from plies.web.server import BACKLOG

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (while")[0]
        raise UsageError(
            f"port {port} of {host} cannot be used ({reason}); try --port 0"
        ) from error
    # What it accepts inherits this; without it answers wait for 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _serve(
    app: "SecurityMiddleware", socket: "Socket", stop: Callable[[], None], proxy: str = ""
) -> None:
    """Serve until Ctrl-C; `stop` is called before those who are connected are waited for."""
    import gc

    from plies.web.connections import Connections
    from plies.web.server import Server, connections_possible

    # Everything that is loaded stays: to look for garbage in it again and again makes people wait.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    Server(app, Connections(proxy, connections_possible()), stop).run(sockets=[socket])
