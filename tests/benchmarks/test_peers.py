"""The table that puts plies beside other programs: what it shows, and what it refuses."""

import json
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import chess
import pytest

import peer_install
import peer_run
import plies
from peer_measure import NoAnswer, Program, Row, complaints, measure, ratio
from peer_ordered import in_order, nodes_and_value
from peer_programs import HERE, SCRIPTS, Missing, Worker
from peer_python_chess import position
from peer_run import document, figures, rate_text
from peer_search import KIWIPETE, alphabeta, perft
from peer_worker import Answer
from peer_works import PLIES, WORKS, Work

OTHER, THIRD = "other", "third"
WORK = Work("go", "perft 1", "lines", "perft", {"depth": 1}, (OTHER, THIRD), count=361)


@dataclass
class Fake:
    """A program that answers from a list, again and again the last."""

    answers: list[Answer]
    version: str = "1.0"
    asked: list[float] = field(default_factory=list)

    def ask(self, task: str, arguments: Mapping[str, Any], seconds: float) -> Answer:
        self.asked.append(seconds)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def fast(count: int = 361, value: int | None = None) -> Fake:
    return Fake([Answer(count, 0.5, value)])


def slow(count: int = 361, value: int | None = None) -> Fake:
    return Fake([Answer(count, 2.0, value)])


def measured(work: Work, *programs: Program, rounds: int = 1) -> list[Row]:
    named = dict(zip(work.programs, programs, strict=True))
    return measure([work], lambda names: named, rounds, seconds=0.1)


# The table


def test_a_ratio_says_how_many_times_as_fast_plies_is() -> None:
    rows = measured(WORK, fast(), slow(), fast())
    assert [ratio(row, rows) for row in rows] == [1, 4, 1]
    assert complaints(rows) == []


def test_rates_are_compared_where_counts_may_differ() -> None:
    work = Work("go", "alpha-beta", "nodes", "alphabeta", {}, (OTHER,), count=None, value=3)
    rows = measured(work, fast(200, 3), fast(50, 3))
    assert [ratio(row, rows) for row in rows] == [1, 4]


def test_a_missing_program_has_a_row_that_says_why() -> None:
    rows = measured(WORK, fast(), Missing("needs Python 9"), slow())
    assert figures(rows[1], rows) == ("needs Python 9", "", "", "")
    assert ratio(rows[1], rows) is None
    assert ratio(rows[2], rows) == 4
    assert complaints(rows) == []


def test_a_wrong_count_has_no_rate_and_is_complained_about() -> None:
    rows = measured(WORK, fast(), slow(360), slow())
    assert rows[1].rate is None
    assert complaints(rows) == ["other, go, perft 1: WRONG: counted 360, not 361 lines"]


def test_a_wrong_value_has_no_rate_and_is_complained_about() -> None:
    work = Work("go", "solved", "nodes", "solve", {}, (OTHER,), count=9, value=0)
    rows = measured(work, fast(9, 0), fast(9, 1))
    assert rows[1].rate is None
    assert complaints(rows) == ["other, go, solved: WRONG: found the value 1, not 0"]


def test_a_count_that_is_wrong_only_once_is_never_forgiven() -> None:
    fickle = Fake([Answer(361, 1.0), Answer(360, 1.0), Answer(361, 1.0)])
    rows = measured(WORK, fast(), fickle, slow(), rounds=3)
    assert rows[1].best is None
    assert len(complaints(rows)) == 1


def test_plies_without_an_answer_is_complained_about() -> None:
    rows = measured(WORK, Missing("no such module"), fast(), fast())
    assert complaints(rows) == ["plies, go, perft 1: no such module"]
    assert [ratio(row, rows) for row in rows] == [None] * 3


def test_a_ratio_below_the_least_is_complained_about() -> None:
    work = Work("go", "mcts", "simulations", "mcts", {}, (OTHER,), count=361, least_ratio=5)
    assert complaints(measured(work, fast(), slow())) == [
        "other, go, mcts: plies is 4.00 times as fast, not 5"
    ]


def test_the_best_of_the_rounds_counts_but_not_the_check_before_them() -> None:
    program = Fake([Answer(361, seconds) for seconds in (0.1, 3.0, 1.0, 2.0)])
    rows = measured(WORK, program, slow(), slow(), rounds=3)
    assert rows[0].best == Answer(361, 1.0)
    assert program.asked == [0, 0.1, 0.1, 0.1]


def test_programs_start_afresh_after_the_check() -> None:
    started: list[Collection[str]] = []

    def start(names: Collection[str]) -> dict[str, Program]:
        started.append(names)
        return {name: fast() for name in names}

    measure([WORK], start, rounds=2, seconds=0.1)
    assert started == [{PLIES, OTHER, THIRD}] * 2


def test_rates_are_written_with_three_figures() -> None:
    rates = (186_500_000, 35_120_000, 1_234_000, 72_000, 552, 3.14159)
    assert [rate_text(rate) for rate in rates] == [
        "186 M/s",
        "35.1 M/s",
        "1.23 M/s",
        "72.0 k/s",
        "552 /s",
        "3.14 /s",
    ]


# The command


class FakeLauncher:
    """Starts programs that are all alike, but for one that is wrong and one that is missing."""

    wrong: str = ""
    missing: str = ""

    def __call__(self, names: Collection[str]) -> dict[str, Program]:
        return {name: self.started(name) for name in names}

    def started(self, name: str) -> Program:
        if name == self.missing:
            return Missing("not here")
        return Fake([Answer(1 if name == self.wrong else 20_866, 1.0, 0)])

    def close(self) -> None:
        pass


@pytest.fixture
def launcher(monkeypatch) -> type[FakeLauncher]:
    class Launcher(FakeLauncher):
        pass

    monkeypatch.setattr(peer_run, "Launcher", Launcher)
    return Launcher


FASTER = ["--only", "faster wins"]


def test_the_command_prints_a_table(launcher, capsys) -> None:
    assert peer_run.main(FASTER) == 0
    assert "20,866 nodes" in capsys.readouterr().out


def test_the_command_prints_json(launcher, capsys) -> None:
    assert peer_run.main([*FASTER, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["program"], row["nodes"], row["ratio"]) for row in rows] == [
        ("plies", 20_866, 1.0),
        ("easyAI", 20_866, 1.0),
    ]


def test_the_command_prints_a_page(launcher, capsys) -> None:
    assert peer_run.main([*FASTER, "--markdown"]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last == "|  |  | easyAI 1.0 | 20,866 nodes | 1,000.00 | 20.9 k/s | 1.00 |"


def test_the_command_goes_on_without_a_missing_program(launcher, capsys) -> None:
    launcher.missing = "easyAI"
    assert peer_run.main(FASTER) == 0
    assert "not here" in capsys.readouterr().out


def test_the_command_fails_when_a_count_is_wrong(launcher, capsys) -> None:
    launcher.wrong = "easyAI"
    assert peer_run.main(FASTER) == 1
    assert "WRONG: counted 1, not 20,866 nodes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [(["--rounds", "0"], "--rounds is at least 1"), (["--only", "go"], "no work has 'go'")],
)
def test_the_command_refuses_what_it_cannot_do(words, complaint, capsys) -> None:
    with pytest.raises(SystemExit) as refused:
        peer_run.main(words)
    assert refused.value.code == 2
    assert complaint in capsys.readouterr().err


def test_the_document_has_the_keys_of_other_benchmarks() -> None:
    rows = document(measured(WORK, fast(), slow(), Missing("not here")))
    assert {"game", "work", "nodes", "cpu_seconds", "rate"} <= rows[0].keys()
    assert rows[2]["rate"] is None
    assert rows[2]["problem"] == "not here"


# The processes


def worker(tmp_path: Path, body: str) -> Worker:
    """A program with a script of its own."""
    script = tmp_path / "program.py"
    script.write_text(f"from peer_worker import Answer, serve, timed\n{body}\n")
    prefix = f"import sys; sys.path.insert(0, {str(HERE)!r})"
    run = f"{prefix}; import runpy; runpy.run_path({str(script)!r})"
    return Worker([sys.executable, "-c", run])


def test_what_a_program_prints_is_no_answer(tmp_path) -> None:
    body = (
        "def shout(times):\n"
        "    print('thinking' * times)\n"
        "    return timed(lambda: (times, 5))\n"
        "serve('2.1', {'shout': shout})"
    )
    program = worker(tmp_path, body)
    answer = program.ask("shout", {"times": 3}, 0)
    program.close()
    assert program.version == "2.1"
    assert (answer.count, answer.value) == (3, 5)


def test_the_best_run_of_an_answer_is_taken(tmp_path) -> None:
    body = (
        "times = iter([3.0, 1.0, 2.0])\n"
        "serve('2.1', {'count': lambda: lambda: Answer(7, next(times))})"
    )
    program = worker(tmp_path, body)
    answer = program.ask("count", {}, 6.0)
    program.close()
    assert answer == Answer(7, 1.0)


def test_runs_that_count_differently_are_refused(tmp_path) -> None:
    body = (
        "counts = iter([7, 8])\nserve('2.1', {'count': lambda: lambda: Answer(next(counts), 1.0)})"
    )
    program = worker(tmp_path, body)
    with pytest.raises(NoAnswer, match="two runs differ"):
        program.ask("count", {}, 2.0)
    program.close()


def test_a_task_that_fails_says_why_and_the_program_goes_on(tmp_path) -> None:
    body = "serve('2.1', {'divide': lambda by: timed(lambda: (6 // by, None))})"
    program = worker(tmp_path, body)
    with pytest.raises(NoAnswer, match="ZeroDivisionError"):
        program.ask("divide", {"by": 0}, 0)
    answer = program.ask("divide", {"by": 3}, 0)
    program.close()
    assert answer.count == 2


def test_a_program_that_cannot_start_says_why(tmp_path) -> None:
    with pytest.raises(NoAnswer, match="No module named 'no_such_library'"):
        worker(tmp_path, "import no_such_library")


def test_a_program_that_dies_says_so_whenever_it_is_asked(tmp_path) -> None:
    body = "import os\nserve('2.1', {'die': lambda: os._exit(3)})"
    program = worker(tmp_path, body)
    for _ in range(2):
        with pytest.raises(NoAnswer, match="ended with status 3"):
            program.ask("die", {}, 0)


def test_a_program_that_never_answers_is_given_up(tmp_path) -> None:
    body = "import time\nserve('2.1', {'sleep': lambda: time.sleep(1000)})"
    program = worker(tmp_path, body)
    program.patience = 0.1
    with pytest.raises(NoAnswer, match="no answer within"):
        program.ask("sleep", {}, 0)


# The works


def test_every_program_has_a_script_and_none_is_idle() -> None:
    assert {name for work in WORKS for name in work.programs} == set(SCRIPTS)
    assert all((HERE / script).is_file() for script in SCRIPTS.values())


def test_every_package_has_an_exact_version() -> None:
    assert all("==" in line for line in peer_install.requirements())


def test_moves_are_put_in_the_order_of_their_uci_text() -> None:
    game = plies.game("chess")
    # Pawns that promote in all four ways, and captures.
    state = game.parse_position("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1")
    moves = plies.core.verbs.legal_moves(state)
    texts = [game.move_text(state, int(move)) for move in in_order(moves)]
    assert len(texts) > 8
    assert texts == sorted(texts)
    assert set(in_order(moves)) == set(moves)


def test_plies_and_python_chess_visit_the_same_nodes_in_one_order() -> None:
    game = plies.game("chess")
    state, evaluator = game.parse_position(KIWIPETE), game.evaluator("material")
    for depth in (1, 2, 3):
        assert nodes_and_value(state, depth, evaluator) == alphabeta(
            position(KIWIPETE), depth, True
        )


def test_the_order_of_moves_does_not_change_the_value() -> None:
    _, sorted_value = alphabeta(position(KIWIPETE), 3, is_sorted=True)
    _, own_value = alphabeta(position(KIWIPETE), 3, is_sorted=False)
    assert sorted_value == own_value


def test_a_mate_is_worth_more_the_sooner_it_comes() -> None:
    # A rook mates on the back rank: the mated side is one ply away from the root.
    back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
    assert alphabeta(position(back_rank), 1, False)[1] == 1_000_000_000 - 1
    assert alphabeta(position(back_rank), 3, True)[1] == 1_000_000_000 - 1


def test_counting_the_last_ply_gives_the_same_lines_as_playing_it() -> None:
    # chessprogramming.org, "Perft Results": position 2, depth 2.
    assert perft(position(KIWIPETE), 2, is_bulk=False) == 2_039
    assert perft(position(KIWIPETE), 2, is_bulk=True) == 2_039
    assert perft(position(chess.STARTING_FEN), 0, is_bulk=True) == 1


def test_tic_tac_toe_with_all_wins_alike_is_a_draw_after_the_nodes_that_openspiel_visits() -> None:
    # The calls of `open_spiel.python.algorithms.minimax.alpha_beta_search`, counted.
    game = plies.game(str(HERE / "peer_tictactoe.py"))
    decision = plies.search(game, game.initial(), "alphabeta:depth=9")
    assert (decision.nodes, decision.value) == (18_297, 0)
