"""How a program ended, in words for whoever wrote it."""

import signal

from plies.sandbox.limits import Limits

# What runtimes write when the memory that they may use is not enough.
OUT_OF_MEMORY = (
    "MemoryError",
    "bad_alloc",
    "OutOfMemoryError",
    "out of memory",
    "ENOMEM",
    "Cannot allocate memory",
)
NEARLY = 0.95  # of the limit: a program that came so far and crashed wanted more
SHOWN = 200
LAST_BYTES = 4096  # of the errors: what came long before the end need not be its cause


def ending(code: int, max_mb: float, errors: bytes, limits: Limits) -> tuple[str, str]:
    """Termination and message; `code` is an exit status, or the negative of a signal."""
    last = last_line(errors)
    if code == -signal.SIGXCPU:
        return "time", f"used more than {limits.cpu_seconds} seconds of processor time"
    text = errors[-LAST_BYTES:].decode(errors="replace")
    is_short = any(word in text for word in OUT_OF_MEMORY) or max_mb >= NEARLY * limits.memory_mb
    if code != 0 and is_short:
        detail = f": {last}" if last else ""
        return "memory", f"ran out of memory, the limit is {limits.memory_mb} MB{detail}"
    how = f"was ended by {_signal_name(-code)}" if code < 0 else f"ended with exit status {code}"
    said = f"; its last error message is {quoted(last)}" if last else ", without an error message"
    return "crash", how + said


def last_line(errors: bytes) -> str:
    """The last line that is not empty, without what a terminal would act on."""
    lines = [line.strip() for line in errors.decode(errors="replace").splitlines()]
    last = next((line for line in reversed(lines) if line), "")
    return _printable(last)


def readable_text(errors: bytes) -> str:
    """All lines, without what a terminal would act on."""
    text = errors.decode(errors="replace").replace("\r\n", "\n")
    return "".join(each if each.isprintable() or each in "\n\t" else "?" for each in text)


def quoted(said: str) -> str:
    """The beginning of what a program said, in quotes."""
    return f"'{_printable(said.partition(chr(10))[0])}'"


def _printable(text: str) -> str:
    """A short text without what a terminal would act on."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in text[: SHOWN + 1])
    return clean if len(clean) <= SHOWN else f"{clean[:SHOWN]}..."


def _signal_name(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"
