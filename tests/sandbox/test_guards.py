"""Each guard by itself: what it refuses although the others are switched off."""

import pytest
from courts import Court
from escapes import ESCAPES, MOVE, escaped

WRITING = {"a new file", "a new folder", "a link", "overwrite", "append", "rename", "remove"}
CHANGING = {"truncate", "times", "mode"}
CONNECTING = {"connection", "datagram", "local", "listen", "routes"}
READING = {"open", "list", "symbolic link", "hard link", "root of a process", "run"}
REACHING = {"see", "signal", "slow down", "limit"}  # many machines refuse the rest anyway

# An ordinary user needs a user namespace to make the others.
BY_ITSELF = [
    ("landlock", "write", WRITING | {"own file", "shared memory"}),
    ("landlock", "read", READING),
    ("landlock", "reach", {"see", "memory", "trace"}),
    ("seccomp", "write", CHANGING),
    ("seccomp", "connect", CONNECTING),
    ("seccomp", "read", {"notice"}),
    ("seccomp", "reach", {"trace", "slow down", "limit", "namespace", "chosen signal"}),
    ("mounts", "write", WRITING | CHANGING | {"own file", "shared memory"}),
    ("network", "connect", {"connection", "datagram"}),
    ("processes", "reach", {"signal", "trace", "slow down", "limit"}),
]


def guards_of(judge: Court, *names: str) -> tuple[str, ...]:
    return names if judge.user == 0 else ("user", *names)


@pytest.mark.parametrize(
    ("attempt", "achieved"),
    [
        ("write", WRITING | CHANGING | {"own file"}),
        ("connect", CONNECTING),
        ("read", READING | {"notice"}),
        ("reach", REACHING | {"chosen signal"}),
    ],
)
def test_without_guards_every_attempt_succeeds(judge: Court, attempt: str, achieved: set[str]):
    told = ESCAPES[attempt](judge, guards=())
    assert achieved <= escaped(told)
    assert set(told["missing"].values()) == {"switched off"}


@pytest.mark.parametrize(("guard", "attempt", "refused"), BY_ITSELF)
def test_a_guard_by_itself(judge: Court, guard: str, attempt: str, refused: set[str]):
    told = ESCAPES[attempt](judge, guards=guards_of(judge, guard), needs=(guard,))
    assert escaped(told) & refused == set()


def test_other_processes_are_not_seen(judge: Court):
    guards = guards_of(judge, "processes", "mounts", "proc")
    told = ESCAPES["reach"](judge, guards=guards, needs=("proc",))
    assert escaped(told) & {"see", "memory", "signal", "trace"} == set()


def test_memory_is_hidden_where_system_calls_are_not_filtered(judge: Court):
    told = judge("hidden_memory", guards=("watch",))
    assert escaped(told) == {"by_shared_pages", "by_files_without_a_name", "by_large_buffers"}


def test_the_watch_by_itself_finds_an_agent_that_woke_itself(judge: Court):
    told = judge("wakes_itself", guards=("watch",), moves=2, pause=0.6)
    assert (told["termination"], told["answers"]) == ("time", [MOVE])
    assert told["message"] == "ran while it was not its turn"


@pytest.mark.parametrize(
    ("agent", "termination"), [("fork_bomb", "crash"), ("memory_bomb", "memory")]
)
def test_the_watch_by_itself_stops(judge: Court, agent: str, termination: str):
    assert judge(agent, guards=("watch",))["termination"] == termination


# Landlock lets root's Python be read by a user without privileges, nothing else.
@pytest.mark.parametrize(
    ("agent", "termination", "message"),
    [
        ("fork_bomb", "crash", "Resource temporarily unavailable"),
        ("memory_bomb", "memory", "MemoryError"),
    ],
)
def test_the_limits_of_the_kernel_by_themselves_stop(
    judge: Court, agent: str, termination: str, message: str
):
    guards = ("user", "landlock", "limits")
    told = judge(agent, guards=guards, needs=guards)
    assert told["termination"] == termination
    assert message in told["message"]


def test_what_an_agent_starts_ends_with_it_although_no_namespace_holds_it(judge: Court):
    assert judge("survivor", guards=())["answers"] == [MOVE]
