"""What agents and games are, as digests of their options and of what their files hold."""

import os
from pathlib import Path

import numpy as np
import pytest

from arena_samples import tournament_of
from plies.arena import digests
from plies.arena.digests import agent_digest, game_digest
from plies.arena.runner import open_run
from plies.models.files import Model, save_model


def test_a_digest_is_of_options_and_of_what_files_hold(tmp_path: Path):
    folder = tmp_path / "alice"
    folder.mkdir()
    main, weights = folder / "agent.py", folder / "weights.txt"
    main.write_text("print()")
    weights.write_text("1")
    spec = f"process:{folder}"
    first = agent_digest(spec, ())
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "agent.pyc").write_text("compiled")
    assert agent_digest(spec, ()) == first
    for change in (lambda: weights.write_text("2"), lambda: weights.rename(folder / "other.txt")):
        change()
        assert agent_digest(spec, ()) != first
        first = agent_digest(spec, ())
    assert agent_digest(f"{spec},memory=64", ()) != first
    words = agent_digest(f"process:python3 {main} fast", ())
    assert agent_digest(f"process:python3 {main} slow", ()) != words
    assert agent_digest("alphabeta:depth=2", ()) != agent_digest("alphabeta:depth=3", ())
    model = tmp_path / "model.npz"
    model.write_bytes(b"1")
    engine = agent_digest(f"engine:eval={model}", ())
    model.write_bytes(b"2")
    assert agent_digest(f"engine:eval={model}", ()) != engine
    binary = tmp_path / "engine"
    binary.write_text("#!/bin/sh\n")
    binary.chmod(0o755)
    uci = agent_digest(f"uci:{binary},depth=3", ())
    binary.write_text("#!/bin/sh\necho\n")
    assert agent_digest(f"uci:{binary},depth=3", ()) != uci


def test_a_digest_of_a_model_leaves_out_how_it_fared(tmp_path: Path):
    """`plies train weights` notes it on the card after the match, and goes on with that match."""
    path = tmp_path / "tuned.npz"

    def digest_with(weight: int, **card: object) -> str:
        arrays = {"weights": np.array([weight, 2])}
        save_model(path, Model("weights", "own", {"scale": 1, **card}, arrays))
        return agent_digest(f"greedy:eval={path}", ())

    first = digest_with(1, match=None, is_better=False)
    assert digest_with(1, match={"elo": 30.0}, is_better=True) == first
    assert digest_with(3, match=None, is_better=False) != first
    assert digest_with(1, scale=2) != first


def test_a_digest_of_a_file_takes_in_what_it_imports_from_its_folder(tmp_path: Path):
    program, helper, other = (tmp_path / f"{name}.py" for name in ("bob", "helper", "other"))
    program.write_text("import json, helper\n")
    helper.write_text("move = 1\n")
    first = agent_digest(f"process:{program},confined=false", ())
    other.write_text("move = 1\n")
    assert agent_digest(f"process:{program},confined=false", ()) == first
    helper.write_text("move = 2\n")
    assert agent_digest(f"process:{program},confined=false", ()) != first


def test_a_digest_leaves_out_what_is_written_while_programs_run(tmp_path: Path):
    spec = f"process:{tmp_path}"
    (tmp_path / "agent.py").write_text("print()")
    first = agent_digest(spec, ())
    (tmp_path / "agent.log").write_text("a game")
    (tmp_path / "agent.py~").write_text("print")
    with open_run(tournament_of(("random", "greedy")), tmp_path / "run.db"):
        assert agent_digest(spec, ()) == first
    assert agent_digest(spec, ()) == first
    (tmp_path / "book.db").write_text("openings")
    assert agent_digest(spec, ()) != first


def test_links_are_not_followed_out_of_a_folder_and_a_disk_is_not_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder, outside = tmp_path / "alice", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "data").write_text("1")
    (folder / "data").symlink_to(outside / "data")
    (folder / "more").symlink_to(outside)
    first = agent_digest(f"process:{folder}", ())
    (outside / "data").write_text("2")
    assert agent_digest(f"process:{folder}", ()) == first
    (folder / "more").unlink()
    assert agent_digest(f"process:{folder}", ()) != first
    monkeypatch.setattr(digests, "_files", None)  # which would be called
    assert agent_digest("process:/", ()) == agent_digest("process:/", ())


@pytest.mark.parametrize(("name", "most"), [("MAX_BYTES", 5), ("MAX_FILES", 1)])
def test_what_large_folders_hold_is_not_read(
    name: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(digests, name, most)
    monkeypatch.setattr(digests, "_of_file", None)
    files = [tmp_path / "agent.py", tmp_path / "weights"]
    for file in files:
        file.write_text("four")
    first = agent_digest(f"process:{tmp_path}", ())
    assert agent_digest(f"process:{tmp_path}", ()) == first
    os.utime(files[1], (1, 1))
    assert agent_digest(f"process:{tmp_path}", ()) != first
    if name == "MAX_BYTES":
        files[0].write_text("sixsix")
        agent_digest(f"process:{files[0]}", ())


def test_rules_are_those_of_a_game_file_and_of_what_it_imports(tmp_path: Path):
    assert game_digest("tictactoe") == game_digest("nim:rows=3-4") == ""
    game, helper = tmp_path / "own.py", tmp_path / "helper.py"
    helper.write_text("N = 1\n")
    game.write_text("import helper\n")
    first = game_digest(f"{game}:size=3")
    helper.write_text("N = 2\n")
    assert game_digest(f"{game}:size=3") not in ("", first)
    tree = tmp_path / "tree.json"
    tree.write_text("{}")
    first = game_digest(f"tree:file={tree}")
    tree.write_text("[]")
    assert game_digest(f"tree:file={tree}") not in ("", first)
