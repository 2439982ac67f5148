"""Agents, searches and evaluators in files: commands, tournaments, and what goes wrong."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

import plies
from arena_samples import let_workers_start_uncompiled, start
from game_samples import TAKE
from plies.arena.digests import agent_digest
from plies.arena.store import Store
from plies.arena.titles import public_spec
from plies.cli.main import main
from user_samples import AGENT, EVALUATOR, EXAMPLES, SEARCH, install, written

TOML = """
game = "quixo:n=3"
agents = ["agents/careful.py:care=0.5", "agents/pvs.py:depth=1", "alphabeta:depth=1,eval=rows.py"]
pairs = 1
openings = { plies = 2 }
rules = { max_plies = 20 }
"""
CHANCE = """
from random import choice
def choose(game, state):
    return choice(game.moves(state))
"""
LEAVES = "raise SystemExit(3)\n"
PATIENCE_SECONDS = 60


@pytest.fixture(autouse=True)
def quick_workers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    let_workers_start_uncompiled(monkeypatch)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def tournament(tmp_path: Path) -> Path:
    """A tournament in a folder of its own, with the files that it names."""
    folder = tmp_path / "contest"
    (folder / "agents").mkdir(parents=True)
    for source in (AGENT, SEARCH):
        written(folder / "agents", source.read_text(), source.name)
    written(folder, EVALUATOR.read_text(), "rows.py")
    return written(folder, TOML, "contest.toml")


def text_of(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """What a command prints, on both streams."""
    assert main(list(words)) == status
    captured = capsys.readouterr()
    assert "Traceback" not in captured.out + captured.err
    return captured.out + captured.err


# Tournaments


def test_two_workers_play_a_tournament_of_files_and_an_edited_one_is_named(
    tournament: Path, capsys: pytest.CaptureFixture[str]
):
    words = ("tournament", str(tournament), "--out", "out.db", "--workers", "2")
    table = text_of(capsys, *words)
    for name in ("careful.py:care=0.5", "pvs.py:depth=1", "alphabeta:depth=1,eval=rows.py"):
        assert name in table
    assert str(tournament.parent) not in table
    with Store.open(Path("out.db")) as store:
        assert len(store.numbers()) == 6
        records = [game.record for game in store.games()]
    assert {record.termination for record in records} == {"normal"}
    written(tournament.parent, EVALUATOR.read_text() + "# edited\n", "rows.py")
    assert "eval=rows.py" in text_of(capsys, *words, status=2)


def test_digests_are_of_what_files_hold_and_of_what_they_import(tmp_path: Path):
    written(tmp_path, "MOST = 3\n", "beside.py")
    path = written(tmp_path, f"import beside\n{AGENT.read_text()}")
    evaluator = written(tmp_path, f"import beside\n{EVALUATOR.read_text()}", "rows.py")
    specs = (str(path), f"{path}:care=0.5", f"alphabeta:eval={evaluator}")
    before = [agent_digest(spec, ["quixo"]) for spec in specs]
    assert len(set(before)) == 3
    assert before == [agent_digest(spec, ["quixo"]) for spec in specs]
    written(tmp_path, "MOST = 4\n", "beside.py")
    assert not set(before) & {agent_digest(spec, ["quixo"]) for spec in specs}


def test_readers_see_no_folders():
    assert public_spec("/a/b/mine.py:depth=3,eval=/c/rows.py") == "mine.py:depth=3,eval=rows.py"


def test_an_agent_that_fails_loses_its_games_and_none_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    written(tmp_path, "def choose(game, state):\n    raise ValueError('zebra')\n")
    words = ("match", "tictactoe", "mine.py", "random", "--pairs", "2", "--seed", "1")
    found = json.loads(text_of(capsys, *words, "--workers", "2", "--json"))
    assert (found["games"], found["losses"]) == (4, 4)


@pytest.mark.parametrize(
    "body",
    [
        "raise KeyboardInterrupt",
        "raise BaseException('zebra')",
        "raise MemoryError",
        "import plies; return plies.Decision(game.moves(state)[0], value=10**30)",
    ],
)
def test_nothing_that_an_agent_does_ends_a_worker_or_a_run(
    body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    written(tmp_path, f"def choose(game, state):\n    {body}\n")
    words = ("match", "tictactoe", "mine.py", "random", "--pairs", "1", "--seed", "1")
    found = json.loads(text_of(capsys, *words, "--workers", "1", "--out", "run.db", "--json"))
    assert (found["games"], found["losses"]) == (2, 2)


def test_what_an_agent_keeps_in_its_memory_cannot_end_a_game(tmp_path: Path):
    text = (
        "class Kept:\n    def close(self):\n        raise ValueError('zebra')\n"
        "def choose(game, state, task):\n    assert not task.memory or task.played\n"
        "    task.memory['kept'] = Kept()\n    return task.moves[0]\n"
    )
    player = plies.agent(str(written(tmp_path, text)), plies.game("tictactoe"))
    for seed in (1, 2):
        assert plies.play_game("tictactoe", player, "random", seed=seed).termination == "normal"
    player.close()


def test_what_an_agent_does_to_its_game_is_not_seen_by_others(tmp_path: Path):
    text = "def choose(game, state):\n    game.moves = None\n    return 0\n"
    game = plies.game("tictactoe")
    assert plies.play_game(game, str(written(tmp_path, text)), "random").termination == "crash"
    assert len(game.moves(game.initial())) == 9


def test_what_files_print_is_not_in_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    written(
        tmp_path, "print('zebra')\ndef choose(game, state):\n    print('zebra')\n    return 0\n"
    )
    assert main(["search", "tictactoe", "--agent", "mine.py", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["move"] == "a1"
    assert "zebra" in captured.err


def test_a_dry_run_times_agents_that_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    written(tmp_path, "def choose(game, state):\n    raise ValueError('zebra')\n")
    words = ("match", "tictactoe", "mine.py", "random", "--pairs", "1", "--workers", "1")
    assert "games" in text_of(capsys, *words, "--dry-run")


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ("absent.py", "No such file"),
        ("with:colon.py", "colon"),
        ("mine.py:plaice=1", "plaice"),
        ("alphabeta:eval=mine.py", "evaluate"),
        (f"alphabeta:eval={EVALUATOR}", "not for tictactoe"),
        (f"{EVALUATOR}", "eval="),
        (f"{EXAMPLES / 'kalah.py'}", "game"),
    ],
)
def test_files_that_do_not_fit_are_one_line(
    spec: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    written(tmp_path, "def choose(game, state, place: int = 0):\n    return game.moves(state)[0]\n")
    written(tmp_path, "", "with:colon.py")
    for words in (("match", "tictactoe", spec, "random"), ("search", "tictactoe", "--agent", spec)):
        line = text_of(capsys, *words, status=2)
        assert word in line
        assert line.count("\n") == 1


SPIN = """
from plies import compiled
@compiled
def spin(number):
    while number >= 0:
        number = number * 7 & 1023
"""


@pytest.mark.parametrize("endless", ["while True: pass", "spin(3)"], ids=["plain", "compiled"])
def test_ctrl_c_ends_an_agent_that_never_answers(endless: str, tmp_path: Path):
    mark = tmp_path / "mark"
    text = f"{SPIN}def choose(game, state):\n    open({str(mark)!r}, 'w').close()\n    {endless}\n"
    written(tmp_path, text)
    process = start("search", "tictactoe", "--agent", "mine.py", cwd=tmp_path)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not mark.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    errors = process.communicate(timeout=PATIENCE_SECONDS)[1]
    assert process.returncode == 130
    assert "Traceback" not in errors


def test_a_match_says_what_went_wrong_first(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    written(tmp_path, "def choose(game, state):\n    return game.zebra\n")
    told = text_of(capsys, "match", "nim", "mine.py", "random", "--pairs", "1", "--workers", "1")
    assert "first fault of mine.py: mine.py, line 2: AttributeError" in told


def test_values_are_compared_with_the_points_of_a_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    written(tmp_path, (EXAMPLES / "kalah.py").read_text(), "kalah.py")
    for factor, hint in ((1, "up to "), (100, "hint: values up to ")):
        written(
            tmp_path,
            "import plies\nfrom plies.core import payoff\nGAME = 'kalah.py'\n@plies.compiled\n"
            f"def evaluate(state):\n    return {factor} * payoff(state, state.turn)\n",
        )
        lines = text_of(capsys, "check", "mine.py").splitlines()
        assert any(f"values are on the scale of payoffs: {hint}" in line for line in lines)


def test_an_evaluator_may_be_for_a_game_file_beside_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    written(tmp_path, TAKE, "heaps.py")
    text = "import plies\nGAME = 'heaps.py'\n@plies.compiled\ndef evaluate(state):\n    return 7\n"
    written(tmp_path, text)
    assert "heaps.py: values are in range" in text_of(capsys, "check", "mine.py")
    agent = ("--agent", "minimax:depth=1,eval=mine.py")
    text_of(capsys, "search", "heaps.py", *agent)
    assert "for heaps, not for nim" in text_of(capsys, "search", "nim", *agent, status=2)
    assert "It is a game" in text_of(
        capsys, "search", "heaps.py", "--agent", "minimax:eval=heaps.py", status=2
    )


def test_an_installed_evaluator_is_for_the_game_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    points = {"offered": "offered_value"}
    text = "import plies\nGAME = 'quixo'\n@plies.compiled\ndef evaluate(state):\n    return 7\n"
    install(monkeypatch, tmp_path, "plies.evaluators", points, offered_value=text)
    agent = ("--agent", "minimax:depth=1,eval=offered")
    assert "for quixo, not for nim" in text_of(capsys, "search", "nim", *agent, status=2)


# new, check, agents, and commands of other packages


@pytest.mark.parametrize("kind", ["agent", "search", "evaluator"])
def test_what_new_writes_passes_its_check(kind: str, capsys: pytest.CaptureFixture[str]):
    assert f"a complete {kind}" in text_of(capsys, "new", "fresh.py", "--kind", kind)
    assert "fresh.py" in Path("fresh.py").read_text()
    results = json.loads(text_of(capsys, "check", "fresh.py", "--json").partition("plies:")[0])
    assert results
    assert all(result["passed"] for result in results)


def test_unknown_kinds_and_templates_are_refused(capsys: pytest.CaptureFixture[str]):
    assert "evaluator" in text_of(capsys, "new", "fresh.py", "--kind", "zebra", status=2)
    words = ("new", "fresh.py", "--kind", "agent", "--template", "board")
    assert "board" in text_of(capsys, *words, status=2)
    assert not Path("fresh.py").exists()
    assert "random" in text_of(capsys, "new", "random.py", "--kind", "agent", status=2)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("def choose(game, state):\n    return 99\n", "99"),
        (CHANCE, "task.rng"),
        ('GAME = "chess"\n' + EVALUATOR.read_text().replace("GAME =", "X ="), "not for chess"),
        (EVALUATOR.read_text().replace("best: int = 100", "best: int = 1000000000"), "beyond"),
        (EVALUATOR.read_text().replace("best = 0", "best = -7 // 2.0"), "whole"),
        ("import plies\nclass A(plies.Search): ...\n", "decide"),
        ("def evaluate(state):\n    return 0\n", "@compiled"),
        ("def choose(game, state):\n    import time; time.sleep(9)\n", "does not return"),
    ],
)
def test_check_names_what_is_wrong(
    text: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    written(tmp_path, text)
    lines = text_of(capsys, "check", "mine.py", "--patience", "1", status=1).splitlines()
    assert any(line.startswith("✗") and word in line for line in lines)


def test_check_compares_the_values_of_exact_searches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    written(tmp_path, SEARCH.read_text().replace("value = -pvs(", "value = pvs("))
    assert "minimax" in text_of(capsys, "check", "mine.py", status=1)


def test_check_refuses_a_file_of_no_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    written(tmp_path, "NUMBER = 3\n")
    assert "choose" in text_of(capsys, "check", "mine.py", status=2)


def test_agents_explains_a_file(capsys: pytest.CaptureFixture[str]):
    told = text_of(capsys, "agents", str(AGENT))
    assert "care" in told
    assert "winning move" in told
    assert json.loads(text_of(capsys, "agents", str(SEARCH), "--json"))["options"]["depth"] == "4"


def test_packages_add_agents_and_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    text = (
        "import typer\napp = typer.Typer()\n"
        "@app.command()\ndef one():\n    print('zebra')\n@app.command()\ndef two():\n    ...\n"
        "NUMBER = 3\n"
        "def single(times: int = 1):\n    'Print stripes.'\n    print('stripes ' * times)\n"
    )
    points = {"offered": "offered_tool:app", "single": "offered_tool:single", "lost": "nothing_at"}
    points |= {
        "leaves": "offered_exit",
        "number": "offered_tool:NUMBER",
        "play": "offered_tool:app",
    }
    install(monkeypatch, tmp_path, "plies.commands", points, offered_tool=text, offered_exit=LEAVES)
    assert "zebra" in text_of(capsys, "offered", "one")
    assert "stripes stripes" in text_of(capsys, "single", "--times", "2")
    told = text_of(capsys, "--help")
    assert "Print stripes." in told
    for name in ("lost", "leaves", "number", "play"):
        assert f"the command {name} of" in told


def test_agents_lists_those_of_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    points = {"offered": "offered_careful", "lost": "nothing_at", "mcts": "offered_careful"}
    install(monkeypatch, tmp_path, "plies.agents", points, offered_careful=AGENT.read_text())
    assert main(["agents", "--game", "tictactoe", "--json"]) == 0
    captured = capsys.readouterr()
    assert "warning: agent lost" in captured.err
    assert "the agent mcts of offered_careful is left out" in captured.err
    names = [agent["name"] for agent in json.loads(captured.out)]
    assert "offered" in names
    assert "lost" not in names
    assert "quixo:n=4: moves are legal" in text_of(capsys, "check", "offered:care=0.5")
