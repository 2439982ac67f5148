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
    with pytest.raises(BadSpec, match=r"^there is no key piars; did you mean pairs\?$"):
        tournament_from(said | {"piars": 1})


# A file that adds these lines to the two that are enough, and what is said about it.
MISTAKES = {
    "piars = 3": "there is no key piars; did you mean pairs?",
    "per_move = 1": "there is no key per_move; it belongs below [clocks]",
    "[clocks]\nper_mvoe = 1": "clocks has no key per_mvoe; did you mean per_move?",
    "[rules]\nfault = 'random'": "rules has no key fault; did you mean faults?",
    "[clock]\nper_move = 1": "there is no key clock; did you mean clocks?",
    "[clocks]\npairs = 4": "clocks has no key pairs; it belongs above the first [table]",
    "pairs = '10'": "pairs is a whole number, not '10'",
    "pairs = 1.5": "pairs is a whole number, not 1.5",
    "pairs = true": "pairs is a whole number, not True",
    "pairs = 0": "pairs is at least 1, not 0",
    "name = 3": "name is a text, not 3",
    "clocks = 3": "clocks is a table, not 3",
    "[clocks]\nper_move = 'fast'": "clocks.per_move is a number, not 'fast'",
    "[clocks]\nper_move = -1": "clocks: per_move is 0 to ",
    "[clocks]\nper_move = nan": "clocks.per_move is a finite number, not nan",
    "[clocks]\nper_move = 2024-01-01": "clocks.per_move is a number, not '2024-01-01'",
    "[rules]\ncycles = 1": "rules.cycles is true or false, not 1",
    "[rules]\nfaults = 'forfiet'": "rules.faults is forfeit, random or warnings, not 'forfiet';"
    " did you mean forfeit?",
    "[rules]\nat_length = 'linse'": "tictactoe has no evaluator linse",
    "kind = 'swis'": "kind is round-robin, gauntlet, swiss, knock-out, match or sprt, not 'swis';"
    " did you mean swiss?",
    "kind = 'sprt'": "kind sprt needs a table [sprt] with elo0 and elo1",
    "kind = 'sprt'\n[sprt]\nelo0 = 1": "sprt has no key elo1, which is needed",
    "kind = 'sprt'\n[sprt]\nelo0 = 5\nelo1 = 1": "sprt: an SPRT needs elo0 below elo1",
    "[swiss]\nrounds = 3": 'the table [swiss] is for kind = "swiss" only',
    "kind = 'swiss'\n[swiss]\nrounds = 3": "swiss.rounds is at most 1: then all 2 agents have met",
    "kind = 'swiss'\n[swiss]\nrounds = -1": "swiss: rounds is at least 0, not -1",
    "kind = 'gauntlet'\n[gauntlet]\nchallengers = 2": "gauntlet.challengers is at most 1 of 2",
    "[openings]\nplies = 2\nfile = 'x'": "openings has plies and file; one of them says where",
    "[openings]\nplies = -2": "openings: plies is at least 0, not -2",
    "[openings]\npositions = []": "openings.positions holds no position; write at least one",
    "pairs = 3\npairs = 4": "Cannot overwrite a value (at line 4",
    "pairs": "Expected '=' after a key in a key/value pair (at line 3",
}


@pytest.mark.parametrize("lines", MISTAKES)
def test_a_mistake_is_told_in_one_line(tmp_path: Path, lines: str):
    with pytest.raises(BadSpec) as caught:
        read(tmp_path, f"{SHORT}{lines}\n")
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'contest.toml'}: {MISTAKES[lines]}"), said
    assert "\n" not in said


# The game, the agents, and what is said about them.
MISFITS = [
    ('"tictactoe"', '"random"', "agents is a list, not 'random'"),
    ('"tictactoe"', '["random"]', "agents names 1; a tournament needs at least two"),
    ('"tictactoe"', '["random", 3]', "agents (entry 2) is a table, not 3"),
    (
        '"tictactoe"',
        '["random", "rnadom"]',
        "there is no agent rnadom for tictactoe; did you mean random?",
    ),
    ('"tictactoe"', '["random", "greedy:x=1"]', "greedy has no option x"),
    ('"tictactoe"', '["random", "random"]', "2 agents are called random; tell them apart:"),
    ('"tictactoe"', '["random", {name = "", spec = "greedy"}]', "agents: '' is no name;"),
    ('"tictactoe"', '["random", {name = "\\u001b[2J", spec = "greedy"}]', "agents: '\\x1b[2J' is"),
    (
        '"tictactoe"',
        '["random", {name = "a", speck = "b"}]',
        "agents (entry 2) has no key speck; did you mean spec?",
    ),
    (
        '"tictactoe"',
        '["random", {name = "a"}]',
        "agents (entry 2) has no key spec, which is needed",
    ),
    ('"tictactow"', '["random", "greedy"]', "there is no game tictactow; did you mean tictactoe?"),
    ("3", '["random", "greedy"]', "games (entry 1) is a text, not 3"),
    (f'"{THREE_PLAYERS}"', '["random", "maxn"]', f"{THREE_PLAYERS} has 3 players, and agents"),
    (f'"{THREE_PLAYERS}"', '["random", "maxn", "engine"]', f"{THREE_PLAYERS} is not a two-player"),
]


@pytest.mark.parametrize(("game", "agents", "complaint"), MISFITS)
def test_games_and_agents_that_do_not_fit_are_refused(
    tmp_path: Path, game: str, agents: str, complaint: str
):
    with pytest.raises(BadSpec) as caught:
        read(tmp_path, f"game = {game}\nagents = {agents}")
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'contest.toml'}: {complaint}"), said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('agents = ["random", "greedy"]', "there is no key games, which is needed"),
        ("gmaes = ['nim']", "there is no key gmaes; did you mean games?"),
        (
            "game = 'nim'\n[clocks]\nagents = ['random', 'greedy']",
            "clocks has no key agents; it belongs above the first [table]",
        ),
        ('game = "nim"', "there is no key agents, which is needed"),
        ("games = []\nagents = ['random', 'greedy']", "games is empty; name at least one"),
        ("games = ['nim', 'nim']\nagents = ['random', 'greedy']", "2 games are called nim"),
        (f"{SHORT}games = ['nim']", "game and games are both given; one is enough"),
        (
            "games = ['nim', 'quixo']\nagents = ['random', 'greedy']\nopenings.positions = ['x']",
            "openings: listed positions are those of one game, and games has more",
        ),
        (
            f"kind = 'match'\ngame = 'nim'\nagents = {['random', 'greedy', 'maxn']}",
            "kind match is for two agents, not 3; try round-robin",
        ),
    ],
)
def test_a_file_without_what_is_needed_is_refused(tmp_path: Path, text: str, complaint: str):
    with pytest.raises(BadSpec) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'contest.toml'}: {complaint}")


def test_only_a_round_robin_has_games_for_many_players(tmp_path: Path):
    text = f'game = "{THREE_PLAYERS}"\nagents = ["random", "maxn", "paranoid"]\n'
    assert read(tmp_path, text).kind == "round-robin"
    with pytest.raises(BadSpec, match="has 3 players; kind is round-robin for such games"):
        read(tmp_path, f"kind = 'swiss'\n{text}")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path):
    with pytest.raises(BadSpec, match=r"none\.toml cannot be read: No such file or directory"):
        read_tournament(tmp_path / "none.toml")
    with pytest.raises(BadSpec, match="cannot be read: Is a directory"):
        read_tournament(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(BadSpec, match=r"latin\.toml cannot be read: it is no UTF-8 text"):
        read_tournament(tmp_path / "latin.toml")


# Paths


def test_openings_are_read_from_a_file_beside_the_tournament(tmp_path: Path):
    (tmp_path / "list.txt").write_text("# two\n.X./.../O.. X  # one\n\n.../.X./O.. X\n")
    found = read(tmp_path, f"{SHORT}[openings]\nfile = 'list.txt'")
    assert found.openings == Openings(file="list.txt", positions=(".X./.../O.. X", ".../.X./O.. X"))


def test_a_file_without_openings_or_without_a_file_is_told(tmp_path: Path):
    with pytest.raises(BadSpec, match=r"none\.txt cannot be read: No such file"):
        read(tmp_path, f"{SHORT}[openings]\nfile = 'none.txt'")
    (tmp_path / "empty.txt").write_text("# nothing\n")
    with pytest.raises(BadSpec, match=r"openings\.file holds no position"):
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
    with pytest.raises(BadSpec, match="has a comma in it, which ends an option"):
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
    ("text", "complaint"),
    [
        ('{"games": ["nim"]}', "there is no key agents, which is needed"),
        ('{"games": ["nim"], "agents": [], "x": 1}', "there is no key x; it has games, agents"),
        ("[1]", "it is a table, not [1]"),
        ("{", "it is no JSON: EOF while parsing"),
    ],
)
def test_what_is_no_tournament_is_told(text: str, complaint: str):
    with pytest.raises(BadSpec) as caught:
        Tournament.from_json(text)
    assert str(caught.value).startswith(complaint)


def test_tournaments_that_differ_in_anything_are_told_apart(tmp_path: Path):
    found = read(tmp_path, FULL)
    for other in (
        replace(found, pairs=8),
        replace(found, rules=Rules()),
        replace(found, agents=found.agents[::-1]),
    ):
        assert Tournament.from_json(other.to_json()) != found


def test_a_tournament_made_in_python_is_checked_as_well():
    with pytest.raises(PliesError, match="there is no agent nobody"):
        check(Tournament(games=("nim",), agents=named(["random", "nobody"])))
