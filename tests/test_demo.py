"""The demo plays, prints its table and writes its report, as often as one likes."""

from dataclasses import replace

from plies.arena.plan import named
from plies.arena.report import read_run
from plies.demo import TOURNAMENT, main

SMALL = replace(TOURNAMENT, games=("nim", "tictactoe"), agents=named(["random", "greedy"]), pairs=1)


def test_the_demo_can_be_run_twice_in_a_row(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PLIES_QUIET", "1")  # or the demo would set it for later tests
    folder = tmp_path / "made" / "demo"
    for _ in range(2):
        main(SMALL, folder)
        printed = capsys.readouterr().out
        # One meeting, two games, one pair of each.
        assert "4 games" in printed
        assert str(folder / "demo.html") in printed
        assert len(read_run(folder / "demo.db").games) == 4
        assert "</html>" in (folder / "demo.html").read_text(encoding="utf-8")
