"""The transposition table gives back what was written, or nothing."""

from itertools import count as naturals
from itertools import islice, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plies.core.scores import MAX_EVALUATION, WIN, lose_in, win_in
from plies.search.table import (
    AGES,
    AT_LEAST,
    AT_MOST,
    BUCKET,
    EXACT,
    NO_EVAL,
    NO_MOVE,
    WORDS,
    Entry,
    Table,
    bucket_of,
    from_table_value,
    is_cutoff,
    probe,
    store,
    table_in,
    to_table_value,
)
from plies.search.workspace import new_workspace

KEYS = st.integers(-(2**63), 2**63 - 1)
SMALL = range(-2, 3)
ENTRIES = st.builds(
    Entry,
    bound=st.sampled_from([AT_LEAST, AT_MOST, EXACT]),
    depth=st.integers(0, 255),
    value=st.integers(-WIN, WIN),
    move=KEYS,
    static_eval=KEYS,
)
NOTHING = Entry(0, 0, 0, NO_MOVE, NO_EVAL)


def connected(table: Table) -> np.record:
    work = new_workspace()
    table.connect(work)
    return work


def small_table() -> tuple[Table, np.record]:
    table = Table(1)
    return table, connected(table)


def entry(depth: int, bound: int = EXACT, move: int = 7) -> Entry:
    return Entry(bound, depth, 5, move, NO_EVAL)


def neighbours(work: np.record, count: int) -> list[int]:
    """Keys that share the two slots of key 1."""
    slot = bucket_of(work, 1)
    return list(islice((key for key in naturals() if bucket_of(work, key) == slot), count))


@given(key=KEYS, written=ENTRIES)
def test_what_was_written_is_found(key: int, written: Entry) -> None:
    _, work = small_table()
    assert probe(work, key, 0) == NOTHING
    store(work, key, 0, written)
    assert probe(work, key, 0) == written


@given(key=KEYS, other=KEYS, written=ENTRIES)
def test_nothing_is_found_of_another_position(key: int, other: int, written: Entry) -> None:
    _, work = small_table()
    store(work, key, 0, written)
    if other != key:
        assert probe(work, other, 0).bound == 0


def test_a_table_of_no_megabytes_keeps_nothing() -> None:
    work = connected(Table(0))
    store(work, 1, 0, entry(depth=3))
    assert probe(work, 1, 0) == NOTHING
    assert Table(0).share_used() == 0


@given(key=KEYS, written=ENTRIES, word=st.integers(0, WORDS - 1), number=KEYS)
def test_a_slot_half_written_is_never_believed(
    key: int, written: Entry, word: int, number: int
) -> None:
    """Another thread may have replaced any of the four words."""
    table, work = small_table()
    store(work, key, 0, written)
    slot = (table.address - table.words.ctypes.data) // 8 + int(bucket_of(work, key)) + word
    before = int(table.words[slot])
    table.words[slot] = number
    assert probe(work, key, 0) == (written if number == before else NOTHING)


def test_of_two_positions_the_less_deeply_searched_gives_way() -> None:
    _, work = small_table()
    deep, shallow, newcomer = neighbours(work, 3)
    store(work, deep, 0, entry(depth=6))
    store(work, shallow, 0, entry(depth=2))
    store(work, newcomer, 0, entry(depth=1))
    assert [probe(work, key, 0).depth for key in (deep, newcomer)] == [6, 1]
    assert probe(work, shallow, 0) == NOTHING


def test_what_an_earlier_search_found_gives_way_first_however_deep_it_was() -> None:
    table, work = small_table()
    old, recent, newcomer = neighbours(work, 3)
    store(work, old, 0, entry(depth=200))
    table.grow_older()
    work = connected(table)
    store(work, recent, 0, entry(depth=1))
    store(work, newcomer, 0, entry(depth=1))
    assert probe(work, old, 0) == NOTHING
    assert [probe(work, key, 0).depth for key in (recent, newcomer)] == [1, 1]


def test_ages_go_round() -> None:
    table = Table(1)
    for _ in range(AGES):
        table.grow_older()
    assert table.age == 0


def test_a_much_deeper_result_is_not_replaced_by_a_bound() -> None:
    _, work = small_table()
    store(work, 1, 0, entry(depth=6))
    store(work, 1, 0, entry(depth=3, bound=AT_LEAST))
    assert probe(work, 1, 0).depth == 6
    store(work, 1, 0, entry(depth=4, bound=AT_LEAST))
    assert probe(work, 1, 0).depth == 4
    store(work, 1, 0, entry(depth=1, bound=EXACT))
    assert probe(work, 1, 0).depth == 1


def test_the_move_stays_when_a_newer_result_has_none() -> None:
    _, work = small_table()
    store(work, 1, 0, entry(depth=3, move=42))
    store(work, 1, 0, entry(depth=4, move=NO_MOVE))
    assert (probe(work, 1, 0).depth, probe(work, 1, 0).move) == (4, 42)


def test_small_keys_are_spread_over_the_whole_table() -> None:
    """Numbers from 0 on, and numbers that differ only in their upper half."""
    _, work = small_table()
    half = int(work.buckets) // 2
    for scale in (1, 2**32):
        places = {int(bucket_of(work, number * scale)) for number in range(half)}
        # Thrown at random, half as many keys as places would fall on 39 % of them.
        assert len(places) > 0.39 * work.buckets
        assert min(places) < 0.01 * work.buckets * BUCKET
        assert max(places) > 0.99 * (work.buckets - 1) * BUCKET


@given(key=KEYS)
def test_every_place_lies_inside_the_table_on_a_line_of_its_own(key: int) -> None:
    table, work = small_table()
    slot = int(bucket_of(work, key))
    assert 0 <= slot <= (table.buckets - 1) * BUCKET
    assert (table.address + 8 * slot) % 64 == 0
    last = table.address + 8 * (slot + BUCKET)
    assert last <= table.words.ctypes.data + table.words.nbytes


def test_a_table_tells_how_full_it_is_and_can_be_emptied() -> None:
    table, work = small_table()
    assert table.share_used() == 0
    for number in range(4 * table.buckets):
        store(work, number, 0, entry(depth=1))
    assert table.share_used() > 0.5
    table.forget_game()
    assert table.share_used() == 0
    assert probe(work, 3, 0) == NOTHING


@given(plies_to_win=st.integers(0, 100), ply=st.integers(0, 100), later=st.integers(0, 100))
def test_a_decided_value_is_kept_as_seen_from_the_position(
    plies_to_win: int, ply: int, later: int
) -> None:
    stored = to_table_value(win_in(ply + plies_to_win), ply)
    assert stored == win_in(plies_to_win)
    assert from_table_value(stored, later) == win_in(later + plies_to_win)
    assert from_table_value(to_table_value(lose_in(ply + plies_to_win), ply), later) == lose_in(
        later + plies_to_win
    )


@given(value=st.integers(-MAX_EVALUATION, MAX_EVALUATION), ply=st.integers(0, 127))
def test_an_opinion_is_the_same_from_everywhere(value: int, ply: int) -> None:
    assert to_table_value(value, ply) == value == from_table_value(value, ply)


def test_an_entry_settles_a_window_exactly_if_every_value_it_allows_is_answered_there() -> None:
    for bound, value, alpha, beta in product((AT_LEAST, AT_MOST, EXACT), SMALL, SMALL, SMALL):
        if alpha >= beta:
            continue
        allowed = {
            AT_LEAST: range(value, 4),
            AT_MOST: range(-3, value + 1),
            EXACT: range(value, value + 1),
        }[bound]

        def clamped(number: int, low: int = alpha, high: int = beta) -> int:
            return min(max(number, low), high)

        is_answer = all(clamped(truth) == clamped(value) for truth in allowed)
        entry = Entry(bound, 1, value, NO_MOVE, 0)
        assert bool(is_cutoff(entry, alpha, beta)) == is_answer, (bound, value, alpha, beta)


def test_one_game_has_one_table_that_ages_with_every_search() -> None:
    memory: dict[str, object] = {}
    first = table_in(memory, 1)
    age = first.age
    assert table_in(memory, 1) is first
    assert first.age == age + 1
