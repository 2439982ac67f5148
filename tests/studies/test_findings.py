"""What studies make of the answers of their steps; those of small runs are kept as examples."""

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from plies.arena.plan import Planned
from plies.arena.store import Finished, Store
from plies.pages.charts import inline_svg
from plies.pages.page import Table
from plies.records import GameRecord, MoveRecord
from plies.studies import blackbox, chess_lookahead, quixo, quixo_learned, tictactoe_q
from plies.studies.clock_use import clock_use
from plies.studies.finding import study
from plies.studies.study import Findings

EXAMPLES = Path(__file__).parent.parent / "data" / "studies"
DIFFERS = "differs: a defect, here or there"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.json"))


def answers_of(name: str) -> Any:
    return json.loads((EXAMPLES / f"{name}.json").read_text())


def findings_of(name: str) -> Findings:
    return study(name).findings(answers_of(name), "quick")


def rows_of(name: str, answers: Any = None) -> dict[str, tuple[str, str, str]]:
    found = study(name).findings(answers or answers_of(name), "quick")
    return {row.what: (row.published, row.ours, row.why) for row in found.compared}


@pytest.mark.parametrize("name", NAMES)
def test_a_study_concludes_compares_and_draws(name: str):
    answers, found = answers_of(name), findings_of(name)
    assert [step.name for step in study(name).plan("quick")] == list(answers)
    assert found.lead.endswith(".")
    assert all(row.what and row.ours and row.why for row in found.compared)
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
    assert [row.why for row in found.compared[:10]].count(DIFFERS) == 1


def test_what_the_contest_agent_did_with_its_clock_is_told():
    answers = answers_of("seega")
    what = f"clocks: {answers['credit']['title']}"
    _, ours, why = rows_of("seega")[what]
    assert "0 lost on time, 0.0 s overdrawn" in ours
    assert "never uses up" in why
    answers["credit"] |= {"time_losses": 1, "overdrawn": 0.24}
    _, ours, why = rows_of("seega", answers)[what]
    assert "1 lost on time, 0.2 s overdrawn" in ours
    assert "never uses up" not in why


def test_a_match_that_was_lost_on_time_counts_the_late_move(tmp_path: Path):
    move = MoveRecord(0, "a1", None, 1, 2, 0.75)
    record = GameRecord(
        game="seega",
        agents=("a", "b"),
        seed=1,
        moves=(move,),
        payoffs=(-1, 1),
        reason="took 0.500 s for a move and had 0.25 s",
        start="...../...../...../...../..... X place",
        final="...../...../...../...../X.... X place",
        termination="time",
        faults=("time", ""),
    )
    with Store.create(tmp_path / "run.db", {}) as store:
        store.add(Finished(Planned(0, "seega", ("a", "b"), "", 1, 0, 0), record))
    found = clock_use(tmp_path / "run.db", credit=1.0)
    assert (found["time_losses"], found["overdrawn"], found["most_used"]) == (1, 0.25, 0.75)


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
        for plies in (10, 20)
        for meeting in answers[f"after-{plies}-plies"]["meetings"]
        if meeting["a"] == "soft MA"
    )
    assert rows_of("chess-algorithms")["soft, MA: won / drawn / lost"][1].startswith(f"{wins} / ")


# Published figures, and conclusions that follow from the answers


def test_published_figures_are_those_of_the_studies():
    assert chess_lookahead.PUBLISHED == (5.03, 31.77, 55.20, 65.85)
    assert quixo.PUBLISHED == {
        "paths": [44, 1836, 76596], "boards": [16, 240, 2240], "depth 3": "100 %"
    }  # fmt: skip
    assert quixo_learned.PUBLISHED == "near 55 %"
    assert tictactoe_q.PUBLISHED_BEST == ("99.48 %", "93.86 %")
    assert tictactoe_q.PUBLISHED_RATES == (0.98, 0.96)
    assert tictactoe_q.PUBLISHED_CHANCE == "58.49 / 12.70 / 28.81 %"
    assert tictactoe_q.PUBLISHED_COMBINATION == "0.5, 0.7, 0.1"
    assert list(blackbox.PUBLISHED.values()) == [
        "1217 calls", "6302 calls", "0.60 at 30 010 calls", "0.38 at 30 010 calls"
    ]  # fmt: skip
    rows = rows_of("nim-evolution")
    assert rows["greatest fitness, N = 4, k = 3"][0] == "3735, 288 answerable positions"
    assert rows["greatest fitness, N = 3, k = 2"][0] == "414, 34 answerable positions"


def test_figures_that_differ_from_the_published_ones_are_not_called_the_same():
    answers = answers_of("quixo")
    answers["counted"] = {"paths": [44, 1836, 1], "boards": [16, 240, 1]}
    rows = rows_of("quixo", answers)
    assert rows["lines of play after 1, 2, 3 plies"][2] == DIFFERS
    assert rows["different boards after 1, 2, 3 plies"][2] == DIFFERS
    answers = answers_of("tictactoe-q")
    for told in answers["ceilings"].values():
        for fare in told:
            fare["wins"] = 0.97
    rows = rows_of("tictactoe-q", answers)
    assert rows["best possible as first"][2] == rows["best possible as second"][2] == DIFFERS
    assert rows["chance against chance, first / drawn / second"][2] == DIFFERS
    assert "96 % is possible" in study("tictactoe-q").findings(answers, "quick").lead
    answers = answers_of("nim-evolution")
    answers["published"]["best_fitness"] += 1
    assert rows_of("nim-evolution", answers)["greatest fitness, N = 4, k = 3"][2] == DIFFERS


def test_a_learner_is_as_good_as_the_mean_of_its_seeds():
    answers = answers_of("tictactoe-q")
    ceiling = answers["ceilings"]["best"][1]["wins"]
    for row, gap in zip(answers["ours-self-play"], (0.01, 0.03), strict=True):
        row["exact"][1] = ceiling - gap
    assert "within 2.00 as second" in study("tictactoe-q").findings(answers, "quick").lead


def test_problems_that_a_black_box_search_solves_are_told():
    assert "solve no run of 5 or 10 classes" in findings_of("blackbox").lead
    answers = answers_of("blackbox")
    told = {row["strategy"]: row for row in answers["problem-5"]["summaries"]}
    told["annealing"]["solved"] = 1
    lead = study("blackbox").findings(answers, "quick").lead
    assert lead.endswith("some solve it: annealing 1 of 2 runs of 5 classes.")


def test_every_look_ahead_is_weighed_by_its_points():
    answers = answers_of("chess-lookahead")
    for look, wins in enumerate((2, 3, 4, 9)):
        told = {"wins": wins, "draws": 0, "losses": 10 - wins}
        answers[f"look-{look}"]["meetings"][0] |= told
    lead = study("chess-lookahead").findings(answers, "quick").lead
    assert "+10.0 from l=0 to l=1, +60.0 from there to l=3" in lead


def test_patterns_that_lose_are_said_to_be_behind():
    rows = rows_of("quixo-learned")
    assert rows["patterns, 1 ply v random"][2] == "ahead"
    assert rows["patterns, 1 ply v lines, 3 plies"][2] == "behind"
    assert rows["patterns, 3 plies v lines, 3 plies"][2] == "20 games do not tell them apart"


def test_duplicates_and_cuts_are_compared_depth_by_depth():
    answers = answers_of("quixo")
    why = rows_of("quixo")["leaving out duplicates, from the empty board"][2]
    assert why.startswith("duplicates save more at depth 1; cuts save more at depth 2, 3;")
    for row in answers["searched"][quixo.WITHOUT]:
        row["states"] = 1
    why = rows_of("quixo", answers)["leaving out duplicates, from the empty board"][2]
    assert why.startswith("duplicates save more at depth 1, 2, 3; fewest")


def test_searches_of_all_moves_are_said_to_agree_as_far_as_they_do():
    answers = answers_of("chess-algorithms")
    answers["values"] = {"searched": 40, "same": 39}
    lead = study("chess-algorithms").findings(answers, "quick").lead
    assert "find the same value in 39 of 40 searches" in lead
