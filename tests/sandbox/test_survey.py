"""The table of guards that a machine offers."""

from pathlib import Path

import pytest

from plies.arena import preflight
from plies.errors import AgentFault
from plies.registry import game as find_game
from plies.sandbox import survey as survey_module
from plies.sandbox.confined import Confined
from plies.sandbox.guards import GUARDS
from plies.sandbox.survey import Offer, survey, table_lines

CHANCE = Path(__file__).parents[2] / "examples" / "agents" / "chance.py"


def test_every_guard_is_in_the_survey_with_a_reason_if_it_is_missing():
    offers = survey()
    assert [offer.guard for offer in offers] == list(GUARDS)
    lines = table_lines([Offer("memory", GUARDS["memory"], "no reason"), *offers[:1]])
    assert lines[1].split()[:2] == ["memory", "no"]
    assert lines[1].endswith("(not here: no reason)")


def test_a_machine_on_which_nothing_can_be_started_is_surveyed_as_well(
    monkeypatch: pytest.MonkeyPatch,
):
    def fail(_: object) -> Confined:
        raise AgentFault("crash", "cannot be started: no such luck")

    monkeypatch.setattr(survey_module, "Confined", fail)
    offers = survey()
    assert [offer.guard for offer in offers] == list(GUARDS)
    assert {offer.why_missing for offer in offers} == {"cannot be started: no such luck"}


def test_the_table_is_shown_for_confined_programs_only():
    game = find_game("tictactoe")
    assert preflight.guard_table(["random", f"process:{CHANCE},confined=false"], game) == []
    table = preflight.guard_table(["random", f"process:{CHANCE}"], game)
    assert [line.split()[0] for line in table] == ["guard", *GUARDS]
