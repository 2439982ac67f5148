"""Explicit trees explained: what a search sees of each node, and which order cuts most.

>>> from plies.games.tree import read_tree
>>> from plies.tree_report import analyse, report_text
>>> report = analyse(read_tree("M(m(3, 5), m(2, 9))"))
>>> report.answer.value, report.line, report.cut_text((1,))
(3, ('1', '1'), 'alpha 3 >= beta 2')
"""

from plies.tree_report.ordering import Ordering, best_ordering, leaves_evaluated, ordered
from plies.tree_report.report import Report, analyse
from plies.tree_report.text import report_json, report_text

__all__ = [
    "Ordering",
    "Report",
    "analyse",
    "best_ordering",
    "leaves_evaluated",
    "ordered",
    "report_json",
    "report_text",
]
