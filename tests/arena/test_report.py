"""The report of a run: one page that tells the truth, loads nothing and runs nothing foreign."""

import base64
import hashlib
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena_samples import TAKE
from plies.arena.plan import Entry, points_of
from plies.arena.report import Report, make_report, read_run
from plies.arena.report.analysis import faults, means, meetings
from plies.arena.store import Finished
from plies.arena.titles import game_titles, public_spec
from plies.cli.main import main
from plies.files import CannotWrite
from plies.registry import game as find_game
from report_samples import HOSTILE, Page, keep, keep_games, rows_of, small_files, tournament

AGENTS = ("random", Entry(HOSTILE, "random"), Entry("third", "random"))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round robin of two games: three meetings of one pair each, twelve games in all."""
    path = tmp_path_factory.mktemp("run") / "run.db"
    games = ("tictactoe", "nim:rows=3-4")
    keep(path, tournament(*AGENTS, games=games, pairs=1, name=f"Cup {HOSTILE}"))
    return path


@pytest.fixture(scope="module")
def report(run: Path) -> Report:
    return make_report(read_run(run))


@pytest.fixture(scope="module")
def page(report: Report) -> Page:
    return Page(report.html())


# The page


def test_the_page_names_nothing_that_could_be_loaded(page: Page) -> None:
    assert "://" not in page.source
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "a"), tag
        assert not {"src", "srcset", "action", "formaction", "data"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")


def test_the_policy_of_the_page_allows_its_own_script_only(page: Page) -> None:
    (policy,) = (
        attributes["content"]
        for tag, attributes in page.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    digest = base64.b64encode(hashlib.sha256(page.code.encode()).digest()).decode()
    assert policy is not None
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}';")


def test_hostile_names_are_told_and_never_become_a_part_of_the_page(page: Page) -> None:
    assert HOSTILE in page.texts
    assert any(HOSTILE in told for told in page.texts if "Cup" in told)
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    games = sum(name.startswith("game-") for name in page.data)
    # One that runs, the parts of pictures, and one for every game.
    assert len(page.scripts) == 2 + games
    assert any(HOSTILE in data["seats"] for name, data in page.data.items() if name != "pictures")


def test_every_game_of_the_run_is_on_the_page_with_what_its_players_thought(
    page: Page, report: Report
) -> None:
    assert len(report.run.games) == 12
    for finished in report.run.games:
        data, record = page.data[f"game-{finished.planned.number}"], finished.record
        assert tuple(data["seats"]) == finished.planned.seats
        assert data["moves"] == [move.text for move in record.moves]
        assert data["players"] == [move.player for move in record.moves]
        assert data["seconds"] == pytest.approx([move.seconds for move in record.moves], rel=0.01)
        assert len(data["changes"]) == len(record.moves)


def test_every_chart_is_drawn_in_the_colour_of_the_text_and_tells_its_figures(page: Page) -> None:
    drawings = page.source.count('<figure class="card">')
    # Ratings, pay-off, two of seats, time for a move (nobody counts nodes); of each of the two
    # games its length and time by legal moves; by own pieces only where pieces have an owner.
    assert drawings == 5 + 2 * 2 + 1
    assert page.source.count("<svg ") == drawings
    assert 'fill="currentColor"' in page.source
    assert any(told.startswith("random against third: ") for told in page.texts)


def test_standings_on_the_page_are_those_of_the_games(page: Page, report: Report) -> None:
    points: Counter[str] = Counter()
    for finished in report.run.games:
        points.update(
            dict(zip(finished.planned.seats, points_of(finished.record.payoffs), strict=True))
        )
    shown = page.texts[page.texts.index("Standings") : page.texts.index("Charts")]
    for name, total in points.items():
        assert f"{total:g}" in shown[shown.index(name) :]


def test_what_was_played_is_said(page: Page, report: Report) -> None:
    told = " ".join(page.texts)
    for expected in ("a fault loses the game", "after 4 random plies", report.run.about["begun"]):
        assert expected in told


# What must be said


def test_a_run_that_goes_on_says_so(tmp_path: Path) -> None:
    keep(tmp_path / "run.db", tournament(*AGENTS), most=2)
    report = make_report(read_run(tmp_path / "run.db"))
    assert "the run is not finished" in report.warnings[0]
    assert "the run is not finished" in report.html()


def test_games_that_repeat_another_are_a_warning(tmp_path: Path) -> None:
    played = tournament("random", Entry("other", "random"))
    games = keep(tmp_path / "first.db", played)
    # The first game in place of the other one with the same seats.
    games[2] = replace(games[0], planned=games[2].planned)
    keep_games(tmp_path / "run.db", played, games)
    report = make_report(read_run(tmp_path / "run.db"))
    assert any("games that repeat another" in told for told in report.warnings)


def test_faults_are_told_with_who_did_what(tmp_path: Path) -> None:
    played = tournament("random", Entry("clumsy", "random"))
    games = keep(tmp_path / "first.db", played)
    games[1] = lost_by("clumsy", games[1])
    moves = (replace(games[2].record.moves[0], fault="said <hello>"), *games[2].record.moves[1:])
    games[2] = replace(games[2], record=replace(games[2].record, moves=moves))
    mover = games[2].planned.seats[moves[0].player]
    assert {(each.agent, each.kind, each.told) for each in faults(games)} == {
        ("clumsy", "time", "took 3 s of 1 s"),
        (mover, "forgiven", "said <hello>"),
    }
    keep_games(tmp_path / "run.db", played, games)
    shown = Page(make_report(read_run(tmp_path / "run.db")).html())
    assert "took 3 s of 1 s" in shown.texts
    assert "said <hello>" in shown.texts
    assert shown.data[f"game-{games[2].planned.number}"]["faults"] == {"1": "said <hello>"}


def lost_by(name: str, finished: Finished) -> Finished:
    payoffs = tuple(-1 if seat == name else 1 for seat in finished.planned.seats)
    kinds = tuple("time" if seat == name else "" for seat in finished.planned.seats)
    fault = {"termination": "time", "reason": "took 3 s of 1 s", "faults": kinds}
    return replace(finished, record=replace(finished.record, payoffs=payoffs, **fault))


def test_a_game_of_three_has_everything_but_ratings(tmp_path: Path) -> None:
    played = tournament(*AGENTS, games=("nim:rows=3-4,players=3",), pairs=1)
    games = keep(tmp_path / "run.db", played)
    assert len(games) == 3
    page = Page(make_report(read_run(tmp_path / "run.db")).html())
    assert "Ratings" not in page.texts
    assert {"Pay-off", "Results by seat", "What a seat is worth"} <= set(page.texts)


@pytest.mark.parametrize(
    ("kind", "heading", "told"),
    [("swiss", "Swiss table", "Buchholz"), ("knock-out", "Bracket", "third – nobody")],
)
def test_the_way_of_a_tournament_has_a_table_of_its_own(
    kind: str, heading: str, told: str, tmp_path: Path
) -> None:
    agents = ("random", Entry("second", "random"), Entry("third", "random"))[::-1]
    keep(tmp_path / "run.db", tournament(*agents, kind=kind, pairs=1))
    page = Page(make_report(read_run(tmp_path / "run.db")).html())
    assert heading in page.texts
    assert told in page.texts


def test_meetings_count_points_against_each_opponent(report: Report) -> None:
    found = meetings(report.run.games)
    names = report.run.tournament.names
    # Two games, one pair of each: four games, each giving one point to the two of them.
    for name in names:
        for other in names:
            if name != other:
                assert found[name, other].games == 4
                assert found[name, other].points + found[other, name].points == 4


def test_means_are_taken_by_number_and_by_class_where_there_are_many() -> None:
    assert means([(3, 1.0), (3, 2.0), (5, 4.0)]) == {3: (1.5, 2), 5: (4.0, 1)}
    # 0 to 99 in at most 40 classes: three numbers in a class, the last class has one.
    found = means([(number, float(number)) for number in range(100)])
    assert found[0] == (1.0, 3)
    assert found[99] == (99.0, 1)
    assert len(found) == 34


# Files


def test_tables_hold_what_the_store_holds(report: Report, tmp_path: Path) -> None:
    written = report.write_csv(tmp_path)
    assert sorted(path.name for path in written) == [
        *("games.csv", "moves.csv", "payoff.csv", "standings.csv"),
    ]
    tables = {path.stem: rows_of(path) for path in written}
    games = report.run.games
    assert [row["agent_1"] for row in tables["games"]] == [each.planned.seats[0] for each in games]
    moves = [(each.planned.number, move) for each in games for move in each.record.moves]
    assert len(tables["moves"]) == len(moves)
    for row, (number, move) in zip(tables["moves"], moves, strict=True):
        kept = asdict(move) | {"line": " ".join(move.line), "value": move.value or ""}
        assert int(row["number"]) == number
        assert {name: row[name] for name in kept} == {
            name: str(value) for name, value in kept.items()
        }
    shares = {(row["agent"], row["opponent"]): float(row["points"]) for row in tables["payoff"]}
    assert shares == {key: score.points for key, score in meetings(games).items()}
    assert {row["agent"] for row in tables["standings"]} == set(report.run.tournament.names)


def test_plots_are_files_of_the_kind_asked_for(report: Report, tmp_path: Path) -> None:
    for path in report.write_plots(tmp_path, "svg"):
        assert ElementTree.fromstring(path.read_text()).tag.endswith("svg")
    pictures = report.write_plots(tmp_path, "png")
    assert len(pictures) == len({path.name for path in pictures}) == 10
    # The signature of every PNG file.
    assert all(path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n") for path in pictures)


def test_a_full_disk_leaves_the_old_page_and_nothing_half_written(
    report: Report, tmp_path: Path
) -> None:
    page = tmp_path / "run.html"
    page.write_text("old")
    with small_files(1000), pytest.raises(CannotWrite, match=r"run\.html cannot be written: "):
        report.write_html(page)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("run.html", "old")]


# The command


def test_the_command_writes_the_page_beside_the_run_and_says_where(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(run)]) == 0
    page = run.with_suffix(".html")
    assert str(page) in capsys.readouterr().out.splitlines()
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "there is no run"),
        (b"no database at all, but long enough to look like one" * 20, "is not a run of plies"),
        (b"", "not of a run of plies"),
    ],
)
def test_what_is_no_run_is_one_line_and_status_2(
    content: bytes | None, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.db"
    if content is not None:
        path.write_bytes(content)
    assert main(["report", str(path)]) == 2
    complaints = capsys.readouterr().err
    assert complaint in complaints
    assert complaints.count("\n") == 1


def test_a_run_without_a_game_and_one_that_would_be_overwritten_are_one_line(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path / "empty.db", tournament(*AGENTS), most=0)
    for arguments, complaint in (
        ([str(tmp_path / "empty.db")], "no game of"),
        ([str(run), "--out", str(run)], "is the run itself"),
        ([str(run), "--csv", str(run)], "cannot be made a folder"),
    ):
        assert main(["report", *arguments]) == 2
        complaints = capsys.readouterr().err
        assert complaint in complaints
        assert complaints.count("\n") == 1


def test_a_report_names_games_by_their_titles_and_shows_no_folder(tmp_path: Path) -> None:
    game = tmp_path / "own_game.py"
    game.write_text(TAKE.read_text())
    played = tournament(
        "random", Entry("keen", "greedy"), games=(str(game), "nim:rows=3-4"), pairs=1
    )
    keep(tmp_path / "run.db", played)
    report = make_report(read_run(tmp_path / "run.db"))
    written = [report.html(), *(path.read_text() for path in report.write_csv(tmp_path))]
    assert all(str(tmp_path) not in text for text in written)
    title = find_game(str(game)).title
    assert f"{title}, Nim (rows=3-4)" in report.public().lead
    assert title in written[0]


def test_specs_are_shown_without_the_folders_of_their_files() -> None:
    assert public_spec("process:/a/b/alice.py,memory=64") == "process:alice.py,memory=64"
    assert public_spec("process:python3 '/my bots/bob.py' fast") == "process:python3 bob.py fast"
    assert public_spec("engine:eval=/a/b.npz,seconds=1") == "engine:eval=b.npz,seconds=1"
    assert public_spec("alphabeta:depth=4") == "alphabeta:depth=4"
    titles = game_titles(["/a/none.py", "/b/none.py", "tree:file=/a/b.json"])
    assert len(set(titles.values())) == 3
    assert not any("/" in title for title in titles.values())
    own = "/home/a/none.py:size=4,book=/home/alice/secret=1/x"
    several = "tree:rows=3,file=/a/secret/b.json,size=4"
    assert game_titles([own, several]) == {
        own: "none (size=4, book=x)",
        several: "tree:rows=3, file=b.json, size=4",
    }
