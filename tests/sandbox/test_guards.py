"""Each guard by itself: what it refuses although the others are switched off."""

import re

import pytest
from courts import Court
from escapes import ESCAPES, MOVE, escaped

WRITING = {"a new file", "a new folder", "a link", "overwrite", "append", "rename", "remove"}
CHANGING = {"truncate", "times", "mode"}
CONNECTING = {"connection", "datagram", "local", "listen", "routes"}
READING = {"open", "list", "symbolic link", "hard link", "root of a process", "run"}
GOING_ON = {
    f"go on{how}" for how in ("", " as a thread", " at a parent's end", " at a child's end")
}
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
    ("seccomp", "reach", GOING_ON),
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
        ("reach", REACHING | GOING_ON | {"chosen signal"}),
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
    told = judge("hidden_memory", "megabytes=72", guards=("watch",), limits={"memory_mb": 64})
    assert escaped(told) == {
        "by_shared_pages",
        "by_files_without_a_name",
        "by_large_buffers",
        "by_spliced_pages",
        "by_moved_pages",
        "by_wide_pipes",
        "by_open_files_of_threads",
    }


def test_the_watch_by_itself_finds_an_agent_that_woke_itself(judge: Court):
    told = judge("wakes_itself", guards=("watch",), moves=2, pause=0.6, stopping_seconds=0.5)
    assert (told["termination"], told["answers"]) == ("time", [MOVE])
    assert told["message"] == "ran while it was not its turn"


# Programs that take more memory than they may, each in another way.
GREEDY = ("memory_bomb", "shared_memory_bomb", "without_main_thread", "page_tables")


@pytest.mark.parametrize("agent", GREEDY)
def test_the_watch_by_itself_finds_memory(judge: Court, agent: str):
    told = judge(agent, guards=("watch",))
    assert told["termination"] == "memory"
    assert re.search(r"used \d+ MB of memory; the limit is 256 MB", told["message"])


@pytest.mark.parametrize("agent", [*GREEDY, "hidden_memory"])
def test_the_group_by_itself_holds_memory(judge: Court, agent: str):
    told = judge(agent, guards=("memory",), needs=("memory",))
    assert told["termination"] == "memory"
    assert told["message"] == "ran out of memory, the limit is 256 MB"


@pytest.mark.parametrize(
    ("guard", "message"),
    [("watch", "started more than 16 processes"), ("pids", "Resource temporarily unavailable")],
)
def test_a_guard_by_itself_bounds_processes(judge: Court, guard: str, message: str):
    told = judge("fork_bomb", guards=(guard,), needs=(guard,))
    assert told["termination"] == "crash"
    assert message in told["message"]


# Its many short-lived processes must be bounded by something, or the machine runs out of numbers.
@pytest.mark.parametrize("guards", [("freezer", "pids"), ("user", "landlock", "limits", "seccomp")])
def test_a_guard_by_itself_stops_what_outruns_signals(judge: Court, guards: tuple[str, ...]):
    told = judge("outruns_stops", guards=guards, needs=guards, moves=2, pause=1.0)
    assert told["answers"] == [MOVE] * 2, told["message"]


def test_the_address_space_by_itself_bounds_tables_of_pages(judge: Court):
    told = judge("page_tables", guards=("limits",), needs=("limits",))
    assert "Cannot allocate memory" in told["message"]


def test_a_guard_by_itself_keeps_sessions_together(judge: Court):
    assert "session" in escaped(judge("leaves_session", guards=()))
    assert escaped(judge("leaves_session", guards=("seccomp",), needs=("seccomp",))) == set()


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


@pytest.mark.parametrize("guards", [(), ("watch",), ("freezer",), ("processes",)])
@pytest.mark.parametrize("agent", ["survivor", "daemon_without_main_thread"])
def test_what_an_agent_starts_ends_with_it(judge: Court, agent: str, guards: tuple[str, ...]):
    assert judge(agent, guards=guards)["answers"] == [MOVE]


def test_control_groups_that_were_handed_over_serve_an_ordinary_user(delegate: Court):
    told = delegate("page_tables", guards=("memory",), needs=("memory",))
    assert told["message"] == "ran out of memory, the limit is 256 MB"
    needs = ("freezer", "pids", "cpu")
    told = delegate("outruns_stops", guards=needs, needs=needs, moves=2, pause=1.0)
    assert told["answers"] == [MOVE] * 2, told["message"]
