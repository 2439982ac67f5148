"""Trainings with files: stopped, gone on with, refused; the search for settings; the command."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plies
from plies.cli.errors import INTERRUPTED
from plies.cli.main import main
from plies.learn.parts import OtherWork
from plies.learn.qlearning import grid
from plies.learn.qlearning.grid import jobs_of, read_grid
from plies.learn.qlearning.settings import Settings
from plies.learn.qlearning.training import Plan, Training
from plies.models.files import BadModel, load_model, save_model

PLAN = Plan("tictactoe", games=3000, settings=Settings(exploration=0.3), every=1000)


def interrupting(after):
    """Told of progress, it behaves as Ctrl-C does once so many games are over."""

    def tell(done, total):
        if done >= after:
            raise KeyboardInterrupt

    return tell


def values_of(model):
    """What was learned, by key; which positions are only known by name is of no account."""
    arrays = model.arrays
    is_learned = arrays["visits"] > 0
    return dict(zip(arrays["keys"][is_learned], arrays["values"][is_learned], strict=True))


@pytest.fixture(scope="module")
def learned(tmp_path_factory) -> Path:
    """The file of a whole training."""
    path = tmp_path_factory.mktemp("q") / "q.npz"
    Training(PLAN, path).run()
    return path


def test_an_interrupted_training_goes_on_as_if_nothing_had_been(tmp_path, learned):
    path = tmp_path / "q.npz"
    with pytest.raises(KeyboardInterrupt):
        Training(PLAN, path).run(interrupting(1500))
    assert 1500 <= load_model(path).card["games"] < 3000
    Training(PLAN, path).run()
    whole, gone_on = load_model(learned), load_model(path)
    assert gone_on.card == whole.card
    assert values_of(gone_on) == values_of(whole)


def test_the_learning_curve_has_a_point_at_the_start_and_after_every_so_many_games(learned):
    curve = load_model(learned).card["curve"]
    assert [point["games"] for point in curve] == [0, 1000, 2000, 3000]
    assert curve[-1]["first"] > curve[0]["first"]
    assert curve[-1]["second"] > curve[0]["second"]


def test_a_training_with_more_games_goes_on_from_the_file(tmp_path, learned):
    path = tmp_path / "q.npz"
    path.write_bytes(learned.read_bytes())
    training = Training(replace(PLAN, games=3500), path)
    assert training.learner.games == 3000
    training.run()
    assert load_model(path).card["games"] == 3500


@pytest.mark.parametrize(
    ("plan", "complaint"),
    [
        (replace(PLAN, game="tictactoe:width=4"), "table for tictactoe, not table for"),
        (replace(PLAN, seed=2), "was learned with seed=1 instead of 2"),
        (replace(PLAN, against="random"), "against=self instead of random"),
        (replace(PLAN, settings=Settings(rate=0.1)), "rate=0.5 instead of 0.1"),
    ],
)
def test_a_file_of_another_training_is_refused_and_left_alone(learned, plan, complaint):
    before = learned.read_bytes()
    with pytest.raises(BadModel, match=complaint):
        Training(plan, learned)
    assert learned.read_bytes() == before


def damaged(model, **changes):
    arrays = {name: array.copy() for name, array in model.arrays.items()}
    for name, (place, number) in changes.items():
        arrays[name][place] = number
    return replace(model, arrays=arrays)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"parents": (3, 5)}, "reached from a later one"),
        ({"keys": (3, None)}, "has a position twice"),
        ({"values": (3, np.nan)}, "not finite"),
        ({"visits": (3, -1)}, "impossible visits or results"),
        ({"results": (3, 9)}, "impossible visits or results"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path, learned, changes, complaint):
    model, path = load_model(learned), tmp_path / "q.npz"
    if changes.get("keys"):
        changes = {"keys": (3, model.arrays["keys"][4])}
    save_model(path, damaged(model, **changes))
    with pytest.raises(BadModel, match=complaint):
        plies.agent(f"q:{path}", plies.game("tictactoe"))


def test_a_table_whose_moves_are_not_legal_is_found_out_before_one_is_played(tmp_path, learned):
    model, path = load_model(learned), tmp_path / "q.npz"
    moves = np.full_like(model.arrays["moves"], 1 << 40)
    save_model(path, replace(model, arrays={**model.arrays, "moves": moves}))
    training = Training(replace(PLAN, games=9000, every=0), path)
    # A learner forgets its links with the file: the first game looks at the rules again, and
    # a later one at the way to a position, which is wrong.
    with pytest.raises(BadModel, match="a move in it is not legal"):
        training.run()
    assert load_model(path).card["games"] == 3000


def test_a_file_from_before_there_was_an_option_goes_on_with_its_default(tmp_path, learned):
    model, path = load_model(learned), tmp_path / "q.npz"
    then = {name: text for name, text in model.card["settings"].items() if "bonus" not in name}
    save_model(path, replace(model, card={**model.card, "settings": then}))
    assert Training(PLAN, path).learner.games == 3000
    with pytest.raises(BadModel, match="was learned with bonus= instead of lines_4"):
        Training(replace(PLAN, settings=replace(PLAN.settings, bonus="lines_4")), path)


def test_a_card_without_what_is_needed_is_refused(tmp_path, learned):
    model, path = load_model(learned), tmp_path / "q.npz"
    card = {name: value for name, value in model.card.items() if name != "random"}
    save_model(path, replace(model, card=card))
    with pytest.raises(BadModel, match="its card is damaged"):
        Training(PLAN, path)


@pytest.mark.parametrize(
    "changes",
    [
        {"curve": [{}]},
        {"curve": [{"games": 1}]},
        {"curve": [{"games": 0, "first": "nan", "second": 1}]},
        {"curve": 7},
        {"random": "0"},
        {"random": str(1 << 64)},
        {"games": -5},
        {"games": 1.5},
        {"plies": "many"},
        {"results": [1]},
        {"settings": []},
        {"files": []},
    ],
    ids=str,
)
def test_a_card_that_makes_no_sense_is_refused(tmp_path, learned, changes):
    model, path = load_model(learned), tmp_path / "q.npz"
    save_model(path, replace(model, card={**model.card, **changes}))
    with pytest.raises(BadModel, match=r"its card (is damaged|has an impossible )"):
        Training(PLAN, path)


def test_a_training_with_files_that_have_changed_since_is_not_gone_on_with(tmp_path, learned):
    opponent, path = tmp_path / "opponent.npz", tmp_path / "q.npz"
    opponent.write_bytes(learned.read_bytes())
    plan = replace(PLAN, games=3, every=0, against=f"q:{opponent}")
    Training(plan, path).run()
    assert Training(plan, path).learner.games == 3
    model = load_model(learned)
    save_model(opponent, replace(model, card={**model.card, "remark": "another"}))
    with pytest.raises(BadModel, match=r"was learned before .*opponent\.npz changed"):
        Training(plan, path)
    now, before = (grid.plan_of(jobs_of(each, {"rate": ["0.1"]}, 1)) for each in (plan, PLAN))
    assert list(now["files"]) == [str(opponent)]
    assert before["files"] == {}


def test_the_file_plays(learned):
    game = plies.game("tictactoe")
    state = game.parse_position("XX./OO./... X")
    for spec in (f"q:{learned}", f"greedy:eval={learned}"):
        assert game.move_text(state, plies.agent(spec, game).choose(state).move) == "c3"
    record = plies.play_game(game, f"q:{learned}", "random", seed=1)
    assert record.payoffs[0] >= 0
    with pytest.raises(BadModel, match="made for tictactoe, not for"):
        plies.agent(f"q:{learned}", plies.game("tictactoe:width=4"))


# The search for settings


def test_every_combination_is_tried_with_every_seed():
    jobs = jobs_of(PLAN, read_grid("rate=0.1/0.5,discount=0.7/1"), repeats=2)
    tried = [(job.plan.settings.rate, job.plan.settings.discount, job.plan.seed) for job in jobs]
    assert tried == [(r, d, s) for r in (0.1, 0.5) for d in (0.7, 1.0) for s in (1, 2)]
    assert {job.plan.settings.exploration for job in jobs} == {0.3}


def test_a_search_that_was_stopped_trains_only_what_is_left(tmp_path, monkeypatch):
    trained = []

    def rates_of(job):
        if len(trained) == 2 and not monkeypatched["goes_on"]:
            raise KeyboardInterrupt
        trained.append(job.plan.settings.rate)
        return job.plan.settings.rate, 0.5

    monkeypatched = {"goes_on": False}
    monkeypatch.setattr(grid, "train_one", rates_of)
    jobs = jobs_of(PLAN, read_grid("rate=0.1/0.2/0.3/0.4"), repeats=1)
    out = tmp_path / "best.npz"
    with pytest.raises(KeyboardInterrupt):
        grid.search(jobs, out, workers=1)
    monkeypatched["goes_on"] = True
    rows = grid.search(jobs, out, workers=1)
    assert trained == [0.1, 0.2, 0.3, 0.4]
    assert [row.settings.rate for row in rows] == [0.4, 0.3, 0.2, 0.1]
    assert rows[0].score == pytest.approx(0.45)
    others = jobs_of(replace(PLAN, games=10), read_grid("rate=0.1/0.2/0.3/0.4"), repeats=1)
    with pytest.raises(OtherWork, match=r"\(games 3000, not 10\)"):
        grid.search(others, out, workers=1)
    others = jobs_of(PLAN, read_grid("rate=0.1/0.2/0.3/0.5"), repeats=1)
    with pytest.raises(OtherWork, match=r"\(other trainings\)"):
        grid.search(others, out, workers=1)
    part = tmp_path / "best.npz.parts" / jobs[0].name
    for content in ("", "[1]", "[0.5, NaN]", "[0.5, 7]", "{}"):
        part.write_text(content)
        with pytest.raises(OtherWork, match=r"0-1\.json is damaged; delete it"):
            grid.search(jobs, out, workers=1)


def test_a_search_for_a_file_that_is_there_is_refused_before_it_begins(learned, monkeypatch):
    monkeypatch.setattr(grid, "train_one", lambda job: pytest.fail("it has begun"))
    before = learned.read_bytes()
    with pytest.raises(OtherWork, match=r"q\.npz is there already; choose another --out"):
        grid.search(jobs_of(PLAN, read_grid("rate=0.1/0.5"), 1), learned, workers=1)
    assert learned.read_bytes() == before
    assert not learned.with_name("q.npz.parts").exists()


# The command


def test_the_command_learns_searches_draws_and_tells(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["train", "q", "tictactoe", "--games", "2000", "--trials", "200", "--out", "q.npz"]
    more = ["--search", "exploration=0.1/1", "--plot", "curve.svg", "--json"]
    assert main([*words, *more]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 2000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["curve.svg", "q.npz"]
    tried = [row["settings"]["exploration"] for row in told["search"]]
    assert sorted(tried) == ["0.1", "1"]
    assert told["settings"]["exploration"] == str(float(tried[0]))
    assert told["exact"][0]["wins"] <= told["best"][0]["wins"]
    assert told["trials"][0]["wins"] > 150
    assert "games learned from" in Path("curve.svg").read_text(encoding="utf-8")
    best = f"exploration={told['settings']['exploration']}"
    assert main([*words, "--options", best, "--every", "100"]) == 0
    shown = capsys.readouterr()
    assert "as second, best possible" in shown.out
    assert "plies play tictactoe --second q:q.npz" in shown.out
    assert shown.err == "q.npz was finished before\n"
    assert main([*words, "--options", best, "--every", "100", "--games", "50"]) == 0
    assert "has learned from 2,000 games already; --games asks for 50" in capsys.readouterr().err


def test_ctrl_c_keeps_the_table_and_says_how_to_go_on(tmp_path, capsys, monkeypatch):
    def stopped(self, tell):
        self.learner.play(100)
        self.save()
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Training, "run", stopped)
    assert main(["train", "q", "tictactoe", "--out", "q.npz"]) == INTERRUPTED
    complaint = capsys.readouterr().err
    assert "interrupted after 100 games; the table is kept in q.npz" in complaint
    assert "the same command goes on" in complaint
    assert load_model("q.npz").card["games"] == 100


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--options", "ratte=1"], "did you mean rate?"),
        (["--options", "rate"], "is not key=value"),
        (["--options", "bonus=lines_2"], "tictactoe has no pattern lines_2 to give a bonus for"),
        (["--search", "rate=0.1/2"], "rate is above 0 and at most 1, not 2.0"),
        (["--search", "rate"], "'rate' is not name=value/value/..."),
        (["--search", "rate=1/0.5", "--options", "rate=1"], "rate is in --options and in --search"),
        (["--repeats", "2"], "--repeats is for the combinations of --search"),
        (["--against", "alphabetta"], "did you mean alphabeta?"),
        (["--against", "human"], "human cannot be learned against"),
        (["--out", "q.txt"], "ends with .npz"),
        (["--plot", "curve.pdf"], "--plot is a file that ends with .svg or .png"),
        (["--plot", "nowhere/curve.svg"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_learned(capsys, words, complaint):
    assert main(["train", "q", "tictactoe", *words]) == 2
    errors = capsys.readouterr().err.strip()
    assert complaint in errors
    assert "\n" not in errors
