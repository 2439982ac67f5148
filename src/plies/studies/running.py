"""Runs a study: the steps whose answers are not there yet; everything is kept in a folder.

study.json       which study this is, at which scale and with which seed
steps/NAME.json  what a step answered, how long it took, and which code did it
files/           what steps keep themselves: games, models, tables
results.json     the findings, for programs
report.html      the findings, for people
"""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from plies.arena.runner import source_hash
from plies.errors import PliesError
from plies.files import new_file
from plies.studies.report.machine import machine
from plies.studies.study import Findings, Scale, Step, Study, Tell, Work, silent

SIGNS_OF_SPECS = ",="  # what separates the options of an agent, and a file may be one


class BadStudy(PliesError):
    """A folder that holds another study, or something that cannot be read."""


@dataclass(frozen=True)
class Setting:
    """How a study is run: what may change its answers, and `workers`, which may not."""

    scale: Scale = "quick"
    seed: int = 1
    workers: int = 1


@dataclass(frozen=True)
class Kept:
    """What a step answered, and the circumstances.

    `source` is a hash of all code, `digest` one of the answer: findings trust what they read.
    """

    answer: Any
    digest: str
    seconds: float
    ended: str
    source: str
    machine: Mapping[str, str]


@dataclass(frozen=True)
class Outcome:
    """A study that has been run: the answers of its steps, and what follows from them."""

    study: Study
    setting: Setting
    steps: Mapping[str, Kept]
    findings: Findings

    @property
    def warnings(self) -> list[str]:
        """What a reader should know before believing the figures."""
        told = []
        if self.setting.scale == "quick":
            told.append("a small run, whose figures are rough; --full is as large as published")
        if len({kept.source for kept in self.steps.values()}) > 1:
            told.append("code was changed between the steps; a new --out makes all of them anew")
        return told


def run(study: Study, folder: Path, setting: Setting, tell: Tell = silent) -> Outcome:
    """Run what is left of a study in a folder, and draw the findings."""
    claim(study, folder, setting)
    found: dict[str, Kept] = {}
    for step in study.plan(setting.scale):
        path = folder / "steps" / f"{step.name}.json"
        if not path.exists():
            write_json(path, _run(step, folder, setting, found, tell))
        found[step.name] = read_kept(path)
    answers = {name: kept.answer for name, kept in found.items()}
    return Outcome(study, setting, found, study.findings(answers, setting.scale))


def _run(
    step: Step, folder: Path, setting: Setting, found: Mapping[str, Kept], tell: Tell
) -> dict[str, Any]:
    """What is kept of a step."""
    tell(step.name, 0, 0)
    answers = {name: kept.answer for name, kept in found.items()}
    work = Work(folder / "files", setting.seed, setting.workers, answers, tell)
    began = time.perf_counter()
    answer = json.loads(_text(step.run(work)))
    return {
        "answer": answer,
        "digest": digest_of(answer),
        "seconds": round(time.perf_counter() - began, 3),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": source_hash(()),
        "machine": machine(),
    }


def claim(study: Study, folder: Path, setting: Setting) -> None:
    """Make the folder that of the study, unless it is already; another one's is refused."""
    if any(sign in str(folder) for sign in SIGNS_OF_SPECS):
        raise BadStudy(
            f"{folder} has a comma or an equals sign in its name, which agents could not be given;"
            " choose another folder by --out"
        )
    path = folder / "study.json"
    told = {"study": study.name, "scale": setting.scale, "seed": setting.seed}
    if path.exists():
        kept = read_json(path)
        if not isinstance(kept, dict):
            raise BadStudy(f"{path} describes no study; delete {folder} or choose another by --out")
        for name, value in told.items():
            if kept.get(name) != value:
                raise BadStudy(
                    f"{folder} holds another study ({name} is {kept.get(name)}, not {value});"
                    " choose another folder by --out"
                )
    elif folder.is_dir() and any(folder.iterdir()):
        raise BadStudy(f"{folder} is not empty and holds no study; choose another by --out")
    try:
        for inner in (folder / "steps", folder / "files"):
            inner.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadStudy(f"{folder} cannot be made a folder: {error.strerror}") from error
    if not path.exists():
        write_json(path, told)


def read_json(path: Path) -> Any:
    """What a file of the study holds; it was written whole, so that anything else is damage."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadStudy(f"{path} cannot be read ({error}); delete it to make it anew") from error


def read_kept(path: Path) -> Kept:
    """What is kept of a step."""
    data = read_json(path)
    names = {field.name for field in fields(Kept)}
    if (
        not isinstance(data, dict)
        or set(data) != names
        or not isinstance(data["seconds"], int | float)
        or not all(isinstance(data[name], str) for name in ("ended", "source"))
        or not isinstance(data["machine"], dict)
    ):
        raise BadStudy(f"{path} does not hold what a step answered; delete it to make it anew")
    if data["digest"] != digest_of(data["answer"]):
        raise BadStudy(f"{path} was changed after its step had ended; delete it to make it anew")
    return Kept(**data)


def digest_of(answer: Any) -> str:
    """The same for the same answer, however its file is laid out."""
    return hashlib.sha256(json.dumps(answer, sort_keys=True).encode()).hexdigest()


def write_json(path: Path, data: Any) -> None:
    """Whole or not at all."""
    with new_file(path) as part:
        part.write_text(_text(data) + "\n", encoding="utf-8")


def _text(data: Any) -> str:
    """As JSON; numbers and arrays of numpy become plain ones."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is nothing that JSON can hold")
