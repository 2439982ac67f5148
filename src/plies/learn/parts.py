"""Parts of a long work, kept beside the file that they are for until all are there."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plies.core.errors import PliesError
from plies.files import new_file

PLAN = "plan.json"


class OtherWork(PliesError):
    """A file, or the parts of one, is there already and was made for something else."""


class Parts:
    """The folder `FILE.parts`; its plan says what the parts belong to."""

    def __init__(self, path: Path, plan: Mapping[str, Any]):
        """Make the folder, or go on with one whose plan is the same."""
        self.folder = path.with_name(f"{path.name}.parts")
        if difference := self._difference(plan):
            raise OtherWork(
                f"{self.folder} holds parts of another work ({difference});"
                " delete it or choose another --out"
            )
        self.folder.mkdir(exist_ok=True)
        with new_file(self.folder / PLAN) as part:
            part.write_text(json.dumps(plan, indent=1), encoding="utf-8")

    def __contains__(self, name: str) -> bool:
        return self.path(name).is_file()

    def path(self, name: str) -> Path:
        return self.folder / name

    def remove(self) -> None:
        """All that the parts are for is done."""
        shutil.rmtree(self.folder)

    def _difference(self, plan: Mapping[str, Any]) -> str:
        if not self.folder.exists():
            return ""
        try:
            kept = json.loads((self.folder / PLAN).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return "it has no plan"
        return difference(kept, plan)


def difference(kept: Any, wanted: Mapping[str, Any]) -> str:
    """`seed 1, not 2`: where what is there differs from what is wanted; empty if nowhere."""
    if not isinstance(kept, dict):
        return "it has no plan"
    for name, value in json.loads(json.dumps(wanted)).items():
        if kept.get(name) != value:
            return f"{name} {kept.get(name)}, not {value}"
    return ""
