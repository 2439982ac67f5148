"""Making datasets: what the rows say, which work goes on, and what is refused."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from learning_samples import COINS, coins, copied_game, forest
from plies.cli.main import main
from plies.core.scores import win_in
from plies.core.verbs import features
from plies.errors import BadSpec, PliesError
from plies.learn import datasets
from plies.learn.datasets import DataPlan, data_plan, made_chunk, make_dataset, put_together
from plies.learn.parts import OtherWork, difference
from plies.models.files import save_model

PLAN = DataPlan(COINS, "lead", "alphabeta:depth=3", rows=40, plies=(0, 10))


def plan(**changes: Any) -> DataPlan:
    return data_plan(replace(PLAN, **changes))


def reachable() -> dict[int, Any]:
    """Every position of the game by its key."""
    game, found = coins(), {}
    waiting = [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.key(state) not in found:
            found[game.key(state)] = state
            waiting += [game.play(state, move) for move in game.moves(state)]
    return found


# Rows


@pytest.mark.parametrize("positions", ["random", "games"])
def test_a_row_holds_what_the_evaluator_and_the_search_say_of_its_position(positions: Any):
    game, states = coins(), reachable()
    found = put_together(made := plan(positions=positions), made_chunk((made, 0)), cap=99)
    searcher = plies.agent("alphabeta:depth=3,eval=lead", game)
    for row in range(found.rows):
        cells = {name: int(column[row]) for name, column in found.columns.items()}
        state = states[cells["key"]]
        names = ("own", "other", "first_coin", "last_coin")
        assert tuple(cells[name] for name in names) == features(game.evaluator("lead"), state)
        assert cells["value"] == state.mine - state.theirs
        value = searcher.choose(state).value
        assert value is not None
        if cells["decided"]:
            assert cells["target"] == 99 * cells["decided"]
            assert abs(value) > win_in(13)
        else:
            assert cells["target"] == value
    assert np.count_nonzero(found.columns["decided"]) == found.card["decided"]


def test_a_chunk_does_not_depend_on_the_chunks_before_it(monkeypatch):
    # With what its table remembers of the first chunk this search says otherwise of a row.
    monkeypatch.setattr(datasets, "CHUNK", 100)
    made = plan(search="engine:depth=4,table=1", rows=200, plies=(0, 4))
    alone, later = datasets.Maker(made), datasets.Maker(made)
    later.chunk(0)
    assert np.array_equal(later.chunk(1), alone.chunk(1))


def test_positions_lie_between_the_plies_asked_for():
    found = put_together(made := plan(plies=(2, 4)), made_chunk((made, 0)))
    states = reachable()
    positions = [states[int(key)] for key in found.columns["key"]]
    lengths = {state.first + 12 - state.end for state in positions}
    assert lengths == {2, 3, 4}


def test_a_proven_win_counts_by_default_as_the_greatest_opinion():
    found = put_together(made := plan(), made_chunk((made, 0)))
    is_open = found.columns["decided"] == 0
    opinions = [*found.columns["target"][is_open], *found.columns["value"]]
    assert found.card["decided"] > 0
    assert found.card["cap"] == max(map(abs, opinions))


def test_a_distinct_dataset_has_every_position_once():
    made = plan(rows=200)
    rows = made_chunk((made, 0))
    every, once = put_together(made, rows), put_together(made, rows, is_distinct=True)
    assert every.rows == 200
    keys = list(once.columns["key"])
    assert keys == list(dict.fromkeys(map(int, every.columns["key"])))  # in the order met
    assert once.card["rows"] == len(keys) < once.card["asked"] == 200


def test_the_search_takes_the_evaluator_unless_it_names_its_own():
    assert plan().search == "alphabeta:depth=3,eval=lead"
    assert plan(search="minimax:depth=2,eval=zero").search == "minimax:depth=2,eval=zero"
    assert plan(evaluator="").evaluator == "lead"


# Work that is done once


def test_the_rows_do_not_depend_on_the_number_of_workers(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(datasets, "CHUNK", 256)
    made = plan(rows=600)
    alone = make_dataset(made, tmp_path / "a.parquet", workers=1)
    make_dataset(made, tmp_path / "b.parquet", workers=2)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert alone.rows == 600
    other = make_dataset(plan(rows=600, seed=2), tmp_path / "c.parquet")
    assert not np.array_equal(other.columns["key"], alone.columns["key"])


class Stopped(Exception):
    """Whatever ends the work before it is done."""


def stopping_after(count: int) -> Callable[[int], None]:
    told = []

    def hear(rows: int) -> None:
        told.append(rows)
        if len(told) > count:
            raise Stopped

    return hear


def test_interrupted_work_goes_on_where_it_was(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(datasets, "CHUNK", 10)
    path, made = tmp_path / "d.parquet", plan(rows=45)
    with pytest.raises(Stopped):
        make_dataset(made, path, on_rows=stopping_after(3))
    assert not path.exists()
    kept = {part.name: part.stat().st_mtime_ns for part in (tmp_path / "d.parquet.parts").iterdir()}
    assert len([name for name in kept if name.endswith(".npy")]) == 3
    told: list[int] = []
    found = make_dataset(made, path, on_rows=told.append)
    assert told == [30, 40, 45]  # the first thirty are not made again
    assert not (tmp_path / "d.parquet.parts").exists()
    make_dataset(made, tmp_path / "whole.parquet")
    assert (tmp_path / "whole.parquet").read_bytes() == path.read_bytes()
    assert make_dataset(made, path, on_rows=told.append).rows == found.rows
    assert told == [30, 40, 45]  # once it is there nothing is made


def test_what_belongs_to_another_plan_is_not_touched(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(datasets, "CHUNK", 10)
    path = tmp_path / "d.parquet"
    with pytest.raises(Stopped):
        make_dataset(plan(), path, on_rows=stopping_after(1))
    with pytest.raises(OtherWork, match=r"d\.parquet\.parts holds parts .*seed 1, not 2"):
        make_dataset(plan(seed=2), path)
    make_dataset(plan(), path)
    before = path.read_bytes()
    for other in ({"seed": 2}, {"rows": 41}, {"search": "minimax:depth=1"}):
        with pytest.raises(OtherWork, match="holds another dataset"):
            make_dataset(plan(**other), path)
    with pytest.raises(OtherWork, match="cap"):
        make_dataset(plan(), path, cap=5)
    with pytest.raises(OtherWork, match="is_distinct False, not True"):
        make_dataset(plan(), path, is_distinct=True)
    assert path.read_bytes() == before


def test_a_try_that_was_refused_does_not_stand_in_the_way(tmp_path: Path):
    path = tmp_path / "d.parquet"
    with pytest.raises(BadSpec, match="ask for fewer"):
        make_dataset(plan(plies=(12, 14)), path)
    assert [part.name for part in (tmp_path / "d.parquet.parts").iterdir()] == ["plan.json"]
    assert make_dataset(plan(), path).rows == 40


def test_a_folder_of_something_else_is_not_touched(tmp_path: Path):
    folder = tmp_path / "d.parquet.parts"
    folder.mkdir()
    (folder / "letter.txt").write_text("dear")
    with pytest.raises(OtherWork, match="it has no plan"):
        make_dataset(plan(), tmp_path / "d.parquet")
    assert [part.name for part in folder.iterdir()] == ["letter.txt"]
    (tmp_path / "e.parquet.parts").write_text("a file")
    with pytest.raises(PliesError, match=r"e\.parquet\.parts cannot be made"):
        make_dataset(plan(), tmp_path / "e.parquet")


@pytest.mark.parametrize("damage", ["cut", "empty", "shape", "type"])
def test_a_damaged_part_is_noticed_before_the_work(damage: str, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(datasets, "CHUNK", 10)
    path, part = tmp_path / "d.parquet", tmp_path / "d.parquet.parts" / "000000.npy"
    with pytest.raises(Stopped):
        make_dataset(plan(), path, on_rows=stopping_after(1))
    content = part.read_bytes()
    if damage in ("cut", "empty"):
        part.write_bytes(content[:-8] if damage == "cut" else b"")
    else:
        rows = np.load(part)
        np.save(part, rows[1:] if damage == "shape" else rows.astype(np.float64))
    told: list[int] = []
    with pytest.raises(OtherWork, match=r"000000\.npy is damaged; delete it"):
        make_dataset(plan(), path, on_rows=told.append)
    assert told == []
    part.unlink()
    assert make_dataset(plan(), path).rows == 40


def test_parts_are_of_no_use_once_a_file_they_were_made_with_has_changed(
    tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(datasets, "CHUNK", 10)
    own, model = copied_game(tmp_path), tmp_path / "m.npz"
    path, whole = tmp_path / "d.parquet", tmp_path / "whole.parquet"
    asked: dict[str, Any] = {"game": own, "search": f"minimax:depth=1,eval={model}"}
    save_model(model, forest(own))
    with pytest.raises(Stopped):
        make_dataset(plan(**asked), path, on_rows=stopping_after(1))
    make_dataset(plan(**asked), whole)
    save_model(model, replace(forest(own), card={**forest(own).card, "remark": "another"}))
    for out in (path, whole):
        with pytest.raises(OtherWork, match=r"m\.npz has changed since"):
            make_dataset(plan(**asked), out)
    save_model(model, forest(own))
    copied_game(tmp_path, replaced=('title="Coins"', 'title="Pennies"'))
    for out in (path, whole):
        with pytest.raises(OtherWork, match=r"coins\.py has changed since"):
            make_dataset(plan(**asked), out)


def test_differences_are_told_in_a_few_words():
    assert difference({"a": 1, "b": 2}, {"a": 1, "b": 3}) == "b 2, not 3"
    assert difference({"a": [1] * 99}, {"a": [2] * 99}) == "other a"
    assert difference({"files": {"x": "1", "y": "2"}}, {"files": {"x": "1"}}) == "other files"
    assert difference({"files": {"x": "1"}}, {"files": {"y": "2"}}) == "y has changed since"
    assert difference({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}) == "a: fewer"
    assert difference({"a": (1, 2)}, {"a": (1, 2)}) != ""  # what is kept was read from JSON
    assert difference({"a": [1, 2]}, {"a": (1, 2)}) == ""


# Plans that are refused


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "nogame"}, "there is no game nogame"),
        ({"evaluator": "greed"}, "has no evaluator greed"),
        (
            {"search": "random"},
            "with a depth and an evaluator, such as alphabeta:depth=3, not random",
        ),
        ({"search": "greedy"}, "a search with a depth"),
        ({"search": "solve:depth=3"}, "a depth and an evaluator"),
        ({"search": "mcts:simulations=9"}, "a search with a depth"),
        ({"search": "minimax:depth=x"}, "depth is a whole number"),
        ({"rows": 0}, "rows is"),
        ({"plies": (5, 2)}, "from the lower number to the higher, not from 5 to 2"),
        ({"plies": (-1, 2)}, "plies is"),
        ({"player": "greedy"}, "for --positions games"),
    ],
    ids=str,
)
def test_a_plan_that_makes_no_sense_is_refused_at_once(changes: dict[str, Any], said: str):
    with pytest.raises(PliesError, match=said):
        plan(**changes)


def test_a_game_that_is_over_by_then_has_no_positions():
    with pytest.raises(BadSpec, match="is over after 12 to 14 random plies; ask for fewer"):
        made_chunk((plan(plies=(12, 14)), 0))


def test_a_feature_named_like_a_column_is_refused(tmp_path: Path):
    path = copied_game(tmp_path, replaced=('"first_coin"', '"target"'))
    with pytest.raises(BadSpec, match="a feature target, which is a column of every dataset"):
        plan(game=path)


# The command


def test_the_command_makes_a_dataset_and_shows_its_card(tmp_path: Path, capsys):
    out = str(tmp_path / "d.parquet")
    asked = ["train", "data", COINS, "--rows", "30", "--plies", "0-10", "--out", out]
    assert main([*asked, "--search", "minimax:depth=1", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["rows"], made["depth"], made["file"]) == (30, 1, out)
    assert main(["train", "data", "--show", out]) == 0
    shown = capsys.readouterr().out
    assert "minimax:depth=1,eval=lead" in shown
    assert "after 0 to 10 random plies" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tictactoe"], "missing option --out"),
        (["tictactoe", "--out", "d.csv"], "ends with .parquet, not d.csv; for CSV say --csv"),
        (["tictactoe", "--out", "d.parquet", "--csv", "d.txt"], "ends with .csv, not d.txt"),
        (["tictactoe", "--out", "d.parquet", "--csv", "no/d.csv"], "there is no folder no"),
        (
            ["tictactoe", "--out", "d.parquet", "--csv", "d.csv", "--csv-single", "d.csv"],
            "--csv and --csv-single are two files",
        ),
        (["tictactoe", "--out", "no/d.parquet"], "there is no folder no"),
        (["tictactoe", "--out", "d.parquet", "--plies", "a-b"], "such as 10-20, not a-b"),
        (["tictactoe", "--out", "d.parquet", "--cap", "9" * 30], "cap is 0 to"),
        (["--show", "d.parquet"], "there is no dataset d.parquet"),
    ],
    ids=str,
)
def test_bad_arguments_are_one_line(arguments, said, tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "data", *arguments]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_loses_nothing(tmp_path: Path):
    """A real process with workers is interrupted; the same command then ends its work."""
    out = tmp_path / "d.parquet"
    command = [sys.executable, "-m", "plies", "train", "data", COINS, "--rows", "200000"]
    command += ["--plies", "0-10", "--search", "minimax:depth=1", "--out", str(out)]
    process = subprocess.Popen([*command, "--workers", "2"], stderr=subprocess.PIPE, text=True)
    parts = tmp_path / "d.parquet.parts"
    while not list(parts.glob("*.npy")):
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.splitlines()[-1].endswith("d.parquet.parts, the same command goes on")
    assert len(told.splitlines()) == 1 + told.count("compiling")
    assert not out.exists()
    assert all(np.load(part).shape[1] == 7 for part in parts.glob("*.npy"))
