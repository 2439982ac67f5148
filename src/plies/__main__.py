"""`python -m plies` is the command `plies`."""

from plies.cli.main import run

run()
