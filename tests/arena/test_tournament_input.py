"""Tournament files that are too large, too deep or no files at all: one line, at once."""

import json
import os
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from plies.arena import input_bounds
from plies.arena.config import Tournament
from plies.arena.plan import Entry
from plies.arena.reading import check, read_tournament, tournament_from
from plies.cli.main import main
from plies.errors import BadSpec, PliesError

SHORT = 'game = "tictactoe"\nagents = ["random", "greedy"]\n'
MANY_AGENTS = ", ".join(f'{{ name = "a{number}", spec = "random" }}' for number in range(10_000))

# What a file says, and what is said about it.
OVERSIZED = {
    "keys": (
        SHORT + "".join(f"k{number} = {number}\n" for number in range(30_000)),
        "it has 30002 keys",
    ),
    "agents": (
        f'game = "tictactoe"\nagents = [{MANY_AGENTS}]',
        "agents names 10000; at most 1000 can take part",
    ),
    "games": (f"games = {['nim'] * 100}\nagents = ['random']", "games names 100"),
    "bytes": (
        SHORT + "#" * input_bounds.MOST_TOML_BYTES,
        "cannot be read: it is too large: at most 500 kB",
    ),
    "digits": (f"{SHORT}pairs = {'9' * 5000}", "a number is beyond 9223372036854775807"),
    "seed": (f"{SHORT}seed = {'9' * 400}", "seed is at most 9223372036854775807"),
    "fraction": (f"{SHORT}clocks.per_move = {'9' * 5000}.0", "clocks.per_move is a finite number"),
    "infinite": (f"{SHORT}clocks.credit = inf", "clocks.credit is a finite number, not inf"),
    "lists": (f"{SHORT}x = {'[' * 20_000}{']' * 20_000}", "lists or tables lie more than 10 deep"),
    "tables": (f"{SHORT}[{'a.' * 50}a]", "lists or tables lie more than 10 deep"),
    "dotted key": (f"{SHORT}{'a.' * 100_000}a = 1", "a key has more than 100 parts"),
    "quoted key": (SHORT + '"a".' * 50_000 + "a = 1", "a key has more than 100 parts"),
    "long name": (f"{SHORT}name = '{'x' * 400_000}'", "name: 'xxxxxxxxxxxxxxxxxxxx'... is too"),
    "long agent": (f"game = 'nim'\nagents = ['random', '{'x' * 5000}']", "agents: 'xxxxxxxxxxxxx"),
    "escape": (f'{SHORT}name = "a\\u001b[2J"', "name: 'a\\x1b[2J' is no name"),
    "newline": (f'{SHORT}name = "a\\nb"', "name: 'a\\nb' is no name"),
    "direction": (f'{SHORT}name = "a\\u202eb"', "name: 'a\\u202eb' is no name"),
    "blank": (f'{SHORT}name = " "', "name: ' ' is no name"),
    "NUL in a name": (f'{SHORT}name = "a\\u0000"', "name has a NUL character"),
    "NUL in a path": (f'{SHORT}openings.file = "a\\u0000"', "openings.file has a NUL character"),
    "pairs": (f"{SHORT}pairs = 1_000_000_000", "that would be 2,000,000,000 games, and a run"),
    "extra pairs": (
        f"{SHORT}kind = 'knock-out'\nknock_out.extra_pairs = 9_000_000_000",
        "that would be 18,000,000,020 games",
    ),
    "opening": (f"{SHORT}openings.plies = 1_000_000", "openings: plies is at most 1000"),
}


@pytest.mark.parametrize("case", OVERSIZED)
def test_what_is_too_large_or_no_name_is_refused_in_one_line(
    tmp_path: Path, case: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    text, complaint = OVERSIZED[case]
    Path("cup.toml").write_text(text)
    assert main(["tournament", "cup.toml", "--dry-run"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.removesuffix("\n").isprintable()
    assert f"cup.toml: {complaint}" in captured.err or f"cup.toml {complaint}" in captured.err
    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
def test_what_is_no_file_is_neither_a_tournament_nor_openings(tmp_path: Path, kind: str):
    path = {"device": Path("/dev/zero"), "pipe": tmp_path / "pipe", "folder": tmp_path}[kind]
    if kind == "pipe":
        os.mkfifo(path)
    why = "Is a directory" if kind == "folder" else "it is a device or a pipe, not a file"
    with pytest.raises(BadSpec, match=f"{path} cannot be read: {why}$"):
        read_tournament(path)
    (tmp_path / "cup.toml").write_text(f"{SHORT}openings.file = '{path}'")
    with pytest.raises(BadSpec, match=f"{path} cannot be read: {why}$"):
        read_tournament(tmp_path / "cup.toml")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("kind", ["device", "pipe"])
@pytest.mark.parametrize(
    ("game", "agent", "suffix"),
    [
        ("{}", "random", ".py"),
        ("tree:file={}", "random", ".json"),
        ("tictactoe", "engine:eval={}", ".npz"),
    ],
)
def test_no_game_tree_or_model_is_waited_for(
    tmp_path: Path, kind: str, game: str, agent: str, suffix: str
):
    path = tmp_path / f"it{suffix}"
    path.symlink_to("/dev/zero") if kind == "device" else os.mkfifo(path)
    data = {"games": [game.format(path)], "agents": [agent.format(path), "greedy"]}
    with pytest.raises(PliesError, match=r"it is a device or a pipe, not a file$"):
        tournament_from(data)


def test_too_many_openings_are_refused(tmp_path: Path):
    (tmp_path / "list.txt").write_text("x\n" * (input_bounds.MOST_POSITIONS + 1))
    (tmp_path / "cup.toml").write_text(f"{SHORT}openings.file = 'list.txt'")
    with pytest.raises(BadSpec, match=r"openings holds 100,001 positions, at most 100,000$"):
        read_tournament(tmp_path / "cup.toml")


def test_a_tournament_of_many_players_is_counted_without_listing_its_meetings():
    agents = tuple(Entry(f"a{number}", "random") for number in range(1000))
    with pytest.raises(BadSpec, match=r"that would be .* games, and a run holds at most 1,000,000"):
        check(Tournament(games=("nim:players=6",), agents=agents))


# Every key with every kind of value that it is not for.
TABLES = {
    "": ("games", "agents", "name", "kind", "pairs", "seed", "game"),
    "openings": ("plies", "file", "positions"),
    "clocks": ("credit", "increment", "per_move", "startup", "margin"),
    "rules": tuple(Tournament.__dataclass_fields__["rules"].default_factory().__dict__),
    "sprt": ("elo0", "elo1", "alpha", "beta", "model"),
    "swiss": ("rounds",),
    "gauntlet": ("challengers",),
    "knock_out": ("extra_pairs",),
}
VALUES = (
    -1, 0, 2**63, -(10**400), 0.5, -0.0, float("nan"), float("inf"), True, "", "x" * 3000, "\0",
    "\x1b[2J", "/dev/zero", "..", [], [[]], [1], [""], [{}], {}, {"": {}}, {"x": [{"y": 1}]}, "4:",
    ":", "=", "process:", "process:'", "uci:\"", "nim:rows=", "nim:rows=0", "./none.py:",
    "tree:file=/",
)  # fmt: skip


def test_no_value_of_any_key_is_answered_by_anything_but_one_line():
    complaints = []
    for (table, keys), value in product(TABLES.items(), VALUES):
        for key in keys:
            data: dict[str, Any] = {"games": ["tictactoe"], "agents": ["random", "greedy"]}
            data |= {table: {key: value}} if table else {key: value}
            if table in ("sprt", "swiss", "gauntlet", "knock_out"):
                data["kind"] = table.replace("_", "-")
            try:
                tournament_from(data)
            except BadSpec as error:
                complaints.append(str(error))
    assert len(complaints) > 500
    assert not any("\n" in each for each in complaints)


def test_the_same_holds_for_what_the_command_line_sets(capsys: pytest.CaptureFixture[str]):
    words = ["match", "tictactoe", "random", "greedy", "--dry-run"]
    for more in (
        ["--set", f"pairs={'9' * 5000}"],
        ["--set", f"pairs={'[' * 20_000}"],
        ["--set", "name='\x1b[2J'"],
        ["--openings", "9" * 5000],
        ["--openings", "/dev/zero"],
        ["--clock", "1e999"],
        ["--pairs", "9" * 5000],
    ):
        assert main([*words, *more]) == 2, more
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert "unexpected" not in captured.err
        assert captured.err.removesuffix("\n").isprintable()
        assert len(captured.err) < 3000


def test_a_stored_tournament_is_checked_like_a_file():
    tournament = Tournament(games=("nim",), agents=(Entry("a", "random"), Entry("b", "random")))
    stored = json.loads(tournament.to_json()) | {"name": "\x1b[2J"}
    with pytest.raises(BadSpec, match=r"name: '\\x1b\[2J' is no name"):
        Tournament.from_json(json.dumps(stored))
