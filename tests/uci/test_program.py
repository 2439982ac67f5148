"""`plies uci` as a program, with python-chess as the user interface."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import chess
import chess.engine
import pytest
from chess.engine import INFO_ALL, Limit, SimpleEngine

import plies
from plies.agents.uci_process import GAMES_FOLDER
from plies.uci.conversation import PREPARING

COMMAND = [sys.executable, "-m", "plies", "uci"]
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path=GAMES_FOLDER)
COMPILE_SECONDS = 300
MATE_IN_ONE = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


class Played(NamedTuple):
    move: chess.Move
    info: dict[str, Any]


@pytest.fixture(scope="module")
def engine() -> Iterator[SimpleEngine]:
    """One engine for all, because it takes a while to compile."""
    environment = {**os.environ, "PLIES_QUIET": "1"}
    with SimpleEngine.popen_uci(COMMAND, timeout=COMPILE_SECONDS, env=environment) as engine:
        engine.ping()
        yield engine


def played(engine: SimpleEngine, board: chess.Board, limit: Limit, **more: Any) -> Played:
    """A legal move, and what was told about it."""
    result = engine.play(board, limit, info=INFO_ALL, **more)
    assert result.move is not None
    assert result.move in board.legal_moves
    info: Any = result.info
    return Played(result.move, info)


def test_it_says_who_it_is_and_what_can_be_set(engine: SimpleEngine) -> None:
    assert engine.id["name"] == f"plies {plies.__version__}"
    assert set(engine.options) >= {"Hash", "Threads", "Move Overhead", "Eval", "Clear Hash"}
    assert (engine.options["Hash"].default, engine.options["Threads"].default) == (64, 1)


@pytest.mark.parametrize(
    "limit",
    [
        Limit(depth=4),
        Limit(nodes=2000),
        Limit(time=1),
        Limit(white_clock=10, black_clock=10, white_inc=0.1, black_inc=0.1),
        Limit(white_clock=10, black_clock=10, remaining_moves=20),
        Limit(mate=2),
    ],
)
def test_every_kind_of_limit_ends_in_a_legal_move(engine: SimpleEngine, limit: Limit) -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    info = played(engine, board, limit).info
    assert {"depth", "score", "nodes", "nps", "time", "pv", "hashfull"} <= set(info)
    assert limit.depth in (None, info["depth"])
    assert limit.nodes is None or info["nodes"] <= limit.nodes


def test_mates_are_found_and_told_in_moves(engine: SimpleEngine) -> None:
    found = played(engine, chess.Board(MATE_IN_ONE), Limit(depth=3))
    assert found.info["score"].relative == chess.engine.Mate(1)
    # Paul Morphy's problem: 1. Ra6, and whatever Black does is answered by mate.
    found = played(engine, chess.Board(MATE_IN_TWO), Limit(depth=30))
    assert (str(found.move), found.info["score"].relative) == ("a1a6", chess.engine.Mate(2))


def test_a_mated_side_has_no_move(engine: SimpleEngine) -> None:
    mated = chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.play(mated, Limit(depth=1)).move is None


def test_it_knows_the_positions_that_the_moves_before_have_made(engine: SimpleEngine) -> None:
    """Behind by a queen, it goes where a position arises for the third time."""
    board = chess.Board("7k/8/8/8/8/q7/8/6NK w - - 0 1")
    lost = played(engine, board, Limit(depth=4), game=1)
    assert lost.info["score"].relative < chess.engine.Cp(-200)
    for text in ("g1f3", "a3b3", "f3g1", "b3a3") * 2:
        board.push_uci(text)
    drawn = played(engine, board, Limit(depth=4), game=2)
    assert (str(drawn.move), drawn.info["score"].relative) == ("g1f3", chess.engine.Cp(0))


def test_an_endless_search_goes_on_until_it_is_stopped(engine: SimpleEngine) -> None:
    with engine.analysis(chess.Board(MATE_IN_ONE)) as analysis:
        for info in analysis:
            if "pv" in info:
                break
        analysis.stop()
        assert str(analysis.wait().move) in ("f7f8", "f7e8", "f7g7", "f7h7")


def test_it_ponders(engine: SimpleEngine) -> None:
    board, limit = chess.Board(), Limit(white_clock=2, black_clock=2)
    game = object()
    for _ in range(3):
        result = engine.play(board, limit, game=game, ponder=True)
        assert result.move is not None
        board.push(result.move)
        board.push(result.ponder or next(iter(board.legal_moves)))
    assert board.is_valid()


def test_options_can_be_set(engine: SimpleEngine) -> None:
    found = played(engine, chess.Board(), Limit(nodes=3000), options={"Hash": 2, "Threads": 2})
    assert found.info["nodes"] <= 3000


@pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed")
def test_it_plays_against_stockfish(engine: SimpleEngine) -> None:
    board = chess.Board()
    with SimpleEngine.popen_uci(str(STOCKFISH)) as stockfish:
        players, game = (engine, stockfish), object()
        for ply in range(12):
            board.push(played(players[ply % 2], board, Limit(nodes=1500), game=game).move)
    assert len(board.move_stack) == 12


# The program itself


def spoken(text: str, *, seconds: float = COMPILE_SECONDS) -> tuple[int, str, str]:
    """Status and output of a program that is told all of this at once."""
    done = subprocess.run(
        COMMAND, input=text.encode(), capture_output=True, timeout=seconds, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("text", ["", "quit\n", "uci\nquit\nuci\n", "go infinite\n", "\xff\x00\n"])
def test_the_end_of_the_input_is_the_end(text: str) -> None:
    status, output, errors = spoken(text)
    assert status == 0
    assert "Traceback" not in errors
    assert output.count("uciok") == text.count("uci\nquit")


def test_whoever_waits_is_told_why() -> None:
    assert f"info string {PREPARING}" in spoken("isready\n")[1]


def test_an_open_search_is_answered_before_the_program_quits(engine: SimpleEngine) -> None:
    """By now the engine is compiled, so that nothing but the search is ended."""
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        watchdog = threading.Timer(COMPILE_SECONDS, process.kill)
        watchdog.start()
        process.stdin.write("go infinite\n")
        process.stdin.flush()
        assert any(line.startswith("info depth") for line in process.stdout)
        process.stdin.write("quit\n")
        process.stdin.flush()
        rest = process.stdout.read()
        watchdog.cancel()
    assert rest.splitlines()[-1].startswith("bestmove")
    assert process.returncode == 0


def test_a_user_interface_that_goes_away_leaves_no_traceback(engine: SimpleEngine) -> None:
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("isready\n")
        process.stdin.flush()
        assert "readyok\n" in process.stdout
        process.stdout.close()
        process.stdin.write("go depth 3\nuci\n")
        process.stdin.close()
        assert "Traceback" not in process.stderr.read()
