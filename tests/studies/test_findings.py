"""What studies make of the answers of their steps; those of a quick run are kept as examples."""

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from plies.pages.charts import inline_svg
from plies.pages.page import Table
from plies.studies.finding import study
from plies.studies.study import Findings

EXAMPLES = Path(__file__).parent.parent / "data" / "studies"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.json"))


def answers_of(name: str) -> Any:
    return json.loads((EXAMPLES / f"{name}.json").read_text())


def findings_of(name: str) -> Findings:
    return study(name).findings(answers_of(name), "quick")


def rows_of(name: str) -> dict[str, tuple[str, str, str]]:
    return {row.what: (row.published, row.ours, row.why) for row in findings_of(name).compared}


@pytest.mark.parametrize("name", NAMES)
def test_a_study_concludes_compares_and_draws(name: str):
    answers, found = answers_of(name), findings_of(name)
    assert [step.name for step in study(name).plan("quick")] == list(answers)
    assert found.lead.endswith(".")
    assert all(row.what and row.published and row.ours and row.why for row in found.compared)
    drawn = [shown.content for shown in found.shown if not isinstance(shown.content, Table)]
    tables = [shown.content for shown in found.shown if isinstance(shown.content, Table)]
    assert drawn
    assert tables
    assert all(inline_svg(chart).startswith("<svg") for chart in drawn)
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)


def test_seconds_for_a_match_are_means_beside_the_published_ones():
    seconds = mean(game["cpu_seconds"] for game in answers_of("chess-lookahead")["time-1"])
    published, ours, why = rows_of("chess-lookahead")["l=1: seconds for a match"]
    assert published == "31.77"
    assert ours.startswith(f"{seconds:.3f} of CPU time")
    assert why.startswith(f"{31.77 / seconds:,.0f} times as fast")


def test_states_of_the_start_position_are_those_published():
    assert rows_of("chess-depth")["states of minimax, start, depth 2"][:2] == ("420", "420")


def test_the_answers_of_the_morris_programs_are_compared_one_by_one():
    rows = [row for what, row in rows_of("morris").items() if "depth" in what and "x" in what]
    assert [why for _, _, why in rows] == ["the same"] * 10
    answers = answers_of("morris")
    answers["programs"][3]["positions"] += 1
    found = study("morris").findings(answers, "quick")
    assert [row.why for row in found.compared[:10]].count("a defect") == 1


def test_counts_of_quixo_are_those_published():
    rows = rows_of("quixo")
    assert rows["lines of play after 1, 2, 3 plies"][:2] == ("44, 1836, 76596",) * 2
    assert rows["different boards after 1, 2, 3 plies"][:2] == ("16, 240, 2240",) * 2


def test_the_example_for_three_players_has_the_published_answer():
    assert rows_of("players")["the example for three players"][:2] == ("(1, 2, 3)",) * 2


def test_results_from_both_kinds_of_configurations_are_added_up():
    answers = answers_of("chess-algorithms")
    wins = sum(
        meeting["wins"]
        for told in answers.values()
        for meeting in told["meetings"]
        if meeting["a"] == "soft MA"
    )
    assert rows_of("chess-algorithms")["soft, MA: won / drawn / lost"][1].startswith(f"{wins} / ")
