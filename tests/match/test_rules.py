"""The judge of a game: faults and what they cost, draws, judgements."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from match_samples import PACING, Puppet, legal, plain, play, seated
from plies.core.contract import Game
from plies.core.result_text import player_name
from plies.core.scores import win_payoffs
from plies.errors import AgentFault, BadSpec
from plies.match import Clocks, Match, Rules
from plies.match.endings import ending_text, forfeited, is_cycle
from plies.records import FAULTS, TERMINATIONS, GameRecord
from plies.search.decision import Decision
from plies.search.task import Task

ILLEGAL = 99


@pytest.fixture
def tictactoe() -> Game:
    return plies.game("tictactoe")


# Faults


def faulty(at: int, termination: str) -> Puppet:
    """Commits a fault when it is asked for the `at`-th time, counted from 0, and from then on."""

    def thinks(task: Task, asked: int) -> Decision:
        if asked < at:
            return plain(task, asked)
        if termination == "illegal":
            return Decision(ILLEGAL)
        raise AgentFault(termination, f"a case of {termination}")

    return Puppet(thinks)


@pytest.mark.parametrize("termination", FAULTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_fault_loses_the_game(tictactoe: Game, termination: str, seat: int) -> None:
    puppets = [Puppet(plain), Puppet(plain)]
    puppets[seat] = faulty(1, termination)
    record = play(tictactoe, *puppets)
    assert record.termination == termination
    assert record.payoffs == ((1, -1) if seat else (-1, 1))
    assert record.winner == 1 - seat
    assert len(record.moves) == 2 + seat
    word = str(ILLEGAL) if termination == "illegal" else termination
    assert word in record.reason


def test_the_judge_may_move_for_whoever_commits_a_fault(tictactoe: Game) -> None:
    rules = Rules(faults="random")
    record, again = (
        play(tictactoe, faulty(1, "crash"), Puppet(plain), rules=rules, seed=3) for _ in range(2)
    )
    assert (record.termination, record.reason) == ("normal", "rules")
    assert [bool(move.fault) for move in record.moves if move.player == 0][:2] == [False, True]
    assert not any(move.fault for move in record.moves if move.player == 1)
    assert [move.text for move in record.moves] == [move.text for move in again.moves]


@given(at=st.integers(0, 4), warnings=st.integers(1, 4))
def test_so_many_faults_are_forgiven_and_the_next_one_loses(at: int, warnings: int) -> None:
    rules = Rules(faults="warnings", warnings=warnings, repetitions=0, max_plies=16)
    record = play(plies.game(PACING), faulty(at, "illegal"), Puppet(plain), rules=rules)
    own = [move for move in record.moves if move.player == 0]
    if at + warnings < 8:
        assert (record.termination, record.payoffs) == ("illegal", (-1, 1))
        assert [bool(move.fault) for move in own] == [False] * at + [True] * warnings
    else:
        assert record.reason == "length"


def broken(termination: str) -> Puppet:
    """Does not get ready."""

    def starts(task: Task, seconds: float) -> None:
        raise AgentFault(termination, f"seat {task.seat} fails")

    return Puppet(plain, starts)


def test_who_does_not_get_ready_has_lost_and_both_draw(tictactoe: Game) -> None:
    record = play(tictactoe, Puppet(plain), broken("time"))
    assert (record.termination, record.payoffs, record.moves) == ("time", (1, -1), ())
    record = play(tictactoe, broken("crash"), broken("time"))
    assert (record.termination, record.payoffs) == ("crash", (0, 0))
    assert record.reason == "seat 0 fails; seat 1 fails"


def test_who_does_not_get_ready_plays_on_where_faults_are_forgiven(tictactoe: Game) -> None:
    record = play(tictactoe, broken("time"), Puppet(plain), rules=Rules(faults="random"))
    assert record.termination == "normal"


def test_of_three_players_the_one_at_fault_loses_and_the_others_share() -> None:
    game = plies.game("nim:players=3")
    record = play(game, Puppet(plain), faulty(0, "memory"), Puppet(plain))
    assert (record.termination, record.payoffs, record.winner) == ("memory", (0, -1, 0), None)
    record = play(game, broken("crash"), Puppet(plain), broken("time"))
    assert (record.payoffs, record.winner) == ((-1, 0, -1), 1)


@given(players=st.integers(2, 6), data=st.data())
def test_whoever_forfeits_gets_less_than_whoever_does_not(
    players: int, data: st.DataObject
) -> None:
    losers = data.draw(st.sets(st.integers(0, players - 1), min_size=1))
    end = forfeited({seat: AgentFault("time", "late") for seat in sorted(losers)}, players)
    payoffs = end.payoffs
    assert end.faults == tuple("time" if seat in losers else "" for seat in range(players))
    others = [payoffs[seat] for seat in range(players) if seat not in losers]
    assert len({payoffs[seat] for seat in losers}) == 1
    assert all(payoffs[min(losers)] < other for other in others)
    won = win_payoffs(0, players)
    assert won[0] == max(won) > max(won[1:])


def test_whoever_is_asked_hears_of_all_positions_before_this_one(tictactoe: Game) -> None:
    puppets = [Puppet(plain), Puppet(plain)]
    play(tictactoe, *puppets)
    tasks = [each for puppet in puppets for each in puppet.heard if isinstance(each, Task)]
    tasks.sort(key=lambda task: len(task.played))
    keys = [tictactoe.key(task.state) for task in tasks]
    assert [list(task.past) for task in tasks] == [keys[:ply] for ply in range(len(keys))]
    assert {task.start for task in tasks} == {tasks[0].state}


def test_everybody_hears_how_the_game_ended(tictactoe: Game) -> None:
    puppets = [Puppet(plain), faulty(0, "crash")]
    play(tictactoe, *puppets)
    assert [puppet.heard[-1] for puppet in puppets] == [
        (seat, (1, -1), "a case of crash") for seat in (0, 1)
    ]


# Draws of the match


@pytest.mark.parametrize("repetitions", [2, 3, 5])
def test_a_repetition_counts_how_often_a_position_arose(repetitions: int) -> None:
    record = play(plies.game(PACING), *[Puppet(plain)] * 2, rules=Rules(repetitions=repetitions))
    # Four plies lead back to where it began.
    assert (record.reason, len(record.moves)) == ("repetition", 4 * (repetitions - 1))
    assert (record.termination, record.payoffs) == ("normal", (0, 0))


@given(period=st.integers(1, 20), before=st.integers(0, 5))
def test_a_cycle_has_a_period_of_two_to_seven(period: int, before: int) -> None:
    texts = [f"before {number}" for number in range(before)]
    texts += 2 * [f"{number}" for number in range(period)]
    assert is_cycle(texts) == (2 <= period <= 7)
    assert not is_cycle(texts[:-1])


@given(st.lists(st.sampled_from("ab"), max_size=18))
def test_a_cycle_is_a_stretch_of_moves_that_comes_twice_at_the_end(texts: list[str]) -> None:
    whole = "".join(texts)
    assert is_cycle(texts) == any(
        whole.endswith(2 * whole[-period:]) for period in range(2, 8) if 2 * period <= len(whole)
    )


def test_a_match_stops_at_a_cycle_only_where_that_is_asked_for() -> None:
    game = plies.game(PACING)
    rules = [Rules(cycles=cycles, repetitions=0, max_plies=9) for cycles in (True, False)]
    records = [play(game, *[Puppet(plain)] * 2, rules=each) for each in rules]
    # All moves of this game read the same: four of them are two and the same two again.
    assert [(each.reason, len(each.moves)) for each in records] == [("cycle", 4), ("length", 9)]


def test_an_opinion_may_decide_the_longest_game() -> None:
    game = plies.game("quixo:n=3")
    rules = Rules(max_plies=2, at_length="lines")
    found = set()
    for seed in range(12):
        record = plies.play_game(game, "random", "random", seed=seed, rules=rules)
        state = game.parse_position(record.final)
        value = game.evaluate(state, "lines")
        assert record.termination == "adjudicated"
        assert record.reason.startswith(f"length: lines says {value:+d} for ")
        mover = game.mover(state)
        sign = (value > 0) - (value < 0)
        assert record.payoffs[mover] == sign == -record.payoffs[1 - mover]
        found.add(sign)
    assert len(found) > 1


def test_an_opinion_that_is_not_there_is_refused_before_anything_is_played() -> None:
    puppet = Puppet(plain)
    game = plies.game(PACING)
    with pytest.raises(BadSpec, match="has no evaluator lines"):
        play(game, puppet, puppet, rules=Rules(at_length="lines"))
    assert puppet.heard == []


# Judgements


def valued(*values: int | None) -> Puppet:
    """Thinks so of its positions, and as of the last one from then on."""

    def thinks(task: Task, asked: int) -> Decision:
        return Decision(legal(task), value=values[min(asked, len(values) - 1)])

    return Puppet(thinks)


def judged(first: Sequence[int | None], second: Sequence[int | None], **rules: Any) -> GameRecord:
    options = Rules(repetitions=0, max_plies=20, **rules)
    return play(plies.game(PACING), valued(*first), valued(*second), rules=options)


@pytest.mark.parametrize(("sign", "payoffs"), [(1, (1, -1)), (-1, (-1, 1))])
def test_a_game_is_won_when_both_agree_for_long_enough(sign: int, payoffs: tuple[int, int]) -> None:
    record = judged([0, 600 * sign], [-600 * sign], resign_moves=3, resign_value=500)
    assert (record.termination, record.payoffs) == ("adjudicated", payoffs)
    assert len(record.moves) == 7  # the first player agrees from its second move on
    assert record.reason.endswith("ahead by 500 or more")


@pytest.mark.parametrize(
    ("first", "second"),
    [([600], [-400]), ([600], [600]), ([600], [None]), ([600, 600, 0, 600, 600, 0], [-600])],
)
def test_without_agreement_nobody_resigns(
    first: list[int | None], second: list[int | None]
) -> None:
    assert judged(first, second, resign_moves=3, resign_value=500).reason == "length"


def test_a_game_is_drawn_when_both_agree_but_not_too_early() -> None:
    record = judged([5], [-10], draw_moves=2, draw_value=10, draw_after=9)
    assert (record.termination, record.payoffs, len(record.moves)) == ("adjudicated", (0, 0), 9)
    assert "within 10" in record.reason
    assert judged([5], [-11], draw_moves=2, draw_value=10, draw_after=9).reason == "length"
    assert judged([5], [None], draw_moves=2, draw_value=10, draw_after=0).reason == "length"


# Records


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    policy=st.sampled_from(["forfeit", "random", "warnings"]),
    at=st.integers(0, 5),
    termination=st.sampled_from(FAULTS),
    max_plies=st.integers(1, 9),
)
def test_every_record_replays_to_its_end_whatever_happened(
    seed: int, policy: Any, at: int, termination: str, max_plies: int
) -> None:
    game = plies.game("tictactoe")
    rules = Rules(faults=policy, warnings=1, max_plies=max_plies)
    record = plies.play_game(
        game, seated(game, faulty(at, termination)), "random", seed=seed, rules=rules
    )
    state = game.parse_position(record.start)
    for move in record.moves:
        assert game.mover(state) == move.player
        state = game.play(state, game.parse_move(state, move.text))
    assert game.position_text(state) == record.final
    assert record.termination in TERMINATIONS
    if record.reason == "rules":
        assert record.payoffs == game.payoffs(state)
    elif record.reason == "length":
        assert (record.payoffs, len(record.moves)) == ((0, 0), max_plies)
    else:
        assert (record.termination, record.payoffs) == (termination, (-1, 1))


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        (Clocks, {"credit": -1}, "credit is 0 to 10000000 seconds, not -1"),
        (Clocks, {"per_move": float("nan")}, "per_move is a number of seconds, not nan"),
        (Clocks, {"increment": 1}, "an increment needs a credit"),
        (Rules, {"repetitions": 1}, "repetitions is 0 (never) or at least 2"),
        (Rules, {"max_plies": 0}, "max_plies is a whole number from 1 on, not 0"),
        (Rules, {"warnings": 0}, "warnings is a whole number from 1 on, not 0"),
        (Rules, {"resign_moves": True}, "resign_moves is a whole number from 0 on, not True"),
        (Rules, {"faults": "mercy"}, "faults is forfeit or random or warnings, not mercy"),
    ],
)
def test_senseless_settings_are_refused(kind: type, options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSpec) as found:
        kind(**options)
    assert said in str(found.value)


def test_the_text_of_an_ending_names_who_lost_by_a_fault_gave_up_or_won(tictactoe: Game) -> None:
    names = [player_name(tictactoe, player) for player in (0, 1)]

    def text(match: Match) -> str:
        assert match.end is not None
        return ending_text(tictactoe, match.rules, match.end, match.state)

    def match() -> Match:
        return Match(tictactoe, tictactoe.initial())

    (at_fault := match()).forfeit(0, AgentFault("crash", "it crashed"))
    assert text(at_fault).startswith(names[0])
    assert "it crashed" in text(at_fault)
    (late := match()).lose_on_time()
    (resigned := match()).resign(0)
    for each in (late, resigned):
        assert text(each).startswith(f"{names[1]} wins: {names[0]} ")
