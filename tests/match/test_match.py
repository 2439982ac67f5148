"""A match, step by step: moves of agents and of others, taking back, giving up, copies."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from game_samples import changed
from match_samples import PACING, Puppet, legal, plain, seated
from plies.core.contract import Game
from plies.errors import BadGame, BadSpec, GameOver, IllegalMove
from plies.match import Clocks, Match, Rules
from plies.records import RESIGNED, MoveRecord
from plies.search.decision import Decision
from plies.search.task import Task


@pytest.fixture(scope="module")
def game() -> Game:
    return plies.game("tictactoe")


def match_of(game: Game, *texts: str, **options: object) -> Match:
    """A match in which these moves have been played from outside."""
    match = Match(game, game.initial(), **options)  # type: ignore[arg-type]
    for text in texts:
        match.play(game.parse_move(match.state, text))
    return match


def test_a_person_and_an_agent_play_in_turn(game: Game) -> None:
    puppet = Puppet(plain)
    match = match_of(game, agents=[None, seated(game, puppet)])
    match.begin()
    match.play(game.parse_move(match.state, "b2"), seconds=3.0)
    decision = match.step()
    assert decision is not None
    assert match.moves[-1] == decision.move
    assert [(each.player, each.text, each.seconds > 2) for each in match.records] == [
        (0, "b2", True),
        (1, "a1", False),
    ]
    assert match.mover == 0
    (task,) = puppet.heard
    assert (task.start, task.played) == (match.states[0], tuple(match.moves[:1]))


def test_stepping_to_the_end_is_what_play_game_does(game: Game) -> None:
    match = Match(game, game.initial(), [plies.agent("random", game) for _ in range(2)], seed=7)
    match.begin()
    while match.end is None:
        match.step()
    match.finish()
    record, whole = match.record(), plies.play_game(game, "random", "random", seed=7)
    assert [each.text for each in record.moves] == [each.text for each in whole.moves]
    assert (record.agents, record.payoffs, record.final) == (
        whole.agents,
        whole.payoffs,
        whole.final,
    )


def test_a_record_names_persons(game: Game) -> None:
    match = match_of(game, "a1", "a2", "b1", "b2", "c1")
    assert match.record().agents == ("human", "human")
    assert match.record(["Ann", "Bob"]).agents == ("Ann", "Bob")


def test_an_illegal_move_is_refused_with_the_legal_ones_and_changes_nothing(game: Game) -> None:
    match = match_of(game, "a1")
    with pytest.raises(IllegalMove) as refused:
        match.play(match.moves[0])
    assert len(refused.value.legal) == 8
    assert (match.ply, match.mover) == (1, 1)


def test_a_mover_that_is_no_player_is_the_fault_of_the_game(tmp_path: Path) -> None:
    game = changed(tmp_path, ("return state.turn", "return 7"))
    with pytest.raises(BadGame, match="mover answers 7"):
        Match(game, game.initial())


def test_nobody_moves_or_resigns_once_the_game_is_over(game: Game) -> None:
    match = match_of(game, "a1", "a2", "b1", "b2", "c1")
    assert (match.mover, match.end and match.end.payoffs) == (None, (1, -1))
    for late in (lambda: match.play(8), lambda: match.resign(1), match.lose_on_time, match.step):
        with pytest.raises(GameOver):
            late()


def test_taking_back_leads_to_the_last_turn_of_one_of_these_players(game: Game) -> None:
    match = match_of(game, "a1", "a2", "b1", "b2", "c1")
    assert match.undo({1})
    assert (match.ply, match.mover, match.end) == (3, 1, None)
    assert match.undo({0, 1})
    assert match.ply == 2
    assert not match.undo(set())
    assert match.undo({0})
    assert not match.undo({0})
    assert (match.states, match.keys, match.moves, match.records) == (
        [game.initial()],
        [game.key(game.initial())],
        [],
        [],
    )


def test_positions_that_were_taken_back_have_not_arisen() -> None:
    match = Match(plies.game(PACING), plies.game(PACING).initial())
    for _ in range(3):
        while match.end is None:
            match.play(match.game.moves(match.state)[0])
        assert (match.end.reason, match.ply) == ("repetition", 8)
        match.go_back(2)


def test_who_resigns_or_runs_out_of_time_has_lost(game: Game) -> None:
    match = match_of(game, "a1")
    match.resign(0)
    assert match.end is not None
    assert (match.end.payoffs, match.end.termination) == ((-1, 1), RESIGNED)
    match = match_of(game, "a1")
    match.lose_on_time()
    assert match.end is not None
    assert (match.end.payoffs, match.end.termination) == ((1, -1), "time")


def test_a_forgiven_fault_that_is_taken_back_does_not_count(game: Game) -> None:
    rules = Rules(faults="warnings", warnings=1)
    wrong = Puppet(lambda task, count: Decision(99))
    match = match_of(game, agents=[seated(game, wrong), None], rules=rules)
    for _ in range(3):
        decision = match.step()
        assert decision is not None
        assert decision.move == match.moves[0]
        assert match.records[0].fault
        match.go_back(0)
    match.step()
    match.play(game.moves(match.state)[0])
    assert match.step() is None
    assert match.end is not None
    assert match.end.termination == "illegal"


@given(before=st.lists(st.integers(0, 8), max_size=4, unique=True))
def test_a_copy_goes_its_own_way(game: Game, before: list[int]) -> None:
    match = match_of(game)
    for move in before:
        match.play(game.moves(match.state)[move % len(game.moves(match.state))])
    left, states = match.left.copy(), match.states.copy()
    other = match.copy()
    other.play(game.moves(other.state)[0])
    assert (match.states, match.left, match.ply) == (states, left, len(before))
    assert other.ply == len(before) + 1


def test_what_goes_off_a_clock_may_be_less_than_the_move_took(game: Game) -> None:
    match = match_of(game, clocks=Clocks(credit=60, increment=2))
    match.play(0, seconds=30.0, charge=5.0)
    assert match.left == [(60, 60), (57, 60)]
    assert match.records[0].seconds == 30
    clock = match.clock(0, used=7.0)
    assert clock is not None
    assert (clock.remaining, clock.increment) == (50, 2)
    assert match_of(game).clock(0) is None


def test_a_known_move_is_appended_with_its_record_and_its_clocks(game: Game) -> None:
    match = match_of(game, clocks=Clocks(credit=60))
    record = MoveRecord(0, "a1", 12, 3, 45, 6.0)
    match.append(game.parse_move(match.state, "a1"), record, [41.0, 60.0])
    assert (match.records, match.left[-1]) == ([record], (41.0, 60.0))
    with pytest.raises(BadSpec):
        match.append(1, record, [0.0, 0.0])


def test_an_agent_that_is_consulted_hears_of_the_whole_game(game: Game) -> None:
    puppet, match = Puppet(plain), match_of(game, "b2", "a1", "c3")
    decision = match.consult(seated(game, puppet), None)
    task: Task = puppet.heard[0]
    assert decision.move == legal(task)
    assert (task.start, task.played, task.past) == (
        match.states[0],
        tuple(match.moves),
        tuple(match.keys[:-1]),
    )
    assert match.ply == 3
