"""Ends before it is asked anything."""

import sys

sys.exit("no licence found")
