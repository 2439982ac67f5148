"""`plies search`: live on a terminal, plain elsewhere, whole as JSON, and interruptible."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import plies
from plies.agents import Agent, agent
from plies.agents.options import OPTIONS
from plies.cli import search
from plies.cli.live import Thinking
from plies.cli.main import main
from plies.cli.output import value_words
from plies.core.scores import lose_in, win_in
from plies.search.decision import Decision, Depth
from plies.search.runner import Interrupted
from plies.search.task import Progress

# One move from a win for the first player, who moves: a3 completes the top row.
ALMOST = ".XX/OO./... X"
DEEPENING = "deepening:depth=5,table=1"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["search", "tictactoe", *arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_the_document_holds_everything_a_decision_has(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, _ = run(capsys, "--agent", DEEPENING, "--json")
    answer = json.loads(output)
    assert status == 0
    assert set(answer) == {
        "game", "agent", "position", "move", "value", "value_text", "line", "depth", "nodes",
        "leaves", "evaluations", "cutoffs", "table_hits", "simulations", "payoffs",
        "is_complete", "seconds", "cpu_seconds", "rate", "history",
    }  # fmt: skip
    assert [depth["depth"] for depth in answer["history"]] == [1, 2, 3, 4, 5]
    last = answer["history"][-1]
    assert {key: answer[key] for key in ("move", "value", "value_text", "line")} == {
        key: last[key] for key in ("move", "value", "value_text", "line")
    }
    assert last["nodes"] == answer["nodes"]


def test_the_agent_is_told_with_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    _, output, _ = run(capsys, "--agent", "minimax:depth=2", "--json")
    spec = json.loads(output)["agent"]
    assert spec.startswith("minimax:depth=2,eval=zero,nodes=0")
    assert agent(spec, plies.game("tictactoe")).search == plies.agent(
        "minimax:depth=2,eval=zero", plies.game("tictactoe")
    ).search  # fmt: skip


def test_where_a_program_reads_there_is_a_row_for_every_depth_and_no_control_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, output, _ = run(capsys, "--agent", DEEPENING)
    assert status == 0
    assert "\x1b" not in output
    assert "\r" not in output
    _, table, facts = output.rstrip().split("\n\n")
    rows = [line.split() for line in table.splitlines()[2:]]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    told = dict(line.split("  ", maxsplit=1) for line in facts.splitlines())
    assert told["move"].strip() == rows[-1][1]
    assert int(told["table hits"]) > 0


def test_what_did_not_happen_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    _, output, _ = run(capsys, "--agent", "minimax:depth=2")
    assert "leaves" in output
    assert "table hits" not in output
    assert "simulations" not in output


def test_a_seed_repeats_what_chance_decides(capsys: pytest.CaptureFixture[str]) -> None:
    moves = {run(capsys, "--agent", "random", "--seed", "7", "--json")[1] for _ in range(3)}
    assert len({json.loads(output)["move"] for output in moves}) == 1


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_ctrl_c_shows_the_best_so_far_and_says_that_it_came(
    form: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = Agent.choose

    def interrupted(self: Agent, *arguments: Any, **options: Any) -> Any:
        decision = choose(self, *arguments, **options)
        if decision.nodes == 0:  # while it prepares
            return decision
        raise Interrupted(replace(decision, is_complete=False))

    monkeypatch.setattr(Agent, "choose", interrupted)
    status, output, errors = run(capsys, "--position", ALMOST, *form)
    assert status == 130
    assert errors.endswith("plies: interrupted; this is the best move so far\n")
    if form:
        assert json.loads(output)["move"] == "a3"
        assert json.loads(output)["is_complete"] is False
    else:
        assert ["move", "a3"] in [line.split() for line in output.splitlines()]
        assert "stopped before the search was complete" in output


def test_a_terminal_shows_the_depths_finished_and_how_fast_it_is() -> None:
    game = plies.game("tictactoe")
    thinking = Thinking(game, game.parse_position(ALMOST))
    a3 = game.parse_move(thinking.state, "a3")
    screen = Console(file=io.StringIO(), force_terminal=True, width=80)
    screen.print(thinking)
    thinking.hear(Progress(2.0, 3_000_000, (Depth(1, a3, win_in(1), (a3,), 6, 0.5),)))
    screen.print(thinking)
    assert isinstance(screen.file, io.StringIO)
    shown = screen.file.getvalue()
    assert "thinking, 0.0 s" in shown
    assert "win in 1 ply" in shown
    assert "depth 2, 0.0 s, 3,000,000 nodes, 1.5 M nodes/s of wall-clock time" in shown


@pytest.mark.parametrize("height", [8, 18, 60])
def test_the_newest_depths_are_shown_however_low_the_terminal_is(height: int) -> None:
    game = plies.game("tictactoe")
    thinking = Thinking(game, game.initial())
    line = tuple(game.moves(game.initial()))[:6]  # nobody has won by then
    history = tuple(Depth(depth, line[0], 0, line, depth, 0.5) for depth in range(1, 31))
    thinking.hear(Progress(2.0, 3_000_000, history))
    screen = Console(file=io.StringIO(), force_terminal=True, width=50, height=height)
    lines = screen.render_lines(thinking, pad=False)
    texts = ["".join(segment.text for segment in line) for line in lines]
    assert len(texts) < height
    depths = [int(text.split()[0]) for text in texts if text[:1].isdigit()]
    assert depths == list(range(31 - len(depths), 31))
    assert depths


def test_a_search_on_a_terminal_is_told_how_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr(Agent, "choose", lambda *_, **options: heard.append(options["on_progress"]))
    searcher = agent("alphabeta", plies.game("tictactoe"))
    search.decide(searcher, searcher.game.initial(), None, is_live=True)  # type: ignore[arg-type]
    search.decide(searcher, searcher.game.initial(), None, is_live=False)  # type: ignore[arg-type]
    assert callable(heard[0])
    assert heard[1] is None


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_tree_is_written_where_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "trace.json"
    arguments = ["--agent", "alphabeta:depth=2,cut=beyond", "--position", ALMOST]
    _, output, _ = run(capsys, *arguments, "--json", "--trace", str(path))
    trace, answer = json.loads(path.read_text()), json.loads(output)
    assert (trace["game"], trace["position"]) == ("tictactoe", ALMOST)
    assert trace["algorithm"] == "alphabeta"
    assert trace["options"] == {"depth": 2, "fail": "soft", "cut": "beyond"}
    assert {key: trace[key] for key in ("line", "nodes", "leaves", "cutoffs")} == {
        key: answer[key] for key in ("line", "nodes", "leaves", "cutoffs")
    }
    assert trace["trees"][0]["nodes"][1]["move"] == "a1"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--agent", "random", "--trace", "x.json"], "no trace can be made of random; there are"),
        (["--trace", "nowhere/x.json"], "nowhere/x.json is not a file that can be written"),
        (["--trace", "."], ". is not a file that can be written"),
    ],
)
def test_a_tree_that_cannot_be_written_is_refused_before_the_search(
    arguments: list[str],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(Agent, "choose")
    status, output, errors = run(capsys, *arguments)
    assert (status, output) == (2, "")
    assert errors.startswith(f"plies: {complaint}")


def test_an_answer_of_a_depth_that_was_not_finished_has_a_row_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = plies.game("tictactoe")
    searcher = agent("deepening:nodes=100", game)
    a1, b1 = list(game.moves(game.initial()))[:2]
    history = (Depth(1, a1, 0, (a1,), 10, 0.1),)
    decision = Decision(b1, 5, 1, 100, 0.2, (b1,), is_complete=False, history=history)
    search.show(searcher, game.initial(), decision, is_interrupted=False)
    output = capsys.readouterr().out
    (row,) = [line for line in output.splitlines() if "unfinished" in line]
    assert row.split() == ["2", "(unfinished)", "b1", "+5", "100", "0.200", "b1"]
    same = replace(decision, move=a1, value=0, line=(a1,))
    search.show(searcher, game.initial(), same, is_interrupted=False)
    assert "unfinished" not in capsys.readouterr().out


def test_another_move_that_is_as_good_is_not_called_unfinished() -> None:
    game = plies.game("tictactoe")
    a1, b1 = list(game.moves(game.initial()))[:2]
    history = (Depth(1, a1, 0, (a1,), 10, 0.1),)
    decision = Decision(b1, 0, 1, 100, 0.2, (b1,), is_complete=False, history=history)
    rows = {
        choice: search.last_row(agent(f"deepening:choice={choice}", game), game.initial(), decision)
        for choice in ("first", "random")
    }
    assert rows["random"] == []
    assert rows["first"][0][0] == "2 (unfinished)"


# Tic-tac-toe is a draw, so that nobody has a forced win at the start.
@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["--agent", "dfpn:table=1"], "no forced win (proven)"),
        (
            ["--agent", "dfpn:table=1,nodes=50"],
            "unknown (stopped before the search was complete)",
        ),
        (["--agent", "dfpn:table=1", "--position", ALMOST], "win in at most 1 ply"),
    ],
)
def test_a_search_for_a_proof_says_what_is_proven(
    arguments: list[str], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, output, _ = run(capsys, *arguments)
    facts = dict(line.split(maxsplit=1) for line in output.split("\n\n")[1].splitlines())
    assert facts["value"] == value
    assert "depth" not in facts


def test_a_search_that_nothing_stopped_is_undecided() -> None:
    searcher = agent("dfpn:nodes=500", plies.game("tictactoe"))
    decision = Decision(0, nodes=100, is_complete=False)
    assert search.ending_of(searcher, decision, is_interrupted=False) == search.UNDECIDED
    assert search.ending_of(searcher, decision, is_interrupted=True) == search.STOPPED
    spent = replace(decision, nodes=500)
    assert search.ending_of(searcher, spent, is_interrupted=False) == search.STOPPED


def test_a_search_whose_time_nobody_measured_shows_its_nodes_alone() -> None:
    game = plies.game("tictactoe")
    decision = Decision(game.moves(game.initial())[0], nodes=10_237)
    assert search.as_facts(game, game.initial(), decision, "")["work"] == "10,237 nodes"
    timed = replace(decision, cpu_seconds=0.5)
    work = "10,237 nodes in 0.5 s of CPU time, 0.0205 M nodes/s"
    assert search.as_facts(game, game.initial(), timed, "")["work"] == work


def test_distances_are_told_in_plies() -> None:
    assert value_words(win_in(3)) == "win in 3 plies"
    assert value_words(lose_in(1)) == "loss in 1 ply"
    assert value_words(14) == "+14"


def test_one_agent_is_explained_with_a_line_for_every_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["agents", "maxn"]) == 0
    output = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in output.splitlines()]
    assert f"prune none none or immediate or shallow {OPTIONS['prune']}" in lines
    assert f"depth 3 a whole number {OPTIONS['depth']}" in lines
    assert "games of any number of players" in lines
    assert main(["agents", "maxn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "maxn"
    assert main(["agents", "maxm"]) == 2
    assert capsys.readouterr().err == "plies: there is no agent maxm; did you mean maxn?\n"


@pytest.mark.parametrize(
    ("agent", "is_warned"),
    [("engine:depth=3", True), ("engine", False), ("mcts:simulations=50", False)],
)
def test_a_search_that_misses_an_evaluator_says_so(
    capsys: pytest.CaptureFixture[str], agent: str, is_warned: bool
) -> None:
    status, _, errors = run(capsys, "--agent", agent)
    assert status == 0
    assert ("no evaluator" in errors) == is_warned
