"""Files that a program may read besides its own: those without which nothing starts."""

import sys
from collections.abc import Iterator
from pathlib import Path

SYSTEM = (
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/sbin",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/sys/devices/system/cpu",
)
# What lies beside the folder of a program that was not installed by the system.
BESIDE_BIN = ("lib", "lib64", "libexec", "conf")


def needed_by(program: Path) -> Iterator[Path]:
    """The system's files, this Python's, and what belongs to the program that is run."""
    yield from map(Path, SYSTEM)
    yield from Path("/etc").glob("java*")
    yield from map(Path, (sys.prefix, sys.base_prefix))
    package = Path(__file__).parents[2]
    if package.name == "src":  # a development copy of plies, which agents may import
        yield package
    real = program.resolve()
    yield real
    if real.parent.name == "bin":
        yield from (real.parent.parent / name for name in BESIDE_BIN)
