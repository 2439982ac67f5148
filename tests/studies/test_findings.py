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
from plies.studies import chess_lookahead, quixo
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
    seconds = mean(game["cpu_seconds"] for game in answers_of("chess-lookahead")["time-report-1"])
    published, ours, why = rows_of("chess-lookahead")["l=1: seconds for a match"]
    assert published == "31.77 (52:56 for 100)"
    assert ours.startswith(f"{seconds:.3f} of CPU time")
    assert why.startswith(f"{31.77 / seconds:,.0f} times as fast")


def test_states_of_the_start_position_are_those_published():
    rows = rows_of("chess-depth")
    told = ("420", "420; 440 with the pass to depth 1")
    assert rows["states of minimax, start, depth 2"][:2] == told
    told = ("420", "59 with cut=equal, 420 with cut=beyond")
    assert rows["states of alpha-beta, start, depth 2"][:2] == told


def test_positions_with_the_published_counts_are_named_if_there_are_any():
    what = "states of the next move, minimax and alpha-beta"
    published, ours, _ = rows_of("chess-depth")[what]
    assert published == "462 and 429"
    assert ours.endswith("nearest: 460 and 429 after 1. g1h3 c7c5 (by files)")
    answers = answers_of("chess-depth")
    next(row for row in answers["counts"] if "both" in row)["both"] = ["1. e2e4 e7e5"]
    assert rows_of("chess-depth", answers)[what][1] == "both after 1. e2e4 e7e5"


def test_lengths_of_games_stand_beside_the_published_ones():
    answers = answers_of("chess-depth")
    answers["depth-3-v-2"]["won_in"] = [30, 10, 18]
    answers["depth-1-v-2"]["stalemates"] = [42]
    answers["examples"] |= {"faced": 9, "later": 2, "first": {"position": "a FEN", "depth": 3}}
    rows = rows_of("chess-depth", answers)
    ours = rows["depth 3 against depth 2"][1]
    assert ours.endswith("won in 18 moves of its own (median; 10 to 30), 2 within 18")
    assert "1 of 8 games end in stalemate, after 42" in rows["depth 1 against depth 2"][1]
    assert rows["a later move"][1].startswith("in 2 of the 9 positions")
    assert rows["a later move"][1].endswith("first in a FEN at depth 3")
    # 1.Nh3 h6 2.Ng5 loses the knight to a pawn, which one ply does not see.
    assert "h7h6" in rows["the move after g1h3"][1]


def test_the_answers_of_the_morris_programs_are_compared_one_by_one():
    whys = [row.why for row in findings_of("morris").compared if "independent" in row.computed]
    assert whys == ["the same"] * 10
    answers = answers_of("morris")
    answers["programs"][3]["positions"] += 1
    found = study("morris").findings(answers, "quick")
    assert [row.why for row in found.compared].count(DIFFERS) == 1


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


def test_counts_of_quixo_follow_from_the_rules_and_were_not_published():
    rows = rows_of("quixo")
    assert rows["lines of play after 1, 2, 3 plies"] == ("", "44, 1836, 76596", "the same")
    assert rows["different boards after 1, 2, 3 plies"] == ("", "16, 240, 2240", "the same")


def test_trees_on_paper_have_the_answers_that_follow_from_them():
    rows = [row for row in findings_of("players").compared if "every" in row.computed]
    assert [(row.ours, row.why) for row in rows] == [
        ("1; 20, 14, 9", "the same"), ("(1, 2, 3)", "the same")
    ]  # fmt: skip


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
    # facts: what stands in the reports, and nothing else
    expected = {
        "blackbox": [
            "1217 calls", "6302 calls",
            "0.60, stopped at 30 010 calls", "0.38, stopped at 30 010 calls",
        ],
        "morris": [
            "9 positions, estimate 9987; 125 positions, estimate 9987 (marked illustrative)"
        ],
        "players": ["a vector at every leaf; each player maximises its own part"],
        "quixo": ["100 % win rate (neither the depth nor the number of games is stated)"] * 4,
        "quixo-learned": ["about 55 %", "still modest, no figure"],
        "tictactoe-q": ["98 % of 1000 games", "96 % of 1000 games"] * 2,
    }  # fmt: skip
    for name, published in expected.items():
        rows = findings_of(name).compared
        assert [row.published for row in rows if row.published] == published


def test_of_nim_claims_are_published_and_figures_computed():
    rows = {row.what: row for row in findings_of("nim-evolution").compared}
    claims = {row.published for row in rows.values()}
    assert claims == {
        "", "wins against random", "agents with three strategies and a probability for each"
    }  # fmt: skip
    # Project facts, Nim: the ceilings of the evolution study.
    assert rows["greatest fitness, N = 4, k = 3"].computed.startswith("3735, 288 answerable")
    assert rows["greatest fitness, N = 3, k = 2"].computed.startswith("414, 34 answerable")


def test_what_is_said_of_mixed_strategies_follows_from_what_evolved():
    what = "three strategies with a probability for each: what evolves"
    assert rows_of("nim-evolution")[what][2].startswith("the same: other moves give won")
    answers = answers_of("nim-evolution")
    run = answers["strategies"]["against"]["all three"]["runs"][1]
    run.update(score=0.5, probabilities={"random": 0.2, "gabriele": 0.2, "nim-sum": 0.6})
    run["curve"] = run["curve"][:3]
    found = study("nim-evolution").findings(answers, "quick")
    rows = {row.what: row for row in found.compared}
    assert "draws nim-sum in 60.0 % of its moves or more" in found.lead
    assert rows[what].ours.startswith("random 20.0 %, gabriele 20.0 %, nim-sum 60.0 %: wins 50.0 %")
    assert rows[what].why == "60 generations were too few for the worst of 2 seeds"
    (quickly,) = [row.ours for name, row in rows.items() if name.startswith("generations until")]
    assert quickly.endswith("; not reached by 1 of 2 seeds (2 seeds)")


def test_figures_that_differ_from_the_computed_ones_are_not_called_the_same():
    answers = answers_of("quixo")
    answers["counted"] = {"lines of play": [44, 1836, 1], "different boards": [16, 240, 1]}
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
    told["recipe"]["stopped_span"] = [0.5, 0.7]
    lead = study("blackbox").findings(answers, "quick").lead
    assert lead.endswith("some solve it: annealing 1 of 2 runs of 5 classes.")
    rows = rows_of("blackbox", answers)
    assert "lies among ours" in rows["x = 5, the recipe as made, 10 parents"][2]
    assert "lies above ours" in rows["x = 10, the recipe as made, 10 parents"][2]


def test_every_look_ahead_is_weighed_by_its_points():
    answers = answers_of("chess-lookahead")
    for look, wins in enumerate((2, 3, 4, 9)):
        told = {"wins": wins, "draws": 0, "losses": 10 - wins}
        answers[f"report-{look}"]["meetings"][0] |= told
    lead = study("chess-lookahead").findings(answers, "quick").lead
    assert "+10.0 from l=0 to l=1, +60.0 from there to l=3" in lead
    assert rows_of("chess-lookahead", answers)["the best look-ahead"][1].startswith("l=3 takes 90")


def test_patterns_that_lose_are_said_to_be_behind():
    rows = rows_of("quixo-learned")
    assert rows["patterns, 1 ply v random"][2] == "ahead"
    assert rows["patterns, 1 ply v lines, 3 plies"][2] == "behind"
    assert rows["patterns, 3 plies v lines, 3 plies"][2] == "20 games do not tell them apart"


def test_a_bonus_is_worth_something_if_every_seed_is_better_than_all_without_it():
    answers = answers_of("quixo-learned")
    row = "Q table with bonuses for blocking, won"
    assert "one seed, which may be chance" in rows_of("quixo-learned", answers)[row][2]
    plain, bonus = answers["table"], answers["bonus-blocking"]

    def give_wins(told: Any, *wins: int) -> None:
        told["learned"] = [100] * len(wins)
        shape = {"draws": 0, "known": [1.0]}
        told["blind"] = [{**shape, "wins": n, "losses": 100 - n} for n in wins for _ in range(2)]

    give_wins(plain, 50, 54)
    give_wins(bonus, 54, 60)
    why = rows_of("quixo-learned", answers)[row][2]
    assert why == "+5.0 points by the table alone; no more than seeds differ among themselves"
    give_wins(bonus, 56, 60)
    why = rows_of("quixo-learned", answers)[row][2]
    assert why.endswith("each of 2 seeds is above all without a bonus")


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
    assert "one player at three prices" in findings_of("chess-algorithms").lead
    answers["values"] = {"searched": 40, "same": 39, "same_move": 40}
    lead = study("chess-algorithms").findings(answers, "quick").lead
    assert "find the same value in 39 of 40 searches" in lead
    assert "one player" not in lead


def test_claims_on_win_rates_are_weighed_by_the_tests():
    claim, faulty = "win rate by pruning", "soft that takes bounds for ties, MA"
    assert "differ by no more than chance" in rows_of("chess-algorithms")[claim][2]
    answers = answers_of("chess-algorithms")
    answers["chance"]["MA"] |= {
        "p_points": 0.001,
        "p_bounds": 0.001,
        "bounds": {"wins": 1, "draws": 0, "losses": 9},
    }
    rows = rows_of("chess-algorithms", answers)
    assert "differ by more than chance" in rows[claim][2]
    assert rows[faulty][1].startswith("1 / 0 / 9, 10.0 % of the decided games")
    assert rows[faulty][2].startswith("it is weaker")
