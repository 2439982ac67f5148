"""How a program ended, in words."""

import signal

import pytest

from plies.sandbox.ending import ending, last_line, quoted, readable_text
from plies.sandbox.limits import Limits
from plies.sandbox.pipes import ERROR_BYTES, Excerpt


@pytest.mark.parametrize(
    ("code", "max_mb", "errors", "termination", "message"),
    [
        (0, 1, b"", "crash", "ended with exit status 0, without an error message"),
        (1, 1, b"first\nlast\n\n", "crash", "exit status 1; its last error message is 'last'"),
        (-signal.SIGSEGV, 1, b"", "crash", "was ended by signal SIGSEGV"),
        (-signal.SIGXCPU, 1, b"", "time", "used more than 3600 seconds of processor time"),
        (1, 1, b"MemoryError\n", "memory", "the limit is 100 MB: MemoryError"),
        (-signal.SIGKILL, 99, b"", "memory", "ran out of memory, the limit is 100 MB"),
        (0, 99, b"", "crash", "ended with exit status 0"),
        (1, 1, b"MemoryError\n" + b"x\n" * 4000, "crash", "its last error message is 'x'"),
    ],
)
def test_an_ending_is_told(code: int, max_mb: float, errors: bytes, termination: str, message: str):
    told = ending(code, max_mb, errors, Limits(memory_mb=100))
    assert told[0] == termination
    assert message in told[1]


def test_what_a_program_says_cannot_act_on_a_terminal():
    assert last_line(b"\x1b[2J\xff\n") == "?[2J\N{REPLACEMENT CHARACTER}"
    assert quoted("\ud800\x07\nmore") == "'??'"


def test_what_a_program_says_is_cut():
    assert quoted("x" * 1000) == f"'{'x' * 200}...'"


def test_of_a_flood_of_errors_the_beginning_and_the_end_are_kept():
    excerpt = Excerpt()
    flood = b"".join(b"%07d\n" % number for number in range(100_000))
    for start in range(0, len(flood), 999):
        excerpt.add(flood[start : start + 999])
    left_out = len(flood) - 2 * ERROR_BYTES
    gap = f"\n... {left_out} bytes left out ...\n".encode()
    assert bytes(excerpt) == flood[:ERROR_BYTES] + gap + flood[-ERROR_BYTES:]


def test_errors_below_the_limit_are_kept_whole():
    excerpt = Excerpt()
    for _ in range(2):
        excerpt.add(b"x" * ERROR_BYTES)
    assert bytes(excerpt) == b"x" * (2 * ERROR_BYTES)


def test_whole_errors_cannot_act_on_a_terminal_either():
    assert readable_text(b"\x1b]0;title\x07\r\n\tx\r\xff\n") == (
        "?]0;title?\n\tx?\N{REPLACEMENT CHARACTER}\n"
    )
