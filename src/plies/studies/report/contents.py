"""What is told of a study that has been run, on a page and as data."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plies.files import new_file
from plies.pages import page
from plies.pages.page import Table
from plies.studies.running import Kept, Outcome, write_json
from plies.studies.study import Shown

if TYPE_CHECKING:
    from plies.pages.charts import Drawn, PictureFormat

COMPARED = {  # field of a row -> heading
    "what": "what",
    "published": "published",
    "computed": "computed",
    "ours": "ours",
    "why": "why they differ",
}
NOTHING = "-"  # in a cell without an entry


def write(outcome: Outcome, folder: Path) -> dict[str, Any]:
    """`results.json` and `report.html`; answers what the first of them holds."""
    told = as_data(outcome)
    write_json(folder / "results.json", told)
    with new_file(folder / "report.html") as part:
        part.write_text(html(outcome), encoding="utf-8", errors="replace")
    return told


def write_charts(outcome: Outcome, folder: Path, kind: "PictureFormat") -> list[Path]:
    """Every chart of the report as a file; nothing is computed but the drawing."""
    from plies.pages.charts import write_pictures

    return write_pictures(folder, charts(outcome), kind)


def charts(outcome: Outcome) -> "dict[str, Drawn]":
    """The charts by a name made of the study's and their titles, such as `quixo-time-by-depth`."""
    found: dict[str, Drawn] = {}
    for shown in outcome.findings.shown:
        if isinstance(shown.content, Table):
            continue
        words = re.findall(r"[a-z0-9]+", shown.title.lower())
        name = "-".join([outcome.study.name, *words])
        numbered = (f"{name}-{number}" for number in count(2))
        free = next(each for each in chain([name], numbered) if each not in found)
        found[free] = shown.content.properties(title=shown.title)
    return found


def as_data(outcome: Outcome) -> dict[str, Any]:
    """The findings as JSON; charts are in the report only, their figures in `steps`."""
    study, findings = outcome.study, outcome.findings
    tables = [shown for shown in findings.shown if isinstance(shown.content, Table)]
    return {
        "study": study.name,
        "title": study.title,
        "about": study.about,
        "scale": outcome.setting.scale,
        "seed": outcome.setting.seed,
        "machine": dict(machine_of(outcome.steps)),
        "ended": max((kept.ended for kept in outcome.steps.values()), default=""),
        "seconds": round(sum(kept.seconds for kept in outcome.steps.values()), 3),
        "warnings": outcome.warnings,
        "lead": findings.lead,
        "compared": [asdict(row) for row in findings.compared],
        "tables": [
            {"title": shown.title, "remark": shown.remark, **vars(shown.content)}
            for shown in tables
        ],
        "steps": {name: kept.answer for name, kept in outcome.steps.items()},
    }


def machine_of(steps: Mapping[str, Kept]) -> Mapping[str, str]:
    """That of the last step; the steps of a study are usually run on one."""
    return next((kept.machine for kept in reversed(list(steps.values()))), {})


def compared_table(rows: Iterable[Mapping[str, str]]) -> Table:
    """From rows as `as_data` has them."""
    cells = [tuple(row[field] or NOTHING for field in COMPARED) for row in rows]
    return Table(tuple(COMPARED.values()), cells)


def html(outcome: Outcome) -> str:
    """The report."""
    study, findings = outcome.study, outcome.findings
    cards = "".join(_card(shown) for shown in findings.shown if not _is_table(shown))
    sections = [
        ("", f"<p>{page.text(findings.lead)}</p>" + page.warnings(outcome.warnings)),
        ("Published, computed, ours", page.table(compared_table(map(asdict, findings.compared)))),
        ("Charts", f'<div class="cards">{cards}</div>'),
    ]
    for shown in filter(_is_table, findings.shown):
        assert isinstance(shown.content, Table)
        sections.append((shown.title, page.table(shown.content) + page.hint(shown.remark)))
    sections.append(("How this was made", page.table(settings(outcome))))
    return page.page(study.title, study.about, [each for each in sections if each[1]])


def _is_table(shown: Shown) -> bool:
    return isinstance(shown.content, Table)


def _card(shown: Shown) -> str:
    from plies.pages.charts import inline_svg

    assert not isinstance(shown.content, Table)
    return page.card(shown.title, shown.remark, inline_svg(shown.content))


def settings(outcome: Outcome) -> Table:
    """Seeds, scale, machine and times."""
    told = as_data(outcome)
    times = ", ".join(f"{name} {kept.seconds:.1f} s" for name, kept in outcome.steps.items())
    facts = {
        "command": command(outcome),
        "scale": told["scale"],
        "seed": str(told["seed"]),
        "workers": str(outcome.setting.workers),
        **told["machine"],
        "ended": told["ended"],
        "steps": f"{times}; {told['seconds']:.1f} s in all",
    }
    return Table(("what", "how"), list(facts.items()))


def command(outcome: Outcome) -> str:
    """What repeats it."""
    setting = outcome.setting
    return f"plies study run {outcome.study.name} --{setting.scale} --seed {setting.seed}"
