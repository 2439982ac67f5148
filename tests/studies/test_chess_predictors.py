"""The study of predictors: its defect on purpose, and what it concludes from given answers."""

from pathlib import Path
from typing import Any

import pytest

from learning_samples import COINS, coins, forest, written
from plies.agents import Agent, agent
from plies.arena.config import Tournament
from plies.arena.plan import Entry
from plies.match import Rules
from plies.models.kinds import model_evaluator
from plies.pages.charts import inline_svg
from plies.pages.page import Table
from plies.studies.chess_predictors import BETTER, DEFENSIVE, STUDY
from plies.studies.predictor_steps import (
    MODELS,
    REFERENCE,
    SEARCHER,
    SameForAll,
    csv,
    draw_reasons,
    meeting,
    ranked,
    tournament,
)
from plies.studies.study import Compared, Work


def test_with_the_same_features_for_every_child_the_first_move_is_played():
    game = coins()
    player = Agent("same", {}, game, SameForAll(), model_evaluator(forest(COINS), game))
    state = game.initial()
    while not game.is_over(state):
        assert player.choose(state).move == game.moves(state)[0]
        state = game.play(state, game.moves(state)[-1])


def test_everybody_meets_the_reference_and_chance_and_the_search(tmp_path: Path):
    planned = tournament(Work(tmp_path), "full", "games")
    assert planned.gauntlet.challengers == len(MODELS) + 2
    assert planned.names[-2:] == ("reference", "random")
    assert planned.pairs == 50
    direct = tournament(Work(tmp_path), "full", "direct")
    assert direct.names == ("static value", *MODELS, SEARCHER.name)
    assert direct.gauntlet.challengers == len(MODELS) + 1


def test_the_branch_limited_player_is_that_of_the_report():
    # facts/published.md: L=4, BF=2, l=1, and the rule of look-ahead of the report's code.
    assert SEARCHER.spec.startswith("branch:depth=4,look=1,width=2,rule=report,")


def test_the_datasets_become_two_csv_files(tmp_path: Path):
    for seed, source in enumerate(("random", "games")):
        written(tmp_path / f"{source}.parquet", seed=seed + 1)
    multi, single = csv(Work(tmp_path))
    assert (multi["file"], multi["rows"]) == ("multi-input.csv", 480)
    assert single["columns"] == ["H_0", "H_3"]
    for told in (multi, single):
        lines = (tmp_path / told["file"]).read_text().splitlines()
        assert lines[0] == ",".join(told["columns"])
        assert len(lines) == 481


def test_draws_are_counted_by_their_reason_for_each_two_that_met(tmp_path: Path):
    rules = Rules(cycles=True, max_plies=3)  # no game of coins is over by then: all are drawn
    entries = tuple(Entry(name, "random") for name in "abc")
    planned = Tournament((COINS,), entries, kind="round-robin", pairs=2, rules=rules)
    Work(tmp_path).match("games", planned)
    found = draw_reasons(tmp_path / "games.db")
    assert found.keys() == {frozenset("ab"), frozenset("ac"), frozenset("bc")}
    assert all(sum(counted.values()) == 4 for counted in found.values())
    game = coins()
    player = agent("random", game)
    start = game.position_text(game.initial())
    met = meeting(game, (player, player), [start] * 2, 1)
    assert met["wins"] + met["draws"] + met["losses"] == 4
    assert sum(met["drawn_by"].values()) == met["draws"]


def test_moves_that_a_model_cannot_tell_apart_are_tied():
    game = coins()
    children = [game.play(game.initial(), move) for move in game.moves(game.initial())]
    zero, lead = game.evaluator("zero"), game.evaluator("lead")
    # To `zero` all are equal; `lead` prefers one of the two ends, whose coins differ.
    assert ranked(zero, lead, children) == (2, 2, 0.5)
    assert ranked(lead, lead, children) == (2, 1, 1.0)


def model(r2: float) -> dict[str, Any]:
    curve = [{"rows": rows, "mse": 9e4, "train_mse": 4e4} for rows in (100, 200)]
    figures = {"mse": 250_000.0, "mae": 300.0, "r2": r2, "static_mse": 500_000.0}
    return {
        "figures": {**figures, "train_mse": 160_000.0},
        "best": {"max_depth": 5},
        "curve": curve,
        "rows": 80,
        "test_rows": 20,
        "warning": "",
        "tried": 1,
        "spread": 10.0,
        "targets": [0.0, 100.0],
        "predicted": [10.0, 90.0],
    }


@pytest.fixture
def found() -> dict[str, Any]:
    """What the steps might have answered."""
    ends = {"wins": 1, "draws": 4, "losses": 3, "elo": None, "elo_low": None, "elo_high": None}
    ends["drawn_by"] = {"cycle": 2, "repetition": 1, "insufficient material": 1}
    names = [SEARCHER.name, "static value", *MODELS]
    games = [{"a": name, "b": b, **ends} for name in names for b in (REFERENCE.name, "random")]
    direct = [{"a": name, "b": SEARCHER.name, **ends, "elo_high": -9.0} for name in names[1:]]
    defect = {"wins": 0, "draws": 9, "losses": 1, "drawn_by": {"cycle": 7}}
    card = {"rows": 1000, "plies": [10, 20], "cap": 5550}
    times = [
        {"agent": name, "number": 9, "seconds": 0.1, "count": 9} for name in (*names, "random")
    ]
    return {
        **{f"rows-{source}": card for source in ("random", "games")},
        "csv": [{"file": "a.csv", "rows": 2000, "columns": ["H_0", "H_4"]}],
        **{name.replace(" ", "-"): model(0.6 + number / 100) for number, name in enumerate(MODELS)},
        "games": {"meetings": games, "by": {"pieces": times, "moves": times}},
        "direct": {"meetings": direct},
        "speed": dict.fromkeys((*names, REFERENCE.name, "random"), 0.5),
        "ranking": {name: {"moves": 30.0, "tied": 2.5, "static": 0.8} for name in MODELS},
        "defect": [
            {"takes": takes, "b": b, **defect}
            for takes in ("the first move", "a random move")
            for b in (SEARCHER.name, REFERENCE.name)
        ],
    }


def rows_of(found: dict[str, Any]) -> dict[str, Compared]:
    return {row.what: row for row in STUDY.findings(found, "quick").compared}


def test_the_steps_are_what_the_findings_read(found: dict[str, Any]):
    assert [step.name for step in STUDY.plan("quick")] == list(found)


def test_published_figures_stand_beside_the_model_they_are_of(found: dict[str, Any]):
    rows = [row for row in STUDY.findings(found, "quick").compared if "train MSE" in row.what]
    # facts/published.md; for the two others nothing was published.
    assert [row.published for row in rows] == [
        "78.44, 84.17, 7.66, 0.693", "", "", "64.11, 85.66, 7.16, 0.697"
    ]  # fmt: skip
    assert rows[0].what.startswith("pred forest (random forest on H_0): train MSE, test MSE")
    assert rows[3].what.startswith("mi_pred mlp (perceptron on the features): train MSE")
    # 160 000 / 100^2, 250 000 / 100^2, 300 / 100
    assert rows[0].ours == "16.00, 25.00, 3.00, 0.600"


def test_claims_of_the_report_are_rows_with_what_we_find(found: dict[str, Any]):
    rows = rows_of(found)
    row = rows["pred forest v branch-limited: won / drawn / lost"]
    assert (row.published, row.ours) == (BETTER, "1 / 4 / 3, 3 of 4 draws by cycle or repetition")
    assert row.why.startswith("not as claimed: ")
    assert "2.5 of 30 moves tie for the best, 80 % of these" in row.why
    assert row.why.endswith("a move of pred forest takes 0.50 ms and one of the search 0.50")
    defective = [row for what, row in rows.items() if "same features for every child" in what]
    assert [row.published for row in defective] == [DEFENSIVE] * 4
    assert {row.ours for row in defective} == {"0 / 9 / 1, 7 of 9 draws by cycle or repetition"}
    pred = next(each for each in found["direct"]["meetings"] if each["a"] == "pred forest")
    pred |= {"elo": 7.0, "elo_low": 5.0, "elo_high": 9.0}
    assert rows_of(found)[row.what].why.startswith("as claimed: ")
    assert "that it is better is confirmed" in STUDY.findings(found, "quick").lead


def test_the_lead_tells_what_the_answers_say(found: dict[str, Any]):
    lead = STUDY.findings(found, "quick").lead
    # The best is the last; the static value's R2 is 1 - 500 000 / (100 * 10)^2.
    assert "R2 0.630 (mi_pred mlp); the static value taken for it has 0.500" in lead
    assert "has 1 / 4 / 3 (won / drawn / lost), 37.5 % of the points" in lead
    assert "is not confirmed" in lead
    assert "has 0 / 9 / 1, and 7 of its 9 draws are cycles or repetitions" in lead


def test_every_chart_and_table_can_be_shown(found: dict[str, Any]):
    shown = STUDY.findings(found, "quick").shown
    for each in shown:
        if isinstance(each.content, Table):
            assert all(len(row) == len(each.content.columns) for row in each.content.rows)
        else:
            assert inline_svg(each.content).startswith("<svg")
    matches = next(each.content for each in shown if each.title == "Every match")
    assert isinstance(matches, Table)
    assert len(matches.rows) == 2 * (len(MODELS) + 2) + len(MODELS) + 1
