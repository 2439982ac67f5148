"""Charts that a command draws into a file."""

from pathlib import Path
from typing import Any

from plies.cli.errors import UsageError
from plies.files import check_writable, new_file

PICTURES = (".svg", ".png")


def check_picture(path: Path) -> None:
    """Refuse, before the work, a file that no chart could be drawn into."""
    if path.suffix not in PICTURES:
        raise UsageError(f"--plot is a file that ends with {' or '.join(PICTURES)}, not {path}")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent} to draw {path.name} in")
    check_writable(path)


def write_picture(path: Path, drawn: Any) -> None:
    """Draw an Altair chart, in the format that the name of the file ends with."""
    from plies.pages.charts import picture

    with new_file(path) as part:
        part.write_bytes(picture(drawn, "svg" if path.suffix == ".svg" else "png"))
