"""Programs as agents: what they are told, what they may answer, what becomes of hostile ones."""

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.agents import process
from plies.agents.answers import read_answer, read_ready
from plies.arena.logs import MAX_BYTES
from plies.compiling.cache import folders_to_read
from plies.core.verbs import rules_of
from plies.errors import AgentFault, BadSpec
from plies.match import Clocks, Rules
from plies.sandbox.guards import GUARDS
from plies.sandbox.limits import Limits
from plies.sandbox.pipes import ERROR_BYTES
from plies.search.clock import Clock

HOSTILE = Path(__file__).parents[1] / "data" / "hostile"
DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"
EXAMPLES = Path(__file__).parents[2] / "examples" / "agents"
QUICK = Clocks(per_move=0.5, startup=60)
SLOW = Clocks(per_move=60, startup=60)

FIRST = "the first legal move"
TURN = ("resume", "suspend")
READY = '{"type": "ready"}'
CHANCE = f"process:{EXAMPLES / 'chance.py'}"
NODE = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")


@pytest.fixture(scope="module")
def game() -> plies.Game:
    return plies.game("tictactoe")


def answer(move: str) -> str:
    return json.dumps({"move": move})


# What a program is told


class Scripted:
    """Stands for a running program: what it heard, and what it will say."""

    said: list[str]
    heard: list[dict[str, Any]]
    events: list[str]
    judge_seconds = 0.0  # that it takes the judge to let it go on, and again to stop it
    launch_seconds = 0.0  # that it takes the judge to start it
    waited = 0.0  # for the judge, by all
    patience: list[float]  # the seconds that the judge waits for an answer
    ran_on = 0.0
    errors = b""

    readable: tuple[Path, ...] = ()

    guards: tuple[str, ...] = ()

    def __init__(self, _command: Any, readable: tuple[Path, ...], *rest: Any):
        type(self).readable = readable
        type(self).guards = tuple(rest[2])
        type(self).waited += self.launch_seconds
        self.events.append("start")

    def send(self, line: str) -> None:
        self.heard.append(json.loads(line))

    def receive(self, deadline: float) -> str:
        self.patience.append(deadline - time.perf_counter())
        said = self.said.pop(0)
        return answer(self.heard[-1]["legal"][0]) if said == FIRST else said

    def dismiss(self, line: str, seconds: float) -> None:
        self.send(line)
        self.events.append("dismiss")

    def resume(self) -> None:
        type(self).waited += self.judge_seconds
        self.events.append("resume")

    def suspend(self) -> float:
        type(self).waited += self.judge_seconds
        self.events.append("suspend")
        return self.ran_on

    def close(self) -> None:
        self.events.append("close")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> type[Scripted]:
    monkeypatch.setattr(process, "Confined", Scripted)
    for name in ("judge_seconds", "launch_seconds", "waited", "ran_on"):
        monkeypatch.setattr(Scripted, name, 0.0)
    Scripted.said, Scripted.heard, Scripted.events, Scripted.patience = [], [], [], []
    return Scripted


def test_programs_are_told_everything_about_their_game(scripted: type[Scripted]):
    scripted.said = [READY, READY, *map(answer, ("b-1", "a-1", "a-1"))]
    clocks = Clocks(credit=6000, increment=200, per_move=1000)
    plies.play_game("nim:rows=2-1", CHANCE, CHANCE, clocks=clocks)
    starts, moves, ends = scripted.heard[:2], scripted.heard[2:5], scripted.heard[5:]
    assert [start.pop("seat") for start in starts] == [0, 1]
    assert len({start.pop("seed") for start in starts}) == 2
    clock = {"remaining": 6000.0, "increment": 200.0, "per_move": 1000.0}
    about = {"type": "start", "protocol": 1, "game": "nim:rows=2-1", "players": 2}
    assert starts == [about | {"clock": clock}] * 2
    assert all(900 < move.pop("seconds") <= 1000 for move in moves)
    assert all(6000 < move.pop("clock")["remaining"] <= 6200 for move in moves[2:])
    # After one take from the second row and one from the first.
    assert moves[2] == {
        "type": "move",
        "position": "1-0 first",
        "legal": ["a-1"],
        "start": "2-1 first",
        "played": ["b-1", "a-1"],
        "ply": 2,
        "seat": 0,
    }
    assert ends == [{"type": "end", "payoffs": [1, -1], "reason": "rules"}] * 2


def test_a_game_from_a_file_is_told_by_its_absolute_path(
    scripted: type[Scripted], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = Path(shutil.copy(EXAMPLES.parent / "hexapawn.py", tmp_path))  # that nobody has loaded
    monkeypatch.chdir(tmp_path)
    scripted.said = [READY, FIRST]
    plies.play_game("hexapawn.py:size=4", CHANCE, "random", rules=Rules(max_plies=1))
    assert scripted.heard[0]["game"] == f"{path}:size=4"
    assert path in scripted.readable
    assert set(folders_to_read()) <= set(scripted.readable)


def test_without_clocks_a_program_is_told_how_long_it_is_waited_for(scripted: type[Scripted]):
    scripted.said = [READY, answer("a-1")]
    plies.play_game("nim:rows=1", f"{CHANCE},seconds=700", "random")
    start, move, _ = scripted.heard
    assert (start["clock"], move["clock"]) == (None, None)
    assert 600 < move["seconds"] <= 700


def test_a_program_runs_only_while_it_is_asked(scripted: type[Scripted]):
    scripted.said = [READY, answer("a-1")]
    plies.play_game("nim:rows=1", CHANCE, "random")
    assert scripted.events == ["start", *TURN, *TURN, "dismiss"]


@pytest.mark.parametrize(
    ("option", "guards"), [("", tuple(GUARDS)), (",confined=false", ("watch", "freezer"))]
)
def test_a_program_that_is_trusted_is_only_watched_and_frozen(
    scripted: type[Scripted], option: str, guards: tuple[str, ...]
):
    scripted.said = [READY, answer("a-1")]
    plies.play_game("nim:rows=1", CHANCE + option, "random")
    assert scripted.guards == guards


def test_the_judge_s_work_is_not_on_the_clock_of_a_program(
    scripted: type[Scripted], monkeypatch: pytest.MonkeyPatch
):
    real = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: real() + scripted.waited)
    scripted.said = [READY, answer("a-1")]
    scripted.judge_seconds = 500.0
    clocks = Clocks(per_move=400, margin=0.0)
    record = plies.play_game("nim:rows=1", CHANCE, "random", clocks=clocks)
    assert scripted.waited == 2000.0  # at the start and at the move
    assert record.termination == "normal"
    assert record.moves[0].seconds < 400
    assert scripted.heard[1]["seconds"] > 300


def test_nor_is_the_time_that_its_start_takes_the_judge(
    scripted: type[Scripted], monkeypatch: pytest.MonkeyPatch
):
    real = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: real() + scripted.waited)
    scripted.said = [READY, answer("a-1")]
    scripted.launch_seconds = 500.0
    plies.play_game("nim:rows=1", CHANCE, "random", clocks=Clocks(per_move=400, startup=400))
    assert scripted.waited == 500.0
    assert min(scripted.patience) > 300


def test_the_rules_are_compiled_before_a_program_starts_and_can_load_them(
    scripted: type[Scripted], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = Path(shutil.copy(EXAMPLES.parent / "hexapawn.py", tmp_path))  # that nobody has loaded
    game = plies.game(str(path))
    compiled: set[str] = set()

    class Watching(scripted):
        def __init__(self, *settings: Any):
            rules: dict[str, Any] = rules_of[game.State]
            compiled.update(name for name, rule in rules.items() if rule.signatures)
            super().__init__(*settings)

    monkeypatch.setattr(process, "Confined", Watching)
    scripted.said = [READY]
    plies.agent(CHANCE, game).begin(game.initial(), seat=0)
    assert compiled >= {"mover", "legal_moves", "play", "outcome", "key"}


def test_a_program_that_used_its_time_to_start_again_has_none_and_no_less(
    scripted: type[Scripted], game: plies.Game
):
    scripted.said, scripted.ran_on = [READY, FIRST], 1000.0
    clock, deadline = Clock(10), time.perf_counter() + 10
    plies.agent(CHANCE, game).choose(game.initial(), clock=clock, deadline=deadline)
    assert scripted.heard[1]["seconds"] == 0
    assert scripted.heard[1]["clock"]["remaining"] == 10


def test_what_runs_on_after_its_answer_is_on_its_clock(scripted: type[Scripted]):
    scripted.said = [READY, answer("a-1")]
    scripted.ran_on = 50.0
    clocks = Clocks(per_move=40)
    record = plies.play_game("nim:rows=1", CHANCE, "random", clocks=clocks)
    assert record.termination == "time"
    assert record.reason.startswith("took 50.0")


def test_a_program_that_did_wrong_is_started_anew_when_a_fault_is_forgiven(
    scripted: type[Scripted],
):
    scripted.said = [READY, "oops", READY, FIRST]
    rules = Rules(faults="random")
    record = plies.play_game("nim:rows=1-1-1", CHANCE, "random", rules=rules)
    assert record.termination == "normal"
    assert "printed 'oops'" in record.moves[0].fault
    assert scripted.events == ["start", *TURN, *TURN, "close", "start", *TURN, *TURN, "dismiss"]


def test_a_program_can_be_asked_outside_a_game(scripted: type[Scripted]):
    scripted.said = [READY, answer("a-2")]
    game = plies.game("nim:rows=2")
    assert plies.search(game, game.initial(), CHANCE).move == game.parse_move(game.initial(), "a-2")


# What it may answer


def decision(game: plies.Game, text: str) -> plies.Decision:
    state = game.initial()
    legal = dict(zip(game.move_texts(state), game.moves(state), strict=True))
    return read_answer(text, game, state, legal, seconds=1.0)


def test_the_reasons_of_a_program_are_recorded(game: plies.Game):
    said = {"move": "b2", "value": -7, "depth": 3, "nodes": 99, "line": ["b2", "a1", "c3"]}
    found = decision(game, json.dumps(said))
    assert (found.value, found.depth, found.nodes, found.seconds) == (-7, 3, 99, 1.0)
    state, texts = game.initial(), []
    for move in found.line:
        texts.append(game.move_text(state, move))
        state = game.play(state, move)
    assert texts == ["b2", "a1", "c3"]


@pytest.mark.parametrize(
    "reasons",
    [
        {"value": 0.5, "depth": "3", "nodes": None, "line": "b2 a1"},
        {"value": True, "depth": -1, "nodes": 1e3, "line": ["a1", "b2"]},
        {"value": 2**60, "depth": [], "nodes": {}, "line": [["b2"]]},
    ],
)
def test_reasons_that_are_not_sound_go_unrecorded(game: plies.Game, reasons: dict[str, Any]):
    found = decision(game, json.dumps({"move": "b2", **reasons}))
    assert (found.value, found.depth, found.nodes) == (None, 0, 0)
    assert found.line == (found.move,)


def test_a_line_ends_where_it_cannot_be_played(game: plies.Game):
    found = decision(game, json.dumps({"move": "b2", "line": ["b2", "a1", "b2", "c1"]}))
    assert len(found.line) == 2


ELSEWHERE = "instead of a JSON object; debugging output belongs on standard error"


@pytest.mark.parametrize(
    ("text", "termination", "message"),
    [
        ("thinking", "bad output", f"printed 'thinking' {ELSEWHERE}"),
        ("[1, 2]", "bad output", f"printed '[1, 2]' {ELSEWHERE}"),
        ("[" * 60_000, "bad output", ELSEWHERE),
        ("9" * 60_000, "bad output", ELSEWHERE),
        ('{"mvoe": "a1"}', "bad output", 'without a move; write {"move": "a1"}'),
        ('{"move": 3}', "bad output", "its move is '3', not a text"),
        ('{"move": "d4"}', "illegal", "played 'd4'; legal are a1, b1, c1"),
        ('{"move": "\\u001b[2J"}', "illegal", "played '?[2J'"),
    ],
)
def test_a_wrong_answer_is_explained(game: plies.Game, text: str, termination: str, message: str):
    with pytest.raises(AgentFault) as caught:
        decision(game, text)
    assert caught.value.termination == termination
    assert message in str(caught.value)


def test_a_program_must_say_that_it_is_ready():
    read_ready(READY)
    with pytest.raises(AgentFault, match="to start, not"):
        read_ready('{"move": "a1"}')


# Programs that run


@pytest.mark.parametrize("name", ["chance.py", pytest.param("chance.js", marks=NODE)])
def test_the_examples_play_the_same_game_from_the_same_seed(game: plies.Game, name: str):
    spec = f"process:{EXAMPLES / name}"
    records = [plies.play_game(game, spec, "random", seed=seed, clocks=SLOW) for seed in (1, 1, 2)]
    assert [record.termination for record in records] == ["normal"] * 3
    first, again, other = ([move.text for move in record.moves] for record in records)
    assert first == again != other


# Each loses to a player of random moves; agent, patience, termination, part of the reason.
HOSTILE_AGENTS = [
    ("endless_loop", QUICK, "time", "did not answer within"),
    ("sleeper", QUICK, "time", "did not answer within"),
    ("memory_bomb", SLOW, "memory", "the limit is 512 MB"),
    ("fork_bomb", SLOW, "crash", ""),
    ("garbage", SLOW, "bad output", "a line may have 65536 bytes"),
    ("garbage_lines", SLOW, "bad output", ELSEWHERE),
    ("invalid_json", SLOW, "bad output", f"printed 'thinking about .../.../... X' {ELSEWHERE}"),
    ("deep_json", SLOW, "bad output", ELSEWHERE),
    ("illegal_move", SLOW, "illegal", "played 'z99?[2J?'; legal are a1, b1"),
    ("exit_at_once", SLOW, "crash", "at the start: ended with exit status 1"),
    ("exit_in_the_middle", SLOW, "crash", "KeyError: 'opponent'"),
]


@pytest.mark.parametrize(("name", "clocks", "termination", "reason"), HOSTILE_AGENTS)
def test_a_hostile_agent_loses_and_the_game_ends_as_it_should(
    game: plies.Game, name: str, clocks: Clocks, termination: str, reason: str
):
    spec = f"process:{HOSTILE / name}.py"
    record = plies.play_game(game, spec, "random", clocks=clocks)
    assert (record.termination, record.payoffs) == (termination, (-1, 1))
    assert reason in record.reason
    assert len(record.moves) == (2 if name == "exit_in_the_middle" else 0)


def test_what_a_program_wrote_in_the_last_game_is_kept_for_its_author():
    """Of all that ran in it, and not of the games before: it fails at every second move."""
    game, rules = plies.game("quixo"), Rules(faults="random", max_plies=8)
    seat = plies.agent(f"process:{HOSTILE / 'exit_in_the_middle.py'}", game)
    for _ in range(2):
        plies.play_game(game, seat, plies.agent("random", game), rules=rules, clocks=SLOW)
        text = process.errors_of(seat.memory)
        assert text.startswith("Traceback (most recent call last):")
        assert text.count("KeyError: 'opponent'") == 2
    assert process.errors_of({}) == ""


def test_agents_of_one_game_do_not_disturb_each_other(game: plies.Game):
    other = f"process:{HOSTILE / 'exit_in_the_middle.py'}"
    record = plies.play_game(game, CHANCE, other, clocks=SLOW)
    assert (record.termination, record.payoffs, len(record.moves)) == ("crash", (1, -1), 3)


# Specs


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("process", "process needs a path; write process:PATH"),
        ("process:nowhere.py", "there is no file and no folder nowhere.py"),
        (f"{CHANCE},memory=0", "memory is 1 to 1000000 (megabytes), not 0"),
        (f"{CHANCE},memory=99999999999999", "memory is 1 to 1000000 (megabytes), not 9999"),
        (f"{CHANCE},processes=99999999", "processes is 1 to 1000, not 99999999"),
        (f"{CHANCE},cpu=99999999999", "cpu is 1 to 10000000 (seconds), not 99999999999"),
        (f"{CHANCE},seconds=0", "seconds is above 0 and at most 10000000, not 0"),
        (f"{CHANCE},seconds=99999999", "seconds is above 0 and at most 10000000, not 9999"),
        (f"{CHANCE},second=1", "did you mean seconds?"),
    ],
)
def test_a_spec_that_cannot_work_is_refused_at_once(game: plies.Game, spec: str, message: str):
    with pytest.raises(BadSpec) as caught:
        plies.agent(spec, game)
    assert message in str(caught.value)


# The documentation


@pytest.mark.parametrize(("name", "language"), [("chance.py", "py"), ("chance.js", "js")])
def test_the_documentation_shows_the_examples(name: str, language: str):
    assert f"```{language}\n{(EXAMPLES / name).read_text()}```" in DOCUMENT.read_text()


def test_the_documentation_tells_guards_and_limits():
    text = " ".join(DOCUMENT.read_text().split())
    for guard, ensured in GUARDS.items():
        assert f"| `{guard}` | {ensured} |" in text
    limits, method = Limits(), process.Process("")
    assert f"up to {limits.file_mb} MB" in text
    assert f"hold {limits.open_files} files open" in text
    assert f"the last {ERROR_BYTES:,} bytes".replace(",", " ") in text
    assert f"at most {MAX_BYTES >> 20} MB" in text
    assert f"longer than {limits.line_bytes:,} bytes".replace(",", " ") in text
    assert f"where no clock runs ({method.seconds:.0f})" in text
    assert f"`memory` in megabytes ({method.memory})" in text
    assert f"at the same time ({method.processes})" in text
    assert f"seconds of each ({method.cpu})" in text
