"""The study of predictors: its defect on purpose, and what it concludes from given answers."""

from pathlib import Path
from typing import Any

import pytest

from learning_samples import COINS, coins, forest
from plies.agents import Agent
from plies.models.kinds import model_evaluator
from plies.pages.charts import inline_svg
from plies.pages.page import Table
from plies.studies.chess_predictors import (
    MODELS,
    PUBLISHED,
    REFERENCE,
    SEARCHER,
    STUDY,
    SameForAll,
    tournament,
)
from plies.studies.study import Work


def test_with_the_same_features_for_every_child_the_first_move_is_played():
    game = coins()
    player = Agent("same", game, SameForAll(), model_evaluator(forest(COINS), game))
    state = game.initial()
    while not game.is_over(state):
        assert player.choose(state).move == game.moves(state)[0]
        state = game.play(state, game.moves(state)[-1])


def test_everybody_meets_the_reference_and_chance(tmp_path: Path):
    planned = tournament(Work(tmp_path), "full")
    assert planned.gauntlet.challengers == len(MODELS) + 2
    assert planned.names[-2:] == ("reference", "random")
    assert planned.pairs == 50


def model(r2: float) -> dict[str, Any]:
    curve = [{"rows": rows, "mse": 9e4, "train_mse": 4e4} for rows in (100, 200)]
    return {
        "figures": {"mse": 250_000.0, "mae": 300.0, "r2": r2, "static_mse": 500_000.0},
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
    names = [SEARCHER.name, "static value", *MODELS]
    meetings = [{"a": name, "b": b, **ends} for name in names for b in (REFERENCE.name, "random")]
    return {
        **{name.replace(" ", "-"): model(0.6 + number / 100) for number, name in enumerate(MODELS)},
        "games": {"meetings": meetings},
        "speed": dict.fromkeys((*names, REFERENCE.name, "random"), 0.5),
        "defect": {
            "features of the position": {"wins": 0, "draws": 9, "losses": 1},
            "features of every child": {"wins": 2, "draws": 5, "losses": 3},
        },
    }


def test_the_steps_are_what_the_findings_read(found: dict[str, Any]):
    steps = {step.name for step in STUDY.plan("quick")}
    assert steps == {*found, "rows-random", "rows-games"}


def test_published_figures_stand_beside_ours_in_pawns(found: dict[str, Any]):
    findings = STUDY.findings(found, "quick")
    rows = {row.what: row for row in findings.compared}
    row = rows["pred forest: test MSE, MAE, R2 (pawns)"]
    # facts/chess.md: forest MSE 84.17, MAE 7.66, R2 0.693; perceptron 85.66, 7.16, 0.697.
    assert row.published == "84.17, 7.66, 0.693"
    assert PUBLISHED["mlp"] == (85.66, 7.16, 0.697)
    assert row.ours == "25.00, 3.00, 0.600"  # 250 000 / 100^2, 300 / 100
    defect = rows["mi_pred with that defect: won / drawn / lost"]
    assert defect.ours == "0 / 9 / 1"
    # The best is the last; the static value's R2 is 1 - 500 000 / (100 * 10)^2.
    assert "R2 0.630 (mi_pred mlp); the static value taken for it has 0.500" in findings.lead
    assert (
        "has 0 / 9 / 1 (won / drawn / lost), with those of every child 2 / 5 / 3" in findings.lead
    )


def test_every_chart_and_table_can_be_shown(found: dict[str, Any]):
    shown = STUDY.findings(found, "quick").shown
    for each in shown:
        if isinstance(each.content, Table):
            assert all(len(row) == len(each.content.columns) for row in each.content.rows)
        else:
            assert inline_svg(each.content).startswith("<svg")
    matches = next(each.content for each in shown if each.title == "Every match")
    assert isinstance(matches, Table)
    assert len(matches.rows) == 2 * (len(MODELS) + 2)
