"""Studies run from their first step to the report, with less of everything."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from arena_samples import let_workers_start_uncompiled
from plies.studies import nim_evolution, quixo_learned, tictactoe_q
from plies.studies.finding import study
from plies.studies.report.contents import html
from plies.studies.running import Setting, run

# Study -> the constants of its module that say how much is done.
LESS: dict[str, dict[str, Any]] = {
    "blackbox": {"RUNS": {"quick": 1}, "PUBLISHED_CALLS": 1500},
    "nim-evolution": {
        "QUICK": {name: replace(each, generations=5) for name, each in nim_evolution.QUICK.items()},
        "MIXING": {"quick": replace(nim_evolution.MIXING["quick"], generations=5, seeds=1)},
    },
    "players": {"TREES": {"quick": 1}, "PAIRS": {"quick": 1}, "SHAPES": ((2, 4), (3, 3))},
    "quixo-learned": {
        "GAME": "tictactoe",  # the same steps, and much less to compile
        "BONUSES": {quixo_learned.BOTH: {}},  # it has no patterns
        "SEEDS": {"quick": 2},
        "TABLE_GAMES": {"quick": 50},
        "PATTERN_GAMES": {"quick": 20},
        "TRIALS": {"quick": 40},
        "PAIRS": {"quick": 1},
        "MATCHES": dict.fromkeys(quixo_learned.MATCHES, ("greedy:eval={}", "random")),
    },
    "tictactoe-q": {
        "SEEDS": {"quick": 1},
        "SAMPLE": 20,
        "RECIPES": {name: replace(each, games=200) for name, each in tictactoe_q.RECIPES.items()},
        "CURVE_POINTS": 2,
        "GRIDS": {"quick": {"rate": ["0.1", "0.5"], "discount": ["1"]}},
        "GRID_GAMES": 200,
    },
}


@pytest.mark.parametrize("name", LESS)
def test_a_study_runs_from_its_first_step_to_the_report(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    let_workers_start_uncompiled(monkeypatch)
    module = import_module(f"plies.studies.{name.replace('-', '_')}")
    for constant, less in LESS[name].items():
        monkeypatch.setattr(module, constant, less)
    outcome = run(study(name), tmp_path / name, Setting())
    assert outcome.findings.lead
    assert study(name).title in html(outcome)
    assert run(study(name), tmp_path / name, Setting()).steps == outcome.steps
