"""The pages, as text: pure functions from a game and a position to HTML.

A page needs no script: every legal move is a link to the position after it, so a
position is an address that can be shared, and Back is undo.
"""

import re
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

from plies.core.contract import Game
from plies.core.errors import PliesError
from plies.core.scores import value_text
from plies.core.telling import player_name, result_text
from plies.search.decision import Decision

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
main { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); }
.wide { grid-column: 1 / -1; }
svg { width: 100%; height: auto; max-height: 28rem; }
a { color: #0b6e99; } @media (prefers-color-scheme: dark) { a { color: #6cc5ea; } }
.moves a, .button { display: inline-block; margin: .15rem; padding: .15rem .6rem;
  border: 1px solid currentColor; border-radius: .4rem; text-decoration: none; }
pre, code { white-space: pre-wrap; overflow-wrap: anywhere; }
"""


VIEW = re.compile(r'<svg[^>]*viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"')


def page(title: str, body: str) -> str:
    """A whole document."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>{body}</body></html>"
    )


def address(game: Game, position: str = "", **more: str) -> str:
    """Where a position of a game is shown; the site has given the game a name, never a path."""
    query = {**({"position": position} if position else {}), **more}
    return f"/game/{quote(game.spec, safe='')}" + (f"?{urlencode(query)}" if query else "")


def index(games: list[Game]) -> str:
    """All games with their boards."""
    cards = "".join(
        f'<section><h2><a href="{escape(address(game))}">{escape(game.title)}</a></h2>'
        f"{_first_picture(game)}</section>"
        for game in games
    )
    return page("plies", f"<h1>plies</h1><main>{cards}</main>")


def _first_picture(game: Game) -> str:
    """The board at the start; a broken game hides no other."""
    try:
        return game.svg(game.initial())
    except PliesError as error:
        return f"<p>{escape(str(error))}</p>"


def position(game: Game, state: Any, decision: Decision | None, before: Any) -> str:
    """One position: the board, the moves as links, and what the engine just played."""
    text = game.position_text(state)
    said = "" if decision is None else f"<p>{escape(_said(game, before, decision))}</p>"
    return page(
        game.title,
        f'<p><a href="/">all games</a></p><h1>{escape(game.title)}</h1>'
        f"<main>{picture(game, state)}<section>{said}{_choices(game, state)}"
        f"<p>Position: <code>{escape(text)}</code></p>"
        f'<p><a href="{escape(address(game))}">new game</a></p></section></main>'
        f"<h2>Rules</h2><pre>{escape(game.rules)}</pre>",
    )


def picture(game: Game, state: Any) -> str:
    """The board; one that is more than twice as wide as high has the whole width."""
    drawn = game.svg(state)
    view = VIEW.search(drawn)
    is_wide = view is not None and float(view[1]) > 2 * float(view[2])
    return f'<section class="wide">{drawn}</section>' if is_wide else f"<section>{drawn}</section>"


def problem(message: str) -> str:
    """What was wrong, in one line."""
    return page("plies", f'<h1>plies</h1><p>{escape(message)}</p><p><a href="/">all games</a></p>')


def _choices(game: Game, state: Any) -> str:
    if game.is_over(state):
        return f"<p><strong>{escape(result_text(game, state))}</strong></p>"
    links = "".join(
        f'<a href="{escape(address(game, game.position_text(game.play(state, move))))}">'
        f"{escape(game.spoken(state, move))}</a>"
        for move in game.moves(state)
    )
    engine = ""
    if game.is_zero_sum(state):
        link = escape(address(game, game.position_text(state), engine="1"))
        engine = f'<p><a class="button" href="{link}">let the engine move</a></p>'
    mover = escape(player_name(game, game.mover(state)))
    return f'<p>To move: {mover}</p><p class="moves">{links}</p>{engine}'


def _said(game: Game, before: Any, decision: Decision) -> str:
    played = game.spoken(before, decision.move)
    value = "" if decision.value is None else f", value {value_text(decision.value)}"
    return f"The engine played {played}: depth {decision.depth}, {decision.nodes:,} nodes{value}."
