"""Tournament files: what they say is read, what they get wrong is told in one line."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plies.arena.config import Gauntlet, KnockOut, Openings, Swiss, Tournament, is_name
from plies.arena.plan import Entry, named
from plies.arena.reading import check, read_tournament, tournament_from
from plies.arena.statistics.sprt import Sprt
from plies.errors import BadSpec, PliesError
from plies.match import Clocks, Rules
from tournament_samples import TWO_PLAYER_KINDS

THREE_PLAYERS = f"tree:file={Path(__file__).parents[1] / 'data' / 'three_players.json'}"
SHORT = 'game = "tictactoe"\nagents = ["random", "greedy"]\n'
FULL = """
name = "class contest"
kind = "swiss"
games = ["tictactoe", "nim:rows=3-4"]
pairs = 7
seed = 5
agents = ["random", "alphabeta:depth=3", { name = "alice", spec = "minimax:depth=2" }]

[openings]
plies = 2

[clocks]
credit = 60
increment = 0.5
startup = 2

[rules]
max_plies = 300
cycles = true
faults = "warnings"

[swiss]
rounds = 3
"""


def read(folder: Path, text: str) -> Tournament:
    path = folder / "contest.toml"
    path.write_text(text, encoding="utf-8")
    return read_tournament(path)


def test_a_file_says_what_is_played(tmp_path: Path):
    assert read(tmp_path, FULL) == Tournament(
        name="class contest",
        kind="swiss",
        games=("tictactoe", "nim:rows=3-4"),
        pairs=7,
        seed=5,
        agents=(
            Entry("random", "random"),
            Entry("alphabeta:depth=3", "alphabeta:depth=3"),
            Entry("alice", "minimax:depth=2"),
        ),
        openings=Openings(plies=2),
        clocks=Clocks(credit=60, increment=0.5, startup=2),
        rules=Rules(max_plies=300, cycles=True, faults="warnings"),
        swiss=Swiss(rounds=3),
    )


def test_two_lines_are_enough(tmp_path: Path):
    found = read(tmp_path, SHORT)
    assert found == Tournament(
        name="contest", games=("tictactoe",), agents=named(["random", "greedy"])
    )


def test_every_kind_can_be_asked_for(tmp_path: Path):
    for kind in TWO_PLAYER_KINDS:
        table = "[sprt]\nelo0 = 0\nelo1 = 10" if kind == "sprt" else ""
        assert read(tmp_path, f'kind = "{kind}"\n{SHORT}{table}').kind == kind


def test_what_a_file_would_say_can_come_from_elsewhere():
    said = {"game": "nim", "agents": ["random", "greedy"], "clocks": {"per_move": 1}}
    found = tournament_from(said)
    assert (found.name, found.clocks) == ("tournament", Clocks(per_move=1))
    with pytest.raises(BadSpec, match="piars; did you mean pairs"):
        tournament_from(said | {"piars": 1})


@pytest.mark.parametrize(("lines", "line"), [("pairs = 3\npairs = 4", 4), ("pairs", 3)])
def test_what_is_no_toml_is_told_with_its_line(tmp_path: Path, lines: str, line: int):
    with pytest.raises(BadSpec, match=rf"contest\.toml: [^\n]+ line {line}[^\n]+$"):
        read(tmp_path, f"{SHORT}{lines}\n")


def test_only_a_round_robin_has_games_for_many_players(tmp_path: Path):
    for agents, word in ((["random", "maxn"], "3 players"), (["random", "maxn", "engine"], "two-")):
        with pytest.raises(BadSpec, match=word):
            read(tmp_path, f'game = "{THREE_PLAYERS}"\nagents = {agents}')
    text = f'game = "{THREE_PLAYERS}"\nagents = ["random", "maxn", "paranoid"]\n'
    assert read(tmp_path, text).kind == "round-robin"
    with pytest.raises(BadSpec, match=r"3 players; .*round-robin"):
        read(tmp_path, f"kind = 'swiss'\n{text}")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path):
    with pytest.raises(BadSpec, match=r"none\.toml .*No such file"):
        read_tournament(tmp_path / "none.toml")
    with pytest.raises(BadSpec, match="Is a directory"):
        read_tournament(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(BadSpec, match=r"latin\.toml .*UTF-8"):
        read_tournament(tmp_path / "latin.toml")


# Paths


def test_openings_are_read_from_a_file_beside_the_tournament(tmp_path: Path):
    (tmp_path / "list.txt").write_text("# two\n.X./.../O.. X  # one\n\n.../.X./O.. X\n")
    found = read(tmp_path, f"{SHORT}[openings]\nfile = 'list.txt'")
    assert found.openings == Openings(file="list.txt", positions=(".X./.../O.. X", ".../.X./O.. X"))


def test_a_file_without_openings_or_without_a_file_is_told(tmp_path: Path):
    with pytest.raises(BadSpec, match=r"none\.txt .*No such file"):
        read(tmp_path, f"{SHORT}[openings]\nfile = 'none.txt'")
    (tmp_path / "empty.txt").write_text("# nothing\n")
    with pytest.raises(BadSpec, match=r"openings\.file"):
        read(tmp_path, f"{SHORT}[openings]\nfile = 'empty.txt'")


def test_a_game_file_is_found_beside_the_tournament(tmp_path: Path):
    source = Path(__file__).parents[2] / "src" / "plies" / "games" / "nim.py"
    (tmp_path / "my_nim.py").write_text(source.read_text())
    found = read(tmp_path, 'game = "my_nim.py:rows=1-2"\nagents = ["random", "greedy"]')
    assert found.games == (f"{tmp_path / 'my_nim.py'}:rows=1-2",)


def test_the_files_of_agents_are_found_beside_the_tournament(tmp_path: Path):
    bots = tmp_path / "my bots"
    bots.mkdir()
    for name in ("alice.py", "bob.py"):
        (bots / name).write_text("print()")
    entries = (
        '"process:\'my bots/alice.py\',memory=64", "random",'
        """ { name = "bob", spec = "process:python3 'my bots/bob.py' absent" }"""
    )
    found = read(tmp_path, f'game = "tictactoe"\nagents = [{entries}]')
    assert found.agents == (
        Entry(
            "process:'my bots/alice.py',memory=64",
            f"process:'{bots}/alice.py',memory=64",
        ),
        Entry("random", "random"),
        Entry("bob", f"process:python3 '{bots}/bob.py' absent"),
    )


def test_a_command_is_not_taken_for_a_file_beside_the_tournament(tmp_path: Path):
    (tmp_path / "python3").write_text("")
    (tmp_path / "bot.py").write_text("print()")
    found = read(tmp_path, 'game = "nim"\nagents = ["random", "process:python3 bot.py"]')
    assert found.agents[1].spec == f"process:python3 {tmp_path / 'bot.py'}"


def test_a_folder_that_no_spec_can_name_is_refused(tmp_path: Path):
    folder = tmp_path / "a,b"
    folder.mkdir()
    (folder / "bot.py").write_text("print()")
    with pytest.raises(BadSpec, match="comma"):
        read(folder, 'game = "nim"\nagents = ["random", "process:bot.py"]')


# Round trips


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    seconds = st.floats(0, 1000)
    return Tournament(
        games=("quixo",),
        agents=named(draw(st.lists(st.sampled_from(["random", "greedy"]), min_size=2))),
        name=draw(st.text().filter(is_name)),
        kind=draw(st.sampled_from(["round-robin", "swiss", "knock-out"])),
        pairs=draw(st.integers(1)),
        seed=draw(st.integers()),
        openings=draw(
            st.builds(
                Openings, plies=st.integers(0, 1000), positions=st.lists(st.text()).map(tuple)
            )
        ),
        clocks=draw(st.builds(Clocks, credit=st.floats(1, 1000), increment=seconds)),
        rules=draw(st.builds(Rules, max_plies=st.integers(1), cycles=st.booleans())),
        sprt=draw(st.none() | st.builds(Sprt, st.floats(-100, -1), st.floats(1, 100))),
        gauntlet=draw(st.builds(Gauntlet, st.integers(1))),
        knock_out=draw(st.builds(KnockOut, st.integers(0))),
    )


@settings(max_examples=30)
@given(tournaments())
def test_a_tournament_survives_json(tournament: Tournament):
    assert Tournament.from_json(tournament.to_json()) == tournament


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"games": ["nim"]}', "agents"),
        ('{"games": ["nim"], "agents": [], "x": 1}', " x; "),
        ("[1]", "[1]"),
        ("{", "JSON"),
    ],
)
def test_what_is_no_tournament_is_told(text: str, word: str):
    with pytest.raises(BadSpec) as caught:
        Tournament.from_json(text)
    assert word in str(caught.value)


def test_tournaments_that_differ_in_anything_are_told_apart(tmp_path: Path):
    found = read(tmp_path, FULL)
    for other in (
        replace(found, pairs=8),
        replace(found, rules=Rules()),
        replace(found, agents=found.agents[::-1]),
    ):
        assert Tournament.from_json(other.to_json()) != found


def test_a_tournament_made_in_python_is_checked_as_well():
    with pytest.raises(PliesError, match="nobody"):
        check(Tournament(games=("nim",), agents=named(["random", "nobody"])))
