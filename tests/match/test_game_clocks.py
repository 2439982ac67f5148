"""The judge of a game: clocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from fake_time import FakeTime, new_function
from match_samples import PACING, Puppet, legal, plain, play
from plies.core.contract import Game
from plies.match import Clocks, Rules
from plies.search.decision import Decision
from plies.search.limits import MAX_SECONDS
from plies.search.task import Task


@pytest.fixture
def tictactoe() -> Game:
    return plies.game("tictactoe")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    fake.rule(monkeypatch)
    return fake


def taking(clock: FakeTime, *seconds: float) -> Puppet:
    """Takes so long for its moves, as long as for the last one from then on."""

    def thinks(task: Task, asked: int) -> Decision:
        clock.now += seconds[min(asked, len(seconds) - 1)]
        return Decision(legal(task))

    return Puppet(thinks)


def test_a_move_within_its_cap_is_fine_and_one_past_it_loses(
    tictactoe: Game, clock: FakeTime
) -> None:
    clocks = Clocks(per_move=1, margin=0.25)
    record = play(tictactoe, taking(clock, 1, 1.25, 1.5), taking(clock, 0), clocks=clocks)
    assert (record.termination, record.payoffs) == ("time", (-1, 1))
    assert record.reason.startswith("took 1.500 s")
    assert [move.seconds for move in record.moves] == [1, 0, 1.25, 0]


# By hand: 2 s, less 0.75 and plus 0.25 for every move, leave 1.5, 1, 0.5 s before the second,
# third and fourth move, which then takes longer than that with the margin.
def test_a_credit_is_used_up_and_grows_by_the_increment(clock: FakeTime) -> None:
    slow, quick = taking(clock, 0.75), taking(clock, 0.25)
    clocks = Clocks(credit=2, increment=0.25, margin=0.125)
    record = play(plies.game(PACING), slow, quick, clocks=clocks, rules=Rules(repetitions=0))
    assert [task.clock.remaining for task in slow.heard[:-1]] == [2, 1.5, 1, 0.5]
    assert [task.clock.remaining for task in quick.heard[:-1]] == [2, 2, 2]
    assert (record.termination, record.payoffs) == ("time", (-1, 1))
    assert record.reason.startswith("took 0.750 s")


def test_a_credit_below_nothing_is_not_even_asked(clock: FakeTime) -> None:
    slow = taking(clock, 1.5)
    clocks = Clocks(credit=1, margin=1)
    rules = Rules(repetitions=0, faults="random", max_plies=6)
    record = play(plies.game(PACING), slow, taking(clock, 0), clocks=clocks, rules=rules)
    # 0.5 s below nothing the margin still allows half a second, and 2 s below there is none.
    assert len(slow.heard[:-1]) == 2
    assert [move.fault for move in record.moves if move.player == 0] == [
        "",
        "took 1.500 s for a move and had 0 s",
        "its time for the game is used up",
    ]


@given(
    durations=st.lists(st.integers(0, 12), min_size=1, max_size=12),
    credit=st.integers(1, 40),
    increment=st.integers(0, 4),
    per_move=st.integers(0, 10),
    margin=st.integers(0, 3),
)
def test_the_flag_falls_when_simple_sums_say_so(
    durations: list[int], credit: int, increment: int, per_move: int, margin: int
) -> None:
    clock, game = FakeTime(), plies.game(PACING)
    left, expected = credit, 0
    for taken in durations:
        if (
            taken > min(left, per_move or left) + margin
            or min(left, per_move or left) + margin <= 0
        ):
            break
        left += increment - taken
        expected += 1
    limits = Clocks(credit=credit, increment=increment, per_move=per_move, margin=margin)
    rules = Rules(repetitions=0, max_plies=2 * len(durations))
    with pytest.MonkeyPatch.context() as patch:
        clock.rule(patch)
        slow = taking(clock, *durations)
        record = play(game, slow, taking(clock, 0), rules=rules, clocks=limits)
    tasks = slow.heard[:-1]
    told = [each for task in tasks for each in (task.clock.remaining, task.clock.for_this_move)]
    fell = expected < len(durations)
    assert record.termination == ("time" if fell else "normal")
    assert record.payoffs == ((-1, 1) if fell else (0, 0))
    assert sum(move.player == 0 for move in record.moves) == expected
    assert all(seconds >= 0 for seconds in [*told, *(move.seconds for move in record.moves)])


def test_players_are_told_their_deadline_with_the_margin(tictactoe: Game, clock: FakeTime) -> None:
    first, second = taking(clock, 0.5), taking(clock, 0.25)
    play(tictactoe, first, second, clocks=Clocks(credit=10, per_move=2, margin=0.5))
    assert [task.deadline for task in first.heard[:2]] == [102.5, 103.25]
    assert [task.clock.for_this_move for task in first.heard[:2]] == [2, 2]


def test_without_clocks_nobody_has_a_deadline(tictactoe: Game, clock: FakeTime) -> None:
    first = taking(clock, 1000)
    assert play(tictactoe, first, taking(clock, 0)).termination == "normal"
    assert {(task.deadline, task.clock) for task in first.heard[:-1]} == {(None, None)}


def test_time_to_get_ready_is_told_and_not_on_the_clock(tictactoe: Game, clock: FakeTime) -> None:
    told = []

    def starts(task: Task, seconds: float) -> None:
        told.append((task.seat, seconds, task.clock and task.clock.remaining))
        clock.now += 50

    record = play(
        tictactoe, *[Puppet(plain, starts)] * 2, clocks=Clocks(credit=1, startup=60, margin=0)
    )
    assert told == [(0, 60, 1), (1, 60, 1)]
    assert record.termination == "normal"


def test_a_full_credit_may_grow(tictactoe: Game, clock: FakeTime) -> None:
    clocks = Clocks(credit=MAX_SECONDS, increment=MAX_SECONDS)
    assert (
        play(tictactoe, taking(clock, 0), taking(clock, 1), clocks=clocks).termination == "normal"
    )


def compiling(clock: FakeTime, seconds: float = 0.25) -> Puppet:
    """Has something compiled before every move, and takes so long besides."""

    def thinks(task: Task, _: int) -> Decision:
        new_function()(1)
        clock.now += seconds
        return Decision(legal(task))

    return Puppet(thinks)


def test_no_clock_charges_what_the_compiler_takes(tictactoe: Game, clock: FakeTime) -> None:
    clocks = Clocks(credit=10, per_move=1, margin=0)
    late, early = compiling(clock), compiling(clock, 0.5)
    with clock.slow_compiler(1000):
        record = play(tictactoe, late, early, clocks=clocks)
    assert (record.termination, {move.seconds for move in record.moves}) == ("normal", {0.25, 0.5})
    assert [task.clock.remaining for task in late.heard[:3]] == [10, 9.75, 9.5]


def test_the_compiler_puts_the_deadline_off(tictactoe: Game, clock: FakeTime) -> None:
    left: list[float] = []

    def thinks(task: Task, asked: int) -> Decision:
        clock.now += 0.25
        left.append(task.seconds_left)
        new_function()(1)
        left.append(task.seconds_left)
        clock.now += 2
        left.append(task.seconds_left)
        return plain(task, asked)

    with clock.slow_compiler(1000):
        play(tictactoe, Puppet(thinks), taking(clock, 0), clocks=Clocks(per_move=1, margin=0.5))
    assert left == [1.25, 1.25, 0]
