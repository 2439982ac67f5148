"""Studies: what all of them have in common, how they are run, gone on with and told."""

import json
import platform
import random
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

from arena_samples import let_workers_start_uncompiled
from plies.arena.openings import books
from plies.studies import finding, players
from plies.studies.matches import by_situation, each_game, played, timed
from plies.studies.report.contents import as_data, html
from plies.studies.report.machine import machine
from plies.studies.report.markdown import markdown
from plies.studies.running import BadStudy, Outcome, Setting, run
from plies.studies.study import Scale, Step, Study, Work
from plies.studies.telling import counts, decided_share, elo, ratio, share
from study_samples import SAMPLE, tournament

STUDIES = finding.studies()
MEETING = {"wins": 6, "draws": 2, "losses": 2, "elo": 147.2, "elo_low": 20.4, "elo_high": 300.0}


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    let_workers_start_uncompiled(monkeypatch)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    with pytest.MonkeyPatch.context() as patch:
        let_workers_start_uncompiled(patch)
        return run(SAMPLE, tmp_path_factory.mktemp("studies") / "sample", Setting())


# Every study


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_named_like_its_module(name: str):
    module = import_module(f"plies.studies.{name.replace('-', '_')}")
    assert module.STUDY is STUDIES[name]
    assert STUDIES[name].title
    assert STUDIES[name].about.endswith(".")


@pytest.mark.parametrize("scale", get_args(Scale))
@pytest.mark.parametrize("name", STUDIES)
def test_the_steps_of_a_study_have_names_of_their_own_that_files_can_have(name: str, scale: Scale):
    names = [step.name for step in STUDIES[name].plan(scale)]
    assert names
    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").replace("_", "").isalnum() for name in names)


# Running


def counting(done: list[str], fails_at: str = "") -> Study:
    """A study of three steps that notes in `done` what was run."""

    def step(name: str) -> Step:
        def act(work: Work) -> Any:
            if name == fails_at:
                raise KeyboardInterrupt
            done.append(name)
            return {"before": list(work.found)}

        return Step(name, act)

    return replace(SAMPLE, plan=lambda _: [step(name) for name in "abc"], findings=_nothing)


def _nothing(found: Any, scale: Scale) -> Any:
    return found


def test_a_step_that_was_done_is_not_done_again(tmp_path: Path):
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        run(counting(done, fails_at="b"), tmp_path / "x", Setting())
    outcome = run(counting(done), tmp_path / "x", Setting())
    assert done == ["a", "b", "c"]
    run(counting(done), tmp_path / "x", Setting())
    assert done == ["a", "b", "c"]
    assert outcome.steps["c"].answer == {"before": ["a", "b"]}


def test_an_answer_is_kept_as_json_gives_it_back(outcome: Outcome):
    assert outcome.steps["begin"].answer["squares"] == {"1": [1, 1], "2": [1, 4]}


@pytest.mark.parametrize(
    ("study", "setting", "complaint"),
    [
        (SAMPLE, Setting(seed=2), "seed is 1, not 2"),
        (SAMPLE, Setting(scale="full"), "scale is quick, not full"),
        (replace(SAMPLE, name="other"), Setting(), "study is sample, not other"),
    ],
)
def test_the_folder_of_another_study_is_refused(
    tmp_path: Path, study: Study, setting: Setting, complaint: str
):
    run(replace(counting([]), name="sample"), tmp_path / "x", Setting())
    with pytest.raises(BadStudy, match=complaint):
        run(study, tmp_path / "x", setting)


def test_a_folder_with_something_else_in_it_is_refused_and_left_alone(tmp_path: Path):
    (tmp_path / "thesis.txt").write_text("done")
    with pytest.raises(BadStudy, match="holds no study"):
        run(SAMPLE, tmp_path, Setting())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_damaged_answer_is_named(tmp_path: Path):
    run(counting([]), tmp_path / "x", Setting())
    (tmp_path / "x" / "steps" / "b.json").write_text("{")
    with pytest.raises(BadStudy, match=r"b\.json cannot be read"):
        run(counting([]), tmp_path / "x", Setting())


@pytest.mark.parametrize("text", ["{}", "[]", '{"answer": 1}', "null"])
def test_an_answer_that_is_none_is_named(tmp_path: Path, text: str):
    run(counting([]), tmp_path / "x", Setting())
    (tmp_path / "x" / "steps" / "b.json").write_text(text)
    with pytest.raises(BadStudy, match=r"b\.json does not hold what a step answered; delete it"):
        run(counting([]), tmp_path / "x", Setting())


def test_an_answer_that_was_changed_is_named(tmp_path: Path):
    run(counting([]), tmp_path / "x", Setting())
    path = tmp_path / "x" / "steps" / "b.json"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "answer": "another"}))
    with pytest.raises(BadStudy, match=r"b\.json was changed after its step had ended; delete it"):
        run(counting([]), tmp_path / "x", Setting())
    path.write_text(json.dumps(kept))
    run(counting([]), tmp_path / "x", Setting())


def test_a_damaged_description_of_a_study_is_named(tmp_path: Path):
    run(counting([]), tmp_path / "x", Setting())
    (tmp_path / "x" / "study.json").write_text("[]")
    with pytest.raises(BadStudy, match=r"study\.json describes no study; delete"):
        run(counting([]), tmp_path / "x", Setting())


@pytest.mark.parametrize("name", ["a,b", "seed=1"])
def test_a_folder_that_no_agent_could_be_given_is_refused_at_once(tmp_path: Path, name: str):
    done: list[str] = []
    with pytest.raises(BadStudy, match="a comma or an equals sign"):
        run(counting(done), tmp_path / name / "x", Setting())
    assert not done
    assert not list(tmp_path.iterdir())


def test_steps_of_different_code_are_told_about(tmp_path: Path):
    run(counting([]), tmp_path / "x", Setting())
    path = tmp_path / "x" / "steps" / "b.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"source": "another"}))
    assert "code was changed" in run(counting([]), tmp_path / "x", Setting()).warnings[1]


# Matches


def test_two_runs_of_a_match_have_the_same_openings_and_the_second_plays_nothing(tmp_path: Path):
    work = Work(tmp_path, seed=3)
    heard: list[int] = []
    first = played(work, "games", tournament(3, 2, "tictactoe"))
    again = replace(work, tell=lambda text, done, total: heard.append(done))
    assert played(again, "games", tournament(3, 2, "tictactoe")) == first
    assert heard == [4]
    assert first["games"] == 4
    meeting = first["meetings"][0]
    assert (meeting["a"], meeting["b"]) == ("greedy", "random")
    assert meeting["wins"] == first["agents"]["greedy"]["wins"]
    assert books(tournament(3, 2, "tictactoe")) == books(tournament(3, 2, "tictactoe"))


def test_times_are_told_by_what_the_mover_faced(tmp_path: Path):
    played(Work(tmp_path), "games", tournament(1, 3, "tictactoe"))
    found = by_situation(tmp_path / "games.db")
    # After four random plies a player has two pieces or more, and five moves or fewer.
    assert {row["number"] for row in found["pieces"]} <= {2, 3, 4}
    assert {row["number"] for row in found["moves"]} <= {1, 2, 3, 4, 5}
    both = [sum(row["count"] for row in found[what]) for what in ("pieces", "moves")]
    assert both[0] == both[1] > 0


def test_every_game_is_told_with_its_points_and_moves(tmp_path: Path):
    told = played(Work(tmp_path), "games", tournament(1, 2, "tictactoe"))
    rows = each_game(tmp_path / "games.db")
    assert sum(sum(row["moves"]) for row in rows) / len(rows) == told["plies_per_game"]
    assert all(sum(row["points"]) == 1 for row in rows)
    points = sum(row["points"][row["seats"].index("greedy")] for row in rows)
    assert points == told["agents"]["greedy"]["points"]
    # both games of a pair are from the same opening, with the seats changed
    for first, second in (rows[:2], rows[2:]):
        assert first["opening"] == second["opening"]
        assert first["seats"] == second["seats"][::-1]


def test_timing_plays_the_same_games_and_counts_each_once(tmp_path: Path):
    told = played(Work(tmp_path), "games", tournament(1, 2, "tictactoe"))
    rows = timed(Work(tmp_path), "games", tournament(1, 2, "tictactoe"))
    assert len(rows) == told["games"]
    assert sum(row["plies"] for row in rows) / len(rows) == told["plies_per_game"]
    assert all(row["cpu_seconds"] > 0 for row in rows)


# Telling


def test_results_are_told_in_words():
    assert counts(MEETING) == "6 / 2 / 2"
    assert decided_share(MEETING) == "75.0 %"
    assert share(MEETING) == "70.0 %"
    assert elo(MEETING) == "+147 (+20 to +300)"
    assert elo({**MEETING, "elo": None, "elo_high": None}) == "at least +20"
    assert decided_share({"wins": 0, "draws": 3, "losses": 0}) == "none decided"
    assert [ratio(number) for number in (1.234, 155.4)] == ["1.2 times", "155 times"]


def test_a_report_is_one_file_that_says_how_it_was_made(outcome: Outcome):
    told = html(outcome)
    assert "Greedy beats chance." in told
    assert "plies study run sample --quick --seed 1" in told
    assert "40 | &lt;b&gt;" in told
    assert told.count("<svg") == 2
    assert "http" not in told.replace("http-equiv", "")
    assert all(text in told for text in ("processor", "cores", "commit", "numba"))


def test_data_holds_the_table_and_all_that_steps_answered(outcome: Outcome):
    told = json.loads(json.dumps(as_data(outcome)))
    assert told["compared"] == [
        {
            "what": "games",
            "published": "40 | <b>",
            "computed": "",
            "ours": "4",
            "why": "a smaller sample",
        }
    ]
    assert [table["title"] for table in told["tables"]] == ["Counts"]
    assert set(told["steps"]) == {"begin", "play"}


def test_a_page_of_the_documentation_is_made_from_the_data(outcome: Outcome):
    lines = markdown(as_data(outcome)).splitlines()
    assert lines[0] == "# A sample"
    assert "| what | published | computed | ours | why they differ |" in lines
    assert "| games | 40 \\| &lt;b> | - | 4 | a smaller sample |" in lines
    assert any(line.startswith("`plies study run sample --quick --seed 1`") for line in lines)


def test_nobody_is_told_the_name_of_the_machine():
    assert platform.node() not in json.dumps(machine())


# A study that is made of small parts


def test_trees_for_several_players_are_whole_and_their_payoffs_add_up():
    text = players.random_tree(3, 2, 4, random.Random(1))
    payoffs = [list(map(int, leaf)) for leaf in re.findall(r"\((\d+),(\d+),(\d+)\)", text)]
    assert len(payoffs) == 2**4
    assert all(sum(each) == players.SUM for each in payoffs)
    # The players take turns from the root down, and the first one is on move again after three.
    assert [text.count(f"{mover}(") for mover in (1, 2, 3)] == [1 + 8, 2, 4]
