"""The results of a study as a page of the documentation."""

from collections.abc import Sequence
from typing import Any

from plies.studies.report.contents import compared_table

MACHINE = ("processor", "cores", "system", "python", "numba", "plies")


def markdown(told: dict[str, Any]) -> str:
    """From what `results.json` holds."""
    command = f"plies study run {told['study']} --{told['scale']} --seed {told['seed']}"
    machine, compared = told["machine"], compared_table(told["compared"])
    commit = machine.get("commit", "unknown")
    made = ", ".join(f"{name} {machine[name]}" for name in MACHINE if name in machine)
    parts = [
        f"# {told['title']}",
        told["about"],
        told["lead"],
        *(f"Note: {warning}." for warning in told["warnings"]),
        "## Published, computed, ours",
        table(compared.columns, compared.rows),
    ]
    for shown in told["tables"]:
        parts += [f"## {shown['title']}", shown["remark"], table(shown["columns"], shown["rows"])]
    parts += [
        "## How this was made",
        f"`{command}` wrote this page, and a report with charts.",
        f"Commit {commit}, {told['ended'][:10]}, {told['seconds']:.0f} seconds; {made}.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """In the notation of Markdown; columns without a heading keep their place."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
