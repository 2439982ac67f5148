"""A report as one HTML document that needs nothing else, no network least of all."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

NUMBER = re.compile(r"[-+\d.,e /]*( %)?")
Section = tuple[str, str]  # heading, HTML


@dataclass(frozen=True)
class Table:
    """A table to be shown or to be written."""

    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def page(title: str, lead: str, sections: Iterable[Section], script: str = "") -> str:
    """The whole document; its policy lets nothing be loaded, and no script run but this one."""
    style = (files("plies.pages") / "static" / "page.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f" script-src 'sha256-{digest}';" if script else ""
    policy = (
        f"default-src 'none';{scripts} style-src 'unsafe-inline';"
        " base-uri 'none'; form-action 'none'"
    )
    body = "\n".join(
        f"<section>{f'<h2>{text(heading)}</h2>' if heading else ''}{content}</section>"
        for heading, content in sections
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)}</title><style>{style}</style></head>\n"
        f'<body><h1>{text(title)}</h1><p class="lead">{text(lead)}</p>\n{body}\n'
        f"{f'<script>{script}</script>' if script else ''}</body></html>\n"
    )


def text(value: object) -> str:
    """Any text as HTML; what cannot be printed is marked."""
    printable = (
        c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in str(value)
    )
    return escape("".join(printable))


def warnings(told: Iterable[str]) -> str:
    return "".join(f'<p class="warning">{text(each)}</p>' for each in told)


def table(shown: Table) -> str:
    """Columns of numbers are set to the right."""
    columns = range(len(shown.columns))
    kinds = [
        "number" if all(NUMBER.fullmatch(row[column]) for row in shown.rows) else "name"
        for column in columns
    ]

    def line(tag: str, cells: Sequence[str]) -> str:
        told = zip(kinds, cells, strict=True)
        inner = "".join(f'<{tag} class="{kind}">{text(cell)}</{tag}>' for kind, cell in told)
        return f"<tr>{inner}</tr>"

    head, body = line("th", shown.columns), "".join(line("td", row) for row in shown.rows)
    return f'<div class="scroll"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>'


def hint(told: str) -> str:
    return f'<p class="hint">{text(told)}</p>' if told else ""


def card(title: str, remark: str, svg: str) -> str:
    """A chart with what it shows."""
    small = f"<small>{text(remark)}</small>" if remark else ""
    return (
        f'<figure class="card"><figcaption><strong>{text(title)}</strong>{small}</figcaption>'
        f"{svg}</figure>"
    )


def script_json(data: Any) -> str:
    """JSON that no text in it can turn into a tag."""
    compact = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return compact.replace("<", "\\u003c")
