"""The demo is an example of a tournament: its file is read, and its games are played anew."""

from pathlib import Path

from plies.arena.reading import read_toml
from plies.cli import arena_options

ROOT = Path(__file__).parents[1]


def test_the_demo_plays_every_two_agents_in_four_games():
    file = ROOT / "examples" / "tournaments" / "demo.toml"
    tournament = arena_options.tournament({"name": "demo", **read_toml(file)}, file)
    assert (len(tournament.games), len(tournament.agents), tournament.pairs) == (4, 4, 3)
    recipe = (ROOT / "Makefile").read_text().partition("\ndemo:")[2].partition("\n\n")[0]
    assert str(file.relative_to(ROOT)) in recipe
