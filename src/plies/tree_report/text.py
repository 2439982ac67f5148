"""A report as an annotated drawing for people and as JSON for programs."""

from math import inf
from typing import Any

from plies.games.tree.nodes import (
    Leaf,
    Path,
    Tree,
    is_scalar,
    mover_text,
    outline,
    path_text,
    payoff_text,
    tree_text,
    walk,
)
from plies.search.trace.visits import Visit
from plies.tree_report.ordering import Order
from plies.tree_report.report import Report

NAMES = {"minimax": "minimax", "alphabeta": "alpha-beta", "maxn": "max^n"}
ORDER_NAMES: dict[Order, str] = {
    "left": "left to right",
    "right": "right to left",
    "best": "best order",
}
SIGNS = {"exact": "=", "at least": "≥", "at most": "≤"}


def report_text(report: Report) -> str:
    """Heading, tree and counts."""
    return "\n".join([heading(report), "", tree_drawing(report), "", *summary(report)])


def heading(report: Report) -> str:
    """Which search it was."""
    kind = ""
    if report.algorithm == "alphabeta":
        sign = "alpha >= beta" if report.cut == "equal" else "alpha > beta"
        kind = f" (fail {report.fail}, cut when {sign})"
    return f"{NAMES[report.algorithm]}{kind}, children {_in_order(report.order)}"


def tree_drawing(report: Report) -> str:
    """One line for every node: value, window on entry, and what was cut and why."""
    rows = [
        (f"{margin}{_head(report, path, node)}", *_remarks(report, path, node))
        for margin, path, node in outline(report.tree)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = (f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}".rstrip() for row in rows)
    return "\n".join(lines)


def summary(report: Report) -> list[str]:
    """The answer, the counts, and what other orders would have cost."""
    answer, (nodes, leaves) = report.answer, report.size
    lines = [f"value   {_value_text(answer.value)}"]
    if report.line:
        lines.append(f"line    {' '.join(report.line)} (marked *)")
    lines.append(f"nodes   {answer.nodes} of {nodes} visited")
    lines.append(f"leaves  {answer.leaves} of {leaves} evaluated")
    if report.orderings:
        best = report.orderings["best"]
        counts = report.leaves_by_order.items()
        orders = ", ".join(f"{ORDER_NAMES[order]} {count}" for order, count in counts)
        lines.append(f"alpha-beta evaluates {orders}{'' if best.is_proven else ' (not proven)'}")
        lines.append(f"best order: {tree_text(best.tree)}")
    return lines


def report_json(report: Report) -> dict[str, Any]:
    """What a program may want to know; paths are those of the original tree."""
    nodes, leaves = report.size
    best = report.orderings.get("best")
    first = report.ordering.original(report.answer.line[:1])
    return {
        "value": report.answer.value,
        "move": report.line[0] if report.line else None,
        "move_number": first[0] + 1 if first else None,
        "line": list(report.line),
        "leaves": report.answer.leaves,
        "nodes": report.answer.nodes,
        "cutoffs": report.answer.cutoffs,
        "algorithm": report.algorithm,
        "fail": report.fail,
        "cut": report.cut,
        "order": report.order,
        "tree": {"text": tree_text(report.tree), "nodes": nodes, "leaves": leaves},
        "orderings": report.leaves_by_order or None,
        "best_ordering": best and {"text": tree_text(best.tree), "is_proven": best.is_proven},
        "visits": [_visit_json(report, path) for path, _ in walk(report.tree)],
    }


def _in_order(order: Order) -> str:
    return "in the best order" if order == "best" else f"from {ORDER_NAMES[order]}"


def _head(report: Report, path: Path, node: Tree) -> str:
    """`C: m = 1 *`: label, mover and value; a leaf is its payoff."""
    label = f"{node.label}: " if node.label else ""
    visit = report.visits.get(path)
    if isinstance(node, Leaf):
        head = payoff_text(node.payoff)
    else:
        scalar = is_scalar(report.tree)
        head = ("" if scalar else "player ") + mover_text(node.mover, scalar)
        if visit is not None:
            head += f" {SIGNS[visit.bound]} {_value_text(visit.value)}"
    is_best = path and path == report.answer.line[: len(path)]
    return f"{label}{head}{' *' if is_best else ''}"


def _remarks(report: Report, path: Path, node: Tree) -> tuple[str, str]:
    """The window, where there is one to show, and what happened."""
    visit = report.visits.get(path)
    if visit is None:
        return "", "not visited"
    if isinstance(node, Leaf) or report.algorithm != "alphabeta":
        return "", ""
    cut = report.cut_text(path)
    return _window_text(visit), f"cut: {cut}" if cut else ""


def _window_text(visit: Visit) -> str:
    ends = (_end_text(end) for end in visit.window)
    return f"({', '.join(ends)})"


def _end_text(end: Any) -> str:
    return str(end) if abs(end) < inf else ("∞" if end > 0 else "-∞")


def _value_text(value: Any) -> str:
    return payoff_text(value) if isinstance(value, tuple) else str(value)


def _visit_json(report: Report, path: Path) -> dict[str, Any]:
    visit = report.visits.get(path)
    node: dict[str, Any] = {"node": path_text(report.ordering.original(path))}
    if visit is None:
        return {**node, "is_visited": False}
    window = [end if abs(end) < inf else None for end in visit.window]
    return {
        **node,
        "is_visited": True,
        "order": visit.order,
        "value": visit.value,
        "bound": visit.bound,
        "window": window if report.algorithm == "alphabeta" else None,
        "cut": report.cut_text(path) or None,
    }
