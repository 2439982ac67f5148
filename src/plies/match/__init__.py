"""One game between agents, with a judge who watches the clock and the rules of the match."""

from plies.match.match import Match
from plies.match.play import play_game
from plies.match.rules import MAX_PLIES, REPETITIONS, Clocks, Rules

__all__ = ["MAX_PLIES", "REPETITIONS", "Clocks", "Match", "Rules", "play_game"]
