"""Hostile programs behind all guards, with root and with an ordinary user as the judge."""

import re

import pytest
from courts import Court
from escapes import ESCAPES, MOVE, escaped, write

# The judge looks every 20 ms; the kernel's own limit may come first on a busy machine.
MANY = r"started more than 16 processes|Resource temporarily unavailable"
# Agent, how long it is waited for, the termination and a pattern for the message.
FAULTS = [
    ("endless_loop", 0.5, "time", r"did not answer within [\d.]+ seconds"),
    ("sleeper", 0.5, "time", r"did not answer within [\d.]+ seconds"),
    ("memory_bomb", 20, "memory", "the limit is 256 MB"),
    ("memory_at_once", 20, "memory", "MemoryError"),
    ("shared_memory_bomb", 20, "memory", "the limit is 256 MB"),
    ("without_main_thread", 20, "memory", "the limit is 256 MB"),
    ("page_tables", 20, "memory", "the limit is 256 MB"),
    ("fork_bomb", 20, "crash", MANY),
    ("garbage", 20, "bad output", "a line may have 65536 bytes"),
    ("exit_at_once", 20, "crash", "exit status 1; its last error message is 'no licence found'"),
    ("closes_output", 20, "crash", "closed its standard output"),
]
# What the escapes cannot do without: these guards are enough.
ENOUGH = {
    "write": ("landlock", "seccomp"),
    "connect": ("seccomp",),
    "read": ("landlock", "seccomp"),
    "reach": ("landlock", "seccomp"),
}


@pytest.mark.parametrize(("agent", "seconds", "termination", "message"), FAULTS)
def test_a_fault_is_told_and_leaves_nothing_behind(
    judge: Court, agent: str, seconds: float, termination: str, message: str
):
    told = judge(agent, seconds=seconds)
    assert (told["termination"], told["answers"]) == (termination, [])
    assert re.search(message, told["message"])


@pytest.mark.parametrize("attempt", ESCAPES)
def test_no_attempt_to_escape_succeeds(judge: Court, attempt: str):
    told = ESCAPES[attempt](judge, needs=ENOUGH[attempt])
    assert escaped(told) == set()


def test_the_files_of_others_are_untouched(judge: Court):
    write(judge, needs=ENOUGH["write"])
    texts = [(judge.folder / name).read_text() for name in ("victim.txt", "second.txt")]
    assert texts == ["untouched", "untouched"]


def test_memory_cannot_be_hidden(judge: Court):
    assert escaped(judge("hidden_memory", needs=("seccomp",))) == set()


def test_a_stopped_agent_cannot_wake_itself(judge: Court):
    told = judge("wakes_itself", needs=("seccomp",), moves=2, pause=0.6)
    assert told["answers"] == [MOVE, MOVE]


def test_its_own_folder_holds_no_more_than_it_may(judge: Court):
    assert escaped(judge("fills_folder", needs=("mounts",))) == set()


def test_a_stopped_agent_cannot_outrun_the_stop(judge: Court):
    told = judge("outruns_stops", needs=("seccomp",), moves=2, pause=1.0)
    # Where only the watch counts, so many that share their memory use too much of it.
    is_fault = re.search("the limit is 256 MB|started more than 16 processes", told["message"])
    assert is_fault or told["answers"] == [MOVE] * 2


def test_nothing_of_the_kernel_can_be_read(judge: Court):
    assert escaped(judge("reads_kernel", needs=("landlock",))) == set()


AT_EASE = ["error_flood", "survivor", "daemon_without_main_thread", "leaves_session"]


@pytest.mark.parametrize("agent", AT_EASE)
def test_an_agent_that_achieves_nothing_by_it_plays_on(judge: Court, agent: str):
    assert judge(agent)["answers"] == [MOVE]


def test_an_agent_that_ends_in_the_middle_has_played_before(judge: Court):
    told = judge("exit_in_the_middle", moves=2)
    assert told["answers"] == [MOVE]
    assert told["termination"] == "crash"
    assert told["message"].endswith("KeyError: 'opponent''")


def test_an_answer_too_many_is_a_fault_at_the_next_question(judge: Court):
    told = judge("answers_twice", moves=2)
    assert told["termination"] == "bad output"
    assert told["message"] == f"printed '{MOVE}' without being asked"
