"""The `plies` command: one file per command, each with a function `command`.

Whatever takes long to import (the compiler, tables) is imported inside the
functions, so that `plies --help` answers at once.
"""
