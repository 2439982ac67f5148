"""`plies serve`: the games in the browser."""

from typing import Annotated

import typer

from plies.cli.errors import UsageError


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Which games; all, if none.", show_default=False),
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", help="0 takes any free port.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Show games in the browser, on this machine only: boards, rules, moves as links.

    \b
    Example:  plies serve ./my_game.py
    """
    if not 0 <= port <= 65535:
        raise UsageError(f"--port is 0 to 65535, not {port}")

    import webbrowser

    from plies.registry import game, game_names
    from plies.web.server import make_server

    found = [game(spec) for spec in games or game_names()]
    try:
        server = make_server(found, port)
    except OSError as error:
        raise UsageError(f"port {port} cannot be used ({error.strerror}); try --port 0") from error
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    print(f"plies: {address} (Ctrl-C stops)", flush=True)
    if browser:
        webbrowser.open(address)
    with server:
        server.serve_forever()
