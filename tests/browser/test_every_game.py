"""A whole game of every game against an agent, by clicks."""

from pathlib import Path
from typing import Any

import pytest
from hands import Hands

import plies

EXAMPLES = Path(__file__).parents[2] / "examples"
# A board on which a game does not last long, where that of the game is large.
SMALLER = {"seega": "seega:size=3,limit=10"}
MOST_PLIES = 200


def specs() -> list[Any]:
    games = [SMALLER.get(name, name) for name in plies.game_names()]
    return [*games, pytest.param(str(EXAMPLES / "kalah.py"), id="kalah")]


@pytest.mark.parametrize("spec", specs())
def test_a_whole_game_is_played_by_clicks(spec: str, hands: Hands, picture: Any) -> None:
    """The player at the mouse looks three plies ahead, so that the game comes to an end."""
    game = plies.game(spec)
    player = plies.agent("alphabeta:depth=3", game)
    name = Path(spec).stem if spec.endswith(".py") else spec
    hands.begin(name, ["", "alphabeta:depth=1"])
    while (session := hands.ready())["ending"] is None:
        assert session["ply"] < MOST_PLIES
        state = game.parse_position(session["position"]["text"])
        if session["ply"] == 4:
            picture(hands.page, f"play-{name.partition(':')[0]}")
        hands.play(session, game.move_text(state, player.choose(state).move))
    end = session["ending"]
    assert end["termination"] == "normal"
    assert hands.status.lower().endswith(end["text"].lower())
