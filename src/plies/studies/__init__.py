"""Experiments that one command repeats, each with a report beside what was published."""
