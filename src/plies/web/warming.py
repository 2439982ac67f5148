"""Compiling in the background while the server runs."""

from plies.core.contract import Game
from plies.web.opponents import opponents
from plies.web.sessions.inside import searchers_of
from plies.web.view import Viewer


def page_agents(game: Game) -> list[str]:
    """The agents that the page offers at once, and those that look inside positions."""
    levels = [each.agent for each in opponents(game).levels]
    viewer = Viewer(game)
    return [*levels, *(each.spec for each in searchers_of(viewer).all(viewer))]
