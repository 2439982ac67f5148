"""The contract of game files as a table of the documentation.

To renew it: `python tests/contract_table.py`.
"""

from pathlib import Path

from plies.core.rules import RULES, Rule

PAGE = Path(__file__).parents[1] / "docs" / "writing-a-game.md"
BEGIN, END = "<!-- table of rules -->", "<!-- end of the table -->"


def contract_table() -> str:
    head = [
        "| name | needed | kind | answers |",
        "| --- | --- | --- | --- |",
        "| `State` | yes | `NamedTuple` | fields of the types `int`, `np.uint64` and array |",
    ]
    last = "| `GAME = Game(__name__, title=...)` | yes | | the last statement |"
    return "\n".join([*head, *map(_row, RULES), last])


def _row(rule: Rule) -> str:
    kind = "compiled" if rule.is_compiled else "Python"
    default = f" (by default {rule.default})" if rule.default else ""
    call = f"`{rule.name}({', '.join(rule.takes)})`"
    return f"| {call} | {rule.needed} | {kind} | {rule.sentence}{default} |"


def with_table(page: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{contract_table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
