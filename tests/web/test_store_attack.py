"""A short version of `benchmarks/web_store_attack.py`: acts are compared over kills."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "web_store_attack.py"


@pytest.fixture
def attack(monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = importlib.util.spec_from_file_location("web_store_attack", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_no_act_that_was_acknowledged_is_lost_by_a_kill_and_no_ghost_comes_back(
    tmp_path: Path, attack: Any
) -> None:
    tally = attack.attack_by_kills(tmp_path, kills=1, players=2)
    assert tally.acknowledged > 0
    assert (tally.lost, tally.ghosts, tally.unbound, tally.failed) == (0, 0, 0, 0)


def test_the_comparison_finds_what_is_lost_and_what_is_a_ghost(attack: Any) -> None:
    class Stored:
        """A server that has the games as they are not."""

        def ask(self, _method: str, path: str, **_: Any) -> Any:
            moves = {"lost": ["b2"], "ghost": ["b2", "a1"], "right": ["c3"], "open": ["a1"]}
            texts = [{"text": text} for text in moves[path.rpartition("/")[2]]]
            return 200, {"played": texts, "ending": None}

    found = attack.Attack(Path(), players=1, seed=0)
    found.games[0] += [
        attack.Game("lost", "", ("b2", "a1")),
        attack.Game("ghost", "", ("b2",)),
        attack.Game("right", "", ("c3",)),
        attack.Game("open", "", (), asked=("a1",)),
    ]
    found.compare(Stored())
    assert (found.tally.lost, found.tally.ghosts) == (1, 1)
