"""UCI engines as agents: what they are told, what they answer, and what they do wrong."""

import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import plies
from plies.agents import uci, uci_process
from plies.agents.uci import clock_limit
from plies.agents.uci_process import GAMES_FOLDER, command_of
from plies.core.scores import lose_in, win_in
from plies.errors import AgentFault, BadSpec
from plies.match import Clocks, Rules
from plies.search.clock import Clock
from plies.search.runner import StopFlag

ENGINE = Path(__file__).parents[1] / "data" / "uci" / "engine.py"
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path=GAMES_FOLDER)
needs_stockfish = pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed")
PLAYS_E4 = "bestmove e2e4"

Fake = Callable[..., plies.Agent]


@pytest.fixture(scope="module")
def chess() -> plies.Game:
    return plies.game("chess")


@pytest.fixture
def heard(tmp_path: Path) -> Callable[[], list[str]]:
    """The lines that the engine has been told."""
    return lambda: (tmp_path / "heard").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def fake(chess: plies.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    """`fake("bestmove e2e4", options="depth=3")`: an agent whose engine answers every `go` so."""
    monkeypatch.setattr(uci, "STARTUP_SECONDS", 60.0)
    monkeypatch.setattr(uci_process, "FAREWELL_SECONDS", 60.0)
    made: list[plies.Agent] = []

    def make(*answers: str, options: str = "") -> plies.Agent:
        command = shlex.join([sys.executable, str(ENGINE), str(tmp_path / "heard"), *answers])
        agent = plies.agent(f"uci:{command}{',' if options else ''}{options}", chess)
        made.append(agent)
        return agent

    yield make
    for agent in made:
        agent.close()


# What an engine answers


def test_the_answer_is_a_decision_with_value_depth_nodes_and_line(chess, fake: Fake) -> None:
    agent = fake(
        "info depth 7 score cp 31 nodes 900 pv e2e4 e7e5 g1f3", "bestmove e2e4 ponder e7e5"
    )
    state = chess.initial()
    found = agent.choose(state)
    assert (found.value, found.depth, found.nodes) == (31, 7, 900)
    texts = []
    for move in found.line:
        texts.append(chess.move_text(state, move))
        state = chess.play(state, move)
    assert texts == ["e2e4", "e7e5", "g1f3"]
    assert found.move == found.line[0]


def test_a_line_that_begins_with_another_move_is_not_believed(chess, fake: Fake) -> None:
    found = fake("info depth 1 score cp 5 pv d2d4 d7d5", PLAYS_E4).choose(chess.initial())
    assert found.line == (found.move,)


# A mate in n moves of the mover's comes after 2n - 1 plies, one of the opponent's after 2n.
@pytest.mark.parametrize(
    ("score", "value"),
    [
        ("mate 1", win_in(1)),
        ("mate 3", win_in(5)),
        ("mate -1", lose_in(2)),
        ("mate -4", lose_in(8)),
        ("cp -250", -250),
    ],
)
def test_scores_are_values_from_the_movers_side(chess, fake: Fake, score: str, value: int) -> None:
    black = chess.parse_position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    found = fake(f"info depth 1 score {score} pv e7e5", "bestmove e7e5").choose(black)
    assert found.value == value


def test_an_engine_that_says_no_more_than_its_move_has_no_opinion(chess, fake: Fake) -> None:
    found = fake(PLAYS_E4).choose(chess.initial())
    assert (found.value, found.depth, found.nodes) == (None, 0, 0)


def test_promotion_and_castling_are_understood(chess, fake: Fake) -> None:
    promotes = chess.parse_position("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    found = fake("bestmove a7a8n").choose(promotes)
    assert chess.move_text(promotes, found.move) == "a7a8n"
    castles = chess.parse_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    found = fake("bestmove e1g1").choose(castles)
    assert chess.move_notation(castles, found.move) == "O-O"


# What an engine is told


def test_it_is_told_the_whole_game(chess, fake: Fake, heard) -> None:
    """So that it knows of positions that have been there before."""
    agent, state, played = fake("bestmove g1f3"), chess.initial(), []
    for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
        played.append(chess.parse_move(state, text))
        state = chess.play(state, played[-1])
    agent.choose(state, start=chess.initial(), played=played)
    assert "position startpos moves g1f3 g8f6 f3g1 f6g8" in heard()


def test_a_game_from_another_position_is_told_with_that_position(chess, fake, heard) -> None:
    agent, fen = fake("bestmove a1b1"), "7k/8/8/8/8/8/8/KR6 w - - 12 40"
    start = chess.parse_position(fen)
    state, played = start, []
    for text in ("b1b2", "h8g8"):
        played.append(chess.parse_move(state, text))
        state = chess.play(state, played[-1])
    agent.choose(state, start=start, played=played)
    assert f"position fen {fen} moves b1b2 h8g8" in heard()


@pytest.mark.parametrize(
    ("options", "clock", "told"),
    [
        ("", None, "go movetime 100"),
        ("movetime=250", None, "go movetime 250"),
        ("depth=4,nodes=900", None, "go depth 4 nodes 900"),
        # 20 ms are kept for the way; the other side's clock is not known.
        ("", Clock(60, 2), "go wtime 59980 btime 59980 winc 2000 binc 2000"),
        ("", Clock(per_move=0.5), "go movetime 480"),
        ("nodes=70", Clock(60, 2), "go nodes 70"),
    ],
)
def test_limits_and_clocks_are_told(chess, fake, heard, options, clock, told) -> None:
    fake(PLAYS_E4, options=options).choose(chess.initial(), clock=clock)
    assert [line for line in heard() if line.startswith("go")] == [told]


def test_a_clock_and_a_limit_for_the_move_are_told_together() -> None:
    limit = clock_limit(Clock(remaining=60, increment=1, moves_to_go=9, per_move=2))
    assert (limit.time, limit.white_clock, limit.black_clock) == (1.98, 59.98, 59.98)
    assert (limit.white_inc, limit.black_inc, limit.remaining_moves) == (1, 1, 9)


def test_options_are_set_before_the_first_move(chess, fake, heard) -> None:
    fake(PLAYS_E4, options="elo=1200,hash=32").choose(chess.initial())
    before = heard()[: heard().index("position startpos")]
    assert "setoption name UCI_Elo value 1200" in before
    assert "setoption name UCI_LimitStrength value true" in before
    assert "setoption name Hash value 32" in before


def test_a_process_plays_many_games_and_is_told_of_each(chess, fake, heard) -> None:
    agent = fake(PLAYS_E4)
    for _ in range(3):
        agent.begin(chess.initial(), seat=0)
        agent.choose(chess.initial())
    assert heard().count("uci") == 1
    assert heard().count("ucinewgame") == 3
    agent.close()
    assert heard()[-1] == "quit"


def test_stop_has_it_answer_at_once(chess, fake, heard) -> None:
    agent, stop = fake("wait for stop", PLAYS_E4), StopFlag()
    stop.stop()
    found = agent.choose(chess.initial(), stop=stop, deadline=time.perf_counter() + 60)
    assert chess.move_text(chess.initial(), found.move) == "e2e4"
    assert "stop" in heard()


# What an engine can do wrong


@pytest.mark.parametrize(
    ("answer", "termination", "told"),
    [
        ("exit", "crash", "has ended by itself with status 3"),
        ("bestmove e2e5", "illegal", "is not legal"),
        ("bestmove hello", "bad output", "was not understood"),
        ("bestmove (none)", "bad output", "says that it has no move"),
        ("bestmove 0000", "bad output", "says that it has no move"),
        ("sleep", "time", "did not answer in time"),
    ],
)
def test_faults_end_the_process_and_say_what_happened(
    chess, fake, answer: str, termination: str, told: str
) -> None:
    agent = fake(answer)
    agent.begin(chess.initial(), seat=0)
    process = agent.memory["engine"]
    patience = 0.5 if termination == "time" else 60
    with pytest.raises(AgentFault, match=told) as fault:
        agent.choose(chess.initial(), deadline=time.perf_counter() + patience)
    assert fault.value.termination == termination
    assert not process.is_running


def test_after_a_fault_the_next_game_has_a_new_process(chess, fake, heard) -> None:
    agent = fake("exit")
    for _ in range(2):
        agent.begin(chess.initial(), seat=0)
        with pytest.raises(AgentFault):
            agent.choose(chess.initial())
    assert heard().count("uci") == 2


def test_a_match_gives_the_game_to_the_other_side(chess, fake) -> None:
    record = plies.play_game(chess, fake("bestmove e2e5"), "random", rules=Rules(max_plies=4))
    assert (record.payoffs, record.termination) == ((-1, 1), "illegal")


def test_an_engine_that_is_never_ready_has_no_longer_than_the_start_allows(chess, fake) -> None:
    record = plies.play_game(chess, fake("never ready"), "random", clocks=Clocks(startup=1))
    assert (record.payoffs, record.termination) == ((-1, 1), "time")
    assert not record.moves


@pytest.mark.parametrize(
    ("command", "termination"), [("sleep 60", "time"), ("false", "crash"), ("cat", "time")]
)
def test_a_program_that_is_no_engine_is_a_fault(chess, command: str, termination: str) -> None:
    agent = plies.agent(f"uci:{command}", chess)
    with pytest.raises(AgentFault) as fault:
        agent.begin(chess.initial(), seat=0, seconds=0.5 if termination == "time" else 60)
    assert fault.value.termination == termination


# What a user can get wrong


def test_an_engine_that_is_not_there_is_named(chess, tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="nowhere/fish"):
        plies.agent("uci:nowhere/fish", chess)
    text = tmp_path / "notes.txt"
    text.write_text("hello")
    text.chmod(0o644)
    with pytest.raises(BadSpec, match=r"notes\.txt .*executed"):
        plies.agent(f"uci:{text}", chess)
    text.chmod(0o755)  # now it looks like a program, of a format that nobody knows
    agent = plies.agent(f"uci:{text}", chess)
    with pytest.raises(BadSpec, match=r"notes\.txt .*Exec format"):
        agent.choose(chess.initial())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("elo=3000", "elo of .* is 1000 to 2000, not 3000"),
        ("hash=5000", "hash of .* is 1 to 1024, not 5000"),
        ("skill=3", "has no option Skill Level, which skill would set"),
        ("threads=2", "has no option Threads, which threads would set"),
    ],
)
def test_options_that_the_engine_does_not_have_are_refused(chess, fake, options, told) -> None:
    agent = fake(PLAYS_E4, options=options)
    with pytest.raises(BadSpec, match=told):
        agent.begin(chess.initial(), seat=0)


def test_a_spec_is_read_back(chess) -> None:
    for spec in ("uci:cat,elo=1500,nodes=1000", "uci:cat -n,skill=3"):
        assert plies.agent(spec, chess).spec == spec


def test_a_path_with_spaces_is_a_file_first_and_a_command_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "my engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for path in (str(program), "my engine", "./my engine"):
        assert command_of(path) == [str(program)]
    assert command_of("'my engine' -n 'a b'") == [str(program), "-n", "a b"]


# A real one


@needs_stockfish
def test_stockfish_mates_in_one_and_says_so(chess) -> None:
    state = chess.parse_position("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    agent = plies.agent(f"uci:{STOCKFISH},depth=4", chess)
    found = agent.choose(state)
    agent.close()
    assert found.value == win_in(1)
    after = chess.play(state, found.move)
    assert chess.ending(after) == "Black is checkmated"


@needs_stockfish
def test_stockfish_names_the_range_of_its_elo(chess) -> None:
    agent = plies.agent(f"uci:{STOCKFISH},elo=5", chess)
    with pytest.raises(BadSpec, match=r"elo of .* is \d+ to \d+, not 5"):
        agent.begin(chess.initial(), seat=0)
    agent.close()


@needs_stockfish
def test_stockfish_plays_a_match_by_the_clock(chess) -> None:
    spec = f"uci:{STOCKFISH}"
    clocks, rules = Clocks(credit=3, increment=0.05, margin=5), Rules(max_plies=12)
    record = plies.play_game(chess, spec, f"{spec},nodes=500", clocks=clocks, rules=rules)
    assert (record.termination, record.reason, len(record.moves)) == ("normal", "length", 12)
    assert all(move.value is not None and move.depth and move.nodes for move in record.moves)
