"""A run told to people: one HTML file with tables, charts and every game to step through."""

from plies.arena.report.contents import Report, make_report
from plies.arena.report.run import Run, read_run

__all__ = ["Report", "Run", "make_report", "read_run"]
