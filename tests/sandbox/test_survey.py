"""The table of guards that a machine offers."""

from pathlib import Path

from plies.arena import preflight
from plies.registry import game as find_game
from plies.sandbox.guards import GUARDS
from plies.sandbox.survey import Offer, survey, table_lines

CHANCE = Path(__file__).parents[2] / "examples" / "agents" / "chance.py"


def test_every_guard_is_in_the_survey_with_a_reason_if_it_is_missing():
    offers = survey()
    assert [offer.guard for offer in offers] == list(GUARDS)
    lines = table_lines([Offer("memory", GUARDS["memory"], "no reason"), *offers[:1]])
    assert lines[1].split()[:2] == ["memory", "no"]
    assert lines[1].endswith("(not here: no reason)")


def test_the_table_is_shown_for_confined_programs_only():
    game = find_game("tictactoe")
    assert preflight.guard_table(["random", f"process:{CHANCE},confined=false"], game) == []
    table = preflight.guard_table(["random", f"process:{CHANCE}"], game)
    assert [line.split()[0] for line in table] == ["guard", *GUARDS]
